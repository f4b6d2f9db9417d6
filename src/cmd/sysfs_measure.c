/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysfs: make caches, register them, and keep what the registry's part of it took. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cmd/sysfs.h"
#include "slub/cache.h"
#include "slub/names.h"
#include "sysfs/backends.h"

/*
 * Cache number @i.  Of 7 caches 2 stand alone, 2 are the first of their kind and 3 merge with one
 * of these: as of the 252 caches of the Linux 6.1 in data/caches, 72, 72 and 108.  The first
 * ones differ in size, and after 32768 sizes in the flags that keep caches apart.
 */
static struct slub_request request_of(uint64_t i, char name[24])
{
	static const unsigned int apart[] = { SLUB_RECLAIM_ACCOUNT, SLUB_ACCOUNT, SLUB_CACHE_DMA,
					      SLUB_CACHE_DMA32 };
	uint64_t group = i / 7 * 2, place = i % 7, kind = group + (place & 1);
	struct slub_request request = {
		.spec = { .name = name, .object_size = (unsigned int)(kind % 32768 + 1) * 8 },
	};

	snprintf(name, 24, "slubbench-%07u", (unsigned int)(i % 10000000));
	for (unsigned int bit = 0; bit < 4; bit++)
		if (kind / 32768 >> bit & 1)
			request.spec.flags |= apart[bit];
	request.spec.constructor = place >= 5;
	return request;
}

static int register_all(struct slub *slub, const struct sysfs_case *one)
{
	char name[24];

	for (uint64_t i = 0; i < one->caches; i++) {
		struct slub_request request = request_of(i, name);

		if (slub_create(slub, &request))
			return -1;
	}
	return slub_sysfs_init(slub);
}

static int count_file(const struct reg_entry *entry, void *arg)
{
	*(uint64_t *)arg += entry->kind == REG_FILE;
	return 0;
}

/* cgroup: the files are the kernel's own, as many in each. */
static int count_files(struct registry *reg, struct sysfs_case *one)
{
	uint64_t files = 0;
	struct reg_dir *probe = reg->type->make_dir(reg, reg->type->root(reg), "probe");

	if (!probe || reg->type->list(reg, probe, count_file, &files))
		return -1;
	one->made[REG_FILE] = one->made[REG_DIRECTORY] * files;
	return 0;
}

/* What one or more trees took. */
struct sample {
	double trees, total_us, kind_us[N_REG_KINDS], page_faults;
};

static void add_tree(struct sample *sample, const struct registry *reg)
{
	sample->trees++;
	sample->total_us += reg_cost_us(reg);
	sample->page_faults += (double)reg->page_faults;
	for (int kind = 0; kind < N_REG_KINDS; kind++)
		sample->kind_us[kind] += reg->spent_us[kind];
}

static int make_tree(struct sysfs_case *one, const struct reg_config *where,
		     struct sample *sample, int *status)
{
	struct slub_config config = slub_config_default();
	struct registry *reg;
	struct slub *slub;
	int rc;

	config.debug.nomerge = !one->merge;
	config.attributes = (unsigned int)one->attributes;
	reg = one->type->open(where, status);
	if (!reg)
		return -1;
	slub = slub_caches_new(&config, reg);
	rc = register_all(slub, one);
	if (!rc) {
		add_tree(sample, reg);
		memcpy(one->made, reg->count.made, sizeof(one->made));
		if (one->type->node_bytes)
			one->node_bytes = one->type->node_bytes(reg);
		if (!one->type->files_links)
			rc = count_files(reg, one);
	}
	slub_caches_free(slub);
	return one->type->close(reg) || rc ? -1 : 0;
}

static void keep(struct sysfs_case *one, const struct sample *sample)
{
	one->total_us = xgrow(one->total_us, one->n, sizeof(*one->total_us));
	one->total_us[one->n] = sample->total_us / sample->trees;
	one->page_faults = xgrow(one->page_faults, one->n, sizeof(*one->page_faults));
	one->page_faults[one->n] = sample->page_faults / sample->trees;
	for (int kind = 0; kind < N_REG_KINDS; kind++) {
		one->kind_us[kind] = xgrow(one->kind_us[kind], one->n, sizeof(double));
		one->kind_us[kind][one->n] = sample->kind_us[kind] / sample->trees;
	}
	one->n++;
}

/* Trees until they took long enough. */
static int make_sample(struct sysfs_case *one, const struct sysfs_plan *plan,
		       const struct reg_config *where, struct sample *sample, int *status)
{
	do {
		if (make_tree(one, where, sample, status))
			return -1;
	} while (one->type->timed && sample->total_us * 1000 < plan->min_time_ns);
	return 0;
}

int sysfs_measure(struct sysfs_case *one, const struct sysfs_plan *plan, int *status)
{
	struct sample sample = { .trees = 0 }, first = sample;

	/* The first tree takes the memory that all others find mapped. */
	if (one->type == &registry_kernfs && !one->n &&
	    make_tree(one, &plan->config, &first, status))
		return -1;
	if (make_sample(one, plan, &plan->config, &sample, status))
		return -1;
	keep(one, &sample);
	return 0;
}

static struct kernfs_parts measure_parts(const struct sysfs_case *one)
{
	char (*buffers)[SLUB_ID_MAX] = xcalloc(one->attributes, sizeof(*buffers));
	const char **names = xcalloc(one->attributes, sizeof(*names));
	struct kernfs_parts parts;

	for (unsigned int i = 0; i < one->attributes; i++)
		names[i] = slub_attribute_name(i, buffers[i]);
	parts = kernfs_measure_parts(one->made[REG_DIRECTORY], one->made[REG_LINK], names,
				     one->attributes);
	free(names);
	free(buffers);
	return parts;
}

int sysfs_measure_kernfs(struct sysfs_case *one, const struct sysfs_plan *plan, int *status)
{
	struct sample sample = { .trees = 0 };
	struct reg_config where = plan->config;
	size_t n = one->n - 1;

	where.spread = SYSFS_SPREAD;
	if (make_sample(one, plan, &where, &sample, status))
		return -1;
	one->spread_us = xgrow(one->spread_us, n, sizeof(*one->spread_us));
	one->spread_us[n] = sample.total_us / sample.trees;
	one->parts = xgrow(one->parts, n, sizeof(*one->parts));
	one->parts[n] = measure_parts(one);
	return 0;
}
