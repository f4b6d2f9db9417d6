/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one object of a SLUB cache looks like in memory, and which of its bytes the kernel checks.
 *
 * Everything here is arithmetic on sizes: no memory is touched.  The rules are those of Linux 6.1,
 * mm/slub.c and mm/slab_common.c, on a 64-bit machine; the function is named where it is followed.
 *
 *	| left redzone | object | right redzone | free pointer | 2 tracks | orig_size | padding |
 *	0        red_left     +object_size     +inuse                                     size
 *
 * A slab holds @objects of these one behind the other and then @slab_padding bytes.
 */
#ifndef SLUBBENCH_SLUB_LAYOUT_H
#define SLUBBENCH_SLUB_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* include/linux/poison.h */
enum slub_byte {
	SLUB_RED_INACTIVE = 0xbb,
	SLUB_RED_ACTIVE = 0xcc,
	SLUB_POISON_INUSE = 0x5a,
	SLUB_POISON_FREE = 0x6b,
	SLUB_POISON_END = 0xa5,
};

/* The letters of slub_debug= and the flags of a cache that have a say in its layout. */
enum slub_flag {
	SLUB_CONSISTENCY = 1u << 0,    /* F: look before alloc and free */
	SLUB_RED_ZONE = 1u << 1,       /* Z */
	SLUB_POISON = 1u << 2,         /* P */
	SLUB_STORE_USER = 1u << 3,     /* U: who allocated, who freed */
	SLUB_KMALLOC = 1u << 4,        /* one of kmalloc's own caches */
	SLUB_TYPESAFE_BY_RCU = 1u << 5,
	SLUB_HWCACHE_ALIGN = 1u << 6,
	SLUB_RECLAIM_ACCOUNT = 1u << 7,
	SLUB_ACCOUNT = 1u << 8,
};
#define SLUB_DEBUG_FLAGS (SLUB_CONSISTENCY | SLUB_RED_ZONE | SLUB_POISON | SLUB_STORE_USER)

/* The kernel and the machine that a layout is for. */
struct slub_kernel {
	const char *name;
	unsigned int cpus;           /* num_present_cpus(): they decide the slab's order */
	unsigned int page_size;      /* bytes, a power of two */
	unsigned int cacheline;      /* bytes, cache_line_size() */
	unsigned int track_size;     /* sizeof(struct track) */
	unsigned int orig_size_size; /* bytes kept for the size asked of kmalloc() */
	bool kmalloc_redzone;        /* checks what kmalloc() gave beyond what was asked (6.2) */
};

extern const struct slub_kernel slub_linux_6_1; /* x86-64, 2 CPUs */
extern const struct slub_kernel slub_linux_6_2; /* with the kmalloc redzone */

/* What kmem_cache_create() is told. */
struct slub_cache_spec {
	const char *name;
	unsigned int object_size; /* 1 .. 4 MiB */
	unsigned int align;       /* a power of two, or 0 for none asked */
	unsigned int flags;       /* enum slub_flag */
	bool constructor;
};

struct slub_layout {
	const struct slub_kernel *kernel;
	unsigned int flags;
	unsigned int object_size;
	unsigned int align;        /* s->align: what the alignment came to */
	unsigned int inuse;        /* s->inuse: from the object to behind its right redzone */
	unsigned int offset;       /* s->offset: of the free pointer, from the object */
	unsigned int red_left_pad; /* s->red_left_pad */
	unsigned int tracks;       /* offset of the two tracks from the object; 0: none kept */
	unsigned int orig_size;    /* offset of the size asked for; 0: not kept */
	unsigned int padding;      /* offset of the object's padding, from the object */
	unsigned int padding_size;
	unsigned int size;         /* s->size, /sys/kernel/slab/NAME/slab_size */
	unsigned int order;        /* /sys/kernel/slab/NAME/order */
	unsigned int objects;      /* in one slab: objs_per_slab */
	size_t slab_size;          /* bytes of one slab */
	size_t slab_padding;       /* of them behind the last object */
	bool object_poison;        /* __OBJECT_POISON: the object itself is poisoned when free */
	bool freeptr_outside;      /* the free pointer does not share bytes with the object */
};

/*
 * slub_layout_init - lay out the objects of the cache @spec for @kernel.
 *
 * calculate_alignment(), calculate_sizes(), calculate_order() and oo_make() of Linux 6.1.
 * 0; -EINVAL for a size of 0 or an alignment that is no power of two; -E2BIG where the kernel
 * could not make a slab (size above 4 MiB, with the debug bytes).
 */
int slub_layout_init(struct slub_layout *l, const struct slub_cache_spec *spec,
		     const struct slub_kernel *kernel);

/* calculate_alignment(): the alignment that @flags, a wish for @align and @size come to. */
unsigned int slub_alignment(unsigned int flags, unsigned int align, unsigned int size,
			    const struct slub_kernel *kernel);

/* calculate_order(): pages of a slab of objects of @size bytes as a power of two; -1: too big. */
int slub_order(unsigned int size, const struct slub_kernel *kernel);

/*
 * slub_flags_parse - the debug flags that @letters ask for: F, Z, P, U in any case and order,
 * or "none" alone.  NULL and *@flags set; else where in @letters it went wrong.
 */
const char *slub_flags_parse(const char *letters, unsigned int *flags);

/* "FZPU", "none": the letters of the debug flags in @flags, in a buffer of at least 5 bytes. */
const char *slub_flags_name(unsigned int flags, char name[8]);

enum slub_op {
	SLUB_ALLOC,
	SLUB_FREE,
};

enum slub_region {
	SLUB_SLAB_PADDING,
	SLUB_LEFT_REDZONE,
	SLUB_RIGHT_REDZONE,
	SLUB_KMALLOC_REDZONE,
	SLUB_ALIGNMENT_PADDING,
	SLUB_OBJECT_POISON,
	SLUB_END_POISON,
	SLUB_OBJECT_PADDING,
	N_SLUB_REGIONS
};

/* The kernel's words for a region in its reports: "Right Redzone", "Poison", ... */
extern const char *const slub_region_names[N_SLUB_REGIONS];

/* One question put to check_fn: do @length bytes from @offset on all hold @value? */
struct slub_check {
	enum slub_region region;
	uint8_t value;
	size_t offset; /* from the first byte of the slab, which is page aligned */
	size_t length; /* never 0 */
};

#define SLUB_CHECKS_MAX N_SLUB_REGIONS

/*
 * slub_checks - what the kernel asks, in its order, before it allocates or frees object number
 * @object (0 .. objects - 1) of a slab, when nothing is wrong.
 *
 * @requested is what was asked of kmalloc(); it only matters to caches with SLUB_KMALLOC and is
 * 0 or object_size elsewhere.  Number of checks stored, 0 when the flags ask for none.
 * alloc_consistency_checks(), free_consistency_checks(), check_slab(), slab_pad_check(),
 * check_object(), check_pad_bytes() of Linux 6.1; the kmalloc redzone as Linux 6.2 has it.
 */
size_t slub_checks(const struct slub_layout *l, enum slub_op op, size_t object, size_t requested,
		   struct slub_check checks[SLUB_CHECKS_MAX]);

/*
 * A cache that the program knows by name: object size, alignment, flags and constructor as
 * /sys/kernel/slab of an x86-64 kernel gives them, and what a typical caller asks kmalloc() for.
 */
struct slub_known_cache {
	struct slub_cache_spec spec;
	unsigned int requested; /* bytes; object_size but for kmalloc's caches */
};

extern const struct slub_known_cache slub_known_caches[]; /* ends with a NULL name */

/* The row called @name, NULL when there is none. */
const struct slub_known_cache *slub_known_find(const char *name);

#endif /* SLUBBENCH_SLUB_LAYOUT_H */
