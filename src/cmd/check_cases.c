/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What check-bytes checks: buffers by cross product, workloads by name, the bytes of a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "cmd/check_plan.h"

#define MOST_CASES 100000 /* weeks of measuring */

/* Where the fault of @how is in @size bytes; -1 after a complaint when it cannot be there. */
static int place_fault(uint64_t how, uint64_t size, struct planned_case *to)
{
	snprintf(to->mismatch, sizeof(to->mismatch), "%s", mismatch_word(how));
	if (how == MISMATCH_NONE) {
		to->c.fault = CHECK_CLEAN;
		return 0;
	}
	if (size == 0 || (how < MISMATCH_LAST && how >= size)) {
		complain("check-bytes: --mismatch: '%s' is not within %llu byte%s", to->mismatch,
			 (unsigned long long)size, plural(size));
		return -1;
	}
	to->c.fault = how == MISMATCH_FIRST  ? 0 :
		      how == MISMATCH_MIDDLE ? size / 2 :
		      how == MISMATCH_LAST   ? size - 1 :
					       (size_t)how;
	return 0;
}

static struct planned_case *add_case(struct check_plan *plan)
{
	plan->cases = xgrow(plan->cases, plan->n_cases, sizeof(*plan->cases));
	return &plan->cases[plan->n_cases++];
}

/*
 * The cross product, sizes outermost: what is compared in one look stands together.  One number
 * counts through all lists like the digits of an odometer, the last list the fastest.
 */
static int add_buffers(struct check_plan *plan)
{
	const struct number_list *lists[] = { &plan->sizes, &plan->aligns, &plan->values,
					      &plan->mismatches, &plan->caches, &plan->modes };
	enum { SIZE, ALIGN, VALUE, MISMATCH, CACHE, MODE, N_LISTS };
	size_t n = 1;

	for (size_t l = 0; l < N_LISTS; l++) {
		if (lists[l]->n > MOST_CASES / n) {
			complain("check-bytes: these lists make more than %d cases", MOST_CASES);
			return -1;
		}
		n *= lists[l]->n;
	}
	for (size_t i = 0; i < n; i++) {
		struct planned_case *to = add_case(plan);
		uint64_t at[N_LISTS];

		for (size_t l = N_LISTS, rest = i; l-- > 0; rest /= lists[l]->n)
			at[l] = lists[l]->values[rest % lists[l]->n];
		to->c = (struct check_case){
			.size = (size_t)at[SIZE],
			.align = (unsigned int)at[ALIGN],
			.value = (uint8_t)at[VALUE],
			.cold = at[CACHE] != 0,
			.mode = (enum check_mode)at[MODE],
		};
		if (place_fault(at[MISMATCH], at[SIZE], to) != 0)
			return -1;
	}
	return 0;
}

static int take_workload(const char *name, void *arg)
{
	struct check_plan *plan = arg;
	struct workload_list *list = &plan->workloads;
	struct workload *w;

	if (strcmp(name, "all") == 0) {
		for (const char *const *one = workload_suite; *one; one++) {
			if (take_workload(*one, arg) != 0)
				return -1;
		}
		return 0;
	}
	for (size_t i = 0; i < list->n; i++) {
		if (strcmp(list->workloads[i]->name, name) == 0)
			return 0; /* one of all */
	}
	w = workload_make("check-bytes: --workload", name, plan->measure.seed);
	if (!w)
		return -1;
	list->workloads = xgrow(list->workloads, list->n, sizeof(*list->workloads));
	list->workloads[list->n++] = w;
	return 0;
}

static int add_workloads(struct check_plan *plan)
{
	if (parse_each("check-bytes: --workload", plan->workload_names, take_workload, plan) != 0)
		return -1;
	for (size_t i = 0; i < plan->workloads.n; i++) {
		for (size_t m = 0; m < plan->modes.n; m++) {
			struct planned_case *to = add_case(plan);

			to->c.mode = (enum check_mode)plan->modes.values[m];
			to->c.fault = CHECK_CLEAN;
			to->workload = plan->workloads.workloads[i];
		}
	}
	return 0;
}

/* The file instead of a size, and where it is wrong instead of a mismatch: as the others else. */
static int add_input(struct check_plan *plan)
{
	if (plan->workload_names) {
		complain("check-bytes: --input and --workload: which of the two?");
		return -1;
	}
	if (plan->sizes.n > 0 || plan->mismatches.n > 0) {
		complain("check-bytes: --input: the file has its own size and mismatches; leave "
			 "out %s",
			 plan->sizes.n > 0 ? "--size" : "--mismatch");
		return -1;
	}
	if (input_read(&plan->input, plan->input_path) != 0)
		return -1;
	number_list_add(&plan->sizes, plan->input.size);
	number_list_add(&plan->mismatches, MISMATCH_NONE);
	if (add_buffers(plan) != 0)
		return -1;
	for (size_t i = 0; i < plan->n_cases; i++) {
		struct planned_case *c = &plan->cases[i];
		size_t bad = input_first_bad(&plan->input, c->c.value);

		if (bad == plan->input.size)
			continue;
		c->c.fault = bad;
		snprintf(c->mismatch, sizeof(c->mismatch), "%zu", bad);
	}
	return 0;
}

static void default_to(struct number_list *list, uint64_t value)
{
	if (list->n == 0)
		number_list_add(list, value);
}

static void set_defaults(struct check_plan *plan)
{
	default_to(&plan->aligns, 0);
	default_to(&plan->values, 0x6b); /* poison-free */
	default_to(&plan->caches, false);
	default_to(&plan->modes, CHECK_THROUGHPUT);
	if (plan->kernel_cost)
		number_list_add(&plan->modes, CHECK_KERNEL);
}

int check_cases_make(struct check_plan *plan)
{
	bool nothing_else = !plan->input_path && !plan->workload_names;

	set_defaults(plan);
	if (plan->input_path && add_input(plan) != 0)
		return STATUS_INPUT;
	if (!plan->input_path && (nothing_else || plan->sizes.n > 0)) {
		if (plan->sizes.n == 0) {
			number_list_add(&plan->sizes, 64);
			number_list_add(&plan->sizes, 4096);
		}
		default_to(&plan->mismatches, MISMATCH_NONE);
		if (add_buffers(plan) != 0)
			return STATUS_INPUT;
	}
	if (plan->workload_names && add_workloads(plan) != 0)
		return STATUS_INPUT;
	for (size_t i = 0; i < plan->n_cases; i++) {
		if (plan->cases[i].c.size > plan->longest)
			plan->longest = plan->cases[i].c.size;
	}
	return STATUS_OK;
}

void check_cases_free(struct check_plan *plan)
{
	for (size_t i = 0; i < plan->workloads.n; i++)
		workload_free(plan->workloads.workloads[i]);
	free(plan->workloads.workloads);
	input_free(&plan->input);
	free(plan->cases);
}
