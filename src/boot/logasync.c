/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asynchronous functions: beside the initcalls, matched by their cookie. */
#include "boot/logboot.h"

#include <math.h>
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

/* The function of that cookie which has not returned: its number in *@index. */
static bool find(const struct log_draft *draft, const struct log_event *event, uint32_t *index)
{
	uint32_t slot = draft->open_asyncs[event->cookie % N_ASYNC];
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
		draft->open_asyncs[event->cookie % N_ASYNC] = index + 1;
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
