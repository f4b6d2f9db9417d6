/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an initcall took, from the two things that a log says of it.
 *
 * "after N usecs" is measured with ktime_get(), which advances by whole ticks until the clock gets
 * its final source at fs level: before it, single values are 0 or a multiple of a tick, and the
 * difference of the printk stamps (sched_clock) is the better one.  After it the reported value is
 * better, as the stamps include the time of the printk.  Stamps may stand still for a while (an
 * emulator, a late sched_clock): then the larger of the two.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "boot/logboot.h"

#define NS_SHIFTED_US 1.024    /* ns >> 10 */
#define NS_SHIFTED_MS 1048.576 /* ns >> 20 */
#define STANDING_RUN 4         /* so many calls at one stamp: it stands still */

/* Is @value a multiple of the tick, once it is shown as ns / 1000 or as ns >> 10? */
static bool is_ticks(double value, double tick_us, bool shifted)
{
	double per_tick = shifted ? tick_us / NS_SHIFTED_US : tick_us;
	double n = rint(value / per_tick);

	return n >= 1 && fabs(value - n * per_tick) <= (shifted ? 1.0 : 0.5);
}

static bool is_any_ticks(double value, bool shifted)
{
	/* HZ of 100, 250 and 1000 are all multiples of a millisecond; 300 is not */
	return is_ticks(value, 1000, shifted) || is_ticks(value, 1e6 / 300, shifted);
}

/* A kernel older than 5.18 shows ns >> 10; init: use ktime_us_delta() changed it in 2022. */
static bool shifts_ns(const char *kernel)
{
	unsigned int major, minor;

	return sscanf(kernel, "%3u.%3u", &major, &minor) == 2 &&
	       (major < 5 || (major == 5 && minor < 18));
}

/* Without a version the values before the switch tell: 3906 is a tick of 4 ms, shifted. */
static enum log_scale scale_of(const struct log_draft *draft)
{
	size_t plain = 0, shifted = 0;

	if (draft->boot->kernel)
		return shifts_ns(draft->boot->kernel) ? SCALE_BY_VERSION : SCALE_MICROSECONDS;
	for (size_t i = 0; i < draft->boot->n_calls; i++) {
		const struct log_raw *raw = &draft->raw[i];

		if (raw->unit != UNIT_USECS || raw->after_switch || raw->value == 0)
			continue;
		plain += is_any_ticks((double)raw->value, false);
		shifted += is_any_ticks((double)raw->value, true);
	}
	if (shifted >= 2 && shifted > 2 * plain)
		return SCALE_BY_TICKS;
	if (plain >= 2 && plain > 2 * shifted)
		return SCALE_MICROSECONDS;
	return SCALE_ASSUMED;
}

static double reported_us(uint64_t value, enum log_unit unit, enum log_scale scale)
{
	if (unit == UNIT_NONE)
		return NAN;
	if (unit == UNIT_MSECS)
		return (double)value * NS_SHIFTED_MS;
	if (scale == SCALE_BY_VERSION || scale == SCALE_BY_TICKS)
		return (double)value * NS_SHIFTED_US;
	return (double)value;
}

/* Calls between two stamps that are the same, in runs: marks those where the clock stood still. */
static bool *find_standing(const struct log_draft *draft)
{
	size_t n = draft->boot->n_calls;
	bool *standing = xcalloc(n, sizeof(*standing));

	for (size_t from = 0, to; from < n; from = to) {
		double at = draft->raw[from].called_us;

		for (to = from; to < n && draft->raw[to].called_us == at &&
				draft->raw[to].returned_us == at;
		     to++)
			;
		for (size_t i = from; to - from >= STANDING_RUN && i < to; i++)
			standing[i] = true;
		to += to == from;
	}
	return standing;
}

static void time_call(struct initcall *call, const struct log_raw *raw, double reported,
		      bool standing)
{
	double stamps = raw->returned_us - raw->called_us;
	/* a stamp that goes back says nothing */
	bool usable = stamps >= 0;

	if (call->blacklisted) {
		call->start_us = raw->called_us;
		call->duration_us = call->self_us = 0;
		return;
	}
	if (!call->returned) {
		call->start_us = raw->called_us;
		return;
	}
	if (usable && !raw->after_switch && reported > stamps && stamps == 0)
		usable = !standing && is_any_ticks(reported, false);
	if (!isnan(reported) && (raw->after_switch || !usable)) {
		call->duration_us = reported;
		call->duration_from = SOURCE_REPORTED;
	} else if (usable) {
		call->duration_us = stamps;
		call->duration_from = SOURCE_STAMPS;
	}
	call->self_us = call->duration_us;
	call->start_us = raw->called_us;
	if (isnan(call->start_us))
		call->start_us = raw->returned_us - call->duration_us;
	if (call->start_us < 0)
		call->start_us = 0;
}

/* A probe that began before the call that was open then runs beside it, not in it. */
static void nest_probe(struct probe *probe, uint32_t inside, const struct boot *boot)
{
	const double slack_us = 20; /* between the end of the work and the stamp of its line */

	if (inside == NO_CALL)
		return;
	if (!isnan(probe->end_us) && !isnan(probe->duration_us) &&
	    probe->end_us - probe->duration_us + slack_us < boot->calls[inside].start_us)
		return;
	probe->initcall = inside;
}

struct by_start {
	double start_us;
	uint32_t index;
};

static int compare_start(const void *a, const void *b)
{
	const struct by_start *x = a, *y = b;

	if (x->start_us != y->start_us)
		return x->start_us < y->start_us ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

/*
 * A log that was sorted by duration has its calls in no useful order, and no "calling" lines: put
 * them back into the order of their stamps.
 */
static void restore_order(struct log_draft *draft)
{
	struct boot *boot = draft->boot;
	struct initcall *calls;
	struct by_start *order;
	size_t back = 0;

	for (size_t i = 0; i < boot->n_calls; i++) {
		if (isnan(boot->calls[i].start_us) || !isnan(draft->raw[i].called_us))
			return;
		back += i && boot->calls[i].start_us < boot->calls[i - 1].start_us;
	}
	if (!back)
		return;
	order = xcalloc(boot->n_calls, sizeof(*order));
	calls = xcalloc(boot->n_calls, sizeof(*calls));
	for (size_t i = 0; i < boot->n_calls; i++)
		order[i] = (struct by_start){ boot->calls[i].start_us, (uint32_t)i };
	qsort(order, boot->n_calls, sizeof(*order), compare_start);
	for (size_t i = 0; i < boot->n_calls; i++)
		calls[i] = boot->calls[order[i].index];
	for (size_t i = 0; i < boot->n_calls; i++) /* no call is open: no probe is inside of one */
		boot->calls[i] = calls[i];
	free(order);
	free(calls);
}

void log_draft_time(struct log_draft *draft)
{
	struct boot *boot = draft->boot;
	enum log_scale scale = scale_of(draft);
	bool *standing = find_standing(draft);

	for (size_t i = 0; i < boot->n_calls; i++) {
		const struct log_raw *raw = &draft->raw[i];

		time_call(&boot->calls[i], raw, reported_us(raw->value, raw->unit, scale),
			  standing[i]);
		draft->counts.stamps |= !isnan(raw->called_us) || !isnan(raw->returned_us);
	}
	free(standing);
	for (size_t i = 0; i < boot->n_asyncs; i++) {
		const struct log_raw *raw = &draft->raw_asyncs[i];

		time_call(&boot->asyncs[i], raw, reported_us(raw->value, raw->unit, scale), false);
	}
	for (size_t i = 0; i < boot->n_probes; i++) {
		const struct log_raw_probe *raw = &draft->raw_probes[i];

		boot->probes[i].duration_us = reported_us(raw->value, raw->unit, scale);
		nest_probe(&boot->probes[i], raw->inside, boot);
	}
	draft->counts.scale = scale;
	restore_order(draft);
}
