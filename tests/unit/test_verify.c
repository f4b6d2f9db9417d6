/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verifier itself, by functions with a bug each that it has to find and to name with the smallest
 * case.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "check/check.h"
#include "check/verify.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static size_t right(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *bytes = buf;
	size_t i;

	for (i = 0; i < n && bytes[i] == value; i++)
		;
	return i;
}

static size_t reads_one_more(const void *buf, uint8_t value, size_t n)
{
	(void)((const volatile uint8_t *)buf)[n];
	return right(buf, value, n);
}

static size_t reads_one_before(const void *buf, uint8_t value, size_t n)
{
	if (n > 3)
		(void)((const volatile uint8_t *)buf)[-1];
	return right(buf, value, n);
}

static size_t ignores_last_byte(const void *buf, uint8_t value, size_t n)
{
	size_t got = n ? right(buf, value, n - 1) : 0;

	return n && got == n - 1 ? n : got;
}

static size_t rounds_offset(const void *buf, uint8_t value, size_t n)
{
	size_t got = right(buf, value, n);

	return got < n ? got / 8 * 8 : n;
}

static size_t off_by_one(const void *buf, uint8_t value, size_t n)
{
	size_t got = right(buf, value, n);

	return n > 9 && got < n ? got + 1 : got;
}

static size_t ignores_top_bit(const void *buf, uint8_t value, size_t n)
{
	return value & 0x80 ? n : right(buf, value, n);
}

static size_t answers_yes(const void *buf, uint8_t value, size_t n)
{
	return right(buf, value, n) == n;
}

static size_t misses_tail_of_7(const void *buf, uint8_t value, size_t n)
{
	return n % 8 == 7 ? ignores_last_byte(buf, value, n) : right(buf, value, n);
}

static size_t adds_differences(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *bytes = buf;
	uint8_t sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += bytes[i] - value;
	return sum ? right(buf, value, n) : n;
}

static size_t finds_last_fault(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *bytes = buf;
	size_t i;

	for (i = n; i > 0 && bytes[i - 1] == value; i--)
		;
	return i ? i - 1 : n;
}

static size_t looks_beyond(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *bytes = buf;

	/* Stays in the page, so only what lies there can give it away. */
	if (n % 16 == 5 && (uintptr_t)(bytes + n) % 4096 && bytes[n] != value)
		return 0;
	return right(buf, value, n);
}

static size_t wrong_when_misaligned(const void *buf, uint8_t value, size_t n)
{
	return (uintptr_t)buf % 64 == 13 && n == 33 ? ignores_last_byte(buf, value, n) :
						      right(buf, value, n);
}

static size_t wrong_when_large(const void *buf, uint8_t value, size_t n)
{
	return n > 1000 ? ignores_last_byte(buf, value, n) : right(buf, value, n);
}

static size_t crashes(const void *buf, uint8_t value, size_t n)
{
	if (n == 40 && right(buf, value, n) == 20)
		raise(SIGSEGV);
	return right(buf, value, n);
}

static size_t illegal_instruction(const void *buf, uint8_t value, size_t n)
{
	if (n == 5)
		raise(SIGILL);
	return right(buf, value, n);
}

struct planted {
	const char *name;
	check_fn *fn;
	struct verify_failure expected; /* by FULL depth; align is checked where it is not 0 */
};

static const struct planted planted[] = {
	{ "reads_one_more", reads_one_more, { .n = 0, .signal = SIGSEGV } },
	{ "reads_one_before", reads_one_before, { .n = 4, .position = 0, .signal = SIGSEGV } },
	{ "ignores_last_byte", ignores_last_byte, { .n = 1, .position = 0, .got = 1 } },
	{ "rounds_offset", rounds_offset, { .n = 2, .position = 1, .got = 0 } },
	{ "off_by_one", off_by_one, { .n = 10, .position = 0, .got = 1 } },
	{ "ignores_top_bit", ignores_top_bit, { .n = 1, .value = 0x80, .position = 0, .got = 1 } },
	{ "answers_yes", answers_yes, { .n = 0, .position = 0, .got = 1 } },
	{ "misses_tail_of_7", misses_tail_of_7, { .n = 7, .position = 6, .got = 7 } },
	{ "finds_last_fault", finds_last_fault, { .n = 2, .position = 0, .got = 1 } },
	{ "looks_beyond", looks_beyond, { .n = 5, .position = 1, .got = 0 } },
	{ "wrong_when_misaligned", wrong_when_misaligned,
	  { .n = 33, .align = 13, .position = 32, .got = 33 } },
	{ "wrong_when_large", wrong_when_large, { .n = 1023, .position = 1022, .got = 1023 } },
	{ "crashes", crashes, { .n = 40, .position = 20, .signal = SIGSEGV } },
	{ "illegal_instruction", illegal_instruction, { .n = 5, .position = 0, .signal = SIGILL } },
};

/* A row for a function that is in no table. */
static const struct check_variant row = { .name = "planted", .width = 1 };

static void test_planted_bugs(void **state)
{
	const struct planted *p;
	struct verify_failure got;

	(void)state;
	for (p = planted; p < planted + COUNT(planted); p++) {
		memset(&got, 0, sizeof(got));
		if (check_verify(&row, p->fn, VERIFY_FULL, NULL, 0, &got) != 1)
			fail_msg("%s was not found", p->name);
		if (got.n != p->expected.n || got.position != p->expected.position ||
		    got.got != p->expected.got || got.signal != p->expected.signal)
			fail_msg("%s: n=%zu position=%zu got=%zu signal=%d", p->name, got.n,
				 got.position, got.got, got.signal);
		if (got.value != p->expected.value)
			fail_msg("%s: value 0x%02x", p->name, got.value);
		if (p->expected.align && got.align != p->expected.align)
			fail_msg("%s: align %u", p->name, got.align);
		assert_false(got.known);
	}
}

/* The short set has to find the common ones as well. */
static void test_planted_bugs_fast(void **state)
{
	const struct planted *p;
	struct verify_failure got;

	(void)state;
	for (p = planted; p < planted + COUNT(planted); p++) {
		if (p->fn == wrong_when_misaligned)
			continue;
		if (check_verify(&row, p->fn, VERIFY_FAST, NULL, 0, &got) != 1)
			fail_msg("%s was not found", p->name);
	}
	assert_int_equal(check_verify(&row, adds_differences, VERIFY_FAST, NULL, 0, &got), 1);
}

static void test_kinds(void **state)
{
	const struct check_variant yes_no = { .name = "planted", .kind = CHECK_YES_NO };
	const struct check_variant baseline = { .name = "planted", .kind = CHECK_BASELINE };
	struct verify_failure got;

	(void)state;
	assert_int_equal(check_verify(&row, right, VERIFY_FULL, NULL, 0, &got), 0);
	/* Any offset below n is a no. */
	assert_int_equal(check_verify(&yes_no, rounds_offset, VERIFY_FAST, NULL, 0, &got), 0);
	assert_int_equal(check_verify(&yes_no, answers_yes, VERIFY_FAST, NULL, 0, &got), 1);
	assert_int_equal(check_verify(&yes_no, misses_tail_of_7, VERIFY_FAST, NULL, 0, &got), 1);
	/* A baseline may answer what it likes, but not read outside. */
	assert_int_equal(check_verify(&baseline, answers_yes, VERIFY_FAST, NULL, 0, &got), 0);
	assert_int_equal(check_verify(&baseline, reads_one_more, VERIFY_FAST, NULL, 0, &got), 1);
	assert_int_equal(got.signal, SIGSEGV);
}

/* An unexpected failure is not hidden by a known one, whichever is smaller. */
static bool known_below_20(uint8_t value, size_t n)
{
	(void)value;
	return n < 20;
}

static void test_unexpected_beats_known(void **state)
{
	const struct check_variant v = { .name = "planted", .known_wrong = known_below_20 };
	struct verify_failure got;

	(void)state;
	assert_int_equal(check_verify(&v, misses_tail_of_7, VERIFY_FAST, NULL, 0, &got), 1);
	assert_false(got.known);
	assert_int_equal(got.n, 23);
}

static void test_describe(void **state)
{
	struct verify_failure f = { .n = 17, .value = 0x80, .align = 7, .position = 9, .got = 17 };
	char text[160];

	(void)state;
	verify_describe(&f, text, sizeof(text));
	assert_string_equal(text, "n=17 value=0x80 align=7, a fault at 9: answered 17");
	f.position = 17;
	f.signal = SIGSEGV;
	verify_describe(&f, text, sizeof(text));
	assert_string_equal(text, "reads outside the buffer (Segmentation fault): n=17 value=0x80 "
				  "align=7, no fault");
}

static void on_signal(int signal_number)
{
	(void)signal_number;
}

static void test_handlers_come_back(void **state)
{
	struct sigaction mine = { .sa_handler = on_signal }, before, after;
	struct verify_failure got;

	(void)state;
	sigaction(SIGSEGV, &mine, &before);
	assert_int_equal(check_verify(&row, reads_one_more, VERIFY_FAST, NULL, 0, &got), 1);
	sigaction(SIGSEGV, &before, &after);
	assert_ptr_equal(after.sa_handler, on_signal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_planted_bugs),
		cmocka_unit_test(test_planted_bugs_fast),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_unexpected_beats_known),
		cmocka_unit_test(test_describe),
		cmocka_unit_test(test_handlers_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
