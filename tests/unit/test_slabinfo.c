/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/slabinfo of a real machine, of other versions, with cgroups, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "slub/slabinfo.h"

static int read_text(const char *text, struct slabinfo *info)
{
	char path[] = "/tmp/slubbench-slabinfo.XXXXXX";
	int fd = mkstemp(path), rc;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	rc = slabinfo_read(path, info);
	unlink(path);
	return rc;
}

static const struct slabinfo_cache *find(const struct slabinfo *info, const char *name)
{
	for (size_t i = 0; i < info->n; i++)
		if (strcmp(info->list[i].name, name) == 0)
			return &info->list[i];
	fail_msg("no cache %s", name);
	return NULL;
}

static void real_machine(void **state)
{
	const char *top = getenv("srcdir");
	struct slub_cache_spec spec;
	struct slabinfo info;
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/data/slub-layout/slabinfo-6.1-2cpu.txt",
		 top ? top : ".");
	assert_int_equal(slabinfo_read(path, &info), 0);
	assert_int_equal(find(&info, "dentry")->size, 192);
	assert_true(find(&info, "dentry")->active > 1000);
	assert_int_equal(find(&info, "kmalloc-64")->size, 64);

	spec = slabinfo_spec(find(&info, "dentry"), &slub_linux_6_1);
	assert_int_equal(spec.object_size, 192);
	assert_false(spec.constructor);
	spec = slabinfo_spec(find(&info, "kmalloc-192"), &slub_linux_6_1);
	assert_int_equal(spec.flags, SLUB_KMALLOC);
	spec = slabinfo_spec(find(&info, "ext4_inode_cache"), &slub_linux_6_1);
	assert_true(spec.constructor);
	assert_int_equal(spec.object_size, 1192 - 8);
	spec = slabinfo_spec(find(&info, "cred_jar"), &slub_linux_6_1);
	assert_int_equal(spec.align, 64);

	/* Laid out again, every cache comes to the size that the machine has. */
	for (size_t i = 0; i < info.n; i++) {
		struct slub_layout l;

		spec = slabinfo_spec(&info.list[i], &slub_linux_6_1);
		assert_int_equal(slub_layout_init(&l, &spec, &slub_linux_6_1), 0);
		assert_int_equal(l.size, info.list[i].size);
	}
	slabinfo_free(&info);
}

static void cgroups_and_versions(void **state)
{
	struct slabinfo info;

	(void)state;
	assert_int_equal(read_text(
		"slabinfo - version: 2.1\n# name            <active_objs> ...\n"
		"dentry(12:my cgroup 7)  30  42  192  21  1 : tunables 0 0 0 : slabdata 2 2 0\n"
		"dentry                 100 210  192  21  1 : tunables 0 0 0 : slabdata 10 10 0\n"
		"kmalloc-64(3:a)          5  64   64  64  1 : tunables 0 0 0 : slabdata 1 1 0\n",
		&info), 0);
	assert_int_equal(info.n, 2);
	assert_int_equal(find(&info, "dentry")->active, 130);
	assert_int_equal(find(&info, "kmalloc-64")->active, 5);
	slabinfo_free(&info);

	assert_int_equal(read_text("slabinfo - version: 1.1 (SMP)\n"
				   "kmem_cache            80     80    248    5    5    1 :  252  126\n"
				   "size-64             4399   5487     64   90   93    1\n", &info), 0);
	assert_int_equal(find(&info, "size-64")->active, 4399);
	assert_int_equal(find(&info, "kmem_cache")->size, 248);
	slabinfo_free(&info);
}

static void refused(void **state)
{
	static const char *const texts[] = {
		"", "hello\n", "slabinfo - version: 2.1\n",
		"slabinfo - version: 2.1\ndentry\n",
		"slabinfo - version: 2.1\ndentry 1 2\n",
		"slabinfo - version: 2.1\ndentry 1 2 0 1 1\n",
		"slabinfo - version: 2.1\ndentry 1 2 99999999999 1 1\n",
		"slabinfo - version: 2.1\ndentry 99999999999999999999999 2 192 1 1\n",
	};
	struct slabinfo info;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(read_text(texts[i], &info), -1);
		slabinfo_free(&info);
	}
	assert_int_equal(slabinfo_read("/no/such/file", &info), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_machine),
		cmocka_unit_test(cgroups_and_versions),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
