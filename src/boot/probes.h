/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a log says of drivers and their devices: probes that were deferred and tried again, and
 * probes and initcalls that failed.
 */
#ifndef SLUBBENCH_PROBES_H
#define SLUBBENCH_PROBES_H

#include <stddef.h>

#include "boot/boot.h"

/* A device whose probe was deferred at least once. */
struct deferral {
	const char *device;     /* of the boot: lives as long as that */
	size_t tries, deferred; /* all probes of it, and those that ended with -EPROBE_DEFER */
	double cost_us;         /* spent in the deferred tries: lost */
	double total_us;        /* in all tries */
	double span_us;         /* from the first try's start to the success; NAN: none, or no stamps */
	bool succeeded;
	int last_result;
};

/* The devices that were deferred, the costliest first; returns how many.  Free *out. */
size_t probes_deferrals(const struct boot *boot, struct deferral **out);

/*
 * Has the probe succeeded?  Kernels return 0, old ones 1 as well; errors come with either sign
 * (-517 and 517), as really_probe() turned them round for a while.
 */
bool probe_succeeded(const struct probe *probe);
bool probe_deferred(const struct probe *probe);

/* "ENODEV" for -19 and 19; NULL: no such error. */
const char *error_name(int result);

/* "-ENODEV (-19)", "EPROBE_DEFER (517)", "0"; the string lives until the next call. */
const char *result_name(int result);

#endif /* SLUBBENCH_PROBES_H */
