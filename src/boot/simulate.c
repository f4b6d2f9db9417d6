/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registration by initcall, learned from a log or priced, and the times that follow from it. */
#include "boot/simulate.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "boot/replay.h"
#include "sysfs/backends.h"

double simulate_end(const struct initcall *call)
{
	return call->start_us + call->duration_us;
}

static void add_cache(struct initcall *call, const char *name)
{
	call->caches = xgrow(call->caches, call->n_caches, sizeof(*call->caches));
	call->caches[call->n_caches++] = xstrdup(name);
}

/* Who created_by names: a long list names the same ones again and again. */
struct creator {
	const char *name;
	ptrdiff_t call; /* -1: none that runs */
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct creator *)a)->name, ((const struct creator *)b)->name);
}

static ptrdiff_t find_creator(void **known, const struct boot *boot, const char *name)
{
	struct creator key = { name, -1 }, **at = tfind(&key, known, by_name), *creator;

	if (at)
		return (*at)->call;
	key.call = boot_find(boot, name);
	if (key.call >= 0 && boot->calls[key.call].blacklisted)
		key.call = -1;
	creator = xmalloc(sizeof(*creator));
	*creator = key;
	tsearch(creator, known, by_name);
	return key.call;
}

struct attached simulate_attach(struct boot *boot, const struct cache_set *caches)
{
	struct attached attached = { 0, 0, 0, 0 };
	void *known = NULL;

	for (size_t i = 0; i < caches->n; i++) {
		const struct cache_row *row = &caches->rows[i];
		ptrdiff_t call;

		if (!strcmp(row->created_by, CREATED_BY_START_KERNEL)) {
			attached.at_start++;
			continue;
		}
		call = find_creator(&known, boot, row->created_by);
		if (call < 0) {
			attached.elsewhere++;
			continue;
		}
		attached.known++;
		attached.initcalls += boot->calls[call].n_caches == 0;
		add_cache(&boot->calls[call], row->request.spec.name);
	}
	tdestroy(known, free);
	return attached;
}

/*
 * Is there what prices are learned from?  0 us are less than the clock of the log can show (a
 * microsecond, or a tick): what registration costs is lost in the other times, and it is free.
 */
static int check_registrar(const struct boot *boot, const struct initcall *registrar,
			   const struct replayed *did)
{
	if (!did->directories) {
		complain("%s: no cache is known that '%s' would register; see --caches",
			 boot->name, registrar->name);
		return -1;
	}
	if (isnan(registrar->duration_us)) {
		complain("%s:%u: the log does not tell how long '%s' took, from which the cost of "
			 "registration is learned; --node-cost DURATION gives it", boot->name,
			 registrar->line, registrar->name);
		return -1;
	}
	if (registrar->duration_us == 0)
		note("%s:%u: '%s' took 0 us, less than the log's clock shows: registration is taken "
		     "as free; --node-cost DURATION gives it a price", boot->name, registrar->line,
		     registrar->name);
	return 0;
}

int simulate_learn(struct boot *boot, ptrdiff_t registrar, const struct simulation *sim,
		   const struct reg_prices *flat, struct learned *learned)
{
	struct replayed *did = xcalloc(boot->n_calls, sizeof(*did));
	struct simulation model = *sim;
	double scale = 1;
	int status, rc;

	model.registry = &registry_model;
	model.registry_config.prices = flat ? *flat : reg_prices_shape;
	rc = replay(boot, registrar, &model, did, NULL, &status);
	if (!rc && !flat) {
		const struct initcall *call = &boot->calls[registrar];

		rc = check_registrar(boot, call, &did[registrar]);
		if (!rc)
			scale = call->duration_us / did[registrar].cost_us;
	}
	memset(learned, 0, sizeof(*learned));
	if (!rc) {
		learned->prices = reg_prices_scaled(&model.registry_config.prices, scale);
		learned->directories = did[registrar].directories - 1; /* the kset */
		learned->links = did[registrar].links;
		learned->directory_us = did[registrar].directory_us * scale;
		learned->link_us = did[registrar].link_us * scale;
	}
	for (size_t i = 0; i < boot->n_calls && !rc; i++) {
		struct initcall *call = &boot->calls[i];

		call->registration_us = did[i].cost_us * scale;
		call->self_us = call->duration_us - call->registration_us;
		learned->clamped += call->self_us < -1; /* less is rounding */
	}
	free(did);
	return rc;
}
