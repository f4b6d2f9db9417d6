/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of `sysfs` share: one size on one back end, and what was measured of it. */
#ifndef SLUBBENCH_CMD_SYSFS_H
#define SLUBBENCH_CMD_SYSFS_H

#include "report/rows.h"
#include "sysfs/kernfs_parts.h"
#include "sysfs/registry.h"

/* Few enough names of one directory for the nearest cache: 16 KiB of what a descent looks at. */
#define SYSFS_SPREAD 256u

/* One line of the result. */
struct sysfs_case {
	const struct registry_type *type;
	uint64_t caches, attributes;
	bool merge;
	/* one value a repetition: microseconds of all, and by what was made */
	double *total_us, *kind_us[N_REG_KINDS];
	double *page_faults; /* of one tree, while the clock ran */
	size_t n;
	uint64_t made[N_REG_KINDS];
	size_t node_bytes;
	/* kernfs: as total_us, with SYSFS_SPREAD; and the parts */
	double *spread_us;
	struct kernfs_parts *parts;
};

struct sysfs_plan {
	struct reg_config config;
	uint64_t repetitions;
	double min_time_ns; /* of a sample: trees are made until they took that long together */
};

/*
 * Register the caches of @one, tree after tree, for one sample more, and add what one tree took.
 * 0; -1 after a complaint, with the exit status in *@status.
 */
int sysfs_measure(struct sysfs_case *one, const struct sysfs_plan *plan, int *status);
/* Behind it, for kernfs: the same where no directory is large, and where the time goes. */
int sysfs_measure_kernfs(struct sysfs_case *one, const struct sysfs_plan *plan, int *status);

/* The files: schemas sysfs-1 and sysfs-samples-1. */
extern const struct column sysfs_columns[];
extern const struct column sysfs_sample_columns[];
void sysfs_fill(struct rows *rows, const struct sysfs_case *one);
void sysfs_fill_samples(struct rows *samples, const struct sysfs_case *one);

#endif /* SLUBBENCH_CMD_SYSFS_H */
