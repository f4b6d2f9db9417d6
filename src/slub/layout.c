/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of SLUB's objects and the checks that follow from it: Linux 6.1, mm/slub.c.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "layout.h"

#define WORD            8u          /* sizeof(void *) in the kernels modelled */
#define MAX_ORDER       11u         /* of the page allocator, exclusive */
#define COSTLY_ORDER    3u          /* slub_max_order */
#define MAX_PER_SLAB    32767u      /* MAX_OBJS_PER_PAGE */
#define KMALLOC_MAX     (4u << 20)  /* KMALLOC_MAX_SIZE */

const struct slub_kernel slub_linux_6_1 = {
	.name = "6.1",
	.cpus = 2,
	.page_size = 4096,
	.cacheline = 64,
	.track_size = 32, /* addr, stack handle, cpu, pid, when */
	.orig_size_size = 4,
	.kmalloc_redzone = false,
};

const struct slub_kernel slub_linux_6_2 = {
	.name = "6.2",
	.cpus = 2,
	.page_size = 4096,
	.cacheline = 64,
	.track_size = 32,
	.orig_size_size = 4,
	.kmalloc_redzone = true,
};

const char *const slub_region_names[N_SLUB_REGIONS] = {
	[SLUB_SLAB_PADDING] = "Padding",
	[SLUB_LEFT_REDZONE] = "Left Redzone",
	[SLUB_RIGHT_REDZONE] = "Right Redzone",
	[SLUB_KMALLOC_REDZONE] = "kmalloc Redzone",
	[SLUB_ALIGNMENT_PADDING] = "Alignment padding",
	[SLUB_OBJECT_POISON] = "Poison",
	[SLUB_END_POISON] = "End Poison",
	[SLUB_OBJECT_PADDING] = "Object padding",
};

static const struct flag_letter {
	char letter;
	unsigned int flag;
} flag_letters[] = {
	{ 'F', SLUB_CONSISTENCY },
	{ 'Z', SLUB_RED_ZONE },
	{ 'P', SLUB_POISON },
	{ 'U', SLUB_STORE_USER },
};
#define N_FLAG_LETTERS (sizeof(flag_letters) / sizeof(flag_letters[0]))

static unsigned int flag_of_letter(char c)
{
	for (size_t i = 0; i < N_FLAG_LETTERS; i++)
		if (flag_letters[i].letter == toupper((unsigned char)c))
			return flag_letters[i].flag;
	return 0;
}

const char *slub_flags_parse(const char *letters, unsigned int *flags)
{
	unsigned int all = 0;

	if (strcasecmp(letters, "none") == 0) {
		*flags = 0;
		return NULL;
	}
	if (*letters == '\0')
		return letters;
	for (; *letters != '\0'; letters++) {
		unsigned int flag = flag_of_letter(*letters);

		if (flag == 0)
			return letters;
		all |= flag;
	}
	*flags = all;
	return NULL;
}

const char *slub_flags_name(unsigned int flags, char name[8])
{
	size_t n = 0;

	for (size_t i = 0; i < N_FLAG_LETTERS; i++)
		if (flags & flag_letters[i].flag)
			name[n++] = flag_letters[i].letter;
	name[n] = '\0';
	return n == 0 ? strcpy(name, "none") : name;
}

static bool power_of_two(unsigned int n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* @to is a power of two. */
static unsigned int align_up(unsigned int n, unsigned int to)
{
	return (n + to - 1) & ~(to - 1);
}

static unsigned int max_uint(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

unsigned int slub_alignment(unsigned int flags, unsigned int align, unsigned int size,
			    const struct slub_kernel *kernel)
{
	/* Small objects share a cache line, but none straddles two. */
	if (flags & SLUB_HWCACHE_ALIGN) {
		unsigned int line = kernel->cacheline;

		while (line > 1 && size <= line / 2)
			line /= 2;
		align = max_uint(align, line);
	}
	return align_up(max_uint(align, WORD), WORD);
}

/* get_order(): pages for @bytes, as a power of two. */
static unsigned int order_of(size_t bytes, const struct slub_kernel *kernel)
{
	unsigned int order = 0;

	while (((size_t)kernel->page_size << order) < bytes)
		order++;
	return order;
}

/*
 * calc_slab_order(): the smallest order up to @max that holds @min_objects and wastes at most
 * 1/@fraction of the slab; above @max when there is none.
 */
static unsigned int order_within(unsigned int size, unsigned int min_objects, unsigned int max,
				 unsigned int fraction, const struct slub_kernel *kernel)
{
	unsigned int order;

	if (kernel->page_size / size > MAX_PER_SLAB)
		return order_of((size_t)size * MAX_PER_SLAB, kernel) - 1;

	for (order = order_of((size_t)min_objects * size, kernel); order <= max; order++) {
		size_t slab = (size_t)kernel->page_size << order;

		if (slab % size <= slab / fraction)
			break;
	}
	return order;
}

static unsigned int bits_in(unsigned int n)
{
	return n == 0 ? 0 : 32 - (unsigned int)__builtin_clz(n);
}

int slub_order(unsigned int size, const struct slub_kernel *kernel)
{
	/* More CPUs contend for the list of slabs, so they get longer slabs. */
	unsigned int min_objects = 4 * (bits_in(kernel->cpus) + 1);
	unsigned int max_objects = (kernel->page_size << COSTLY_ORDER) / size;
	unsigned int order;

	if (min_objects > max_objects)
		min_objects = max_objects;
	for (; min_objects > 1; min_objects--)
		for (unsigned int fraction = 16; fraction >= 4; fraction /= 2) {
			order = order_within(size, min_objects, COSTLY_ORDER, fraction, kernel);
			if (order <= COSTLY_ORDER)
				return (int)order;
		}

	order = order_within(size, 1, COSTLY_ORDER, 1, kernel);
	if (order <= COSTLY_ORDER)
		return (int)order;
	order = order_within(size, 1, MAX_ORDER, 1, kernel);
	return order < MAX_ORDER ? (int)order : -1;
}

static bool keeps_orig_size(const struct slub_layout *l)
{
	return (l->flags & SLUB_STORE_USER) && (l->flags & SLUB_KMALLOC);
}

/* The first half of calculate_sizes(): up to and with the free pointer.  Bytes used so far. */
static unsigned int place_free_pointer(struct slub_layout *l, bool constructor)
{
	unsigned int size = align_up(l->object_size, WORD);

	l->object_poison = (l->flags & SLUB_POISON) && !(l->flags & SLUB_TYPESAFE_BY_RCU) &&
			   !constructor;
	/* There has to be a byte to catch an overrun by one. */
	if ((l->flags & SLUB_RED_ZONE) && size == l->object_size)
		size += WORD;
	l->inuse = size;

	l->freeptr_outside = constructor ||
			     (l->flags & (SLUB_TYPESAFE_BY_RCU | SLUB_POISON)) ||
			     ((l->flags & SLUB_RED_ZONE) && l->object_size < WORD) ||
			     (l->kernel->kmalloc_redzone && (l->flags & SLUB_RED_ZONE) &&
			      keeps_orig_size(l));
	if (!l->freeptr_outside) {
		/* In the middle, where a small overflow of a neighbour does not reach. */
		l->offset = l->object_size / 2 & ~(WORD - 1);
		return size;
	}
	l->offset = size;
	return size + WORD;
}

/* The second half: tracks, padding and the left redzone. */
static void place_debug(struct slub_layout *l, unsigned int size)
{
	if (l->flags & SLUB_STORE_USER) {
		l->tracks = size;
		size += 2 * l->kernel->track_size;
	}
	if (keeps_orig_size(l)) {
		l->orig_size = size;
		size += l->kernel->orig_size_size;
	}
	l->padding = size;
	if (l->flags & SLUB_RED_ZONE) {
		/* The padding is the neighbour's redzone too: one word of it at least. */
		size += WORD;
		l->red_left_pad = align_up(WORD, l->align);
		size += l->red_left_pad;
	}
	l->size = align_up(size, l->align);
	l->padding_size = l->size - l->red_left_pad - l->padding;
}

int slub_layout_init(struct slub_layout *l, const struct slub_cache_spec *spec,
		     const struct slub_kernel *kernel)
{
	int order;

	if (spec->object_size == 0 || (spec->align != 0 && !power_of_two(spec->align)))
		return -EINVAL;
	if (spec->object_size > KMALLOC_MAX || spec->align > KMALLOC_MAX)
		return -E2BIG;

	memset(l, 0, sizeof(*l));
	l->kernel = kernel;
	l->flags = spec->flags;
	l->object_size = spec->object_size;
	l->align = slub_alignment(spec->flags, spec->align, spec->object_size, kernel);
	place_debug(l, place_free_pointer(l, spec->constructor));

	order = slub_order(l->size, kernel);
	if (order < 0)
		return -E2BIG;
	l->order = (unsigned int)order;
	l->slab_size = (size_t)kernel->page_size << order;
	l->objects = (unsigned int)(l->slab_size / l->size);
	if (l->objects > MAX_PER_SLAB)
		l->objects = MAX_PER_SLAB;
	l->slab_padding = l->slab_size % l->size;
	return 0;
}
