/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the time before a milestone goes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "boot/goal.h"

/* Words that say what an initcall does, not of which subsystem it is. */
static const char *const idle_words[] = {
	"init", "register", "do", "early", "late", "setup", "start", "add", "create", "enable",
	"load", "the", "module", "driver", "core", NULL,
};

static bool is_idle(const char *word, size_t n)
{
	for (size_t i = 0; idle_words[i]; i++)
		if (strlen(idle_words[i]) == n && !memcmp(word, idle_words[i], n))
			return true;
	return false;
}

const char *initcall_prefix(const char *name, size_t *n)
{
	const char *word = name;

	for (;;) {
		while (*word == '_')
			word++;
		*n = strcspn(word, "_");
		if (*n == 0)
			break;
		if (!is_idle(word, *n))
			return word;
		word += *n;
	}
	*n = strlen(name);
	return name;
}

double goal_share(const struct boot *boot, const struct goal *goal, size_t index)
{
	const struct initcall *call = &boot->calls[index];
	double start = call->start_us, share;

	if (!call_on_boot_path(call) || index >= goal->n_before || isnan(call->duration_us))
		return 0;
	if (isnan(start) || isnan(goal->at_us)) /* no stamps: whole calls */
		return call->duration_us;
	share = goal->at_us - start;
	if (share <= 0)
		return 0;
	return share < call->duration_us ? share : call->duration_us;
}

static struct share *new_share(struct share **shares, size_t *n, const char *name, size_t length)
{
	*shares = xgrow(*shares, *n, sizeof(**shares));
	(*shares)[*n] = (struct share){ .name = xstrndup(name, length) };
	return &(*shares)[(*n)++];
}

static int compare_share(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->us != y->us)
		return x->us > y->us ? -1 : 1;
	return strcmp(x->name, y->name);
}

struct prefixed {
	const char *word;
	size_t n, index;
};

static int compare_prefix(const void *a, const void *b)
{
	const struct prefixed *x = a, *y = b;
	size_t n = x->n < y->n ? x->n : y->n;
	int order = memcmp(x->word, y->word, n);

	return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* Sorted first, so that a log of a million names takes no longer than it must. */
static void by_prefix(struct breakdown *sum, const struct boot *boot, const struct goal *goal)
{
	struct prefixed *words = xcalloc(goal->n_before, sizeof(*words));
	size_t n = 0;

	for (size_t i = 0; i < goal->n_before; i++) {
		if (!call_on_boot_path(&boot->calls[i]))
			continue;
		words[n].index = i;
		words[n].word = initcall_prefix(boot->calls[i].name, &words[n].n);
		n++;
	}
	if (n)
		qsort(words, n, sizeof(*words), compare_prefix);
	for (size_t i = 0; i < n; i++) {
		struct share *share;

		if (i && compare_prefix(&words[i - 1], &words[i]) == 0)
			share = &sum->prefixes[sum->n_prefixes - 1];
		else
			share = new_share(&sum->prefixes, &sum->n_prefixes, words[i].word,
					  words[i].n);
		share->calls++;
		share->us += goal_share(boot, goal, words[i].index);
	}
	if (sum->n_prefixes)
		qsort(sum->prefixes, sum->n_prefixes, sizeof(*sum->prefixes), compare_share);
	free(words);
}

static void by_level(struct breakdown *sum, const struct boot *boot, const struct goal *goal)
{
	struct share all[N_LEVELS] = { 0 };

	for (size_t i = 0; i < goal->n_before; i++) {
		const struct initcall *call = &boot->calls[i];

		if (!call_on_boot_path(call))
			continue;
		all[call->level].calls++;
		all[call->level].us += goal_share(boot, goal, i);
	}
	for (int level = 0; level < N_LEVELS; level++) {
		const char *name = level_name(level);
		struct share *share;

		if (!all[level].calls)
			continue;
		share = new_share(&sum->levels, &sum->n_levels, name, strlen(name));
		share->calls = all[level].calls;
		share->us = all[level].us;
	}
}

/* Head, gaps and tail need stamps; without them all that is known is the sum of the calls. */
static void split_rest(struct breakdown *sum, const struct boot *boot, const struct goal *goal)
{
	double first = NAN, last_end = NAN;

	for (size_t i = 0; i < goal->n_before; i++) {
		const struct initcall *call = &boot->calls[i];
		double end = call->start_us + goal_share(boot, goal, i);

		if (!call_on_boot_path(call) || isnan(call->start_us))
			continue;
		if (isnan(first) || call->start_us < first)
			first = call->start_us;
		if (isnan(last_end) || end > last_end)
			last_end = end;
	}
	if (!goal->by_stamps || isnan(first))
		return;
	sum->head_us = first;
	sum->tail_us = goal->at_us > last_end ? goal->at_us - last_end : 0;
	sum->gaps_us = sum->total_us - sum->head_us - sum->tail_us - sum->calls_us;
}

struct breakdown goal_breakdown(const struct boot *boot, const struct goal *goal)
{
	struct breakdown sum = { .total_us = goal->at_us };

	for (size_t i = 0; i < goal->n_before; i++) {
		if (!call_on_boot_path(&boot->calls[i]))
			continue;
		sum.n_calls++;
		sum.calls_us += goal_share(boot, goal, i);
	}
	split_rest(&sum, boot, goal);
	by_level(&sum, boot, goal);
	by_prefix(&sum, boot, goal);
	return sum;
}

static void free_shares(struct share *shares, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(shares[i].name);
	free(shares);
}

void breakdown_free(struct breakdown *breakdown)
{
	free_shares(breakdown->levels, breakdown->n_levels);
	free_shares(breakdown->prefixes, breakdown->n_prefixes);
	*breakdown = (struct breakdown){ 0 };
}
