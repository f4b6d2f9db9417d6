/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/probes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define EPROBE_DEFER 517 /* include/linux/errno.h: not for user space, so in no libc */

/* The rest of that header that a probe or an initcall may return. */
static const struct {
	int number;
	const char *name;
} kernel_errors[] = {
	{ 512, "ERESTARTSYS" },  { 513, "ERESTARTNOINTR" }, { 514, "ERESTARTNOHAND" },
	{ 515, "ENOIOCTLCMD" },  { 516, "ERESTART_RESTARTBLOCK" }, { EPROBE_DEFER, "EPROBE_DEFER" },
	{ 518, "EOPENSTALE" },   { 519, "ENOPARAM" },       { 521, "EBADHANDLE" },
	{ 522, "ENOTSYNC" },     { 523, "EBADCOOKIE" },     { 524, "ENOTSUPP" },
	{ 525, "ETOOSMALL" },    { 526, "ESERVERFAULT" },   { 527, "EBADTYPE" },
	{ 528, "EJUKEBOX" },     { 529, "EIOCBQUEUED" },    { 530, "ERECALLCONFLICT" },
};

bool probe_deferred(const struct probe *probe)
{
	return abs(probe->result) == EPROBE_DEFER;
}

bool probe_succeeded(const struct probe *probe)
{
	return probe->result == 0 || probe->result == 1;
}

const char *error_name(int result)
{
	for (size_t i = 0; i < sizeof(kernel_errors) / sizeof(*kernel_errors); i++)
		if (kernel_errors[i].number == abs(result))
			return kernel_errors[i].name;
	return result ? strerrorname_np(abs(result)) : NULL;
}

const char *result_name(int result)
{
	static char text[48];
	const char *name = error_name(result);

	if (!name)
		snprintf(text, sizeof(text), "%d", result);
	else
		snprintf(text, sizeof(text), "%s%s (%d)", result < 0 ? "-" : "", name, result);
	return text;
}

struct by_device {
	const char *device;
	size_t index;
};

static int compare_device(const void *a, const void *b)
{
	const struct by_device *x = a, *y = b;
	int order = strcmp(x->device, y->device);

	if (order)
		return order;
	return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_cost(const void *a, const void *b)
{
	const struct deferral *x = a, *y = b;

	if (x->cost_us != y->cost_us)
		return x->cost_us > y->cost_us ? -1 : 1;
	return strcmp(x->device, y->device);
}

/* @tries of one device, in the order of the log. */
static struct deferral sum_up(const struct boot *boot, const struct by_device *tries, size_t n)
{
	struct deferral sum = { .device = tries[0].device, .tries = n, .span_us = NAN };
	double first_us = NAN;

	for (size_t i = 0; i < n; i++) {
		const struct probe *probe = &boot->probes[tries[i].index];
		double took_us = isnan(probe->duration_us) ? 0 : probe->duration_us;

		if (i == 0)
			first_us = probe->end_us - took_us;
		sum.total_us += took_us;
		sum.last_result = probe->result;
		if (probe_deferred(probe)) {
			sum.deferred++;
			sum.cost_us += took_us;
		} else if (probe_succeeded(probe) && !sum.succeeded) {
			sum.succeeded = true;
			sum.span_us = probe->end_us - first_us;
		}
	}
	return sum;
}

size_t probes_deferrals(const struct boot *boot, struct deferral **out)
{
	struct by_device *tries = xcalloc(boot->n_probes, sizeof(*tries));
	struct deferral *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < boot->n_probes; i++)
		tries[i] = (struct by_device){ boot->probes[i].device, i };
	qsort(tries, boot->n_probes, sizeof(*tries), compare_device);
	for (size_t from = 0, to; from < boot->n_probes; from = to) {
		struct deferral sum;

		for (to = from + 1; to < boot->n_probes; to++)
			if (strcmp(tries[to].device, tries[from].device))
				break;
		sum = sum_up(boot, tries + from, to - from);
		if (!sum.deferred)
			continue;
		found = xgrow(found, n, sizeof(*found));
		found[n++] = sum;
	}
	free(tries);
	if (n)
		qsort(found, n, sizeof(*found), compare_cost);
	*out = found;
	return n;
}
