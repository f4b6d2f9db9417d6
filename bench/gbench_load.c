/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/gbench.h"

#include <errno.h>

#include "base/module.h"

static const struct gb_library *library;

int gb_load(void)
{
	if (!library)
		library = module_symbol("gbench.so", "gb_library", NULL);
	return library ? 0 : -ELIBACC;
}

int gb_run(const struct gb_case *cases, size_t n, const struct gb_config *cfg, gb_sample_fn *cb,
	   void *arg)
{
	int ret = gb_load();

	return ret == 0 ? library->run(cases, n, cfg, cb, arg) : ret;
}

int64_t gb_next_batch(struct gb_state *st)
{
	return library->next_batch(st);
}

void gb_set_manual_time(struct gb_state *st, double seconds)
{
	library->set_manual_time(st, seconds);
}

void gb_fail(struct gb_state *st, const char *why)
{
	library->fail(st, why);
}
