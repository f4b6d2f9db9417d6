/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "bench/code.h"
#include "bench/gbench.h"
#include "cmd/check_plan.h"

static size_t table_length(void)
{
	size_t n = 0;

	while (check_variants[n].name)
		n++;
	return n;
}

/* The row called @name, of check_variants[] or @plugin; complains and is NULL when there is none. */
static const struct check_variant *find_variant(const char *what, const char *name,
						const struct plugin *plugin)
{
	const struct check_variant *v = check_find(name);
	bool lacks_plugin = plugin && !plugin->name && !strncmp(name, PLUGIN_PREFIX,
								strlen(PLUGIN_PREFIX));
	size_t n = table_length();
	const char **names;

	if (plugin && plugin->name && strcmp(name, plugin->name) == 0)
		v = &plugin->v;
	if (v)
		return v;
	names = xcalloc(n + 2, sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = check_variants[i].name;
	names[n] = plugin ? plugin->name : NULL;
	complain("%s: there is no variant '%s'%s", what, name,
		 did_you_mean(name, names, lacks_plugin ? "a plugin comes with --plugin FILE.so" :
							  "see check-bytes --list"));
	free(names);
	return NULL;
}

struct variant_list {
	const char *what;
	const struct plugin *plugin;
	struct number_list *to;
};

static int take_variant(const char *part, void *arg)
{
	const struct variant_list *list = arg;
	const struct check_variant *v = find_variant(list->what, part, list->plugin);

	if (!v)
		return -1;
	number_list_add(list->to, list->plugin && v == &list->plugin->v ?
				  table_length() : (uint64_t)(v - check_variants));
	return 0;
}

int variants_parse(const char *what, const char *text, const struct plugin *plugin,
		   struct number_list *to)
{
	struct variant_list list = { what, plugin, to };

	number_list_free(to);
	return parse_each(what, text, take_variant, &list);
}

static bool asked_for(const struct check_plan *plan, size_t row)
{
	for (size_t i = 0; i < plan->asked.n; i++) {
		if (plan->asked.values[i] == row)
			return true;
	}
	return false;
}

/* --filter: the expression, compiled; it takes every variant when there is none. */
struct filter {
	const char *text;
	regex_t expression;
};

static int filter_open(struct filter *filter, const char *text)
{
	char why[128];
	int error;

	filter->text = text;
	if (!text)
		return 0;
	error = regcomp(&filter->expression, text, REG_EXTENDED | REG_NOSUB);
	if (error == 0)
		return 0;
	regerror(error, &filter->expression, why, sizeof(why));
	complain("check-bytes: --filter: '%s' is no extended regular expression: %s", text, why);
	return -1;
}

static bool filter_takes(const struct filter *filter, const char *name)
{
	return filter->text && regexec(&filter->expression, name, 0, NULL, 0) == 0;
}

static void filter_close(struct filter *filter)
{
	if (filter->text)
		regfree(&filter->expression);
}

static int refuse_unusable(const struct check_variant *v)
{
	complain("check-bytes: variant '%s' does not run here: it needs %s", v->name, v->needs);
	return STATUS_UNSUPPORTED;
}

static void add_contender(struct check_plan *plan, struct contender contender)
{
	const char *name = contender.v->name;

	if (strcmp(name, plan->reference) == 0)
		plan->reference_idx = plan->n_contenders;
	if (strcmp(name, "load") == 0)
		plan->limit_idx = plan->n_contenders;
	if (strcmp(name, "empty") == 0)
		plan->floor_idx = plan->n_contenders;
	plan->contenders[plan->n_contenders++] = contender;
}

static int check_reference(const struct check_plan *plan)
{
	const struct check_variant *reference =
		find_variant("check-bytes: --reference", plan->reference, &plan->plugin);

	if (!reference)
		return STATUS_INPUT;
	if (reference->kind == CHECK_BASELINE) {
		complain("check-bytes: --reference: '%s' answers nothing that others could be "
			 "faster at",
			 reference->name);
		return STATUS_INPUT;
	}
	return reference->usable() ? STATUS_OK : refuse_unusable(reference);
}

/* Unasked, for what the others are held against. */
static bool stands_beside(const struct check_plan *plan, const struct check_variant *v)
{
	return v->kind == CHECK_BASELINE || strcmp(v->name, plan->reference) == 0;
}

/* The asked variants, or all; in a race with the two baselines and the reference beside them. */
static int choose_contenders(struct check_plan *plan, const struct filter *filter)
{
	/* With a plugin and no other choice the question is how it compares to all. */
	bool all = plan->asked.n == 0 && !plan->filter;
	size_t matches = plan->plugin_text && filter_takes(filter, plan->plugin.name);

	plan->contenders = xcalloc(table_length() + 1, sizeof(*plan->contenders));
	for (size_t row = 0; check_variants[row].name; row++) {
		const struct check_variant *v = &check_variants[row];
		bool asked = asked_for(plan, row), matched = filter_takes(filter, v->name);
		bool usable = v->usable();

		matches += matched;
		if (asked && !usable && !plan->list)
			return refuse_unusable(v);
		if (all || asked || matched ? usable || plan->list :
		    usable && !plan->list && stands_beside(plan, v))
			add_contender(plan, (struct contender){ .v = v,
								.fn = usable ? v->resolve() : NULL,
								.code_bytes = check_code_bytes(v) });
	}
	if (plan->filter && matches == 0) {
		complain("check-bytes: --filter: '%s' matches no variant; see check-bytes --list",
			 plan->filter);
		return STATUS_INPUT;
	}
	return STATUS_OK;
}

int check_plan_choose(struct check_plan *plan)
{
	struct filter filter;
	int status = STATUS_OK;

	if (plan->plugin_text && plugin_open(&plan->plugin, plan->plugin_text) != 0)
		return STATUS_INPUT;
	if (plan->variants_text && variants_parse("check-bytes: --variant", plan->variants_text,
						  &plan->plugin, &plan->asked) != 0)
		return STATUS_INPUT;
	if (!plan->list) {
		status = check_reference(plan);
		/* Without it there is nothing to tell: so before the part that looks at the code. */
		if (status == STATUS_OK && gb_load() != 0)
			status = STATUS_INPUT;
	}
	if (status != STATUS_OK)
		return status;
	if (filter_open(&filter, plan->filter) != 0)
		return STATUS_INPUT;
	status = choose_contenders(plan, &filter);
	filter_close(&filter);
	if (status == STATUS_OK && plan->plugin_text)
		add_contender(plan, (struct contender){ .v = &plan->plugin.v,
							.plugin = &plan->plugin,
							.code_bytes = plan->plugin.code_bytes });
	return status;
}

int check_plan_make(struct check_plan *plan)
{
	int status = check_plan_choose(plan);

	return status == STATUS_OK ? check_cases_make(plan) : status;
}

void check_plan_free(struct check_plan *plan)
{
	struct number_list *lists[] = { &plan->sizes, &plan->aligns, &plan->values,
					&plan->mismatches, &plan->caches, &plan->modes,
					&plan->asked };

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		number_list_free(lists[i]);
	free(plan->contenders);
	plugin_close(&plan->plugin);
	check_cases_free(plan);
}
