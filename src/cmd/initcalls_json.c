/* SPDX-License-Identifier: GPL-2.0-or-later */
/* initcalls --json: the rows, and what the lines below the table say. */
#include <math.h>
#include <stdlib.h>

#include "base/output.h"
#include "boot/probes.h"
#include "cmd/initcalls.h"
#include "report/json.h"

static json_t *log_to_json(const struct log_stats *stats)
{
	const struct {
		const char *name;
		size_t value;
	} counts[] = {
		{ "lines", (size_t)stats->lines },
		{ "initcalls", stats->initcalls },
		{ "modules", stats->modules },
		{ "probes", stats->probes },
		{ "async_calls", stats->async_calls },
		{ "unmatched_starts", stats->unmatched_starts },
		{ "unmatched_returns", stats->unmatched_returns },
		{ "blacklisted", stats->blacklisted },
		{ "lookalikes", stats->lookalikes },
		{ "joined_lines", stats->joined },
		{ "doubled_lines", stats->doubled },
		{ "long_lines", stats->long_lines },
		{ "unplaced_lines", stats->unplaced },
		{ "boots", stats->boots },
		{ "boot_taken", stats->taken },
	};
	json_t *object = json_object(), *unplaced = json_array();

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		json_object_set_new(object, counts[i].name,
				    json_integer((json_int_t)counts[i].value));
	for (size_t i = 0; i < stats->unplaced && i < LOG_N_UNPLACED; i++) {
		json_t *line = json_object();

		json_object_set_new(line, "line", json_integer(stats->first_unplaced[i].line));
		json_object_set_new(line, "text", json_text(stats->first_unplaced[i].text));
		json_object_set_new(line, "expected", json_string(stats->first_unplaced[i].wanted));
		json_array_append_new(unplaced, line);
	}
	json_object_set_new(object, "first_unplaced", unplaced);
	return object;
}

static json_t *shares_to_json(const struct share *shares, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "name", json_text(shares[i].name));
		json_object_set_new(object, "initcalls", json_integer((json_int_t)shares[i].calls));
		json_object_set_new(object, "us", json_number(shares[i].us));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *goal_to_json(const struct boot *boot, const struct goal *goal)
{
	struct breakdown b = goal_breakdown(boot, goal);
	json_t *object = json_object();

	json_object_set_new(object, "label", json_text(goal->label));
	json_object_set_new(object, "at_us", json_number(goal->at_us));
	json_object_set_new(object, "line", goal->line ? json_integer(goal->line) : json_null());
	json_object_set_new(object, "clock",
			    json_text(!boot->recorded ? "description" :
				      goal->by_stamps ? "stamps" : "sum of durations"));
	json_object_set_new(object, "before_first_us", json_number(b.head_us));
	json_object_set_new(object, "initcalls_us", json_number(b.calls_us));
	json_object_set_new(object, "between_us", json_number(b.gaps_us));
	json_object_set_new(object, "behind_last_us", json_number(b.tail_us));
	json_object_set_new(object, "levels", shares_to_json(b.levels, b.n_levels));
	json_object_set_new(object, "prefixes", shares_to_json(b.prefixes, b.n_prefixes));
	breakdown_free(&b);
	return object;
}

static json_t *deferrals_to_json(const struct boot *boot)
{
	json_t *array = json_array();
	struct deferral *list;
	size_t n = probes_deferrals(boot, &list);

	for (size_t i = 0; i < n; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "device", json_text(list[i].device));
		json_object_set_new(object, "tries", json_integer((json_int_t)list[i].tries));
		json_object_set_new(object, "deferred", json_integer((json_int_t)list[i].deferred));
		json_object_set_new(object, "lost_us", json_number(list[i].cost_us));
		json_object_set_new(object, "all_us", json_number(list[i].total_us));
		json_object_set_new(object, "span_us", json_number(list[i].span_us));
		json_object_set_new(object, "last_result", json_integer(list[i].last_result));
		json_array_append_new(array, object);
	}
	free(list);
	return array;
}

static json_t *probes_to_json(const struct boot *boot)
{
	json_t *array = json_array();

	for (size_t i = 0; i < boot->n_probes; i++) {
		const struct probe *probe = &boot->probes[i];
		json_t *object = json_object();

		json_object_set_new(object, "device", json_text(probe->device));
		json_object_set_new(object, "result", json_integer(probe->result));
		json_object_set_new(object, "end_us", json_number(probe->end_us));
		json_object_set_new(object, "duration_us", json_number(probe->duration_us));
		json_object_set_new(object, "initcall",
				    probe->initcall < 0 ? json_null() :
				    json_text(boot->calls[probe->initcall].name));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *outcome_to_json(const struct outcome *outcome, const struct milestone *milestone)
{
	json_t *object = json_object();
	struct goal goal;

	json_object_set_new(object, "policy", json_text(policy_name(outcome->policy)));
	if (!milestone_goal(milestone, outcome->boot, &goal)) {
		json_object_set_new(object, "milestone", goal_to_json(outcome->boot, &goal));
		goal_free(&goal);
	}
	return object;
}

static void add_advice(json_t *all, const struct run *run, const struct plan *plan)
{
	struct rows *rows = plan->advise ? advice_rows(run, plan) : NULL;

	if (rows)
		json_object_set_new(all, "advice", rows_to_json(rows));
	rows_free(rows);
}

int initcalls_write_json(const struct rows *rows, const struct run *run, struct plan *plan)
{
	json_t *all = json_object(), *outcomes = json_array();
	int rc;

	json_object_set_new(all, "schema", json_text("initcalls-1"));
	json_object_set_new(all, "boot", json_text(run->boot->name));
	json_object_set_new(all, "kernel", json_text(run->boot->kernel));
	json_object_set_new(all, "simulation", json_true());
	for (size_t i = 0; i < run->n_outcomes; i++)
		json_array_append_new(outcomes, outcome_to_json(&run->outcomes[i],
								&plan->milestone));
	json_object_set_new(all, "outcomes", outcomes);
	if (run->boot->recorded) {
		json_object_set_new(all, "log", log_to_json(&run->stats));
		json_object_set_new(all, "probes", probes_to_json(run->boot));
		json_object_set_new(all, "deferrals", deferrals_to_json(run->boot));
	}
	add_advice(all, run, plan);
	json_object_set_new(all, "initcalls", rows_to_json(rows));
	json_write(all, plan->report.json_out.file); /* a write error is told by the commit */
	rc = output_commit(&plan->report.json_out);
	json_decref(all);
	return rc;
}
