/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flags, directories and attribute files by name: mm/slab.h and mm/slub.c of Linux 6.1. */
#include "slub/names.h"

#include <stdio.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct flag_name {
	const char *name;
	unsigned int flag;
} flag_names[] = {
	{ "CONSISTENCY_CHECKS", SLUB_CONSISTENCY },
	{ "RED_ZONE", SLUB_RED_ZONE },
	{ "POISON", SLUB_POISON },
	{ "STORE_USER", SLUB_STORE_USER },
	{ "KMALLOC", SLUB_KMALLOC },
	{ "HWCACHE_ALIGN", SLUB_HWCACHE_ALIGN },
	{ "CACHE_DMA", SLUB_CACHE_DMA },
	{ "CACHE_DMA32", SLUB_CACHE_DMA32 },
	{ "RECLAIM_ACCOUNT", SLUB_RECLAIM_ACCOUNT },
	{ "TEMPORARY", SLUB_RECLAIM_ACCOUNT }, /* an old name of the same bit */
	{ "PANIC", SLUB_PANIC },
	{ "TYPESAFE_BY_RCU", SLUB_TYPESAFE_BY_RCU },
	{ "MEM_SPREAD", SLUB_MEM_SPREAD },
	{ "TRACE", SLUB_TRACE },
	{ "DEBUG_OBJECTS", SLUB_DEBUG_OBJECTS },
	{ "NOLEAKTRACE", SLUB_NOLEAKTRACE },
	{ "NO_MERGE", SLUB_NO_MERGE },
	{ "FAILSLAB", SLUB_FAILSLAB },
	{ "ACCOUNT", SLUB_ACCOUNT },
	{ "KASAN", SLUB_KASAN },
	{ "NO_USER_FLAGS", SLUB_NO_USER_FLAGS },
	{ "NO_OBJ_EXT", SLUB_NO_OBJ_EXT },
};

static const struct flag_name *flag_find(const char *word, size_t length)
{
	if (length > 5 && !strncmp(word, "SLAB_", 5)) {
		word += 5;
		length -= 5;
	}
	for (size_t i = 0; i < LENGTH(flag_names); i++)
		if (strlen(flag_names[i].name) == length &&
		    !strncmp(flag_names[i].name, word, length))
			return &flag_names[i];
	return NULL;
}

const char *slub_cache_flags_parse(const char *text, unsigned int *flags)
{
	static const char between[] = " \t|";
	unsigned int all = 0;

	for (text += strspn(text, between); *text; text += strspn(text, between)) {
		size_t length = strcspn(text, between);
		const struct flag_name *found = flag_find(text, length);

		if (!found)
			return text;
		all |= found->flag;
		text += length;
	}
	*flags = all;
	return NULL;
}

const char *slub_cache_flag_names(void)
{
	static char names[512];

	if (!names[0]) {
		char *end = names;

		for (size_t i = 0; i < LENGTH(flag_names); i++)
			end += sprintf(end, "%s%s", i ? " " : "", flag_names[i].name);
	}
	return names;
}

const char *slub_unique_id(unsigned int flags, unsigned int size, char id[SLUB_ID_MAX])
{
	/* In the kernel's order, which is not the alphabet's. */
	static const struct {
		unsigned int flag;
		char letter;
	} letters[] = {
		{ SLUB_CACHE_DMA, 'd' },     { SLUB_CACHE_DMA32, 'D' }, { SLUB_RECLAIM_ACCOUNT, 'a' },
		{ SLUB_CONSISTENCY, 'F' }, { SLUB_ACCOUNT, 'A' },
	};
	char *p = id;

	*p++ = ':';
	for (size_t i = 0; i < LENGTH(letters); i++)
		if (flags & letters[i].flag)
			*p++ = letters[i].letter;
	if (p != id + 1)
		*p++ = '-';
	snprintf(p, SLUB_ID_MAX - (size_t)(p - id), "%07u", size);
	return id;
}

/* slab_attrs[] of Linux 6.1: first those that every kernel with SLUB_DEBUG has. */
static const char *const attribute_names[] = {
	"slab_size", "object_size", "objs_per_slab", "order", "min_partial", "cpu_partial",
	"objects", "objects_partial", "partial", "cpu_slabs", "ctor", "aliases", "align",
	"hwcache_align", "reclaim_account", "destroy_by_rcu", "shrink", "slabs_cpu_partial",
	"total_objects", "slabs", "sanity_checks", "trace", "red_zone", "poison", "store_user",
	"validate", "usersize",
	/* SLUB_ATTRIBUTES of them until here; then by configuration */
	"cache_dma", "remote_node_defrag_ratio", "failslab", "skip_kfence",
	"alloc_fastpath", "alloc_slowpath", "free_fastpath", "free_slowpath", "free_frozen",
	"free_add_partial", "free_remove_partial", "alloc_from_partial", "alloc_slab",
	"alloc_refill", "alloc_node_mismatch", "free_slab", "cpuslab_flush", "deactivate_full",
	"deactivate_empty", "deactivate_to_head", "deactivate_to_tail",
	"deactivate_remote_frees", "deactivate_bypass", "order_fallback",
	"cmpxchg_double_cpu_fail", "cmpxchg_double_fail", "cpu_partial_alloc",
	"cpu_partial_free", "cpu_partial_node", "cpu_partial_drain",
};

const char *slub_attribute_name(unsigned int i, char buffer[SLUB_ID_MAX])
{
	if (i < LENGTH(attribute_names))
		return attribute_names[i];
	snprintf(buffer, SLUB_ID_MAX, "attribute%u", i);
	return buffer;
}
