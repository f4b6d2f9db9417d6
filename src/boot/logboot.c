/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the events of a log to one boot: what each message means for the calls at hand. */
#include "boot/logboot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "boot/logtable.h"

/*
 * A boot that was cut off at its head has no "Linux version": it shows by a call that is there
 * already, with the very stamp it had, or by the first call of all over again.
 */
static bool begins_again(const struct log_draft *draft, const char *name, const char *module,
			 const struct log_event *event)
{
	const struct boot *boot = draft->boot;
	uint32_t call = log_table_newest(draft, name, module);

	if (call == NO_CALL)
		return false;
	if (isnan(event->stamp_us))
		return call == 0 && boot->n_calls >= 16 && !module && isnan(draft->last_us);
	if (!(event->stamp_us < draft->last_us))
		return false;
	for (int tries = 0; call != NO_CALL && tries < 4; tries++, call = draft->raw[call].older)
		if (draft->raw[call].called_us == event->stamp_us)
			return true;
	return false;
}

static uint32_t add_call(struct log_draft *draft, char *name, char *module, unsigned int line)
{
	uint32_t index = (uint32_t)draft->boot->n_calls;
	struct initcall *call = boot_add(draft->boot, NULL);

	draft->raw = xgrow(draft->raw, index, sizeof(*draft->raw));
	call->name = name;
	call->module = module;
	call->line = line;
	draft->raw[index] = (struct log_raw){ .called_us = NAN, .returned_us = NAN };
	draft->raw[index].after_switch = draft->switched;
	if (!module && draft->level != LEVEL_UNKNOWN) {
		call->level = draft->level;
		call->level_from = SOURCE_LEVEL_LINES;
	}
	return index;
}

static void calling(struct log_builder *builder, const struct log_event *event, unsigned int line)
{
	char *name = log_clean_name(event->name);
	char *module = event->module.at ? log_clean_name(event->module) : NULL;
	struct log_draft *draft = builder->now;
	struct initcall *call;
	uint32_t index;

	if (begins_again(draft, name, module, event)) {
		log_builder_next(builder, line);
		draft = builder->now;
	}
	if (draft->counting_only && draft->boot->n_calls) {
		free(name);
		free(module);
		return;
	}
	index = add_call(draft, name, module, line);
	call = &draft->boot->calls[index];
	call->pid = event->has_pid ? event->pid : 1;
	if (event->has_pid && event->pid == 0) { /* only console_init() runs them this early */
		call->level = LEVEL_CONSOLE;
		call->level_from = SOURCE_KNOWLEDGE;
	}
	draft->raw[index].called_us = event->stamp_us;
	log_table_open(draft, index);
	memmove(draft->recent + 1, draft->recent, sizeof(draft->recent) - sizeof(*draft->recent));
	draft->recent[0] = index;
}

static void forget_recent(struct log_draft *draft, uint32_t index)
{
	for (int i = 0; i < N_RECENT; i++) {
		if (draft->recent[i] != index)
			continue;
		memmove(draft->recent + i, draft->recent + i + 1,
			(N_RECENT - 1 - i) * sizeof(*draft->recent));
		draft->recent[N_RECENT - 1] = NO_CALL;
		return;
	}
}

static void returned(struct log_draft *draft, const struct log_event *event, unsigned int line)
{
	char *name = log_clean_name(event->name);
	char *module = event->module.at ? log_clean_name(event->module) : NULL;
	uint32_t index = log_table_close(draft, name, module);
	struct initcall *call;
	struct log_raw *raw;

	if (index == NO_CALL) {
		index = add_call(draft, name, module, line);
		log_table_open(draft, index);
		log_table_close(draft, name, module);
		draft->counts.unmatched_returns++;
	} else {
		free(name);
		free(module);
	}
	forget_recent(draft, index);
	call = &draft->boot->calls[index];
	raw = &draft->raw[index];
	raw->returned_us = event->stamp_us;
	raw->value = event->value;
	raw->unit = event->unit;
	call->returned = true;
	call->end_line = line;
	call->result = event->result;
	if (!call->module && !strcmp(call->name, "clocksource_done_booting"))
		draft->switched = true;
}

static void ran_for(struct log_draft *draft, const struct log_event *event)
{
	char *name = log_clean_name(event->name);
	char *module = event->module.at ? log_clean_name(event->module) : NULL;
	uint32_t index = log_table_newest(draft, name, module);

	free(name);
	free(module);
	if (index == NO_CALL || draft->raw[index].unit != UNIT_NONE)
		return;
	draft->raw[index].value = event->value;
	draft->raw[index].unit = event->unit;
}

static void blacklisted(struct log_draft *draft, const struct log_event *event, unsigned int line)
{
	char *module = event->module.at ? log_clean_name(event->module) : NULL;
	uint32_t index = add_call(draft, log_clean_name(event->name), module, line);

	draft->boot->calls[index].blacklisted = true;
	draft->raw[index].called_us = event->stamp_us;
	draft->counts.blacklisted++;
}

static void probed(struct log_draft *draft, const struct log_event *event, unsigned int line)
{
	size_t index = draft->boot->n_probes;
	struct probe *probe = boot_add_probe(draft->boot, NULL);

	probe->device = log_clean_name(event->name);
	probe->result = event->result;
	probe->end_us = event->stamp_us;
	probe->line = line;
	draft->raw_probes = xgrow(draft->raw_probes, index, sizeof(*draft->raw_probes));
	draft->raw_probes[index] = (struct log_raw_probe){ event->value, event->unit,
							   draft->recent[0] };
}

static void marked(struct log_draft *draft, const struct log_event *event, unsigned int line)
{
	char *text = log_clean_name(event->name);
	struct mark *mark = boot_add_mark(draft->boot, NULL);

	mark->text = text;
	mark->at_us = event->stamp_us;
	mark->line = line;
	if (!strncmp(text, "Run ", 4)) {
		if (isnan(draft->boot->run_init_us))
			draft->boot->run_init_us = event->stamp_us;
		draft->complete = true;
	} else if (!strncmp(text, "Freeing ", 8)) {
		draft->complete = true;
	} else if (strncmp(text, "Write ", 6)) {
		draft->switched = true;
	}
}

static void version(struct log_builder *builder, const struct log_event *event, unsigned int line)
{
	const struct log_draft *now = builder->now;

	/* "cat /proc/version" behind a dmesg is no boot */
	if (isnan(event->stamp_us) && !isnan(now->last_us))
		return;
	if (now->boot->n_calls)
		log_builder_next(builder, line);
	if (!builder->now->has_version)
		builder->now->first_line = line;
	builder->now->has_version = true;
	free(builder->now->boot->kernel);
	builder->now->boot->kernel = log_clean_name(event->name);
}

static void waited(struct log_draft *draft, const struct log_event *event)
{
	for (int i = 0; i < N_RECENT && draft->recent[i] != NO_CALL; i++) {
		struct initcall *call = &draft->boot->calls[draft->recent[i]];

		if (call->pid == event->pid) {
			call->wait_us += (double)event->value;
			return;
		}
	}
}

static void set_up(struct boot *boot, const struct log_event *event)
{
	if (event->kind == LOG_SLUB) {
		boot->hwalign = (unsigned int)event->value;
		boot->cpus = (unsigned int)event->pid;
		return;
	}
	free(boot->command_line);
	boot->command_line = log_clean_name(event->name);
}

/* Some consoles show every line twice, the boot console and the real one. */
static bool doubled(struct log_builder *builder, const struct log_event *event)
{
	const struct log_event *last = &builder->last;
	bool same = event->kind == last->kind && event->stamp_us == last->stamp_us &&
		    event->value == last->value && event->cookie == last->cookie &&
		    event->name.n == last->name.n &&
		    event->name.n && event->name.n <= sizeof(builder->last_name) &&
		    !memcmp(event->name.at, builder->last_name, event->name.n);

	builder->last = *event;
	if (event->name.n && event->name.n <= sizeof(builder->last_name))
		memcpy(builder->last_name, event->name.at, event->name.n);
	return same;
}

void log_builder_event(struct log_builder *builder, const struct log_event *event,
		       unsigned int line, struct log_stats *stats)
{
	struct log_draft *draft = builder->now;

	stats->units_missing += event->unit_missing;
	if (event->kind == LOG_LOOKALIKE) {
		stats->lookalikes++;
		return;
	}
	if (doubled(builder, event)) {
		stats->doubled++;
		return;
	}
	if (event->async) {
		if (!draft->counting_only)
			log_async_event(draft, event, line);
		return;
	}
	if (event->kind == LOG_CALLING)
		calling(builder, event, line);
	else if (event->kind == LOG_VERSION)
		version(builder, event, line);
	draft = builder->now;
	if (!isnan(event->stamp_us))
		draft->last_us = event->stamp_us;
	if (draft->counting_only)
		return;
	if (event->kind == LOG_RETURNED)
		returned(draft, event, line);
	else if (event->kind == LOG_RAN_FOR)
		ran_for(draft, event);
	else if (event->kind == LOG_BLACKLISTED)
		blacklisted(draft, event, line);
	else if (event->kind == LOG_PROBE)
		probed(draft, event, line);
	else if (event->kind == LOG_LEVEL)
		draft->level = log_level_word(event->name);
	else if (event->kind == LOG_WAITED)
		waited(draft, event);
	else if (event->kind == LOG_MARK)
		marked(draft, event, line);
	else if (event->kind == LOG_WARNED)
		draft->counts.warnings++;
	else if (event->kind == LOG_COMMAND_LINE || event->kind == LOG_SLUB)
		set_up(draft->boot, event);
}
