/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "cmd/check_plan.h"

#define MOST_CASES 100000 /* weeks of measuring */

static size_t table_length(void)
{
	size_t n = 0;

	while (check_variants[n].name)
		n++;
	return n;
}

/* The row of check_variants[] called @name; complains and is NULL when there is none. */
static const struct check_variant *find_variant(const char *what, const char *name)
{
	const struct check_variant *v = check_find(name);
	const char **names, *near;

	if (v)
		return v;
	names = xcalloc(table_length() + 1, sizeof(*names));
	for (size_t i = 0; check_variants[i].name; i++)
		names[i] = check_variants[i].name;
	near = nearest(name, names);
	complain("%s: there is no variant '%s'; %s%s%s", what, name,
		 near ? "did you mean '" : "see check-bytes --list", near ? near : "",
		 near ? "'?" : "");
	free(names);
	return NULL;
}

struct variant_list {
	const char *what;
	struct number_list *to;
};

static int take_variant(const char *part, void *arg)
{
	const struct variant_list *list = arg;
	const struct check_variant *v = find_variant(list->what, part);

	if (!v)
		return -1;
	number_list_add(list->to, (uint64_t)(v - check_variants));
	return 0;
}

int set_variants(const char *what, const char *text, void *to)
{
	struct variant_list list = { what, to };

	number_list_free(to);
	return parse_each(what, text, take_variant, &list);
}

static void default_to(struct number_list *list, uint64_t value)
{
	if (list->n == 0)
		number_list_add(list, value);
}

static bool asked_for(const struct check_plan *plan, size_t row)
{
	for (size_t i = 0; i < plan->asked.n; i++) {
		if (plan->asked.values[i] == row)
			return true;
	}
	return false;
}

/* --filter: the expression, compiled; it takes every variant when there is none. */
struct filter {
	const char *text;
	regex_t expression;
};

static int filter_open(struct filter *filter, const char *text)
{
	char why[128];
	int error;

	filter->text = text;
	if (!text)
		return 0;
	error = regcomp(&filter->expression, text, REG_EXTENDED | REG_NOSUB);
	if (error == 0)
		return 0;
	regerror(error, &filter->expression, why, sizeof(why));
	complain("--filter: '%s' is no extended regular expression: %s", text, why);
	return -1;
}

static bool filter_takes(const struct filter *filter, const char *name)
{
	return filter->text && regexec(&filter->expression, name, 0, NULL, 0) == 0;
}

static void filter_close(struct filter *filter)
{
	if (filter->text)
		regfree(&filter->expression);
}

static int refuse_unusable(const struct check_variant *v)
{
	complain("variant '%s' does not run here: it needs %s", v->name, v->needs);
	return STATUS_UNSUPPORTED;
}

static void add_contender(struct check_plan *plan, const struct check_variant *v)
{
	if (strcmp(v->name, plan->reference) == 0)
		plan->reference_idx = plan->n_contenders;
	if (strcmp(v->name, "load") == 0)
		plan->limit_idx = plan->n_contenders;
	if (strcmp(v->name, "empty") == 0)
		plan->floor_idx = plan->n_contenders;
	plan->contenders[plan->n_contenders++] = (struct contender){
		.v = v, .fn = v->resolve(), .code_bytes = check_code_bytes(v) };
}

static int check_reference(const struct check_plan *plan)
{
	const struct check_variant *reference = find_variant("--reference", plan->reference);

	if (!reference)
		return STATUS_INPUT;
	if (reference->kind == CHECK_BASELINE) {
		complain("--reference: '%s' answers nothing that others could be faster at",
			 reference->name);
		return STATUS_INPUT;
	}
	return reference->usable() ? STATUS_OK : refuse_unusable(reference);
}

/* The asked variants, or all; always with the two baselines and the reference beside them. */
static int choose_contenders(struct check_plan *plan, const struct filter *filter)
{
	bool all = plan->asked.n == 0 && !plan->filter;
	size_t matches = 0;

	plan->contenders = xcalloc(table_length(), sizeof(*plan->contenders));
	for (size_t row = 0; check_variants[row].name; row++) {
		const struct check_variant *v = &check_variants[row];
		bool asked = asked_for(plan, row), matched = filter_takes(filter, v->name);

		matches += matched;
		if (asked && !v->usable())
			return refuse_unusable(v);
		if (!v->usable())
			continue;
		if (all || asked || matched || v->kind == CHECK_BASELINE ||
		    strcmp(v->name, plan->reference) == 0)
			add_contender(plan, v);
	}
	if (plan->filter && matches == 0) {
		complain("--filter: '%s' matches no variant; see check-bytes --list", plan->filter);
		return STATUS_INPUT;
	}
	return STATUS_OK;
}

/* Where the fault of @how is in @size bytes; -1 after a complaint when it cannot be there. */
static int place_fault(uint64_t how, uint64_t size, struct planned_case *to)
{
	snprintf(to->mismatch, sizeof(to->mismatch), "%s", mismatch_word(how));
	if (how == MISMATCH_NONE) {
		to->c.fault = CHECK_CLEAN;
		return 0;
	}
	if (size == 0 || (how < MISMATCH_LAST && how >= size)) {
		complain("--mismatch: '%s' is not within %llu bytes", to->mismatch,
			 (unsigned long long)size);
		return -1;
	}
	to->c.fault = how == MISMATCH_FIRST  ? 0 :
		      how == MISMATCH_MIDDLE ? size / 2 :
		      how == MISMATCH_LAST   ? size - 1 :
					       (size_t)how;
	return 0;
}

/*
 * The cross product, sizes outermost: what is compared in one look stands together.  One number
 * counts through all lists like the digits of an odometer, the last list the fastest.
 */
static int make_cases(struct check_plan *plan)
{
	const struct number_list *lists[] = { &plan->sizes, &plan->aligns, &plan->values,
					      &plan->mismatches, &plan->caches, &plan->modes };
	enum { SIZE, ALIGN, VALUE, MISMATCH, CACHE, MODE, N_LISTS };
	size_t n = 1;

	for (size_t l = 0; l < N_LISTS; l++) {
		if (lists[l]->n > MOST_CASES / n) {
			complain("check-bytes: these lists make more than %d cases", MOST_CASES);
			return STATUS_INPUT;
		}
		n *= lists[l]->n;
	}
	plan->cases = xcalloc(n, sizeof(*plan->cases));
	for (size_t i = 0; i < n; i++) {
		struct planned_case *to = &plan->cases[i];
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
			return STATUS_INPUT;
	}
	plan->n_cases = n;
	return STATUS_OK;
}

int check_plan_make(struct check_plan *plan)
{
	struct filter filter;
	int status;

	if (plan->sizes.n == 0) {
		number_list_add(&plan->sizes, 64);
		number_list_add(&plan->sizes, 4096);
	}
	default_to(&plan->aligns, 0);
	default_to(&plan->values, 0x6b); /* poison-free */
	default_to(&plan->mismatches, MISMATCH_NONE);
	default_to(&plan->caches, false);
	default_to(&plan->modes, CHECK_THROUGHPUT);
	if (plan->kernel_cost)
		number_list_add(&plan->modes, CHECK_KERNEL);
	status = check_reference(plan);
	if (status != STATUS_OK)
		return status;
	if (filter_open(&filter, plan->filter) != 0)
		return STATUS_INPUT;
	status = choose_contenders(plan, &filter);
	filter_close(&filter);
	return status == STATUS_OK ? make_cases(plan) : status;
}

void check_plan_free(struct check_plan *plan)
{
	number_list_free(&plan->sizes);
	number_list_free(&plan->aligns);
	number_list_free(&plan->values);
	number_list_free(&plan->mismatches);
	number_list_free(&plan->caches);
	number_list_free(&plan->modes);
	number_list_free(&plan->asked);
	free(plan->contenders);
	free(plan->cases);
}

size_t check_plan_longest(const struct check_plan *plan)
{
	size_t longest = 0;

	for (size_t i = 0; i < plan->sizes.n; i++) {
		if (plan->sizes.values[i] > longest)
			longest = (size_t)plan->sizes.values[i];
	}
	return longest;
}
