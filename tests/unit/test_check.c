/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All variants, by the table: what they answer, and their code.
 *
 * Of the sizes 0..520 each is tried at each of the 64 alignments with a fault at each position, once:
 * eight values take turns, and both guard pages see all of them.  That is 15 million calls and a third of
 * a second per variant (two for byte); all values at all alignments would take eight times as long.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/code.h"
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
/*
 * What is too large for a cache is read at several places at once: the answer is the first fault, though
 * a later one may be met before it.
 */
static void test_first_of_two_far_apart(void **state)
{
	static const size_t mib = 1 << 20, n = 18 * mib + 77;
	static const size_t faults[][2] = {
		{ 0, 1 },			   { mib / 2 - 1, mib / 2 },
		{ mib / 2 + 70, mib },		   { mib - 1, 3 * mib / 2 },
		{ 3 * mib / 2 + 500, 2 * mib + 1 }, { 2 * mib - 1, 2 * mib },
		{ 3 * mib + 5, 7 * mib / 2 },	   { 16 * mib - 1, 16 * mib + 63 },
		{ 18 * mib, n - 1 },		   { n - 1, n },
	};
	uint8_t *map = malloc(n + 2), *buf = map + 1;

	(void)state;
	assert_non_null(map);
	memset(map, 0x5a, n + 2);
	for (const struct check_variant *v = check_variants; v->name; v++) {
		if (!v->usable() || v->kind != CHECK_OFFSET || v->known_wrong)
			continue;
		assert_int_equal(v->resolve()(buf, 0x5a, n), n);
		for (size_t i = 0; i < COUNT(faults); i++) {
			buf[faults[i][0]] ^= 1;
			buf[faults[i][1]] ^= 1;
			assert_int_equal(v->resolve()(buf, 0x5a, n), faults[i][0]);
			buf[faults[i][0]] ^= 1;
			buf[faults[i][1]] ^= 1;
		}
	}
	free(map);
}

#define MOST 5000
static uint8_t written[2 * MOST]; /* the byte in the middle, by somebody else */
static bool stop_writing;

static void *write_on(void *unused)
{
	while (!__atomic_load_n(&stop_writing, __ATOMIC_RELAXED))
		__atomic_fetch_xor(&written[MOST], 1, __ATOMIC_RELAXED);
	return unused;
}

/*
 * Who uses freed memory writes while it is checked: two answers are right then, but there is one.  Only our
 * own variants; memchr_inv, for one, reads a word again and can point behind it.
 */
static void test_answer_while_written(void **state)
{
	static const size_t sizes[] = { 1, 3, 7, 13, 40, 64, 100, 300, 1000, MOST };
	pthread_t writer;

	(void)state;
	assert_int_equal(pthread_create(&writer, NULL, write_on, NULL), 0);
	alarm(60);
	for (const struct check_variant *v = check_variants; v->name; v++) {
		if (!v->usable() || strcmp(v->origin, "slubbench") || v->kind != CHECK_OFFSET)
			continue;
		for (size_t i = 0; i < COUNT(sizes) * 4000; i++) {
			size_t n = sizes[i % COUNT(sizes)], at = n / 2;
			size_t answer = v->resolve()(&written[MOST - at], 0, n);

			if (answer != at && answer != n)
				fail_msg("%s: n=%zu, answered %zu", v->name, n, answer);
		}
	}
	alarm(0);
	__atomic_store_n(&stop_writing, true, __ATOMIC_RELAXED);
	assert_int_equal(pthread_join(writer, NULL), 0);
}

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
		cmocka_unit_test(test_first_of_two_far_apart),
		cmocka_unit_test(test_answer_while_written),
		cmocka_unit_test(test_known_wrong_is_exact),
		cmocka_unit_test(test_fast_finds_slub2011),
		cmocka_unit_test(test_code_bytes),
		cmocka_unit_test(test_copies_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
