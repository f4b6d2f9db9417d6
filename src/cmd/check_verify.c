/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is right, before anybody is timed. */
#include <stdlib.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "check/verify.h"
#include "cmd/check_race.h"

/* Does @c ask @v for something that it is known to answer wrongly? */
static bool meets_mistake(const struct check_variant *v, const struct planned_case *c)
{
	if (!v->known_wrong)
		return false;
	if (!c->workload)
		return v->known_wrong(c->c.value, c->c.size);
	for (size_t i = 0; i < c->workload->n_checks; i++) {
		if (v->known_wrong(c->workload->checks[i].value, c->workload->checks[i].n))
			return true;
	}
	return false;
}

static bool has_value(const struct planned_case *c, uint8_t value)
{
	if (!c->workload)
		return c->c.value == value;
	for (size_t i = 0; i < c->workload->n_checks; i++) {
		if (c->workload->checks[i].value == value)
			return true;
	}
	return false;
}

/* A known mistake is worth a word when one of the cases runs into it. */
static bool concerns(const struct check_plan *plan, const struct check_variant *v, uint8_t value)
{
	for (size_t i = 0; i < plan->n_cases; i++) {
		if (has_value(&plan->cases[i], value) && meets_mistake(v, &plan->cases[i]))
			return true;
	}
	return false;
}

const char race_wrong_here[] = "its answer to the very question that was to be timed";

enum check_verdict race_wrong(struct race *race, const struct check_variant *v, const char *words)
{
	complain("%s is wrong and will not be timed: %s", v->name, words);
	race->status = STATUS_WRONG;
	return VERDICT_WRONG;
}

/* Neither right nor wrong is known of @v: that is no fault of its own. */
static enum check_verdict not_verified(struct race *race, const struct check_variant *v)
{
	complain("%s could not be verified and will not be timed: there was no memory for it",
		 v->name);
	if (race->status == STATUS_OK)
		race->status = STATUS_INPUT;
	return VERDICT_WRONG;
}

static enum check_verdict judge_plugin(struct race *race, const struct contender *contender,
				       uint8_t value)
{
	struct verify_failure failure;
	const char *how;
	char words[256];
	int wrong = plugin_verify(contender->plugin, value, &failure, &how);

	if (wrong == 0)
		return VERDICT_OK;
	if (wrong < 0)
		return not_verified(race, contender->v);
	if (wrong == 1) {
		verify_describe(&failure, words, sizeof(words));
		how = words;
	}
	return race_wrong(race, contender->v, how);
}

static enum check_verdict judge(struct race *race, const struct contender *contender, uint8_t value)
{
	const struct check_variant *v = contender->v;
	struct verify_failure failure;
	char words[256];
	int wrong;

	if (v->kind == CHECK_BASELINE)
		return VERDICT_NONE;
	if (v->applies && !v->applies(value))
		return VERDICT_NOT_APPLICABLE;
	wrong = check_verify(v, contender->fn, VERIFY_FAST, &value, 1, &failure);
	if (wrong == 0)
		return VERDICT_OK;
	if (wrong < 0)
		return not_verified(race, v);
	verify_describe(&failure, words, sizeof(words));
	if (!failure.known)
		return race_wrong(race, v, words);
	if (concerns(race->plan, v, value))
		note("%s is known to be wrong for 0x%02x: %s", v->name, value, words);
	return VERDICT_KNOWN_WRONG;
}

static void judge_all(struct race *race, const struct contender *contender, const bool used[256],
		      enum check_verdict verdicts[256])
{
	for (unsigned int value = 0; value < 256; value++) {
		if (!used[value])
			continue;
		verdicts[value] = contender->plugin ? judge_plugin(race, contender, (uint8_t)value)
						    : judge(race, contender, (uint8_t)value);
		/* One surprise is enough: there is no telling what else it does. */
		for (unsigned int v = 0; v < 256 && verdicts[value] == VERDICT_WRONG; v++)
			verdicts[v] = VERDICT_WRONG;
		if (verdicts[value] == VERDICT_WRONG)
			return;
	}
}

void race_verify(struct race *race)
{
	struct check_plan *plan = race->plan;
	bool used[256] = { false };

	for (size_t i = 0; i < plan->n_cases; i++) {
		for (unsigned int value = 0; value < 256; value++)
			used[value] |= has_value(&plan->cases[i], (uint8_t)value);
	}
	race->verdicts = xcalloc(plan->n_contenders, sizeof(*race->verdicts));
	for (size_t i = 0; i < plan->n_contenders; i++) {
		struct contender *contender = &plan->contenders[i];

		judge_all(race, contender, used, race->verdicts[i]);
		placement_make(&contender->places, contender->v, contender->fn, plan->places);
	}
}

/* The worst of the verdicts on the values that @c asks for. */
static enum check_verdict verdict_on_values(const enum check_verdict *verdicts,
					    const struct check_variant *v,
					    const struct planned_case *c)
{
	enum check_verdict worst = VERDICT_NONE;

	for (unsigned int value = 0; value < 256; value++) {
		if (verdicts[value] > worst && has_value(c, (uint8_t)value))
			worst = verdicts[value];
	}
	/* Wrong for the value, but right in this size. */
	if (worst == VERDICT_KNOWN_WRONG && !meets_mistake(v, c))
		return VERDICT_OK;
	return worst;
}

bool race_answers(const struct contender *contender, const struct planned_case *c,
		  const uint8_t *at)
{
	size_t right = c->c.fault == CHECK_CLEAN ? c->c.size : c->c.fault, got;

	if (c->workload) {
		for (size_t i = 0; i < c->workload->n_checks; i++) {
			const struct workload_check *check = &c->workload->checks[i];

			if (contender->fn(check->at, check->value, check->n) != check->n)
				return false;
		}
		return true;
	}
	got = contender->fn(at, c->c.value, c->c.size);
	if (contender->v->kind == CHECK_YES_NO)
		return (got == c->c.size) == (right == c->c.size);
	return got == right;
}

enum check_verdict race_verdict(struct race *race, size_t i, const struct planned_case *c,
				const uint8_t *at)
{
	const struct contender *contender = &race->plan->contenders[i];
	enum check_verdict verdict = verdict_on_values(race->verdicts[i], contender->v, c);

	/* A plugin is asked in the process that times it. */
	if (verdict == VERDICT_OK && !contender->plugin && !race_answers(contender, c, at))
		return race_wrong(race, contender->v, race_wrong_here);
	return verdict;
}
