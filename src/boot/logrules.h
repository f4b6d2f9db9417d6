/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages that are known, one rule each.  Internal to the log reader. */
#ifndef SLUBBENCH_LOGRULES_H
#define SLUBBENCH_LOGRULES_H

#include "boot/logline.h"
#include "boot/logscan.h"

struct message {
	const char *line;    /* all of it */
	const char *start;   /* behind the prefix that was understood */
	const char *at;      /* the words that were recognised */
	const char *end;
	bool last;
};

/* What a rule says: the event is complete, ends too early, or is not one. */
typedef enum log_found rule_fn(const struct message *message, struct scan *scan,
			       struct log_event *event);

extern rule_fn rule_calling, rule_initcall, rule_probe, rule_level, rule_waited; /* logrules.c */
extern rule_fn rule_run, rule_freeing, rule_installed, rule_mark;                 /* logmarks.c */
extern rule_fn rule_version, rule_command_line, rule_slub;

#endif /* SLUBBENCH_LOGRULES_H */
