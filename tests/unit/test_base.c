/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/complain.h"
#include "base/machine.h"
#include "base/output.h"
#include "base/parse.h"
#include "base/printable.h"

static void sizes(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{ "0", 0 }, { "64", 64 }, { "4K", 4096 }, { "4k", 4096 }, { "4KiB", 4096 },
		{ "0x10", 16 }, { "1M", 1 << 20 }, { "2G", 2ULL << 30 }, { "1T", 1ULL << 40 },
		{ "18446744073709551615", UINT64_MAX },
	};
	static const char *const bad[] = { "", "-1", "+1", " 1", "1 ", "4Q", "4KB", "1.5K", "K",
					   "99999999999999999999", "16777216T", "0x", "4KiBB" };
	uint64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(parse_size("t", good[i].text, &value), 0);
		assert_int_equal(value, good[i].value);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		value = 7;
		assert_int_equal(parse_size("t", bad[i], &value), -1);
		assert_int_equal(value, 7);
	}
}

static void size_lists(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		uint64_t first, second, last;
	} good[] = {
		{ "8", 1, 8, 0, 8 },
		{ "8,64,4K", 3, 8, 64, 4096 },
		{ "8..4K*2", 10, 8, 16, 4096 },
		{ "8..64+8", 8, 8, 16, 64 },
		{ "8..63+8", 7, 8, 16, 56 },
		{ "1..100*10,0", 4, 1, 10, 0 },
		{ "0..3+1", 4, 0, 1, 3 },
		{ "8..64", 4, 8, 16, 64 },
		{ "18446744073709551614..18446744073709551615+1", 2, UINT64_MAX - 1, UINT64_MAX,
		  UINT64_MAX },
		{ "9223372036854775808..18446744073709551615*2", 1, 1ULL << 63, 0, 1ULL << 63 },
		{ "64,8..64*2,0x40,8", 4, 64, 8, 32 },
		{ "0,0,1,0..2+1", 3, 0, 1, 2 },
	};
	static const char *const bad[] = { "", ",", "8,", ",8", "8,,9", "64..8", "8..", "..8",
					   "8..64-8", "8..64*1", "8..64+0", "0..8*2", "8..64*2x",
					   "0..100000+1", "8..64+8..9" };
	struct number_list list = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(parse_size_list("t", good[i].text, &list), 0);
		assert_int_equal(list.n, good[i].n);
		assert_int_equal(list.values[0], good[i].first);
		if (list.n > 1)
			assert_int_equal(list.values[1], good[i].second);
		assert_int_equal(list.values[list.n - 1], good[i].last);
		number_list_free(&list);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(parse_size_list("t", bad[i], &list), -1);
		number_list_free(&list);
	}
}

static void durations_and_reals(void **state)
{
	double value;

	(void)state;
	assert_int_equal(parse_duration_ns("t", "500ns", &value), 0);
	assert_true(value == 500);
	assert_int_equal(parse_duration_ns("t", "1.5us", &value), 0);
	assert_true(value == 1500);
	assert_int_equal(parse_duration_ns("t", "0.25s", &value), 0);
	assert_true(value == 250e6);
	assert_int_equal(parse_duration_ns("t", "0", &value), 0);
	assert_true(value == 0);
	assert_int_equal(parse_duration_ns("t", "100", &value), -1);
	assert_int_equal(parse_duration_ns("t", "-1ms", &value), -1);
	assert_int_equal(parse_duration_ns("t", "ms", &value), -1);
	assert_int_equal(parse_duration_ns("t", "nan", &value), -1);
	assert_int_equal(parse_duration_ns("t", "86400s", &value), 0);
	assert_int_equal(parse_duration_ns("t", "86401s", &value), -1);
	assert_int_equal(parse_duration_ns("t", "999999999999999999999s", &value), -1);
	assert_int_equal(parse_real("t", "-2.5", -3, 3, &value), 0);
	assert_true(value == -2.5);
	assert_int_equal(parse_real("t", "4", -3, 3, &value), -1);
	assert_int_equal(parse_real("t", "1.5e+01", -30, 30, &value), 0);
	assert_true(value == 15);
	assert_int_equal(parse_real("t", "1e2", -30, 30, &value), -1);
	assert_int_equal(parse_real("t", "1e", -30, 30, &value), -1);
	assert_int_equal(parse_real("t", "", -30, 30, &value), -1);
	assert_int_equal(parse_real("t", "0x1", -30, 30, &value), -1);
	assert_int_equal(parse_real("t", "nan", -30, 30, &value), -1);
	assert_int_equal(parse_real("t", "+1", -30, 30, &value), -1);
}

static void near_names(void **state)
{
	static const char *const names[] = { "check-bytes", "initcalls", "plot", "avx2", NULL };
	static const char *const calls[] = { "xt_init", "ext4_init_fs", "bts_init", NULL };

	(void)state;
	assert_string_equal(nearest("check-byte", names), "check-bytes");
	assert_string_equal(nearest("initcall", names), "initcalls");
	assert_string_equal(nearest("plto", names), "plot");
	assert_string_equal(nearest("avx3", names), "avx2");
	assert_string_equal(nearest("init", names), "initcalls");
	assert_string_equal(nearest("ext4_init", calls), "ext4_init_fs");
	assert_string_equal(nearest("xt_inid", calls), "xt_init");
	assert_null(nearest("zzzzzzzz", names));
	assert_null(nearest("", names));
	assert_string_equal(did_you_mean("avx3", names, "see"), "; did you mean 'avx2'?");
	assert_string_equal(did_you_mean("zzzzzzzz", names, "see"), "; see");
	assert_string_equal(did_you_mean("zzzzzzzz", names, NULL), "");
}

/* A folder of its own for each test of files. */
static char folder[32];

static int enter(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/slubbench-unit.XXXXXX");
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	unlink("file");
	unlink("link");
	return chdir("/") || rmdir(folder); /* fails when a test left anything behind */
}

static void expect_content(const char *path, const char *content)
{
	char text[64] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_true(fgets(text, sizeof(text), file) || !*content);
	assert_string_equal(text, content);
	fclose(file);
}

static void files_whole_or_not_at_all(void **state)
{
	struct output out;
	struct stat st;

	(void)state;
	assert_int_equal(output_open(&out, "file"), 0);
	fputs("one", out.file);
	fflush(out.file);
	assert_int_equal(stat("file", &st), -1); /* no name before the commit */
	assert_int_equal(output_commit(&out), 0);
	expect_content("file", "one");

	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(output_open(&out, "link"), 0);
	fputs("two", out.file);
	fflush(out.file);
	expect_content("file", "one");
	output_drop(&out);
	expect_content("file", "one"); /* dropped: the old file stands */

	assert_int_equal(output_open(&out, "link"), 0);
	fputs("three", out.file);
	assert_int_equal(output_commit(&out), 0);
	expect_content("file", "three"); /* and the link still is one */
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void one_file_one_output(void **state)
{
	struct output first, second;

	(void)state;
	assert_int_equal(output_open(&first, "file"), 0);
	assert_int_equal(output_open(&second, "./file"), -1); /* not there yet, and meant already */
	fputs("first", first.file);
	assert_int_equal(output_commit(&first), 0);
	expect_content("file", "first");
	assert_int_equal(output_open(&second, "file"), 0); /* free again */
	output_drop(&second);
}

static void files_that_cannot_be(void **state)
{
	struct output out;

	(void)state;
	assert_int_equal(output_open(&out, "no/such/file"), -1);
	assert_int_equal(output_open(&out, "."), -1);
	assert_int_equal(output_open(&out, "/dev/full"), 0);
	fputs("text", out.file);
	assert_int_equal(output_commit(&out), -1);
}

static void text_that_prints(void **state)
{
	char to[PRINTABLE_ROOM(8)];

	(void)state;
	printable(to, "plain ~");
	assert_string_equal(to, "plain ~");
	printable(to, "a\033[1m\r\377");
	assert_string_equal(to, "a\\x1b[1m\\x0d\\xff");
	printable(to, "");
	assert_string_equal(to, "");
}

/* Byte by byte it would cost more than to read a log, and mix with what others write. */
static void a_complaint_is_one_write(void **state)
{
	int saved = dup(STDERR_FILENO), ends[2];
	char line[200];
	ssize_t n;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
	assert_int_equal(dup2(ends[0], STDERR_FILENO), STDERR_FILENO);
	complain("%s:%d: a\tb", "file", 7);
	assert_int_equal(dup2(saved, STDERR_FILENO), STDERR_FILENO);
	n = recv(ends[1], line, sizeof(line), MSG_DONTWAIT);
	assert_int_equal(n, strlen("slubbench: file:7: a\\x09b\n"));
	assert_memory_equal(line, "slubbench: file:7: a\\x09b\n", (size_t)n);
	close(saved);
	close(ends[0]);
	close(ends[1]);
}

static void machine(void **state)
{
	cpu_set_t before, after;
	int cpu;

	(void)state;
	assert_true(*machine_host() && *machine_cpu());
	assert_true(machine_memory() >= 16 << 20);
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(machine_try_cpu("t", sched_getcpu()), 0);
	assert_int_equal(machine_try_cpu("t", 1000), -1);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after)); /* tried, not moved */
	cpu = machine_pin(-1);
	assert_true(cpu >= 0);
	assert_int_equal(machine_pin(cpu), cpu);
	assert_int_equal(machine_pin(1000), -1);
	assert_int_equal(machine_pin(1 << 30), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(size_lists),
		cmocka_unit_test(durations_and_reals),
		cmocka_unit_test(near_names),
		cmocka_unit_test_setup_teardown(files_whole_or_not_at_all, enter, leave),
		cmocka_unit_test_setup_teardown(one_file_one_output, enter, leave),
		cmocka_unit_test(files_that_cannot_be),
		cmocka_unit_test(text_that_prints),
		cmocka_unit_test(a_complaint_is_one_write),
		cmocka_unit_test(machine),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
