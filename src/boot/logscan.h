/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The small steps of which the grammar of a log line is made.  None reads beyond the end, and none
 * needs a terminated string: the line lies in the middle of a read buffer.
 */
#ifndef SLUBBENCH_LOGSCAN_H
#define SLUBBENCH_LOGSCAN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "boot/logline.h"

struct scan {
	const char *p, *end;
};

static inline bool scan_done(const struct scan *scan)
{
	return scan->p >= scan->end;
}

static inline bool scan_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Letters, digits and underscores: what no message of ours begins behind. */
static inline bool scan_in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || scan_is_digit(c) || c == '_';
}

/* Blanks that may be none; true when there was one, or when the line ends here. */
static inline bool scan_blanks(struct scan *scan)
{
	const char *from = scan->p;

	while (scan->p < scan->end && (*scan->p == ' ' || *scan->p == '\t'))
		scan->p++;
	return scan->p > from;
}

static inline bool scan_char(struct scan *scan, char c)
{
	if (scan->p >= scan->end || *scan->p != c)
		return false;
	scan->p++;
	return true;
}

/* A text that the line cuts off is "done" without being there: the next line may bring the rest. */
static inline bool scan_text(struct scan *scan, const char *text)
{
	size_t n = strlen(text), left = (size_t)(scan->end - scan->p);

	if (left < n) {
		if (!memcmp(scan->p, text, left))
			scan->p = scan->end;
		return false;
	}
	if (memcmp(scan->p, text, n))
		return false;
	scan->p += n;
	return true;
}

static inline bool scan_starts(const struct scan *scan, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(scan->end - scan->p) >= n && !memcmp(scan->p, text, n);
}

/* Up to a blank, a control character or one of @stops. */
static inline struct span scan_word(struct scan *scan, const char *stops)
{
	struct span word = { scan->p, 0 };

	while (scan->p < scan->end && (unsigned char)*scan->p > ' ' && *scan->p != 0x7f &&
	       !(*stops && strchr(stops, *scan->p)))
		scan->p++;
	word.n = (size_t)(scan->p - word.at);
	return word;
}

/* False, and not done, when there is no number or it does not fit. */
static inline bool scan_number(struct scan *scan, uint64_t *to)
{
	const char *from = scan->p;
	uint64_t value = 0;

	while (scan->p < scan->end && scan_is_digit(*scan->p)) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *scan->p - '0', &value))
			return false;
		scan->p++;
	}
	*to = value;
	return scan->p > from;
}

static inline bool scan_result(struct scan *scan, int *to)
{
	bool negative = scan_char(scan, '-');
	uint64_t value;

	if (!negative)
		scan_char(scan, '+');
	if (!scan_number(scan, &value) || value > INT_MAX)
		return false;
	*to = negative ? -(int)value : (int)value;
	return true;
}

static inline bool scan_hex_digits(struct scan *scan)
{
	const char *from = scan->p;

	while (scan->p < scan->end && (scan_is_digit(*scan->p) || (*scan->p >= 'a' && *scan->p <= 'f')))
		scan->p++;
	return scan->p > from;
}

static inline bool scan_hex(struct scan *scan)
{
	return scan_text(scan, "0x") && scan_hex_digits(scan);
}

/* "673 msecs [ 5.098052] initcall ...": lines that were turned round to be sorted. */
bool scan_duration_first(const char *line, const char *end, struct log_event *event);

/* The last "[    5.098052]" in the end of [from, end), else @otherwise; in microseconds. */
double scan_last_stamp(const char *from, const char *end, double otherwise);

#endif /* SLUBBENCH_LOGSCAN_H */
