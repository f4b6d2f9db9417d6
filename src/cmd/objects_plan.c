/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "check/verify.h"
#include "cmd/objects_plan.h"

/* What the kernel asks for; a variant is verified with all of them. */
static const uint8_t values[] = { SLUB_RED_INACTIVE, SLUB_RED_ACTIVE, SLUB_POISON_INUSE,
				  SLUB_POISON_FREE, SLUB_POISON_END };
#define N_VALUES (sizeof(values) / sizeof(values[0]))

static const char *const usual_variants[] = { "byte", "slub2011", "memchr_inv", "gpr", "auto" };

struct flag_list {
	const char *what;
	struct number_list *to;
};

static int take_flags(const char *part, void *arg)
{
	const struct flag_list *list = arg;
	unsigned int flags;
	const char *wrong = slub_flags_parse(part, &flags);

	if (wrong != NULL) {
		complain("%s: '%s': there is no flag '%.1s'; expected letters of FZPU, or none",
			 list->what, part, wrong);
		return -1;
	}
	number_list_add(list->to, flags);
	return 0;
}

int set_flags(const char *what, const char *text, void *to)
{
	struct flag_list list = { what, to };

	number_list_free(to);
	return parse_each(what, text, take_flags, &list);
}

int set_kernel(const char *what, const char *text, void *to)
{
	static const struct slub_kernel *const kernels[] = { &slub_linux_6_1, &slub_linux_6_2 };
	const char *const names[] = { kernels[0]->name, kernels[1]->name, NULL };
	int kernel = parse_word(what, text, names);

	if (kernel < 0)
		return -1;
	*(struct slub_kernel *)to = *kernels[kernel];
	return 0;
}

static void choose_usual(struct number_list *to)
{
	for (size_t i = 0; i < sizeof(usual_variants) / sizeof(usual_variants[0]); i++) {
		const struct check_variant *v = check_find(usual_variants[i]);

		if (v->usable())
			number_list_add(to, (uint64_t)(v - check_variants));
	}
}

static bool applies(const struct check_variant *v)
{
	for (size_t i = 0; i < N_VALUES; i++)
		if (v->applies != NULL && !v->applies(values[i]))
			return false;
	return true;
}

/* May it be used, and, where that is @wanted, is it right?  STATUS_OK, and *@known_wrong; or what to exit with, after a complaint. */
static int verify(const struct check_variant *v, bool wanted, bool *known_wrong)
{
	struct verify_failure failure;
	char text[256];
	int rc;

	*known_wrong = false;
	if (!v->usable()) {
		complain("objects: variant '%s' does not run here: it needs %s", v->name, v->needs);
		return STATUS_UNSUPPORTED;
	}
	if (!applies(v)) {
		complain("objects: variant '%s' does not answer for the values that SLUB checks",
			 v->name);
		return STATUS_INPUT;
	}
	if (v->kind == CHECK_BASELINE || !wanted)
		return STATUS_OK;
	rc = check_verify(v, v->resolve(), VERIFY_FAST, values, N_VALUES, &failure);
	if (rc == 0)
		return STATUS_OK;
	if (rc < 0) {
		complain("objects: no memory to verify variant '%s' in", v->name);
		return STATUS_INPUT;
	}
	if (failure.known) {
		*known_wrong = true;
		return STATUS_OK;
	}
	verify_describe(&failure, text, sizeof(text));
	complain("objects: variant '%s' is wrong: %s", v->name, text);
	return STATUS_WRONG;
}

static void add_contender(struct objects_plan *plan, unsigned int flags,
			  const struct check_variant *v, bool known_wrong)
{
	for (size_t i = 0; i < plan->n_contenders; i++)
		if (plan->contenders[i].flags == flags && plan->contenders[i].v == v)
			return;
	plan->contenders = xgrow(plan->contenders, plan->n_contenders,
				 sizeof(*plan->contenders));
	plan->contenders[plan->n_contenders++] = (struct objects_contender){
		.flags = flags, .v = v, .known_wrong = known_wrong };
}

/* Flags by variants, beside them none at all and, for each flags, a check that does nothing. */
static int choose_contenders(struct objects_plan *plan)
{
	bool known_wrong[64] = { false };

	for (size_t i = 0; i < plan->variants.n && i < 64; i++) {
		/* Where others hold the clock, verifying would be in what they time. */
		int status = verify(&check_variants[plan->variants.values[i]], plan->passes == 0,
				    &known_wrong[i]);

		if (status != STATUS_OK)
			return status;
	}
	add_contender(plan, 0, NULL, false);
	for (size_t f = 0; f < plan->flags.n; f++) {
		unsigned int flags = (unsigned int)plan->flags.values[f];

		/* Nothing is checked without F: one row says it all. */
		if (flags != 0)
			add_contender(plan, flags, check_find("empty"), false);
		if (!(flags & SLUB_CONSISTENCY))
			continue;
		for (size_t i = 0; i < plan->variants.n && i < 64; i++)
			add_contender(plan, flags, &check_variants[plan->variants.values[i]],
				      known_wrong[i]);
	}
	return STATUS_OK;
}

int objects_plan_make(struct objects_plan *plan)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int status, rc;

	if (cpus > 0)
		plan->kernel.cpus = (unsigned int)cpus;
	if (plan->flags.n == 0)
		number_list_add(&plan->flags, SLUB_DEBUG_FLAGS);
	if (plan->variants.n == 0)
		choose_usual(&plan->variants);
	status = choose_contenders(plan);
	if (status != STATUS_OK)
		return status;
	if (plan->trace != NULL && plan->slabinfo != NULL) {
		complain("objects: --trace and --slabinfo are two workloads: give one of them");
		return STATUS_INPUT;
	}
	if (plan->trace != NULL && plan->caches != NULL) {
		complain("objects: --cache: a trace brings its own caches");
		return STATUS_INPUT;
	}
	rc = plan->trace != NULL ? objects_plan_trace(plan) :
	     plan->slabinfo != NULL ? objects_plan_mix(plan) : objects_plan_caches(plan);
	return rc == 0 ? STATUS_OK : STATUS_INPUT;
}

void objects_plan_free(struct objects_plan *plan)
{
	for (size_t i = 0; i < plan->n_workloads; i++) {
		struct objects_workload *w = &plan->workloads[i];

		for (size_t k = 0; k < w->n_specs; k++)
			free((char *)w->specs[k].name);
		free(w->specs);
		free(w->ops);
		free(w->name);
	}
	free(plan->workloads);
	free(plan->contenders);
	number_list_free(&plan->flags);
	number_list_free(&plan->variants);
	trace_close(plan->reader);
}
