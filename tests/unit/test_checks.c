/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench/checks.h and what is around a timed call: the buffer, the registers, copies of the code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/machine.h"
#include "bench/checks.h"
#include "bench/evict.h"
#include "bench/measure.h"
#include "bench/placement.h"
#include "bench/xstate.h"

static struct {
	const void *buf;
	size_t n;
	uint8_t value;
	uint64_t calls;
} asked;

static size_t remember(const void *buf, uint8_t value, size_t n)
{
	asked.buf = buf;
	asked.value = value;
	asked.n = n;
	asked.calls++;
	return n;
}

static void a_buffer_is_what_the_case_says(void **state)
{
	struct check_case c = { .size = 100, .align = 63, .value = 0x6b, .fault = CHECK_CLEAN };
	struct check_buffer b;
	const uint8_t *at;

	(void)state;
	assert_int_equal(check_buffer_open(&b, 100, "test"), 0);
	at = check_buffer_fill(&b, &c, NULL);
	assert_int_equal((uintptr_t)at % 64, 63);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(at[i], 0x6b);
	c.fault = 99;
	c.value = 0;
	c.align = 0;
	at = check_buffer_fill(&b, &c, NULL);
	assert_int_equal((uintptr_t)at % 64, 0);
	for (size_t i = 0; i < 99; i++)
		assert_int_equal(at[i], 0);
	assert_int_not_equal(at[99], 0);
	evict(at, 100); /* cold, and still the same */
	assert_int_equal(at[98], 0);
	assert_int_not_equal(at[99], 0);
	check_buffer_close(&b);
}

static void a_check_asks_what_the_case_says(void **state)
{
	const struct check_case hot = { .size = 17, .align = 3, .value = 0xcc, .fault = CHECK_CLEAN };
	struct check_case cold = hot;
	struct check_buffer b;
	struct check_work state_of;
	struct measure_work work;
	const uint8_t *at;

	(void)state;
	assert_int_equal(check_buffer_open(&b, 17, "test"), 0);
	at = check_buffer_fill(&b, &hot, NULL);
	state_of = (struct check_work){ remember, at, hot.size, hot.value, NULL };
	work = check_work(&state_of, "w", &hot);
	assert_null(work.prepare);
	asked.calls = 0;
	work.run(work.arg, 5);
	assert_int_equal(asked.calls, 5);
	assert_ptr_equal(asked.buf, at);
	assert_int_equal(asked.n, 17);
	assert_int_equal(asked.value, 0xcc);
	cold.cold = true;
	work = check_work(&state_of, "w", &cold);
	assert_non_null(work.prepare);
	work.prepare(work.arg);
	assert_int_equal(asked.calls, 5);
	check_buffer_close(&b);
}

/* Latency mode may wait for the answers, but must not let them move the next question. */
static size_t answer_wildly(const void *buf, uint8_t value, size_t n)
{
	remember(buf, value, n);
	return asked.calls * 977;
}

static void latency_asks_the_same_again(void **state)
{
	const struct check_case c = { .size = 8, .value = 1, .fault = CHECK_CLEAN,
				      .mode = CHECK_LATENCY };
	uint8_t buf[8];
	struct check_work w = { answer_wildly, buf, 8, 1, NULL };
	struct measure_work work = check_work(&w, "w", &c);

	(void)state;
	asked.calls = 0;
	work.run(work.arg, 7);
	assert_int_equal(asked.calls, 7);
	assert_ptr_equal(asked.buf, buf);
}

#ifdef __x86_64__
/* Registers come back as they were, and the save area is big enough for all of them. */
static void registers_survive_a_call(void **state)
{
	static const uint8_t before[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	uint8_t after[16] = { 0 };
	struct xstate x;

	(void)state;
	if (!xstate_open(&x))
		skip();
	assert_int_equal((uintptr_t)x.area % 64, 0);
	xstate_dirty(&x);
	__asm__ volatile("movdqu %0, %%xmm3" : : "m"(before) : "xmm3");
	xstate_save(&x);
	__asm__ volatile("pxor %%xmm3, %%xmm3" : : : "xmm3");
	xstate_restore(&x);
	__asm__ volatile("movdqu %%xmm3, %0" : "=m"(after));
	assert_memory_equal(before, after, sizeof(before));
	xstate_close(&x);
}
#endif

static void copies_answer_like_the_original(void **state)
{
	const struct check_variant *v = check_find("byte");
	struct placement p;
	uint8_t buf[40];

	(void)state;
	memset(buf, 7, sizeof(buf));
	buf[33] = 8;
	placement_make(&p, v, v->resolve(), 5);
	assert_int_equal(p.n, 5);
	for (unsigned int i = 0; i < 5; i++) {
		assert_int_equal(p.fn[i](buf, 7, sizeof(buf)), 33);
		for (unsigned int j = 0; p.moved && j < i; j++)
			assert_int_not_equal((uintptr_t)p.fn[i] % 4096, (uintptr_t)p.fn[j] % 4096);
	}
	placement_free(&p);
	v = check_find("memcmp"); /* calls the C library: must stay */
	placement_make(&p, v, v->resolve(), 2);
	assert_false(p.moved);
	assert_ptr_equal(p.fn[0], p.fn[1]);
	placement_free(&p);
}

static void more_than_memory_is_refused(void **state)
{
	struct check_buffer b;

	(void)state;
	assert_int_equal(check_buffer_open(&b, (size_t)machine_memory(), "test"), -1);
	assert_int_equal(check_buffer_open(&b, SIZE_MAX, "test"), -1);
	assert_null(b.map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_buffer_is_what_the_case_says),
		cmocka_unit_test(a_check_asks_what_the_case_says),
		cmocka_unit_test(latency_asks_the_same_again),
#ifdef __x86_64__
		cmocka_unit_test(registers_survive_a_call),
#endif
		cmocka_unit_test(copies_answer_like_the_original),
		cmocka_unit_test(more_than_memory_is_refused),
	};

	return cmocka_run_group_tests_name("checks", tests, NULL, NULL);
}
