/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/machine.h"

const char *machine_host(void)
{
	static struct utsname name;

	if (!*name.nodename && (uname(&name) || !*name.nodename))
		return "unknown";
	return name.nodename;
}

/* The value of the first "key : value" line of /proc/cpuinfo with one of @keys; "" when none. */
static const char *cpuinfo(const char *const *keys, char *value, size_t size)
{
	FILE *info = fopen("/proc/cpuinfo", "re");
	char line[512];

	*value = '\0';
	while (info && !*value && fgets(line, sizeof(line), info)) {
		char *colon = strchr(line, ':');

		for (const char *const *key = keys; colon && *key; key++) {
			if (strncmp(line, *key, strlen(*key)))
				continue;
			colon += 1 + strspn(colon + 1, " \t");
			colon[strcspn(colon, "\n")] = '\0';
			snprintf(value, size, "%s", colon);
			break;
		}
	}
	if (info)
		fclose(info);
	return value;
}

const char *machine_cpu(void)
{
	/* x86, s390 and riscv; powerpc; old arm: the first that the file has */
	static const char *const keys[] = { "model name", "cpu\t", "Processor", "uarch", NULL };
	static char model[128];

	if (!*model && !*cpuinfo(keys, model, sizeof(model)))
		snprintf(model, sizeof(model), "unknown");
	return model;
}

static bool read_number(const char *path, uint64_t *to)
{
	FILE *file = fopen(path, "re");
	unsigned long long value;
	bool ok = file && fscanf(file, "%llu", &value) == 1;

	if (file)
		fclose(file);
	if (ok)
		*to = value;
	return ok;
}

uint64_t machine_memory(void)
{
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t limit;

	/* Seen from inside a container these are the container's own. */
	if ((read_number("/sys/fs/cgroup/memory.max", &limit) ||
	     read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", &limit)) &&
	    limit < memory)
		memory = limit;
	return memory;
}

static int bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (cpu >= 0 && cpu < CPU_SETSIZE)
		CPU_SET((unsigned int)cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static const char *why_not(void)
{
	return errno == EINVAL ? "there is no such CPU here, or the cpuset does not allow it" :
				 strerror(errno);
}

int machine_pin(int cpu)
{
	if (cpu < 0)
		cpu = sched_getcpu();
	if (!bind_to(cpu))
		return cpu;
	complain("cannot run on CPU %d: %s", cpu, why_not());
	return -1;
}

int machine_try_cpu(const char *what, int cpu)
{
	cpu_set_t before;
	bool known = !sched_getaffinity(0, sizeof(before), &before);

	if (bind_to(cpu)) {
		complain("%s: cannot run on CPU %d: %s", what, cpu, why_not());
		return -1;
	}
	if (known)
		sched_setaffinity(0, sizeof(before), &before);
	return 0;
}

double machine_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}
