/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verify the contenders of a plan, then time them case by case, and make rows of it. */
#ifndef SLUBBENCH_CHECK_RACE_H
#define SLUBBENCH_CHECK_RACE_H

#include "cmd/check_kernel.h"
#include "cmd/check_plan.h"
#include "cmd/check_rows.h"
#include "report/progress.h"

struct race {
	struct check_plan *plan;
	struct rows *summary, *samples;
	enum check_verdict (*verdicts)[256]; /* of each contender, by value */
	struct check_buffer buffer;
	struct xstate xstate;      /* open when the plan has CHECK_KERNEL */
	struct kernel_points kernel;
	double worst_real_per_cpu; /* of any case */
	unsigned int timed, unsteady, displaced; /* contenders in cases */
	uint64_t *beat;            /* shared with the process that times: it is alive */
	size_t cases_done;
	struct progress progress;
	int status;                /* STATUS_WRONG when somebody was, _INPUT without memory to tell */
};

/*
 * Get what the plan needs: memory, and the XSAVE family for the price in a kernel.  STATUS_OK, or
 * what to exit with after a complaint.
 */
int race_open(struct race *race, struct check_plan *plan);

/* Judge every contender by every value that is asked for, and give the code its places. */
void race_verify(struct race *race);

/*
 * The verdict on contender @i in the case @c, whose buffer is at @at.  A wrong answer in this very
 * case is complained of and sets race->status.
 */
enum check_verdict race_verdict(struct race *race, size_t i, const struct planned_case *c,
				const uint8_t *at);

/* Does @contender answer the very question of @c, without a crash? */
bool race_answers(const struct contender *contender, const struct planned_case *c,
		  const uint8_t *at);
extern const char race_wrong_here[]; /* the complaint when it does not */

/* Complain that @v is wrong, @words: how; it costs the run its exit status, and @v its place. */
enum check_verdict race_wrong(struct race *race, const struct check_variant *v, const char *words);

/* Verify, measure, fill race->summary and race->samples.  0, or -1 after a complaint. */
int race_run(struct race *race);

/* On stderr: what about this run makes its numbers weak. */
void race_tell_noise(const struct race *race);

void race_close(struct race *race);

#endif /* SLUBBENCH_CHECK_RACE_H */
