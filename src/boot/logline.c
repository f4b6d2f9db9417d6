/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A message is recognised by its words wherever it stands in the line, since twenty years of
 * prefixes cannot be listed; what stands before it only tells the stamp, and whether it is a
 * device that speaks ("pci 0000:00:00.0: calling  quirk...") rather than do_one_initcall().
 */
#include "boot/logline.h"

#include <math.h>
#include <string.h>

#include "boot/logrules.h"

#define RULE(words, parse) { words, sizeof(words) - 1, parse }

static const struct rule {
	const char *words;
	size_t n;
	rule_fn *parse;
} rules[] = {
	RULE("calling", rule_calling),
	RULE("initcall", rule_initcall),
	RULE("probe of", rule_probe),
	RULE("Calling initcall", rule_calling),
	RULE("entering initcall level:", rule_level),
	RULE("async_continuing", rule_waited),
	RULE("clocksource: Switched to", rule_mark),
	RULE("Switched to clocksource", rule_mark),
	RULE("Switching to clocksource", rule_mark),
	RULE("Time: ", rule_installed),
	RULE("Run ", rule_run),
	RULE("Freeing unused ", rule_freeing),
	RULE("Write protecting the ", rule_mark),
	RULE("Linux version ", rule_version),
	RULE("Kernel command line: ", rule_command_line),
	RULE("SLUB: HWalign=", rule_slub),
	{ NULL, 0, NULL },
};

/* The bytes with which the words of rules[] begin. */
static const unsigned char may_begin[256] = {
	['c'] = 1, ['i'] = 1, ['p'] = 1, ['C'] = 1, ['e'] = 1, ['a'] = 1,
	['S'] = 1, ['T'] = 1, ['R'] = 1, ['F'] = 1, ['W'] = 1, ['L'] = 1, ['K'] = 1,
};

static const struct rule *rule_at(const char *p, const char *end)
{
	for (const struct rule *rule = rules; rule->words; rule++) {
		if (*p == *rule->words && (size_t)(end - p) >= rule->n &&
		    !memcmp(p, rule->words, rule->n))
			return rule;
	}
	return NULL;
}

enum log_found log_line_parse(const char *line, const char *from, const char *end, bool last,
			      struct log_event *event, const char **next)
{
	struct message message = { .line = line, .end = end, .last = last };
	const char *wanted = NULL;
	double stamp_us;

	log_line_prefix(line, end, &stamp_us, &message.start);
	for (const char *p = from > message.start ? from : message.start; p < end; p++) {
		const struct rule *rule;
		enum log_found found;
		struct scan scan;

		if (!may_begin[(unsigned char)*p] || (p > line && scan_in_word(p[-1])))
			continue;
		rule = rule_at(p, end);
		if (!rule)
			continue;
		message.at = p;
		scan = (struct scan){ p + rule->n, end };
		*event = (struct log_event){ .at = p };
		event->stamp_us = scan_last_stamp(message.start, p, stamp_us);
		found = rule->parse(&message, &scan, event);
		*next = scan.p;
		if (found == FOUND_EVENT || (found == FOUND_PART && !last))
			return found;
		if (found == FOUND_PART && event->whole)
			return FOUND_EVENT;
		if (found == FOUND_BAD || (found == FOUND_PART && event->name.n))
			wanted = event->wanted ? event->wanted : "the rest of the line";
	}
	event->wanted = wanted;
	return wanted ? FOUND_BAD : FOUND_NOTHING;
}
