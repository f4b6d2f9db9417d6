/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/parse.h"
#include "base/xalloc.h"

#define LONGEST_LIST 65536

static bool number_list_has(const struct number_list *list, uint64_t value)
{
	if (value > list->most) /* a range comes in order and needs no search */
		return false;
	for (size_t i = 0; i < list->n; i++) {
		if (list->values[i] == value)
			return true;
	}
	return false;
}

void number_list_add(struct number_list *list, uint64_t value)
{
	if (number_list_has(list, value))
		return;
	if (value > list->most)
		list->most = value;
	list->values = xgrow(list->values, list->n, sizeof(*list->values));
	list->values[list->n++] = value;
}

void number_list_free(struct number_list *list)
{
	free(list->values);
	memset(list, 0, sizeof(*list));
}

/*
 * strtoull() takes signs, blanks and octal, none of which a size has.  *@end is left behind the
 * last digit; false when there is no digit or the value does not fit 64 bits.
 */
static bool scan_digits(const char *text, const char **end, uint64_t *to)
{
	int base = text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10;
	char *stop;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	*to = strtoull(text, &stop, base);
	*end = stop;
	return !errno;
}

bool is_number(const char *text, uint64_t least, uint64_t most, uint64_t *to)
{
	const char *end = text;
	uint64_t value;

	if (!scan_digits(text, &end, &value) || *end || value < least || value > most)
		return false;
	*to = value;
	return true;
}

int parse_number(const char *what, const char *text, uint64_t least, uint64_t most, uint64_t *to)
{
	if (is_number(text, least, most, to))
		return 0;
	complain("%s: '%s' is not a number from %llu to %llu", what, text,
		 (unsigned long long)least, (unsigned long long)most);
	return -1;
}

/* A size at the start of @text; *@end is left behind its unit. */
static bool scan_size(const char *text, const char **end, uint64_t *to)
{
	static const char units[] = "KMGT";
	const char *unit;
	int shift;

	if (!scan_digits(text, end, to))
		return false;
	if (!**end)
		return true;
	unit = strchr(units, toupper((unsigned char)**end));
	if (!unit)
		return true;
	shift = 10 * (int)(unit - units + 1);
	if (*to > UINT64_MAX >> shift)
		return false;
	*to <<= shift;
	(*end)++;
	if (!strncmp(*end, "iB", 2))
		*end += 2;
	return true;
}

static const char a_size[] = "a size such as 64, 4K or 1M";

int parse_size(const char *what, const char *text, uint64_t *to)
{
	const char *end = text;
	uint64_t value;

	if (!scan_size(text, &end, &value) || *end) {
		complain("%s: '%s' is not %s", what, text, a_size);
		return -1;
	}
	*to = value;
	return 0;
}

static int range_error(const char *what, const char *text)
{
	complain("%s: '%s' is neither %s nor a range such as 8..4K*2 or 8..64+8", what, text,
		 a_size);
	return -1;
}

struct size_list_place {
	const char *what;
	struct number_list *list;
};

static int take_size_or_range(const char *text, void *arg)
{
	struct size_list_place *place = arg;
	uint64_t first, last, step = 2;
	const char *at = text;
	char how = '*';

	if (!scan_size(text, &at, &first))
		return range_error(place->what, text);
	last = first;
	if (!strncmp(at, "..", 2)) {
		if (!scan_size(at + 2, &at, &last))
			return range_error(place->what, text);
		if (*at) {
			how = *at;
			if ((how != '*' && how != '+') || !scan_size(at + 1, &at, &step))
				return range_error(place->what, text);
		}
	}
	if (*at)
		return range_error(place->what, text);
	/* A range that would never arrive, or runs backwards, is a slip and not an empty list. */
	if (last < first) {
		complain("%s: '%s' runs backwards; the smaller size comes first", place->what, text);
		return -1;
	}
	if (step < (how == '*' ? 2 : 1) || (how == '*' && !first && last)) {
		complain("%s: '%s' never gets beyond its first size", place->what, text);
		return -1;
	}
	for (uint64_t size = first;;) {
		if (place->list->n == LONGEST_LIST) {
			complain("%s: '%s' makes more than %d sizes", place->what, text,
				 LONGEST_LIST);
			return -1;
		}
		number_list_add(place->list, size);
		if (how == '*' ? !size || size > last / step : size > last - (step < last ? step : last))
			return 0;
		size = how == '*' ? size * step : size + step;
	}
}

int parse_size_list(const char *what, const char *text, struct number_list *list)
{
	struct size_list_place place = { what, list };

	return parse_each(what, text, take_size_or_range, &place);
}

/* strtod() without its blanks, hexadecimal, infinities and locale. */
static bool scan_real(const char *text, const char **end, double *to)
{
	double value = 0, scale = 1;
	bool any = false;

	for (; isdigit((unsigned char)*text); text++, any = true)
		value = value * 10 + (*text - '0');
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++, any = true) {
			value = value * 10 + (*text - '0');
			scale *= 10;
		}
	}
	*end = text;
	*to = value / scale;
	return any && isfinite(*to);
}

/* Far beyond all that is waited for or priced; sums of durations stay exact below it. */
#define LONGEST_NS (86400 * 1e9)

int parse_duration_ns(const char *what, const char *text, double *to)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	const char *end = text;
	double value;

	if (scan_real(text, &end, &value)) {
		for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
			if (strcmp(end, units[i].unit))
				continue;
			*to = value * units[i].ns;
			if (*to <= LONGEST_NS)
				return 0;
			complain("%s: '%s' is longer than a day", what, text);
			return -1;
		}
		if (!*end && value == 0) {
			*to = 0;
			return 0;
		}
	}
	complain("%s: '%s' is not a duration such as 500ns, 20us, 100ms or 1s", what, text);
	return -1;
}

int parse_real(const char *what, const char *text, double least, double most, double *to)
{
	char *end;
	/* The letters keep out blanks, hexadecimal, infinities and NaN; LC_NUMERIC stays "C". */
	double value = text[strspn(text, "0123456789.eE+-")] ? NAN : strtod(text, &end);

	if (value >= least && value <= most && end != text && !*end && *text != '+') {
		*to = value;
		return 0;
	}
	complain("%s: '%s' is not a number from %g to %g", what, text, least, most);
	return -1;
}

char *words_joined(const char *const *words)
{
	char *joined = xstrdup("");

	for (size_t i = 0; words[i]; i++) {
		const char *between = i == 0 ? "" : words[i + 1] ? ", " : " and ";
		char *longer = xasprintf("%s%s%s", joined, between, words[i]);

		free(joined);
		joined = longer;
	}
	return joined;
}

int parse_word(const char *what, const char *text, const char *const *words)
{
	char *all;

	for (int i = 0; words[i]; i++) {
		if (!strcmp(text, words[i]))
			return i;
	}
	all = words_joined(words);
	complain("%s: '%s' is not one of %s%s", what, text, all, did_you_mean(text, words, NULL));
	free(all);
	return -1;
}

/* Does @part, one of those that strsep() made of @copy, stand in it before? */
static bool stood_before(const char *copy, const char *part)
{
	for (; copy < part; copy += strlen(copy) + 1) {
		if (!strcmp(copy, part))
			return true;
	}
	return false;
}

int parse_each(const char *what, const char *text, int (*take)(const char *part, void *arg),
	       void *arg)
{
	char *copy = xstrdup(text), *rest = copy;
	int rc = 0;

	while (!rc && rest) {
		char *part = strsep(&rest, ",");

		if (!*part) {
			complain("%s: '%s' has nothing %s", what, text,
				 *text ? "where a comma asks for something" : "in it");
			rc = -1;
		} else if (!stood_before(copy, part)) {
			rc = take(part, arg);
		}
	}
	free(copy);
	return rc;
}
