/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "object_lab.h"

static size_t byte_wise(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *p = buf;
	size_t i = 0;

	while (i < n && p[i] == value)
		i++;
	return i;
}

static size_t yes_or_no(const void *buf, uint8_t value, size_t n)
{
	return byte_wise(buf, value, n) == n ? n : 0;
}

static check_fn *resolve_byte_wise(void)
{
	return byte_wise;
}

static check_fn *resolve_yes_or_no(void)
{
	return yes_or_no;
}

const struct check_variant lab_exact = {
	.name = "exact", .kind = CHECK_OFFSET, .resolve = resolve_byte_wise,
};
const struct check_variant lab_boolean = {
	.name = "boolean", .kind = CHECK_YES_NO, .resolve = resolve_yes_or_no,
};
const struct slub_caller lab_caller = { .addr = 0x1000, .cpu = 3, .pid = 77 };

const struct slub_cache_spec lab_kmalloc_64 = { "kmalloc-64", 64, 64, SLUB_KMALLOC, false };
const struct slub_cache_spec lab_plain_100 = { "plain", 100, 0, 0, false };
const struct slub_cache_spec lab_inode_100 = { "inode", 100, 0, 0, true };

void lab_open_on(struct lab *lab, const struct slub_cache_spec *spec, unsigned int debug,
		 const struct check_variant *variant, const struct slub_kernel *kernel)
{
	memset(lab, 0, sizeof(*lab));
	lab->heap = slub_heap_new(variant, kernel, 0);
	lab->heap->log = open_memstream(&lab->text, &lab->size);
	lab->cache = slab_cache_new(lab->heap, spec, debug);
	assert_non_null(lab->cache);
}

void lab_open(struct lab *lab, const struct slub_cache_spec *spec, unsigned int debug,
	      const struct check_variant *variant)
{
	lab_open_on(lab, spec, debug, variant, &slub_linux_6_1);
}

void lab_close(struct lab *lab)
{
	fclose(lab->heap->log);
	slub_heap_free(lab->heap);
	free(lab->text);
}

const char *lab_text(struct lab *lab)
{
	fflush(lab->heap->log);
	return lab->text;
}
