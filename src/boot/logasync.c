/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asynchronous functions: beside the initcalls, matched by their cookie. */
#include "boot/logboot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static uint32_t add(struct log_draft *draft, const struct log_event *event, unsigned int line)
{
	uint32_t index = (uint32_t)draft->boot->n_asyncs;
	struct initcall *call = boot_add_async(draft->boot, NULL);

	call->name = log_clean_name(event->name);
	call->module = event->module.at ? log_clean_name(event->module) : NULL;
	call->line = line;
	call->pid = event->has_pid ? event->pid : -1;
	draft->raw_asyncs = xgrow(draft->raw_asyncs, index, sizeof(*draft->raw_asyncs));
	draft->raw_asyncs[index] = (struct log_raw){
		.called_us = NAN, .returned_us = NAN, .cookie = event->cookie,
		.after_switch = draft->switched,
	};
	return index;
}

#define LEAST_SLOTS ((size_t)64)
#define MOST_SLOTS ((size_t)1 << 20) /* functions under way at a time that can be told apart */

static uint32_t *slot_of(const struct log_draft *draft, uint64_t cookie)
{
	return &draft->open_asyncs[cookie & (draft->n_open_asyncs - 1)];
}

/* What is in one slot goes into one slot of the larger table: none meet there. */
static void double_slots(struct log_draft *draft)
{
	uint32_t *old = draft->open_asyncs;
	size_t n = draft->n_open_asyncs;

	draft->n_open_asyncs = n ? 2 * n : LEAST_SLOTS;
	draft->open_asyncs = xcalloc(draft->n_open_asyncs, sizeof(*draft->open_asyncs));
	for (size_t i = 0; i < n; i++)
		if (old[i])
			*slot_of(draft, draft->raw_asyncs[old[i] - 1].cookie) = old[i];
	free(old);
}

/* Cookies are a running number: those of functions under way meet only when the table is too small. */
static void enter(struct log_draft *draft, uint32_t index)
{
	uint64_t cookie = draft->raw_asyncs[index].cookie;

	for (;;) {
		uint32_t there = draft->n_open_asyncs ? *slot_of(draft, cookie) : 0;
		bool meets = there && !draft->boot->asyncs[there - 1].returned &&
			     draft->raw_asyncs[there - 1].cookie != cookie;

		if (draft->n_open_asyncs && (!meets || draft->n_open_asyncs >= MOST_SLOTS))
			break;
		double_slots(draft);
	}
	*slot_of(draft, cookie) = index + 1;
}

/* The function of that cookie which has not returned: its number in *@index. */
static bool find(const struct log_draft *draft, const struct log_event *event, uint32_t *index)
{
	uint32_t slot = draft->n_open_asyncs ? *slot_of(draft, event->cookie) : 0;
	const struct initcall *call;

	if (slot == 0)
		return false;
	*index = slot - 1;
	call = &draft->boot->asyncs[*index];
	return draft->raw_asyncs[*index].cookie == event->cookie && !call->returned;
}

void log_async_event(struct log_draft *draft, const struct log_event *event, unsigned int line)
{
	struct log_raw *raw;
	uint32_t index;

	if (event->kind == LOG_CALLING) {
		index = add(draft, event, line);
		draft->raw_asyncs[index].called_us = event->stamp_us;
		enter(draft, index);
		return;
	}
	if (event->kind != LOG_RETURNED)
		return;
	if (!find(draft, event, &index)) {
		index = add(draft, event, line);
		draft->counts.unmatched_returns++;
	}
	raw = &draft->raw_asyncs[index];
	raw->returned_us = event->stamp_us;
	raw->value = event->value;
	raw->unit = event->unit;
	draft->boot->asyncs[index].returned = true;
	draft->boot->asyncs[index].end_line = line;
}
