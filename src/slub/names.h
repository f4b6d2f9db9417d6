/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that a SLUB cache goes by: its flags in text, its directory in /sys/kernel/slab and
 * the attribute files in there.
 */
#ifndef SLUBBENCH_SLUB_NAMES_H
#define SLUBBENCH_SLUB_NAMES_H

#include <stddef.h>

#include "slub/layout.h"

/* Flags of kmem_cache_create() that have no say in the layout; the rest is in enum slub_flag. */
enum slub_cache_flag {
	SLUB_CACHE_DMA = 1u << 16,
	SLUB_CACHE_DMA32 = 1u << 17,
	SLUB_TRACE = 1u << 18,
	SLUB_NOLEAKTRACE = 1u << 19,
	SLUB_FAILSLAB = 1u << 20,
	SLUB_NO_MERGE = 1u << 21,      /* since 6.4; before, a refcount below 0 */
	SLUB_NO_USER_FLAGS = 1u << 22, /* slub_debug= passes it by */
	SLUB_PANIC = 1u << 23,
	SLUB_MEM_SPREAD = 1u << 24,
	SLUB_DEBUG_OBJECTS = 1u << 25,
	SLUB_KASAN = 1u << 26,
	SLUB_NO_OBJ_EXT = 1u << 27,
};

/*
 * Read @text: kernel names of flags, with or without SLAB_, between blanks or '|'; an empty text
 * is no flag.  NULL and *@flags set; else where in @text the unknown word starts.
 */
const char *slub_cache_flags_parse(const char *text, unsigned int *flags);

/* All names that slub_cache_flags_parse() knows, for a complaint: "HWCACHE_ALIGN PANIC ...". */
const char *slub_cache_flag_names(void);

#define SLUB_ID_MAX 32

/*
 * create_unique_id(): ":A-0000128", the directory of caches that merge, from the flags that keep
 * caches apart and the size of a slot in bytes.
 */
const char *slub_unique_id(unsigned int flags, unsigned int size, char id[SLUB_ID_MAX]);

/* What a kernel with SLUB_DEBUG and neither ZONE_DMA, NUMA nor SLUB_STATS has per cache. */
#define SLUB_ATTRIBUTES 27u

/*
 * Name of attribute file number @i of a cache's directory: the kernel's own, those of ZONE_DMA,
 * NUMA, FAILSLAB, KFENCE and SLUB_STATS from SLUB_ATTRIBUTES on, and then made up ("attribute60").
 * @buffer serves for the latter; the others are constant, as in the kernel.
 */
const char *slub_attribute_name(unsigned int i, char buffer[SLUB_ID_MAX]);

#endif /* SLUBBENCH_SLUB_NAMES_H */
