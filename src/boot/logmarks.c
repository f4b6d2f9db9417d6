/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines that mark a point of the boot, or say what kernel it is and how it was set up. */
#include "boot/logrules.h"

#include <limits.h>
#include <string.h>

/* Only what printk itself began: a log may quote these words anywhere else. */
static enum log_found mark(const struct message *message, struct scan *scan, const char *upto,
			   struct log_event *event)
{
	const char *end = message->end;

	if (message->at != message->start)
		return FOUND_NOTHING;
	if (upto) {
		end = memmem(scan->p, scan->end - scan->p, upto, strlen(upto));
		if (!end)
			return FOUND_NOTHING;
		end += strlen(upto);
	}
	event->kind = LOG_MARK;
	while (end > message->at && (end[-1] == ' ' || end[-1] == ':'))
		end--;
	event->name = (struct span){ message->at, end - message->at };
	scan->p = message->end;
	return FOUND_EVENT;
}

enum log_found rule_run(const struct message *message, struct scan *scan,
			struct log_event *event)
{
	return mark(message, scan, " as init process", event);
}

enum log_found rule_freeing(const struct message *message, struct scan *scan,
			    struct log_event *event)
{
	/* "kernel memory", "kernel image (initmem) memory"; not "(text/rodata gap)" */
	if (!scan_starts(scan, "kernel memory") && !scan_starts(scan, "kernel image (initmem)") &&
	    !scan_starts(scan, "init memory"))
		return FOUND_NOTHING;
	return mark(message, scan, "memory", event);
}

/* Time: tsc clocksource has been installed.  (until 2.6.30) */
enum log_found rule_installed(const struct message *message, struct scan *scan,
			      struct log_event *event)
{
	return mark(message, scan, " clocksource has been installed", event);
}

enum log_found rule_mark(const struct message *message, struct scan *scan,
			 struct log_event *event)
{
	return mark(message, scan, NULL, event);
}

enum log_found rule_version(const struct message *message, struct scan *scan,
			    struct log_event *event)
{
	if (message->at != message->start)
		return FOUND_NOTHING;
	event->kind = LOG_VERSION;
	event->name = scan_word(scan, "");
	if (event->name.n == 0 || event->name.at[0] < '0' || event->name.at[0] > '9')
		return FOUND_NOTHING;
	return FOUND_EVENT;
}


/* Kernel command line: quiet initcall_debug slab_nomerge */
enum log_found rule_command_line(const struct message *message, struct scan *scan,
				 struct log_event *event)
{
	if (message->at != message->start)
		return FOUND_NOTHING;
	event->kind = LOG_COMMAND_LINE;
	event->name = (struct span){ scan->p, (size_t)(scan->end - scan->p) };
	scan->p = scan->end;
	return FOUND_EVENT;
}

/* SLUB: HWalign=64, Order=0-3, MinObjects=0, CPUs=2, Nodes=1 */
enum log_found rule_slub(const struct message *message, struct scan *scan, struct log_event *event)
{
	static const char cpus[] = " CPUs=";
	const char *at = memmem(scan->p, (size_t)(scan->end - scan->p), cpus, sizeof(cpus) - 1);
	uint64_t hwalign, n;

	if (message->at != message->start || !at || !scan_number(scan, &hwalign) ||
	    hwalign > 4096)
		return FOUND_NOTHING;
	scan->p = at + sizeof(cpus) - 1;
	if (!scan_number(scan, &n) || n > INT_MAX)
		return FOUND_NOTHING;
	event->kind = LOG_SLUB;
	event->value = hwalign;
	event->pid = (int)n;
	return FOUND_EVENT;
}
