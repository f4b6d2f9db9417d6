/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All variants, by the table; and the verifier itself, by functions with a bug each that it has to find
 * and to name with the smallest case.
 *
 * Of the sizes 0..520 each is tried at each of the 64 alignments with a fault at each position, once:
 * eight values take turns, and both guard pages see all of them.  That is 15 million calls and a third of
 * a second per variant (two for byte); all values at all alignments would take eight times as long.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "check/check.h"
#include "check/verify.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What went wrong, for the log of a red test. */
static void assert_right(const struct check_variant *v, int result,
			 const struct verify_failure *failure)
{
	char text[160];

	if (result == 1) {
		verify_describe(failure, text, sizeof(text));
		fail_msg("%s: %s", v->name, text);
	}
	assert_int_equal(result, 0);
}

/* ---- the table -------------------------------------------------------------------------------- */

static void test_table(void **state)
{
	static const char *const names[] = { "empty",	"load",	 "byte",   "slub2011", "memchr_inv",
					     "gpr",	"rep-scas", "memcmp", "sse2",	 "avx2",
					     "avx512", "neon",	 "sve",	   "auto" };
	const struct check_variant *v, *other;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(names); i++) {
		assert_string_equal(check_variants[i].name, names[i]);
		assert_ptr_equal(check_find(names[i]), &check_variants[i]);
	}
	assert_null(check_find("nothing-like-it"));
	for (v = check_variants; v->name; v++) {
		assert_true(*v->description && *v->origin && *v->isa && *v->needs);
		assert_non_null(v->usable);
		assert_non_null(v->resolve);
		for (other = check_variants; other < v; other++)
			assert_string_not_equal(v->name, other->name);
		if (v->usable())
			assert_non_null(v->resolve());
	}
}

static void test_every_variant(void **state)
{
	const struct check_variant *v;
	struct verify_failure failure;
	int result;

	(void)state;
	for (v = check_variants; v->name; v++) {
		if (!v->usable())
			continue;
		result = check_verify(v, v->resolve(), VERIFY_FULL, NULL, 0, &failure);
		if (result == 1 && failure.known)
			continue;
		assert_right(v, result, &failure);
	}
}

/* slub2011 is wrong exactly where it says so: in every such size and value, and in no other. */
static void test_known_wrong_is_exact(void **state)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x5a, 0x6b, 0x7f, 0x80, 0x81,
					  0xa5, 0xbb, 0xcc, 0xf0, 0xfe, 0xff };
	const struct check_variant *v = check_find("slub2011");
	struct verify_failure failure;
	size_t i, n;
	int wrong;

	(void)state;
	for (i = 0; i < COUNT(values); i++) {
		for (n = 0; n <= 520; n += n < 80 ? 1 : 55) {
			wrong = check_verify_one(v, v->resolve(), n, values[i], &failure);
			assert_int_equal(wrong, v->known_wrong(values[i], n));
			assert_true(!wrong || failure.known);
		}
	}
	assert_true(v->known_wrong(0xbb, 17));
	assert_false(v->known_wrong(0xbb, 16));
	assert_false(v->known_wrong(0xff, 17));
	assert_false(v->known_wrong(0x6b, 4096));
}

static void test_fast_finds_slub2011(void **state)
{
	const struct check_variant *v = check_find("slub2011");
	static const uint8_t harmless[] = { 0x6b, 0xff };
	struct verify_failure failure;

	(void)state;
	assert_int_equal(check_verify(v, v->resolve(), VERIFY_FAST, NULL, 0, &failure), 1);
	assert_true(failure.known);
	assert_int_equal(failure.n, 17);
	assert_int_equal(failure.value, 0xbb);
	assert_int_equal(check_verify(v, v->resolve(), VERIFY_FAST, harmless, 2, &failure), 0);
}

/* ---- bugs for the verifier to find ------------------------------------------------------------ */

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

/* ---- the code --------------------------------------------------------------------------------- */

/* Size of the symbol at @address of this program as nm prints it, 0 when there is none. */
static size_t nm_size(uintptr_t offset_of_right, uintptr_t offset)
{
	unsigned long long address, size, right_address = 0, found = 0;
	char line[512], name[256], command[64];
	int pass;
	FILE *nm;

	snprintf(command, sizeof(command), "nm -S /proc/%d/exe", (int)getpid());
	for (pass = 0; pass < 2; pass++) {
		nm = popen(command, "r");
		assert_non_null(nm);
		while (fgets(line, sizeof(line), nm)) {
			if (sscanf(line, "%llx %llx %*c %255s", &address, &size, name) != 3)
				continue;
			if (!pass && !strcmp(name, "check_find"))
				right_address = address;
			if (pass && address - right_address == offset - offset_of_right)
				found = size;
		}
		pclose(nm);
	}
	return (size_t)found;
}

static void test_code_bytes(void **state)
{
	const struct check_variant *v;
	size_t size;

	(void)state;
	if (!check_code_bytes(check_find("byte")))
		skip();
	for (v = check_variants; v->name; v++) {
		size = check_code_bytes(v);
		if (!v->copyable || !v->usable()) {
			assert_int_equal(size, 0);
			continue;
		}
		assert_true(size > 0);
		assert_int_equal(size, nm_size((uintptr_t)check_find, (uintptr_t)v->resolve()));
	}
	assert_int_equal(check_code_bytes(check_find("auto")),
			 nm_size((uintptr_t)check_find, (uintptr_t)check_find("auto")->resolve()));
}

/* What says that it may be copied still answers right from another page, at several offsets. */
static void test_copies_work(void **state)
{
	static const size_t offsets[] = { 0, 16, 40, 1001 };
	const struct check_variant *v;
	struct verify_failure failure;
	uint8_t *page;
	size_t size, i;
	int result;

	(void)state;
	page = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED || !check_code_bytes(check_find("byte")))
		skip();
	for (v = check_variants; v->name; v++) {
		size = check_code_bytes(v);
		for (i = 0; size && i < COUNT(offsets); i++) {
			memset(page, 0, 1 << 16);
			memcpy(page + offsets[i], (const void *)(uintptr_t)v->resolve(), size);
			__builtin___clear_cache((char *)page, (char *)page + (1 << 16));
			result = check_verify(v, (check_fn *)(uintptr_t)(page + offsets[i]),
					      VERIFY_FAST, NULL, 0, &failure);
			if (result == 1 && failure.known)
				continue;
			assert_right(v, result, &failure);
		}
	}
	munmap(page, 1 << 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_every_variant),
		cmocka_unit_test(test_known_wrong_is_exact),
		cmocka_unit_test(test_fast_finds_slub2011),
		cmocka_unit_test(test_planted_bugs),
		cmocka_unit_test(test_planted_bugs_fast),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_unexpected_beats_known),
		cmocka_unit_test(test_describe),
		cmocka_unit_test(test_handlers_come_back),
		cmocka_unit_test(test_code_bytes),
		cmocka_unit_test(test_copies_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
