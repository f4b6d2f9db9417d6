/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "cmd/check_plan.h"

#define MOST_CASES 100000 /* weeks of measuring */

/* Words for mismatches live above every offset. */
#define WORD(n) (UINT64_MAX - (n))

struct word {
	const char *name;
	uint64_t number;
};

static const struct word value_words[] = {
	{ "poison-free", 0x6b }, { "poison-end", 0xa5 }, { "poison-inuse", 0x5a },
	{ "red-active", 0xcc },  { "red-inactive", 0xbb }, { "zero", 0x00 },
	{ "erased", 0xff },      { NULL, 0 },
};

static const struct word mismatch_words[] = {
	{ "none", WORD(0) }, { "first", WORD(1) }, { "middle", WORD(2) }, { "last", WORD(3) },
	{ NULL, 0 },
};

static const struct word cache_words[] = { { "hot", 0 }, { "cold", 1 }, { NULL, 0 } };

/* A list of words, or of whatever @number takes. */
struct word_list {
	const char *what;
	const struct word *words;
	int (*number)(const char *what, const char *text, uint64_t *to);
	struct number_list *to;
};

static int take_word(const char *part, void *arg)
{
	const struct word_list *list = arg;
	uint64_t number;

	for (const struct word *w = list->words; w->name; w++) {
		if (strcmp(w->name, part) == 0) {
			number_list_add(list->to, w->number);
			return 0;
		}
	}
	if (list->number(list->what, part, &number) != 0)
		return -1;
	number_list_add(list->to, number);
	return 0;
}

static int take_words(struct word_list list, const char *text)
{
	number_list_free(list.to);
	return parse_each(list.what, text, take_word, &list);
}

static int unknown_word(const char *what, const char *text, const struct word *words,
			const char *expected)
{
	const char *names[16] = { NULL }, *near;

	for (size_t i = 0; words[i].name; i++)
		names[i] = words[i].name;
	near = nearest(text, names);
	complain("%s: '%s' is not %s%s%s%s", what, text, expected, near ? "; did you mean '" : "",
		 near ? near : "", near ? "'?" : "");
	return -1;
}

static int value_number(const char *what, const char *text, uint64_t *to)
{
	if (*text >= '0' && *text <= '9')
		return parse_number(what, text, 0, 255, to);
	return unknown_word(what, text, value_words,
			    "a byte value, 0 to 255 or a name such as poison-free");
}

static int mismatch_number(const char *what, const char *text, uint64_t *to)
{
	if (*text >= '0' && *text <= '9')
		return parse_size(what, text, to);
	return unknown_word(what, text, mismatch_words, "none, first, middle, last or an offset");
}

static int no_number(const char *what, const char *text, uint64_t *to)
{
	(void)to;
	return unknown_word(what, text, cache_words, "hot or cold");
}

int set_sizes(const char *what, const char *text, void *to)
{
	return opt_size_list(what, text, to);
}

int set_aligns(const char *what, const char *text, void *to)
{
	struct number_list *list = to;

	if (opt_size_list(what, text, to) != 0)
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		if (list->values[i] < CHECK_LINE_BYTES)
			continue;
		complain("%s: %llu is not an offset from a %u-byte boundary, 0 to %u", what,
			 (unsigned long long)list->values[i], CHECK_LINE_BYTES,
			 CHECK_LINE_BYTES - 1);
		return -1;
	}
	return 0;
}

int set_values(const char *what, const char *text, void *to)
{
	return take_words((struct word_list){ what, value_words, value_number, to }, text);
}

int set_mismatches(const char *what, const char *text, void *to)
{
	return take_words((struct word_list){ what, mismatch_words, mismatch_number, to }, text);
}

int set_caches(const char *what, const char *text, void *to)
{
	return take_words((struct word_list){ what, cache_words, no_number, to }, text);
}

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

static int refuse_unusable(const struct check_variant *v)
{
	complain("variant '%s' does not run here: it needs %s", v->name, v->needs);
	return STATUS_UNSUPPORTED;
}

/* The asked variants, or all; always with the two baselines and the reference beside them. */
static int choose_contenders(struct check_plan *plan)
{
	const struct check_variant *reference = find_variant("--reference", plan->reference);

	if (!reference)
		return STATUS_INPUT;
	if (reference->kind == CHECK_BASELINE) {
		complain("--reference: '%s' answers nothing that others could be faster at",
			 reference->name);
		return STATUS_INPUT;
	}
	if (!reference->usable())
		return refuse_unusable(reference);
	plan->contenders = xcalloc(table_length(), sizeof(*plan->contenders));
	for (size_t row = 0; check_variants[row].name; row++) {
		const struct check_variant *v = &check_variants[row];
		bool asked = asked_for(plan, row);

		if (asked && !v->usable())
			return refuse_unusable(v);
		if (!v->usable())
			continue;
		if (plan->asked.n > 0 && !asked && v != reference && v->kind != CHECK_BASELINE)
			continue;
		if (v == reference)
			plan->reference_idx = plan->n_contenders;
		if (strcmp(v->name, "load") == 0)
			plan->limit_idx = plan->n_contenders;
		plan->contenders[plan->n_contenders++] = (struct contender){ v, v->resolve() };
	}
	return STATUS_OK;
}

/* Where the fault of @how is in @size bytes; -1 after a complaint when it cannot be there. */
static int place_fault(uint64_t how, uint64_t size, struct planned_case *to)
{
	const char *word = NULL;

	for (const struct word *w = mismatch_words; w->name; w++) {
		if (w->number == how)
			word = w->name;
	}
	if (word)
		snprintf(to->mismatch, sizeof(to->mismatch), "%s", word);
	else
		snprintf(to->mismatch, sizeof(to->mismatch), "%llu", (unsigned long long)how);
	if (how == WORD(0)) {
		to->c.fault = CHECK_CLEAN;
		return 0;
	}
	if (size == 0 || (!word && how >= size)) {
		complain("--mismatch: '%s' is not within %llu bytes", to->mismatch,
			 (unsigned long long)size);
		return -1;
	}
	to->c.fault = how == WORD(1) ? 0 : how == WORD(2) ? size / 2 : how == WORD(3) ? size - 1 : how;
	return 0;
}

/*
 * The cross product, sizes outermost: what is compared in one look stands together.  One number
 * counts through all lists like the digits of an odometer, the last list the fastest.
 */
static int make_cases(struct check_plan *plan)
{
	const struct number_list *lists[] = { &plan->sizes, &plan->aligns, &plan->values,
					      &plan->mismatches, &plan->caches };
	enum { SIZE, ALIGN, VALUE, MISMATCH, CACHE, N_LISTS };
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
		};
		if (place_fault(at[MISMATCH], at[SIZE], to) != 0)
			return STATUS_INPUT;
	}
	plan->n_cases = n;
	return STATUS_OK;
}

int check_plan_make(struct check_plan *plan)
{
	int status;

	if (plan->sizes.n == 0) {
		number_list_add(&plan->sizes, 64);
		number_list_add(&plan->sizes, 4096);
	}
	default_to(&plan->aligns, 0);
	default_to(&plan->values, value_words[0].number);
	default_to(&plan->mismatches, mismatch_words[0].number);
	default_to(&plan->caches, cache_words[0].number);
	status = choose_contenders(plan);
	return status == STATUS_OK ? make_cases(plan) : status;
}

void check_plan_free(struct check_plan *plan)
{
	number_list_free(&plan->sizes);
	number_list_free(&plan->aligns);
	number_list_free(&plan->values);
	number_list_free(&plan->mismatches);
	number_list_free(&plan->caches);
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
