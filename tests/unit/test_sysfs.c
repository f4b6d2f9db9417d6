/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registry: the same work on every back end. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sysfs/backends.h"
#include "sysfs/kernfs.h"
#include "sysfs/scratch.h"

struct listed {
	char text[512];
	size_t used;
};

static int add_entry(const struct reg_entry *entry, void *arg)
{
	struct listed *list = arg;

	list->used += (size_t)snprintf(list->text + list->used, sizeof(list->text) - list->used,
				       "%c%s%s%s ", "DFL"[entry->kind], entry->name,
				       entry->target ? ">" : "",
				       entry->target ? entry->target : "");
	return 0;
}

static const char *list_of(struct registry *reg, struct reg_dir *dir, struct listed *list)
{
	list->used = 0;
	list->text[0] = '\0';
	assert_int_equal(reg->type->list(reg, dir, add_entry, list), 0);
	return list->text;
}

/* The same steps, and the same answers, whatever stands behind. */
static void back_ends_agree(void **state)
{
	(void)state;
	for (const struct registry_type *const *type = registry_types; *type; type++) {
		struct reg_config config = { .prices = reg_prices_flat(2) };
		struct reg_dir *slab, *cache;
		struct registry *reg;
		struct listed list;
		int status;

		if (!(*type)->files_links)
			continue;
		if (*type == &registry_directory && !registry_memory_folder())
			continue;
		reg = (*type)->open(&config, &status);
		assert_non_null(reg);
		slab = reg_make_dir(reg, (*type)->root(reg), "slab");
		assert_int_equal(reg_remove(reg, slab, "dentry", REG_DIRECTORY), 0);
		cache = reg_make_dir(reg, slab, ":0000064");
		assert_non_null(cache);
		assert_int_equal(reg_make_file(reg, cache, "order"), 0);
		assert_int_equal(reg_make_link(reg, slab, "fs_cache", cache), 0);
		assert_string_equal(list_of(reg, cache, &list), "Forder ");
		list_of(reg, slab, &list);
		assert_non_null(strstr(list.text, "D:0000064 "));
		assert_non_null(strstr(list.text, "Lfs_cache>:0000064 "));
		assert_int_equal(list.used, strlen("D:0000064 Lfs_cache>:0000064 "));
		assert_null(reg_make_dir(reg, slab, ":0000064"));
		assert_int_equal(reg_remove(reg, slab, "fs_cache", REG_LINK), 1);
		assert_string_equal(list_of(reg, slab, &list), "D:0000064 ");
		assert_int_equal(reg->count.made[REG_DIRECTORY], 2);
		assert_int_equal(reg->count.made[REG_FILE], 1);
		assert_int_equal(reg->count.made[REG_LINK], 1);
		assert_int_equal(reg->count.removed, 1);
		assert_int_equal(reg->count.misses, 1);
		assert_int_equal((*type)->close(reg), 0);
	}
}

/* The model keeps files that are alike once; where one differs, its directory keeps its own. */
static void the_model_lists_what_each_directory_has(void **state)
{
	static const char *const files[][4] = { { "a", "b" }, { "a", "b", "c" }, { "a", "c", "b" },
						{ "b" }, { "a" } };
	static const char *const lists[] = { "Fa Fb ", "Fa Fb Fc ", "Fa Fc Fb ", "Fb ", "Fa " };
	enum { N = sizeof(lists) / sizeof(*lists) };
	struct reg_config config = { .path = NULL };
	struct registry *reg;
	struct reg_dir *dirs[N];
	struct listed list;
	int status;

	(void)state;
	reg = registry_model.open(&config, &status);
	for (size_t i = 0; i < N; i++) {
		dirs[i] = reg_make_dir(reg, registry_model.root(reg), lists[i]);
		for (size_t k = 0; files[i][k]; k++)
			assert_int_equal(reg_make_file(reg, dirs[i], files[i][k]), 0);
	}
	for (size_t i = 0; i < N; i++)
		assert_string_equal(list_of(reg, dirs[i], &list), lists[i]);
	registry_model.close(reg);
}

static void the_model_adds_up_prices(void **state)
{
	struct reg_config config = {
		.prices = { .directory = 7, .file = 4, .link = 12, .lookup = 1, .level = 0.5,
			    .byte = 0.25 },
	};
	struct reg_dir *slab, *cache;
	struct registry *reg;
	int status;

	(void)state;
	reg = registry_model.open(&config, &status);
	slab = reg_make_dir(reg, registry_model.root(reg), "slab");
	assert_true(reg->spent_us[REG_DIRECTORY] == 7 + 4 * 0.25);
	cache = reg_make_dir(reg, slab, "one");
	assert_true(reg->spent_us[REG_DIRECTORY] == 8 + 7 + 3 * 0.25);
	reg_make_file(reg, cache, "order");
	assert_true(reg->spent_us[REG_FILE] == 4);
	/* one child already: a level of the tree, log2(2) */
	reg_remove(reg, slab, "link", REG_LINK);
	assert_true(reg->spent_us[REG_LINK] == 1 + 0.5 + 1);
	reg_make_link(reg, slab, "link", cache);
	assert_true(reg->spent_us[REG_LINK] == 2.5 + 12 + 0.5 + 1);
	assert_true(reg_cost_us(reg) == 15.75 + 4 + 16);
	registry_model.close(reg);
}

/* Behind two children of a directory in the root comes the next place; all else is as it was. */
static void kernfs_spreads_a_large_directory(void **state)
{
	struct reg_config config = { .spread = 2 };
	struct reg_dir *slab, *cache;
	struct registry *reg;
	struct listed list;
	int status;

	(void)state;
	reg = registry_kernfs.open(&config, &status);
	slab = reg_make_dir(reg, registry_kernfs.root(reg), "slab");
	cache = reg_make_dir(reg, slab, "a");
	assert_int_equal(reg_make_file(reg, cache, "x"), 0);
	assert_int_equal(reg_make_file(reg, cache, "y"), 0);
	assert_int_equal(reg_make_file(reg, cache, "z"), 0);
	assert_int_equal(reg_make_link(reg, slab, "b", cache), 0);
	assert_non_null(reg_make_dir(reg, slab, "c"));
	/* What is removed is looked up, among the latest only. */
	assert_int_equal(reg_remove(reg, slab, "a", REG_DIRECTORY), 0);
	assert_int_equal(reg_remove(reg, slab, "c", REG_DIRECTORY), 1);
	assert_non_null(reg_make_dir(reg, slab, "c"));
	list_of(reg, slab, &list);
	assert_int_equal(list.used, strlen("Da Lb>a "));
	list_of(reg, cache, &list);
	assert_int_equal(list.used, strlen("Fx Fy Fz "));
	registry_kernfs.close(reg);
}

static void only_registration_is_timed(void **state)
{
	struct reg_config config = { .path = NULL };
	struct registry *reg;
	int status;
	double us;

	(void)state;
	reg = registry_kernfs.open(&config, &status);
	reg_make_dir(reg, registry_kernfs.root(reg), "untimed");
	assert_true(reg_cost_us(reg) == 0);
	reg_clock(reg);
	for (char name[3] = "aa"; name[0] <= 'z'; name[0]++)
		for (name[1] = 'a'; name[1] <= 'z'; name[1]++)
			reg_make_dir(reg, registry_kernfs.root(reg), name);
	reg_clock_stop(reg);
	assert_true(reg->spent_us[REG_DIRECTORY] > 0);
	assert_true(reg->spent_us[REG_FILE] == 0 && reg->spent_us[REG_LINK] == 0);
	usleep(1000);
	assert_true(reg_cost_us(reg) == reg->spent_us[REG_DIRECTORY]);
	us = reg_cost_us(reg);
	reg_clock(reg);
	reg_make_dir(reg, registry_kernfs.root(reg), "rest");
	reg_clock_rest(reg);
	usleep(200000);
	reg_clock_stop(reg);
	assert_true(reg_cost_us(reg) - us < 200000);
	registry_kernfs.close(reg);
}

/* A child makes a folder and is killed: the next one finds and removes it, and no other. */
static void what_the_killed_leave_is_removed(void **state)
{
	char base[] = "/tmp/slubbench-test.XXXXXX", name[SCRATCH_NAME_MAX], other[2 * SCRATCH_NAME_MAX], buffer[64];
	int ends[2], fd;
	ssize_t n;
	pid_t child;

	(void)state;
	assert_non_null(mkdtemp(base));
	fd = open(base, O_RDONLY | O_DIRECTORY);
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		mkdirat(fd, scratch_name(name), 0700);
		n = write(ends[1], name, strlen(name) + 1);
		pause();
		_exit(n < 0);
	}
	n = read(ends[0], buffer, sizeof(buffer));
	assert_true(n > 10);
	assert_false(scratch_is_leftover(buffer)); /* it lives */
	assert_int_equal(scratch_remove_leftovers(fd, true), 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_true(scratch_is_leftover(buffer));
	snprintf(other, sizeof(other), "%s.keep", "slubbench.12x");
	assert_int_equal(mkdirat(fd, other, 0700), 0);
	snprintf(other, sizeof(other), "%s/in", buffer);
	assert_int_equal(mkdirat(fd, other, 0700), 0);
	assert_int_equal(scratch_remove_leftovers(fd, true), 1);
	assert_int_equal(faccessat(fd, buffer, F_OK, 0), -1);
	assert_int_equal(unlinkat(fd, "slubbench.12x.keep", AT_REMOVEDIR), 0);
	assert_int_equal(rmdir(base), 0);
	assert_false(scratch_is_leftover("slubbench.1.1x"));
	assert_false(scratch_is_leftover("slubbench.-1.5"));
	assert_false(scratch_is_leftover("other.99999999.5"));
	close(fd);
}

static void signals_wait_until_all_is_removed(void **state)
{
	struct reg_config config = { .path = NULL };
	struct registry *reg;
	int status;

	(void)state;
	if (!registry_memory_folder())
		return;
	reg = registry_directory.open(&config, &status);
	assert_non_null(reg);
	raise(SIGINT);
	assert_null(reg_make_dir(reg, registry_directory.root(reg), "slab"));
	assert_int_equal(registry_directory.close(reg), -1); /* all is removed, but nothing is done */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(back_ends_agree),
		cmocka_unit_test(the_model_lists_what_each_directory_has),
		cmocka_unit_test(the_model_adds_up_prices),
		cmocka_unit_test(kernfs_spreads_a_large_directory),
		cmocka_unit_test(only_registration_is_timed),
		cmocka_unit_test(what_the_killed_leave_is_removed),
		cmocka_unit_test(signals_wait_until_all_is_removed),
	};

	return cmocka_run_group_tests_name("sysfs", tests, NULL, NULL);
}
