/* SPDX-License-Identifier: GPL-2.0-or-later */
/* initcalls: from what the user asked for to boots that have been run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "boot/find.h"
#include "boot/fit.h"
#include "boot/levels.h"
#include "boot/log.h"
#include "boot/schedule.h"
#include "cmd/initcalls.h"

/* A log without stamps: the calls one after the other. */
static void fill_starts(struct boot *boot)
{
	double now = 0;

	for (size_t i = 0; i < boot->n_calls; i++)
		if (!isnan(boot->calls[i].start_us))
			return;
	for (size_t i = 0; i < boot->n_calls; i++) {
		struct initcall *call = &boot->calls[i];

		call->start_us = now;
		now += isnan(call->duration_us) ? 0 : call->duration_us;
	}
	boot->run_init_us = now;
}

/* The allocator as the log's kernel had it. */
static void configure_slub(struct run *run, const struct plan *plan)
{
	struct slub_config *slub = &run->sim.slub;

	*slub = slub_config_default();
	slub->attributes = (unsigned int)plan->attributes;
	if (run->boot->cpus)
		slub->kernel.cpus = run->boot->cpus;
	if (run->boot->hwalign)
		slub->kernel.cacheline = run->boot->hwalign;
	if (run->boot->command_line)
		slub_debug_from_command_line(&slub->debug, run->boot->command_line);
}

/* The levels: from the log's own lines, from the symbols, the rest from what is known. */
static int find_levels(struct boot *boot, const struct plan *plan, struct symbols **symbols)
{
	if (plan->symbols) {
		if (!*symbols && symbols_read(plan->symbols, symbols))
			return -1;
		if (!symbols_apply(*symbols, boot)) {
			complain("%s: none of the initcalls of %s is in it", plan->symbols,
				 boot->name);
			return -1;
		}
	}
	levels_from_knowledge(boot);
	return 0;
}

struct boot *initcalls_read_log(const char *path, const struct plan *plan,
				struct symbols **symbols, struct log_stats *stats)
{
	struct boot *boot;

	if (log_read(path, &boot, stats))
		return NULL;
	boot_index(boot);
	fill_starts(boot);
	if (!find_levels(boot, plan, symbols))
		return boot;
	boot_free(boot);
	return NULL;
}

static int read_log(struct run *run, const struct plan *plan)
{
	run->boot = initcalls_read_log(plan->log, plan, &run->symbols, &run->stats);
	if (!run->boot)
		return -1;
	if (plan->caches ? cache_set_read("initcalls: --caches", plan->caches, &run->caches) :
			   fit_choose(run->boot, &run->caches))
		return -1;
	if (!plan->caches || cache_set_shipped(plan->caches))
		fit_set(run->caches, run->boot);
	run->attached = simulate_attach(run->boot, run->caches);
	return 0;
}

static int read_board(struct run *run, const struct plan *plan)
{
	const char *board = plan->board ? plan->board : INITCALLS_BOARD;
	const char *caches = plan->caches;

	/* A board that is shipped may have caches of its own. */
	if (!caches)
		caches = cache_set_shipped(board) ? board : INITCALLS_CACHES;
	if (cache_set_read("initcalls: --caches", caches, &run->caches) ||
	    board_read("initcalls: --boot", board, run->caches, &run->boot))
		return -1;
	if (!strcmp(caches, INITCALLS_CACHES))
		fit_set(run->caches, run->boot);
	return 0;
}

/* Does the log, or the user, tell what registration costs? */
static bool can_learn(const struct initcall *registrar, const struct plan *plan)
{
	return registrar->returned && !(isnan(registrar->duration_us) && isnan(plan->node_cost_ns));
}

/* Without the registrar nothing can be eager or deferred, but the order can be shown. */
static int find_registrar(struct run *run, const struct plan *plan)
{
	bool moves = plan->eager || plan->compare || plan->defer.given || plan->tree;

	if (plan->log && !plan->registrar && !moves) {
		run->registrar = boot_find(run->boot, "slab_sysfs_init");
		if (run->registrar < 0)
			run->registrar = boot_find(run->boot, "slab_late_init");
		if (run->registrar >= 0 && !can_learn(&run->boot->calls[run->registrar], plan))
			run->registrar = -1;
		return 0;
	}
	if (schedule_registrar(run->boot, plan->registrar, &run->registrar))
		return -1;
	if (run->registrar < 0 && moves && !(plan->defer.n && !plan->tree)) {
		complain("%s: neither slab_sysfs_init nor slab_late_init is in it; --registrar NAME "
			 "tells what registers the caches", run->boot->name);
		return -1;
	}
	return 0;
}

/* The prices of the model: asked for, learned from the log, or those of the board. */
static int set_prices(struct run *run, const struct plan *plan)
{
	struct reg_prices flat = reg_prices_flat(plan->node_cost_ns / 1000);
	bool asked = !isnan(plan->node_cost_ns);

	run->sim.registry_config.prices = asked ? flat : reg_prices_board;
	for (size_t i = 0; i < run->boot->n_calls; i++)
		if (run->boot->recorded)
			run->boot->calls[i].self_us = run->boot->calls[i].duration_us;
	if (!run->boot->recorded || run->registrar < 0)
		return 0;
	if (simulate_learn(run->boot, run->registrar, &run->sim, asked ? &flat : NULL,
			   &run->learned))
		return -1;
	run->has_learned = !asked;
	run->sim.registry_config.prices = run->learned.prices;
	return 0;
}

int initcalls_prepare(struct run *run, const struct plan *plan)
{
	if (plan->log ? read_log(run, plan) : read_board(run, plan))
		return -1;
	if (find_registrar(run, plan))
		return -1;
	configure_slub(run, plan);
	run->sim.caches = run->caches;
	run->sim.registry = plan->registry;
	return set_prices(run, plan);
}

/* The initcalls of --defer, or the registrar. */
static int defer_moves(const struct run *run, const struct plan *plan,
		       struct schedule_move **moves, size_t *n)
{
	*n = plan->defer.n ? plan->defer.n : 1;
	*moves = xcalloc(*n, sizeof(**moves));
	(*moves)[0] = (struct schedule_move){ (size_t)run->registrar, LEVEL_LATE };
	for (size_t i = 0; i < plan->defer.n; i++) {
		ptrdiff_t call = find_call("initcalls: --defer", run->boot, plan->defer.names[i],
					   NULL);

		if (call < 0 || initcalls_may_defer(run->boot, (size_t)call, plan))
			return -1;
		(*moves)[i] = (struct schedule_move){ (size_t)call, LEVEL_LATE };
	}
	return 0;
}

/* Calls that are at their level already stay where they are. */
static size_t drop_idle(const struct boot *boot, struct schedule_move *moves, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (schedule_level(boot, moves[i].call) != moves[i].to)
			moves[kept++] = moves[i];
	return kept;
}

/* Run the boot with @moves done; 0, or -1 after a complaint. */
static int run_moved(struct run *run, const struct plan *plan, struct schedule_move *moves,
		     size_t n)
{
	struct outcome *outcome = &run->outcomes[run->n_outcomes];
	bool last = !plan->compare || run->n_outcomes == POLICY_DEFERRED;
	enum initcall_level level;

	if (schedule(run->boot, moves, drop_idle(run->boot, moves, n), run->symbols,
		     &outcome->boot, &outcome->origin))
		return -1;
	run->n_outcomes++;
	if (initcalls_promote(outcome, plan))
		return -1;
	outcome->registrar = -1;
	for (size_t i = 0; i < run->boot->n_calls; i++)
		if ((ptrdiff_t)outcome->origin[i] == run->registrar)
			outcome->registrar = (ptrdiff_t)i;
	level = outcome->registrar < 0 ? LEVEL_UNKNOWN :
					 schedule_level(outcome->boot, (size_t)outcome->registrar);
	outcome->policy = level >= LEVEL_LATE ? POLICY_DEFERRED : POLICY_EAGER;
	return simulate(run->boot, outcome->boot, outcome->origin, outcome->registrar, &run->sim,
			plan->tree && last ? run->tree.file : NULL, &run->status);
}

int initcalls_run(struct run *run, const struct plan *plan)
{
	struct schedule_move eager = { (size_t)run->registrar, LEVEL_DEVICE }, *deferred = NULL;
	size_t n = 0;
	int rc = 0;

	if (plan->eager || plan->compare)
		rc = run_moved(run, plan, &eager, 1);
	if (!rc && (plan->defer.given || plan->compare)) {
		rc = defer_moves(run, plan, &deferred, &n);
		if (!rc)
			rc = run_moved(run, plan, deferred, n);
		free(deferred);
	}
	if (!rc && !run->n_outcomes)
		rc = run_moved(run, plan, NULL, 0);
	return rc;
}
