/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registration by initcall, learned from a log or priced, and the times that follow from it. */
#include "boot/simulate.h"

#include <math.h>
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

struct attached simulate_attach(struct boot *boot, const struct cache_set *caches)
{
	struct attached attached = { 0, 0, 0, 0 };
	const char *last = NULL;
	ptrdiff_t call = -1;

	for (size_t i = 0; i < caches->n; i++) {
		const struct cache_row *row = &caches->rows[i];

		if (!strcmp(row->created_by, CREATED_BY_START_KERNEL)) {
			attached.at_start++;
			continue;
		}
		/* Rows of one initcall mostly follow each other. */
		if (!last || strcmp(last, row->created_by))
			call = boot_find(boot, row->created_by);
		last = row->created_by;
		if (call < 0 || boot->calls[call].blacklisted) {
			attached.elsewhere++;
			continue;
		}
		attached.known++;
		attached.initcalls += boot->calls[call].n_caches == 0;
		add_cache(&boot->calls[call], row->request.spec.name);
	}
	return attached;
}

/* Does the price of the log's registrar, at prices for which it would cost @priced, make sense? */
static int check_registrar(const struct boot *boot, const struct initcall *registrar,
			   const struct replayed *did)
{
	if (!did->directories) {
		complain("%s: no cache is known that '%s' would register; see --caches",
			 boot->name, registrar->name);
		return -1;
	}
	if (registrar->duration_us > 0)
		return 0;
	complain("%s:%u: '%s' took no measurable time: what registration costs cannot be learned; "
		 "see --node-cost", boot->name, registrar->line, registrar->name);
	return -1;
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
