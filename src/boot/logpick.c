/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several boots in one file are common: a serial capture followed by a dmesg, a journal of a week.
 * The first complete one is taken.  Two drafts are held at most, so a file of a thousand boots
 * needs no more memory than one of two.
 */
#include "boot/logboot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "boot/logtable.h"

static struct log_draft *draft_new(const char *name, unsigned int line)
{
	struct log_draft *draft = xcalloc(1, sizeof(*draft));

	draft->boot = boot_new(name);
	draft->boot->recorded = true;
	draft->last_us = NAN;
	draft->first_line = line;
	for (int i = 0; i < N_RECENT; i++)
		draft->recent[i] = NO_CALL;
	return draft;
}

static void draft_free(struct log_draft *draft)
{
	if (!draft)
		return;
	boot_free(draft->boot);
	free(draft->raw);
	free(draft->raw_probes);
	free(draft->raw_asyncs);
	free(draft->open_asyncs);
	free(draft->slots);
	free(draft);
}

void log_builder_init(struct log_builder *builder, const char *name)
{
	*builder = (struct log_builder){ .name = name };
	builder->last.stamp_us = NAN;
	builder->now = draft_new(name, 1);
}

void log_builder_free(struct log_builder *builder)
{
	draft_free(builder->now);
	draft_free(builder->held);
	builder->now = builder->held = NULL;
}

/* Is a call of @draft in the held boot, at the same time?  Then it is one boot, written twice. */
static bool same_boot(const struct log_draft *held, const struct log_draft *draft)
{
	const struct boot *a = held->boot, *b = draft->boot;
	uint32_t call;

	if (b->n_calls == 0)
		return true;
	if (a->kernel && b->kernel && strcmp(a->kernel, b->kernel))
		return false;
	call = log_table_newest(held, b->calls[0].name, b->calls[0].module);
	for (int tries = 0; call != NO_CALL && tries < 4; tries++, call = held->raw[call].older) {
		double at = held->raw[call].called_us, there = draft->raw[0].called_us;

		if (at == there || (isnan(at) && isnan(there)))
			return true;
	}
	return false;
}

/* The boot at hand is over: keep the better one of it and the held one. */
static void settle(struct log_builder *builder)
{
	struct log_draft *now = builder->now, *held = builder->held;
	bool better = held && !held->complete &&
		      (now->complete || now->boot->n_calls > held->boot->n_calls);

	builder->now = NULL;
	if (now->boot->n_calls == 0) {
		draft_free(now);
		return;
	}
	builder->boots++;
	if (held && !same_boot(held, now))
		builder->other = true;
	if (held && !better) {
		draft_free(now);
		return;
	}
	draft_free(held);
	builder->held = now;
	builder->taken = builder->boots;
}

void log_builder_next(struct log_builder *builder, unsigned int line)
{
	settle(builder);
	builder->now = draft_new(builder->name, line);
	builder->now->counting_only = builder->held && builder->held->complete;
}

struct boot *log_builder_finish(struct log_builder *builder, struct log_stats *stats)
{
	struct log_draft *draft;
	struct boot *boot;

	if (builder->now)
		settle(builder);
	draft = builder->held;
	if (!draft)
		return NULL;
	log_draft_time(draft);
	boot = draft->boot;
	boot->stamps = draft->counts.stamps;
	draft->boot = NULL;
	stats->initcalls = boot->n_calls;
	stats->probes = boot->n_probes;
	for (size_t i = 0; i < boot->n_calls; i++) {
		stats->modules += boot->calls[i].module != NULL;
		stats->unmatched_starts += !boot->calls[i].returned && !boot->calls[i].blacklisted;
	}
	for (size_t i = 0; i < boot->n_asyncs; i++)
		stats->unmatched_starts += !boot->asyncs[i].returned;
	stats->unmatched_returns = draft->counts.unmatched_returns;
	stats->async_calls = boot->n_asyncs;
	stats->blacklisted = draft->counts.blacklisted;
	stats->warnings = draft->counts.warnings;
	stats->stamps = draft->counts.stamps;
	stats->scale = draft->counts.scale;
	stats->boots = builder->boots;
	stats->taken = builder->taken;
	stats->taken_line = draft->first_line;
	stats->taken_complete = draft->complete;
	stats->same_again = builder->boots > 1 && !builder->other;
	return boot;
}
