/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysfs: make caches, register them, and keep what the registry's part of it took. */
#include <stdio.h>

#include "base/xalloc.h"
#include "cmd/sysfs.h"
#include "slub/cache.h"

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

static void keep(struct sysfs_case *one, const struct registry *reg)
{
	one->total_us = xgrow(one->total_us, one->n, sizeof(*one->total_us));
	one->total_us[one->n] = reg_cost_us(reg);
	for (int kind = 0; kind < N_REG_KINDS; kind++) {
		one->kind_us[kind] = xgrow(one->kind_us[kind], one->n, sizeof(double));
		one->kind_us[kind][one->n] = reg->spent_us[kind];
		one->made[kind] = reg->count.made[kind];
	}
	one->n++;
}

int sysfs_measure(struct sysfs_case *one, const struct sysfs_plan *plan, int *status)
{
	struct slub_config config = slub_config_default;
	struct registry *reg;
	struct slub *slub;
	int rc;

	config.debug.nomerge = !one->merge;
	config.attributes = (unsigned int)one->attributes;
	reg = one->type->open(&plan->config, status);
	if (!reg)
		return -1;
	slub = slub_caches_new(&config, reg);
	rc = register_all(slub, one);
	if (!rc) {
		keep(one, reg);
		one->node_bytes = one->type->node_bytes(reg);
		if (!one->type->files_links)
			rc = count_files(reg, one);
	}
	slub_caches_free(slub);
	return one->type->close(reg) || rc ? -1 : 0;
}
