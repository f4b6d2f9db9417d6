/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/gbench.h"
#include "cmd/check_replay.h"

static void run_throughput(void *arg, int64_t n)
{
	struct replay *r = arg;
	const struct workload *w = r->workload;
	check_fn *fn = r->fn;
	uint32_t next = r->next;

	for (int64_t i = 0; i < n; i++) {
		const struct workload_op *op = &w->ops[w->order[next]];
		const struct workload_check *c = &w->checks[op->first];

		next = (next + 1) % WORKLOAD_OPS;
		for (uint32_t left = op->n; left > 0; left--, c++)
			gb_use(fn(c->at, c->value, c->n));
	}
	r->next = next;
}

static void run_latency(void *arg, int64_t n)
{
	struct replay *r = arg;
	const struct workload *w = r->workload;
	size_t nothing = 0, answer = 0;

	/* As in checks.c: 0 whatever the answer is, but not before it is there. */
	__asm__ volatile("" : "+r"(nothing));
	for (int64_t i = 0; i < n; i++) {
		const struct workload_op *op = &w->ops[w->order[r->next]];
		const struct workload_check *c = &w->checks[op->first];

		r->next = (r->next + 1) % WORKLOAD_OPS;
		for (uint32_t left = op->n; left > 0; left--, c++)
			answer = r->fn(c->at + (answer & nothing), c->value, c->n);
	}
	gb_use(answer);
}

static void run_kernel(void *arg, int64_t n)
{
	struct replay *r = arg;
	const struct workload *w = r->workload;

	xstate_dirty(r->xstate);
	for (int64_t i = 0; i < n; i++) {
		const struct workload_op *op = &w->ops[w->order[r->next]];
		const struct workload_check *c = &w->checks[op->first];

		r->next = (r->next + 1) % WORKLOAD_OPS;
		for (uint32_t left = op->n; left > 0; left--, c++) {
			xstate_save(r->xstate);
			gb_use(r->fn(c->at, c->value, c->n));
			xstate_restore(r->xstate);
		}
	}
}

struct measure_work replay_work(struct replay *r, const char *name, enum check_mode mode)
{
	return (struct measure_work){
		.name = name,
		.run = r->xstate	      ? run_kernel :
		       mode == CHECK_LATENCY ? run_latency :
					       run_throughput,
		.arg = r,
	};
}
