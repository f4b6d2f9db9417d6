/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/perf_event.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/cycles.h"

void cycles_open(struct cycles *c)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_HARDWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.exclude_kernel = 1; /* asks for less privilege, and the kernel's are not ours */
	attr.exclude_hv = 1;
	c->fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void cycles_close(struct cycles *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

double cycles_read(const struct cycles *c)
{
	struct {
		uint64_t value, enabled, running;
	} now;

	if (c->fd < 0 || read(c->fd, &now, sizeof(now)) != (ssize_t)sizeof(now))
		return NAN;
	/* Some hypervisors offer the event and never count; a shared counter is an estimate. */
	if (now.value == 0 || now.running != now.enabled)
		return NAN;
	return (double)now.value;
}
