/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Initcalls create caches, the registrar registers them: what the registry does within each. */
#include "boot/replay.h"

#include <math.h>
#include <string.h>

#include "base/complain.h"

/* What the registry has done so far. */
struct snapshot {
	uint64_t made[N_REG_KINDS];
	double spent_us[N_REG_KINDS];
};

static struct snapshot take(const struct registry *reg)
{
	struct snapshot s;

	memcpy(s.made, reg->count.made, sizeof(s.made));
	memcpy(s.spent_us, reg->spent_us, sizeof(s.spent_us));
	return s;
}

static struct replayed since(const struct registry *reg, const struct snapshot *before)
{
	unsigned int made[N_REG_KINDS];
	double us[N_REG_KINDS];

	for (int kind = 0; kind < N_REG_KINDS; kind++) {
		made[kind] = (unsigned int)(reg->count.made[kind] - before->made[kind]);
		us[kind] = reg->spent_us[kind] - before->spent_us[kind];
	}
	return (struct replayed){
		.directories = made[REG_DIRECTORY],
		.files = made[REG_FILE],
		.links = made[REG_LINK],
		.cost_us = us[REG_DIRECTORY] + us[REG_FILE] + us[REG_LINK],
		.directory_us = (us[REG_DIRECTORY] + us[REG_FILE]) / made[REG_DIRECTORY],
		.link_us = us[REG_LINK] / made[REG_LINK],
	};
}

/* The caches that the kernel has before its first initcall. */
static int create_first(struct slub *slub, const struct cache_set *caches)
{
	for (size_t i = 0; i < caches->n; i++)
		if (!strcmp(caches->rows[i].created_by, CREATED_BY_START_KERNEL) &&
		    slub_create(slub, &caches->rows[i].request))
			return -1;
	return 0;
}

static int run_call(struct slub *slub, const struct initcall *call, bool registrar,
		    const struct cache_set *caches)
{
	const struct cache_row *row = NULL, *end = caches->rows + caches->n;

	if (registrar && slub_sysfs_init(slub))
		return -1;
	for (size_t i = 0; i < call->n_caches; i++) {
		/* Mostly it is the next one of the set. */
		if (!row || ++row == end || strcmp(row->request.spec.name, call->caches[i]))
			row = cache_set_find(caches, call->caches[i]);
		if (slub_create(slub, &row->request))
			return -1;
	}
	return 0;
}

static int run_all(const struct boot *boot, ptrdiff_t registrar, const struct simulation *sim,
		   struct registry *reg, struct replayed *each, FILE *tree)
{
	struct slub *slub = slub_caches_new(&sim->slub, reg);
	int rc = create_first(slub, sim->caches);

	for (size_t i = 0; i < boot->n_calls && !rc; i++) {
		struct snapshot before = take(reg);

		rc = run_call(slub, &boot->calls[i], (ptrdiff_t)i == registrar, sim->caches);
		each[i] = since(reg, &before);
	}
	if (!rc && tree)
		rc = slub_write_tree(slub, tree);
	slub_caches_free(slub);
	return rc;
}

int replay(const struct boot *boot, ptrdiff_t registrar, const struct simulation *sim,
	   struct replayed *each, FILE *tree, int *status)
{
	struct registry *reg;
	int rc;

	*status = STATUS_INPUT;
	reg = sim->registry->open(&sim->registry_config, status);
	if (!reg)
		return -1;
	rc = run_all(boot, registrar, sim, reg, each, tree);
	return sim->registry->close(reg) || rc ? -1 : 0;
}
