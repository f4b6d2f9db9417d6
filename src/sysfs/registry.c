/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all back ends of the registry share: the table of them, counting and timing. */
#include "sysfs/registry.h"

#include <sys/resource.h>

#include "base/machine.h"
#include "base/parse.h"
#include "sysfs/backends.h"

const struct registry_type *const registry_types[] = {
	&registry_model,
	&registry_kernfs,
	&registry_directory,
	&registry_cgroup,
	NULL,
};

#define N_TYPES (sizeof(registry_types) / sizeof(registry_types[0]))

const struct registry_type *registry_find(const char *what, const char *name)
{
	const char *names[N_TYPES] = { NULL };
	int found;

	for (size_t i = 0; registry_types[i]; i++)
		names[i] = registry_types[i]->name;
	found = parse_word(what, name, names);
	return found < 0 ? NULL : registry_types[found];
}

/* What one reading of the clock takes, once measured: it falls into every span that is timed. */
static double clock_cost_ns(void)
{
	static double cost;

	if (cost == 0) {
		enum { READS = 1000 };
		double start = machine_now_ns();

		for (int i = 0; i < READS; i++)
			machine_now_ns();
		cost = (machine_now_ns() - start) / (READS + 1);
	}
	return cost;
}

/* From now on the time is spent for @kind. */
static void turn_to(struct registry *reg, int kind)
{
	double now;

	if (!reg->clocked || reg->stage == kind)
		return;
	now = machine_now_ns();
	if (reg->stage >= 0) {
		double ns = now - reg->stage_since - clock_cost_ns();

		reg->spent_us[reg->stage] += ns > 0 ? ns / 1000 : 0;
	}
	reg->stage = kind;
	reg->stage_since = now;
}

/* The price of what was just done is for @kind. */
static void charge(struct registry *reg, enum reg_kind kind)
{
	reg->spent_us[kind] += reg->price_us;
	reg->price_us = 0;
}

/* Those that needed no disk: memory that is new to the process. */
static uint64_t page_faults(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) ? 0 : (uint64_t)usage.ru_minflt;
}

void reg_clock(struct registry *reg)
{
	reg->stage = -1;
	if (!reg->type->timed)
		return;
	clock_cost_ns();
	reg->page_faults -= page_faults();
	reg->clocked = true;
}

void reg_clock_rest(struct registry *reg)
{
	turn_to(reg, -1);
}

void reg_clock_stop(struct registry *reg)
{
	if (!reg->clocked)
		return;
	turn_to(reg, -1);
	reg->page_faults += page_faults();
	reg->clocked = false;
}

double reg_cost_us(const struct registry *reg)
{
	double us = 0;

	for (int kind = 0; kind < N_REG_KINDS; kind++)
		us += reg->spent_us[kind];
	return us;
}

struct reg_dir *reg_make_dir(struct registry *reg, struct reg_dir *in, const char *name)
{
	struct reg_dir *dir;

	turn_to(reg, REG_DIRECTORY);
	dir = reg->type->make_dir(reg, in, name);
	reg->count.made[REG_DIRECTORY] += dir != NULL;
	charge(reg, REG_DIRECTORY);
	return dir;
}

int reg_make_file(struct registry *reg, struct reg_dir *in, const char *name)
{
	int rc;

	turn_to(reg, REG_FILE);
	rc = reg->type->make_file(reg, in, name);
	reg->count.made[REG_FILE] += !rc;
	charge(reg, REG_FILE);
	return rc;
}

int reg_make_link(struct registry *reg, struct reg_dir *in, const char *name, struct reg_dir *to)
{
	int rc;

	turn_to(reg, REG_LINK);
	rc = reg->type->make_link(reg, in, name, to);
	reg->count.made[REG_LINK] += !rc;
	charge(reg, REG_LINK);
	return rc;
}

int reg_remove(struct registry *reg, struct reg_dir *in, const char *name, enum reg_kind for_kind)
{
	int rc;

	turn_to(reg, for_kind);
	rc = reg->type->remove(reg, in, name);
	if (rc == 0)
		reg->count.misses++;
	else if (rc > 0)
		reg->count.removed++;
	charge(reg, for_kind);
	return rc;
}
