/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gbench.so: Google Benchmark behind a C header; the only C++ of the tree that needs its library. */
#include "bench/gbench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>
#include <vector>

struct gb_state {
	benchmark::State &st;
	bool drained; /* the body has been told to leave */
};

namespace
{

struct sample {
	std::string name, error;
	size_t case_idx;
	unsigned int rep;
	int64_t iterations;
	double real_ns, cpu_ns;
	bool failed;
};

/*
 * A failed run was error_occurred up to 1.7 and is skipped since 1.8.  The int or long at the end
 * makes the older name win where a header has both.
 */
template <class R> auto run_failed(const R &run, int) -> decltype(bool(run.error_occurred))
{
	return run.error_occurred;
}

template <class R> auto run_failed(const R &run, long) -> decltype(bool(run.skipped))
{
	return bool(run.skipped);
}

template <class R> auto run_error(const R &run, int) -> decltype(run.error_message)
{
	return run.error_message;
}

template <class R> auto run_error(const R &run, long) -> decltype(run.skip_message)
{
	return run.skip_message;
}

/* Keeps what the library reports and prints nothing. */
class collector : public benchmark::BenchmarkReporter
{
      public:
	std::vector<sample> samples;

	bool ReportContext(const Context &) override
	{
		return true;
	}

	void ReportRuns(const std::vector<Run> &runs) override
	{
		for (const Run &run : runs) {
			/* Means and deviations of repetitions: ours are computed from the samples. */
			if (run.run_type == Run::RT_Aggregate)
				continue;
			keep(run);
		}
	}

      private:
	void keep(const Run &run)
	{
		double n = run.iterations > 0 ? double(run.iterations) : 1.0;
		sample s;

		s.name = run.run_name.function_name; /* without the library's "/real_time" */
		s.failed = run_failed(run, 0);
		s.error = run_error(run, 0);
		s.case_idx = size_t(run.family_index); /* the order of registration */
		s.rep = run.repetition_index > 0 ? unsigned(run.repetition_index) : 0;
		s.iterations = run.iterations;
		s.real_ns = run.real_accumulated_time * 1e9 / n;
		s.cpu_ns = run.cpu_accumulated_time * 1e9 / n;
		samples.push_back(s);
	}
};

/*
 * The library takes its defaults from BENCHMARK_* before main() runs, so that clearing the
 * environment comes too late: each flag that changes what is run or printed is set here, in an
 * argument vector that the user's never meets.  Flags that a version does not know stay unused.
 */
void fix_flags()
{
	static const char *const flags[] = {
		"slubbench",
		"--benchmark_list_tests=false",
		"--benchmark_dry_run=false",
		"--benchmark_filter=",
		"--benchmark_min_time=0.5",
		"--benchmark_min_warmup_time=0",
		"--benchmark_repetitions=1",
		"--benchmark_enable_random_interleaving=false",
		"--benchmark_report_aggregates_only=false",
		"--benchmark_display_aggregates_only=false",
		"--benchmark_format=console",
		"--benchmark_out=",
		"--benchmark_out_format=json",
		"--benchmark_color=false",
		"--benchmark_counters_tabular=false",
		"--benchmark_context=",
		"--benchmark_perf_counters=",
		"--benchmark_time_unit=ns",
		"--v=0",
	};
	std::vector<char *> argv;
	int argc;

	for (const char *flag : flags)
		argv.push_back(const_cast<char *>(flag));
	argc = int(argv.size());
	argv.push_back(nullptr);
	benchmark::Initialize(&argc, argv.data());
}

int64_t next_batch(gb_state *st) noexcept
{
	if (!st->drained && st->st.KeepRunningBatch(st->st.max_iterations))
		return st->st.max_iterations;
	st->drained = true;
	return 0;
}

void run_body(benchmark::State &st, const gb_case &c)
{
	gb_state state = {st, false};

	c.body(&state, c.arg);
	if (state.drained)
		return;
	/* The library aborts the process when a body leaves early: end the loop in its place. */
	st.SkipWithError("the body left before its last batch");
	while (next_batch(&state) > 0)
		;
}

void register_case(const gb_case &c, const gb_config &cfg)
{
	auto *b = benchmark::RegisterBenchmark(c.name ? c.name : "unnamed",
					       [&c](benchmark::State &st) { run_body(st, c); });

	b->Unit(benchmark::kNanosecond);
	b->Repetitions(cfg.repetitions ? int(cfg.repetitions) : 1);
	if (c.manual_time)
		b->UseManualTime();
	else
		b->UseRealTime();
	if (c.iterations > 0) {
		b->Iterations(c.iterations);
		return;
	}
	if (cfg.min_time_s > 0)
		b->MinTime(cfg.min_time_s);
	if (cfg.warmup_s > 0)
		b->MinWarmUpTime(cfg.warmup_s);
}

bool valid(const gb_case *cases, size_t n, const gb_config &cfg)
{
	if (n == 0 || !(cfg.min_time_s >= 0) || !(cfg.warmup_s >= 0))
		return false;
	return std::all_of(cases, cases + n,
			   [](const gb_case &c) { return c.body && c.iterations >= 0; });
}

int hand_over(std::vector<sample> &samples, gb_sample_fn *cb, void *arg)
{
	std::sort(samples.begin(), samples.end(), [](const sample &a, const sample &b) {
		return a.case_idx != b.case_idx ? a.case_idx < b.case_idx : a.rep < b.rep;
	});
	for (const sample &s : samples) {
		gb_sample out = {};

		out.name = s.name.c_str();
		out.case_idx = s.case_idx;
		out.rep = s.rep;
		out.iterations = s.iterations;
		out.real_ns = s.real_ns;
		out.cpu_ns = s.cpu_ns;
		out.error = s.failed ? s.error.c_str() : nullptr;
		if (int ret = cb(&out, arg))
			return ret;
	}
	return 0;
}

int run(const gb_case *cases, size_t n, const gb_config *cfg, gb_sample_fn *cb, void *arg)
try {
	collector reporter;

	if (!valid(cases, n, *cfg))
		return -EINVAL;
	fix_flags();
	benchmark::ClearRegisteredBenchmarks();
	for (size_t i = 0; i < n; i++)
		register_case(cases[i], *cfg);
	benchmark::RunSpecifiedBenchmarks(&reporter, std::string("all"));
	benchmark::ClearRegisteredBenchmarks();
	return hand_over(reporter.samples, cb, arg);
} catch (const std::bad_alloc &) {
	return -ENOMEM;
} catch (...) {
	return -EIO;
}

void set_manual_time(gb_state *st, double seconds) noexcept
{
	st->st.SetIterationTime(seconds);
}

void fail(gb_state *st, const char *why) noexcept
{
	st->st.SkipWithError(why);
}

} // namespace

extern "C" const struct gb_library gb_library = { run, next_batch, set_manual_time, fail };
