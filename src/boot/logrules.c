/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wordings are those of init/main.c, drivers/base/dd.c and kernel/async.c from 2.6.20 to 6.18.
 */
#include "boot/logrules.h"

#include <limits.h>
#include <string.h>

#define LONGEST_DEVICE 256 /* name of a device, and what is behind it */

#define A_FUNCTION "a function as in f+0x0/0x10"
#define A_NUMBER   "a number of 64 bits, as in 'after 5 usecs'"
#define A_PID      "the number of a process, as in '@ 1'"
#define A_RESULT   "a result of 32 bits, as in 'returned 0'"

/* Ran out of line: one more may continue it.  Else it is not what it looked like. */
static enum log_found part_or(const struct scan *scan, enum log_found other)
{
	return scan_done(scan) ? FOUND_PART : other;
}

/* The same of a line that is surely ours: @wanted is what it should have. */
static enum log_found lacks(const struct scan *scan, struct log_event *event, const char *wanted)
{
	event->wanted = wanted;
	return part_or(scan, FOUND_BAD);
}

/* An asynchronous function has its cookie before the name, "5_f": no C name begins so. */
static void take_cookie(struct log_event *event)
{
	struct scan scan = { event->name.at, event->name.at + event->name.n };
	uint64_t cookie;

	if (!scan_number(&scan, &cookie) || !scan_char(&scan, '_') || scan_done(&scan))
		return;
	event->async = true;
	event->cookie = cookie;
	event->name = (struct span){ scan.p, (size_t)(scan.end - scan.p) };
}

/* "f+0x0/0x10", "f+0x0/0x10()", "f+0x0/0x10 [mod]", "0xc0123456", "f": the name is up to the "+". */
static bool scan_function(struct scan *scan, struct log_event *event)
{
	struct span word;
	const char *plus;
	bool surely;

	event->name = scan_word(scan, "");
	word = event->name;
	plus = memmem(word.at, word.n, "+0x", 3);
	if (!plus) /* no offset: the name may end with (), or the line with a part of it */
		plus = memchr(word.at, '(', word.n);
	if (!plus)
		plus = memchr(word.at, '+', word.n);
	if (plus)
		event->name.n = (size_t)(plus - word.at);
	if (event->name.n == 0)
		return false;
	scan->p = event->name.at + event->name.n;
	surely = scan_char(scan, '+');
	if (surely && !(scan_hex(scan) && scan_char(scan, '/') && scan_hex(scan)))
		return false;
	surely |= scan_text(scan, "()");
	event->surely = surely || (event->name.n > 2 && !memcmp(event->name.at, "0x", 2));
	scan_blanks(scan);
	if (scan_char(scan, '[')) {
		event->module = scan_word(scan, "]");
		if (!scan_char(scan, ']') || event->module.n == 0)
			return false;
		scan_blanks(scan);
	}
	take_cookie(event);
	return true;
}

static bool scan_after(struct scan *scan, struct log_event *event, enum log_found *found)
{
	if (!scan_text(scan, "after") || !scan_blanks(scan) || !scan_number(scan, &event->value)) {
		*found = lacks(scan, event, A_NUMBER);
		return false;
	}
	scan_blanks(scan);
	if (scan_text(scan, "usec")) {
		event->unit = UNIT_USECS;
		scan_char(scan, 's');
	} else if (scan_text(scan, "msec")) {
		event->unit = UNIT_MSECS;
		scan_char(scan, 's');
	} else if (scan_done(scan)) {
		event->unit = UNIT_USECS;
		event->unit_missing = true;
		event->whole = true;
		*found = FOUND_PART;
		return false;
	} else {
		*found = lacks(scan, event, "the unit, usecs or msecs");
		return false;
	}
	*found = FOUND_EVENT;
	return true;
}

/* 2.6.20 to 2.6.24 put the address first: "0xc03fe890: reboot_init+0x0/0x10()". */
static void skip_address(struct scan *scan)
{
	struct scan ahead = *scan;

	if (scan_text(&ahead, "0x") && scan_hex_digits(&ahead) && scan_text(&ahead, ": "))
		*scan = ahead;
}

/* At the start of a message and with an offset in it: ours, even if it makes no sense. */
static enum log_found bad_if_ours(const struct message *message, struct log_event *event,
				  const char *wanted)
{
	bool ours = message->at == message->start &&
		    memmem(message->at, (size_t)(message->end - message->at), "+0x", 3);

	event->wanted = wanted;
	return ours ? FOUND_BAD : FOUND_NOTHING;
}

/* calling  f+0x0/0x10 @ 1 */
enum log_found rule_calling(const struct message *message, struct scan *scan,
			    struct log_event *event)
{
	uint64_t pid;

	event->kind = LOG_CALLING;
	if (!scan_blanks(scan))
		return part_or(scan, FOUND_NOTHING);
	if (scan_text(scan, "initcall "))
		scan_blanks(scan);
	skip_address(scan);
	if (!scan_function(scan, event))
		return part_or(scan, bad_if_ours(message, event, A_FUNCTION));
	if (message->at >= message->start + 2 && message->at[-1] == ' ' && message->at[-2] == ':')
		event->kind = LOG_LOOKALIKE;
	if (scan_done(scan)) {
		event->whole = event->surely; /* there is no "@ pid" before 2.6.28 */
		return FOUND_PART;
	}
	if (!scan_char(scan, '@'))
		return bad_if_ours(message, event, A_PID);
	scan_blanks(scan);
	if (!scan_number(scan, &pid) || pid > INT_MAX)
		return lacks(scan, event, A_PID);
	if (scan_char(scan, ','))
		event->kind = LOG_LOOKALIKE; /* "usb 1-1: calling  usb_dev_suspend @ 9, parent: ..." */
	event->pid = (int)pid;
	event->has_pid = true;
	return FOUND_EVENT;
}

/* initcall 0xc03fe890 ran for 5 msecs: reboot_init+0x0/0x10() */
static enum log_found rule_ran_for(struct scan *scan, struct log_event *event)
{
	event->kind = LOG_RAN_FOR;
	if (!scan_number(scan, &event->value))
		return lacks(scan, event, A_NUMBER);
	scan_blanks(scan);
	if (!scan_text(scan, "msecs:"))
		return lacks(scan, event, "the unit, 'msecs:'");
	event->unit = UNIT_MSECS;
	scan_blanks(scan);
	if (!scan_function(scan, event))
		return lacks(scan, event, A_FUNCTION);
	return FOUND_EVENT;
}

/* Behind "returned": "0 after 5 usecs", "after 5 usecs" (async), "0.", "0", "with ...". */
static enum log_found rule_result(const struct message *message, struct scan *scan,
				  struct log_event *event)
{
	enum log_found found;

	if (scan_text(scan, "with ") || scan_text(scan, "error code")) {
		event->kind = LOG_WARNED;
		return FOUND_EVENT;
	}
	if (event->async && scan_starts(scan, "after")) {
		scan_after(scan, event, &found);
		return found;
	}
	if (!scan_result(scan, &event->result))
		return lacks(scan, event, A_RESULT);
	if (scan_char(scan, '.'))
		return FOUND_EVENT;
	scan_blanks(scan);
	if (scan_done(scan) && scan_duration_first(message->line, message->at, event))
		return FOUND_EVENT;
	if (scan_done(scan)) {
		event->whole = event->surely;
		return FOUND_PART;
	}
	scan_after(scan, event, &found);
	return found;
}

/* initcall f+0x0/0x10 returned 0 after 5 usecs */
enum log_found rule_initcall(const struct message *message, struct scan *scan,
			     struct log_event *event)
{
	static const char before[] = "blacklisting ";
	size_t n = sizeof(before) - 1;
	enum log_found bad = message->at == message->start ? FOUND_BAD : FOUND_NOTHING;
	struct scan ran;

	if ((size_t)(message->at - message->line) >= n && !memcmp(message->at - n, before, n))
		return FOUND_NOTHING;
	event->kind = LOG_RETURNED;
	if (!scan_blanks(scan))
		return part_or(scan, FOUND_NOTHING);
	ran = *scan;
	if (scan_text(&ran, "0x") && scan_hex_digits(&ran) && scan_text(&ran, " ran for ")) {
		*scan = ran;
		return rule_ran_for(scan, event);
	}
	skip_address(scan);
	event->wanted = A_FUNCTION;
	if (!scan_function(scan, event))
		return part_or(scan, bad);
	if (scan_text(scan, "blacklisted")) {
		event->kind = LOG_BLACKLISTED;
		return FOUND_EVENT;
	}
	event->wanted = A_RESULT;
	if (!scan_text(scan, "returned") || !scan_blanks(scan))
		return part_or(scan, event->surely ? FOUND_BAD : bad);
	return rule_result(message, scan, event);
}

/* probe of Fixed MDIO bus.0 returned 0 after 5 usecs: a device's name may hold blanks. */
enum log_found rule_probe(const struct message *message, struct scan *scan,
			  struct log_event *event)
{
	static const char word[] = " returned";
	enum log_found found;
	const char *at;
	size_t left;

	(void)message;
	event->kind = LOG_PROBE;
	if (!scan_blanks(scan))
		return part_or(scan, FOUND_NOTHING);
	left = (size_t)(scan->end - scan->p);
	at = memmem(scan->p, left < LONGEST_DEVICE ? left : LONGEST_DEVICE, word, sizeof(word) - 1);
	if (!at)
		return left < LONGEST_DEVICE ? FOUND_PART : FOUND_NOTHING;
	event->name = (struct span){ scan->p, at - scan->p };
	scan->p = at + sizeof(word) - 1;
	event->wanted = "the name of a device";
	if (event->name.n == 0)
		return FOUND_BAD;
	if (!scan_blanks(scan) || !scan_result(scan, &event->result))
		return lacks(scan, event, A_RESULT);
	scan_blanks(scan);
	if (scan_done(scan))
		return FOUND_PART;
	scan_after(scan, event, &found);
	return found;
}

enum log_found rule_level(const struct message *message, struct scan *scan,
			  struct log_event *event)
{
	(void)message;
	event->kind = LOG_LEVEL;
	scan_blanks(scan);
	event->name = scan_word(scan, "");
	return event->name.n ? FOUND_EVENT : FOUND_PART;
}

/* async_continuing @ 1 after 5 usec */
enum log_found rule_waited(const struct message *message, struct scan *scan,
			   struct log_event *event)
{
	enum log_found found;
	uint64_t pid;

	(void)message;
	event->kind = LOG_WAITED;
	scan_blanks(scan);
	if (!scan_char(scan, '@'))
		return part_or(scan, FOUND_NOTHING);
	scan_blanks(scan);
	if (!scan_number(scan, &pid) || pid > INT_MAX)
		return lacks(scan, event, A_PID);
	event->pid = (int)pid;
	event->has_pid = true;
	scan_blanks(scan);
	scan_after(scan, event, &found);
	return found;
}

