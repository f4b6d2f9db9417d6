/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of objects share: a check that is right, and one cache with its reports. */
#ifndef TESTS_UNIT_OBJECT_LAB_H
#define TESTS_UNIT_OBJECT_LAB_H

#include "slub/slab.h"

#define FZPU SLUB_DEBUG_FLAGS

/* The plain definition, with the offset as its answer, and with yes or no. */
extern const struct check_variant lab_exact, lab_boolean;

extern const struct slub_caller lab_caller;
extern const struct slub_cache_spec lab_kmalloc_64, lab_plain_100, lab_inode_100;

struct lab {
	struct slub_heap *heap;
	struct slab_cache *cache;
	char *text;
	size_t size;
};

void lab_open(struct lab *lab, const struct slub_cache_spec *spec, unsigned int debug,
	      const struct check_variant *variant);
void lab_open_on(struct lab *lab, const struct slub_cache_spec *spec, unsigned int debug,
		 const struct check_variant *variant, const struct slub_kernel *kernel);
void lab_close(struct lab *lab);

/* What was reported so far. */
const char *lab_text(struct lab *lab);

#endif /* TESTS_UNIT_OBJECT_LAB_H */
