/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C face of Google Benchmark, 1.7 or later.  No C++ type crosses it.  The library and that of C++
 * come with gbench.so, which gb_load() or the first gb_run() loads: commands that time nothing start
 * without.
 *
 * The library's command line and its BENCHMARK_* environment variables have no say here: what is
 * run is what the caller hands over, in the order in which it is handed over.  The library can
 * interleave repetitions too, but seeds its shuffle from the machine's entropy, so that an order
 * could never be repeated; callers that want an interleaved run shuffle their cases (measure.h).
 */
#ifndef SLUBBENCH_GBENCH_H
#define SLUBBENCH_GBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define GB_NOEXCEPT noexcept
extern "C" {
#else
#define GB_NOEXCEPT
#endif

struct gb_state; /* opaque, valid only inside a body */

/*
 * A body asks gb_next_batch() for work until that is 0:
 *
 *	while ((n = gb_next_batch(st)) > 0)
 *		for (int64_t i = 0; i < n; i++)
 *			gb_use(fn(buf, value, len));
 *
 * The clock runs from the first to the last gb_next_batch().  A body that leaves before it was
 * told to makes its sample an error.  It must not longjmp() out.
 */
typedef void gb_body_fn(struct gb_state *st, void *arg);

struct gb_case {
	const char *name;   /* for people; need not be unique; copied */
	gb_body_fn *body;
	void *arg;          /* outlives gb_run() */
	int64_t iterations; /* of each repetition; 0: as many as min_time_s takes */
	bool manual_time;   /* the body calls gb_set_manual_time() */
};

struct gb_config {
	double min_time_s;        /* of a case without iterations; 0: the library's default */
	double warmup_s;          /* before the first repetition of such a case */
	unsigned int repetitions; /* of each case, one after the other; 0: 1 */
};

struct gb_sample { /* one repetition of one case; strings die after the callback */
	const char *name;
	size_t case_idx; /* into cases[] */
	unsigned int rep;
	int64_t iterations;
	double real_ns, cpu_ns; /* per iteration; with manual_time real_ns is the body's own time */
	const char *error;      /* NULL when the body ran to its end */
};

typedef int gb_sample_fn(const struct gb_sample *s, void *arg);

/* Load gbench.so ahead of gb_run(): 0, or -ELIBACC after a complaint. */
int gb_load(void);

/*
 * gb_run - time @n cases and hand every sample to @cb, by case, then by repetition.
 *
 * All samples come after all cases have run.  The first non-zero answer of @cb ends the calls and
 * is returned.  Else 0, or -EINVAL (no case, a case without body, a negative number), -ENOMEM,
 * -EIO (the library threw something else), -ELIBACC (gbench.so cannot be loaded: a complaint said so).
 * Not reentrant: the library keeps its list of cases in one global.
 */
int gb_run(const struct gb_case *cases, size_t n, const struct gb_config *cfg, gb_sample_fn *cb,
	   void *arg);

/* How often to do it now; 0: leave the body. */
int64_t gb_next_batch(struct gb_state *st) GB_NOEXCEPT;

/* Seconds that the whole batch took by the body's own clock.  Cases with manual_time only. */
void gb_set_manual_time(struct gb_state *st, double seconds) GB_NOEXCEPT;

/* This repetition is worthless; @why becomes the sample's error.  Then drain gb_next_batch(). */
void gb_fail(struct gb_state *st, const char *why) GB_NOEXCEPT;

/* Make the compiler believe that @v is needed and that memory may have changed. */
#define gb_use(v) __asm__ volatile("" : : "r,m"(v) : "memory")

/* What gbench.so has to offer: the functions above ask it, once a batch and not once a call. */
struct gb_library {
	int (*run)(const struct gb_case *cases, size_t n, const struct gb_config *cfg,
		   gb_sample_fn *cb, void *arg);
	int64_t (*next_batch)(struct gb_state *st) GB_NOEXCEPT;
	void (*set_manual_time)(struct gb_state *st, double seconds) GB_NOEXCEPT;
	void (*fail)(struct gb_state *st, const char *why) GB_NOEXCEPT;
};
extern const struct gb_library gb_library;

#ifdef __cplusplus
}
#endif

#endif /* SLUBBENCH_GBENCH_H */
