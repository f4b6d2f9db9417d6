/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of SLUB's caches as a workload: which, how often, and on memory that passes them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "slub/workload.h"

static void every_check_passes(void **state)
{
	(void)state;
	for (const char *const *name = workload_suite; *name; name++) {
		struct workload *w = workload_make("test", *name, 1);

		assert_non_null(w);
		assert_true(w->n_checks > 0);
		for (size_t i = 0; i < w->n_checks; i++) {
			const struct workload_check *c = &w->checks[i];

			assert_true(c->n > 0);
			for (size_t b = 0; b < c->n; b++)
				assert_int_equal(c->at[b], c->value);
		}
		for (size_t i = 0; i < WORKLOAD_OPS; i++)
			assert_true(w->order[i] < w->n_ops);
		workload_free(w);
	}
}

/* The check of the region @value of @n bytes in the @op-th op, which must be there. */
static void has(const struct workload *w, size_t op, uint8_t value, size_t n)
{
	for (uint32_t i = 0; i < w->ops[op].n; i++) {
		const struct workload_check *c = &w->checks[w->ops[op].first + i];

		if (c->value == value && c->n == n)
			return;
	}
	fail_msg("op %zu has no check of %zu bytes 0x%02x", op, n, value);
}

/*
 * As Linux 6.1 does it with slub_debug=FZPU.  kmalloc-64: left and right redzone, object, its last
 * byte, padding; on free the redzones and the padding alone.
 */
static void kmalloc_64_is_checked_as_linux_does(void **state)
{
	struct workload *w = workload_make("test", "kmalloc-64", 7);
	size_t frees = w->slabs[1].first;

	(void)state;
	assert_int_equal(w->n_slabs, 2);
	assert_int_equal(w->ops[0].n, 5);
	has(w, 0, 0xbb, 64);
	has(w, 0, 0xbb, 8);
	has(w, 0, 0x6b, 63);
	has(w, 0, 0xa5, 1);
	has(w, 0, 0x5a, 44);
	assert_int_equal(w->ops[frees].n, 3);
	has(w, frees, 0xcc, 64);
	has(w, frees, 0xcc, 8);
	has(w, frees, 0x5a, 44);
	/* Half allocations of 180 bytes, half frees of 116. */
	assert_true(fabs(w->bytes_per_op - 148) < 1);
	assert_true(fabs(w->calls_per_op - 4) < 0.05);
	workload_free(w);
}

static void an_inode_is_never_poisoned(void **state)
{
	struct workload *w = workload_make("test", "ext4_inode_cache", 7);

	(void)state;
	for (size_t i = 0; i < w->n_checks; i++) {
		assert_int_not_equal(w->checks[i].value, 0x6b);
		assert_int_not_equal(w->checks[i].value, 0xa5);
	}
	workload_free(w);
}

static void the_seed_draws_the_order(void **state)
{
	struct workload *a = workload_make("test", "random-all", 3);
	struct workload *b = workload_make("test", "random-all", 3);
	struct workload *c = workload_make("test", "random-all", 4);

	(void)state;
	assert_memory_equal(a->order, b->order, sizeof(a->order));
	assert_memory_not_equal(a->order, c->order, sizeof(a->order));
	workload_free(a);
	workload_free(b);
	workload_free(c);
}

static void caches_are_equally_likely(void **state)
{
	struct workload *w = workload_make("test", "random-small", 5);
	double expected = (double)WORKLOAD_OPS / (double)w->n_slabs;

	(void)state;
	for (size_t s = 0; s < w->n_slabs; s++) {
		size_t n = 0;

		for (size_t i = 0; i < WORKLOAD_OPS; i++)
			n += w->order[i] >= w->slabs[s].first &&
			     w->order[i] < w->slabs[s].first + w->slabs[s].n;
		assert_true(fabs((double)n - expected) < 0.1 * expected);
	}
	workload_free(w);
}

static void an_unknown_one_is_none(void **state)
{
	(void)state;
	assert_null(workload_make("test", "no-such-cache", 1));
	assert_null(workload_make("test", "", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_check_passes),
		cmocka_unit_test(kmalloc_64_is_checked_as_linux_does),
		cmocka_unit_test(an_inode_is_never_poisoned),
		cmocka_unit_test(the_seed_draws_the_order),
		cmocka_unit_test(caches_are_equally_likely),
		cmocka_unit_test(an_unknown_one_is_none),
	};

	return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
