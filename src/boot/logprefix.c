/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands before a message: "<7>", "[    0.213360]", "[    T1]", "kern  :debug : ", a journal's
 * or syslog's "mar 06 13:18:23 host kernel: ", a record of /dev/kmsg, the "> " of a mail; and the
 * colours of a terminal, which stand anywhere.
 */
#include <math.h>

#include "boot/logline.h"
#include "boot/logscan.h"

#define LONGEST_SYSLOG_PREFIX 200 /* date, host and tag */
#define NEAR 200                  /* how far before a message its stamp may stand */

/*
 * Seconds and a fraction: exact as long as both fit, which they do for 10^9 seconds with
 * nanoseconds; longer ones are no stamps.
 */
static bool scan_seconds(struct scan *scan, double *us)
{
	static const double unit[] = { 0, 1e5, 1e4, 1e3, 1e2, 1e1, 1, 1e-1, 1e-2, 1e-3 };
	uint64_t seconds, fraction;
	const char *from = scan->p;

	if (!scan_number(scan, &seconds) || scan->p - from > 10 || !scan_char(scan, '.'))
		return false;
	from = scan->p;
	if (!scan_number(scan, &fraction) || scan->p - from > 9)
		return false;
	*us = (double)seconds * 1e6 + (double)fraction * unit[scan->p - from];
	return true;
}

/*
 * "[    0.213360]", and with more behind the number: "[    0.213360 <    0.000012>]" of dmesg -d,
 * "[    8.571708@0]" and "[    0.213360,3]" of vendors.
 */
static bool scan_stamp(struct scan *scan, double *us)
{
	struct scan ahead = *scan;

	if (!scan_char(&ahead, '['))
		return false;
	scan_blanks(&ahead);
	if (!scan_seconds(&ahead, us))
		return false;
	if (!scan_char(&ahead, ']')) {
		size_t left = (size_t)(ahead.end - ahead.p);
		const char *close = memchr(ahead.p, ']', left < 40 ? left : 40);

		if (!close || !strchr(" ,@<", *ahead.p))
			return false;
		ahead.p = close + 1;
	}
	*scan = ahead;
	return true;
}

/* "[    T1]", "[   C0]" */
static bool scan_caller(struct scan *scan)
{
	struct scan ahead = *scan;

	if (!scan_char(&ahead, '['))
		return false;
	scan_blanks(&ahead);
	if (!scan_char(&ahead, 'T') && !scan_char(&ahead, 'C'))
		return false;
	if (ahead.p >= ahead.end || !scan_is_digit(*ahead.p))
		return false;
	while (ahead.p < ahead.end && scan_is_digit(*ahead.p))
		ahead.p++;
	if (!scan_char(&ahead, ']'))
		return false;
	*scan = ahead;
	return true;
}

static bool scan_priority(struct scan *scan)
{
	struct scan ahead = *scan;
	uint64_t value;

	if (!scan_char(&ahead, '<') || !scan_number(&ahead, &value) || value > 1023 ||
	    !scan_char(&ahead, '>'))
		return false;
	*scan = ahead;
	return true;
}

/* "7,123,213360,-;calling ...": a record of /dev/kmsg or netconsole, stamped in microseconds. */
static bool scan_record(struct scan *scan, double *us)
{
	struct scan ahead = *scan;
	uint64_t priority, sequence, stamp;
	const char *semicolon;

	if (ahead.p >= ahead.end || !scan_is_digit(*ahead.p))
		return false;
	if (!scan_number(&ahead, &priority) || !scan_char(&ahead, ',') ||
	    !scan_number(&ahead, &sequence) || !scan_char(&ahead, ',') ||
	    !scan_number(&ahead, &stamp) || !scan_char(&ahead, ','))
		return false;
	semicolon = memchr(ahead.p, ';', (size_t)(ahead.end - ahead.p));
	if (!semicolon || semicolon - ahead.p > 60)
		return false;
	*us = (double)stamp;
	scan->p = semicolon + 1;
	return true;
}

/* "kern  :debug : " of dmesg -x */
static bool scan_facility(struct scan *scan)
{
	struct scan ahead = *scan;
	size_t left;
	const char *colon;

	if (!scan_text(&ahead, "kern  :"))
		return false;
	left = (size_t)(ahead.end - ahead.p);
	colon = memchr(ahead.p, ':', left < 12 ? left : 12);
	if (!colon)
		return false;
	scan->p = colon + 1;
	return true;
}

/* "... kernel: ": whatever the locale makes of the date, the tag is the kernel's. */
static bool scan_syslog(struct scan *scan)
{
	static const char tag[] = "kernel";
	size_t left = (size_t)(scan->end - scan->p);
	struct scan ahead;
	const char *at;
	uint64_t pid;

	if (left > LONGEST_SYSLOG_PREFIX)
		left = LONGEST_SYSLOG_PREFIX;
	at = memmem(scan->p, left, tag, sizeof(tag) - 1);
	if (!at || (at > scan->p && at[-1] != ' '))
		return false;
	ahead = (struct scan){ at + sizeof(tag) - 1, scan->end };
	if (scan_char(&ahead, '[') && !(scan_number(&ahead, &pid) && scan_char(&ahead, ']')))
		return false;
	if (!scan_char(&ahead, ':'))
		return false;
	*scan = ahead;
	return true;
}

char *log_line_without_colours(const char *line, const char *end, char *to)
{
	for (const char *p = line; p < end; p++) {
		if (*p != '\033') {
			*to++ = *p;
			continue;
		}
		if (++p >= end)
			break;
		if (*p == '[') {
			for (p++; p < end && (unsigned char)*p < 0x40;)
				p++;
		} else if (*p == ']') {
			while (p < end && *p != '\a' && *p != '\033')
				p++;
		} else if (*p == '(' || *p == ')') { /* choice of a character set */
			p++;
		}
	}
	return to;
}

const char *log_line_unquote(const char *line, const char *end)
{
	while (line < end && (*line == ' ' || *line == '\t' || *line == '>' || *line == '|'))
		line++;
	return line;
}

bool log_line_prefix(const char *line, const char *end, double *stamp_us, const char **message)
{
	struct scan scan = { log_line_unquote(line, end), end };
	bool found = false;

	*stamp_us = NAN;
	*message = scan.p;
	if (scan_done(&scan))
		return false;
	found |= scan_facility(&scan) || scan_record(&scan, stamp_us);
	scan_blanks(&scan);
	found |= scan_priority(&scan);
	scan_blanks(&scan);
	found |= scan_stamp(&scan, stamp_us);
	if (!found || isnan(*stamp_us)) {
		if (scan_syslog(&scan)) {
			found = true;
			scan_blanks(&scan);
			scan_priority(&scan);
			scan_blanks(&scan);
			scan_stamp(&scan, stamp_us);
		}
	} else if (scan_syslog(&scan)) { /* journalctl -o short-monotonic: the stamp is first */
		scan_blanks(&scan);
	}
	scan_blanks(&scan);
	if (scan_caller(&scan))
		found = true;
	scan_blanks(&scan);
	*message = scan.p;
	return found;
}

double scan_last_stamp(const char *from, const char *end, double otherwise)
{
	struct scan scan = { end - from > NEAR ? end - NEAR : from, end };

	while ((scan.p = memchr(scan.p, '[', (size_t)(end - scan.p)))) {
		double us;

		if (scan_stamp(&scan, &us))
			otherwise = us;
		else
			scan.p++;
	}
	return otherwise;
}

bool scan_duration_first(const char *line, const char *end, struct log_event *event)
{
	struct scan scan = { log_line_unquote(line, end), end };

	if (!scan_number(&scan, &event->value) || !scan_blanks(&scan))
		return false;
	if (scan_text(&scan, "usecs"))
		event->unit = UNIT_USECS;
	else if (scan_text(&scan, "msecs"))
		event->unit = UNIT_MSECS;
	else
		return false;
	return true;
}
