/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of check-bytes's options. */
#include <stdio.h>
#include <string.h>

#include "base/complain.h"
#include "cmd/check_plan.h"

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
	{ "none", MISMATCH_NONE }, { "first", MISMATCH_FIRST },
	{ "middle", MISMATCH_MIDDLE }, { "last", MISMATCH_LAST },
	{ NULL, 0 },
};

/* A list of words, or of whatever @number takes. */
struct word_list {
	const char *what;
	const struct word *words;
	int (*number)(const char *what, const char *text, uint64_t *to);
	struct number_list *to;
};

/* A list of nothing but words: their numbers count from 0. */
struct choices {
	const char *what;
	const char *const *words;
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

static int take_choice(const char *part, void *arg)
{
	const struct choices *choices = arg;
	int choice = parse_word(choices->what, part, choices->words);

	if (choice < 0)
		return -1;
	number_list_add(choices->to, (uint64_t)choice);
	return 0;
}

static int take_choices(struct choices choices, const char *text)
{
	number_list_free(choices.to);
	return parse_each(choices.what, text, take_choice, &choices);
}

static int unknown_word(const char *what, const char *text, const struct word *words,
			const char *expected)
{
	const char *names[16] = { NULL };

	for (size_t i = 0; words[i].name; i++)
		names[i] = words[i].name;
	complain("%s: '%s' is not %s%s", what, text, expected, did_you_mean(text, names, NULL));
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
	static const char *const words[] = { "hot", "cold", NULL };

	return take_choices((struct choices){ what, words, to }, text);
}

int set_modes(const char *what, const char *text, void *to)
{
	static const char *const words[] = { [CHECK_THROUGHPUT] = "throughput",
					     [CHECK_LATENCY] = "latency", NULL };

	return take_choices((struct choices){ what, words, to }, text);
}

const char *mismatch_word(uint64_t mismatch)
{
	static char offset[24];

	for (const struct word *w = mismatch_words; w->name; w++) {
		if (w->number == mismatch)
			return w->name;
	}
	snprintf(offset, sizeof(offset), "%llu", (unsigned long long)mismatch);
	return offset;
}
