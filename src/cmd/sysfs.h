/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of `sysfs` share: one size on one back end, and what was measured of it. */
#ifndef SLUBBENCH_CMD_SYSFS_H
#define SLUBBENCH_CMD_SYSFS_H

#include "report/rows.h"
#include "sysfs/kernfs_parts.h"
#include "sysfs/registry.h"

/* One line of the result. */
struct sysfs_case {
	const struct registry_type *type;
	uint64_t caches, attributes;
	bool merge;
	/* one value a repetition: microseconds of all, and by what was made */
	double *total_us, *kind_us[N_REG_KINDS];
	size_t n;
	uint64_t made[N_REG_KINDS];
	size_t node_bytes;
	bool has_parts;
	struct kernfs_parts parts;
};

struct sysfs_plan {
	struct reg_config config;
	uint64_t repetitions;
};

/*
 * Register the caches of @one once more and add what it took.  0; -1 after a complaint, with the
 * exit status in *@status.
 */
int sysfs_measure(struct sysfs_case *one, const struct sysfs_plan *plan, int *status);

extern const struct column sysfs_columns[];
void sysfs_fill(struct rows *rows, const struct sysfs_case *one);

#endif /* SLUBBENCH_CMD_SYSFS_H */
