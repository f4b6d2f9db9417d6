/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which bytes of an object SLUB looks at, with what value, and in which order: Linux 6.1,
 * check_slab(), check_object() and check_pad_bytes() of mm/slub.c, with their conditions.
 */
#include "layout.h"

struct check_list {
	struct slub_check *checks;
	size_t n;
	size_t object; /* of the object, from the slab's first byte */
};

static void ask(struct check_list *list, enum slub_region region, uint8_t value, size_t offset,
		size_t length)
{
	if (length == 0)
		return;
	list->checks[list->n++] = (struct slub_check){
		.region = region,
		.value = value,
		.offset = offset,
		.length = length,
	};
}

static void ask_redzones(struct check_list *list, const struct slub_layout *l, uint8_t value,
			 size_t requested)
{
	ask(list, SLUB_LEFT_REDZONE, value, list->object - l->red_left_pad, l->red_left_pad);
	ask(list, SLUB_RIGHT_REDZONE, value, list->object + l->object_size,
	    l->inuse - l->object_size);
	/* Only an active object has a size that was asked for. */
	if (l->kernel->kmalloc_redzone && l->orig_size != 0 && value == SLUB_RED_ACTIVE)
		ask(list, SLUB_KMALLOC_REDZONE, value, list->object + requested,
		    l->object_size - requested);
}

static void ask_poison(struct check_list *list, const struct slub_layout *l)
{
	ask(list, SLUB_OBJECT_POISON, SLUB_POISON_FREE, list->object, l->object_size - 1);
	ask(list, SLUB_END_POISON, SLUB_POISON_END, list->object + l->object_size - 1, 1);
}

size_t slub_checks(const struct slub_layout *l, enum slub_op op, size_t object, size_t requested,
		   struct slub_check checks[SLUB_CHECKS_MAX])
{
	struct check_list list = {
		.checks = checks,
		.object = object * l->size + l->red_left_pad,
	};

	/* Without F the kernel writes its patterns and never looks at them. */
	if (!(l->flags & SLUB_CONSISTENCY))
		return 0;
	if (requested == 0 || requested > l->object_size)
		requested = l->object_size;

	if (l->flags & SLUB_POISON)
		ask(&list, SLUB_SLAB_PADDING, SLUB_POISON_INUSE, l->slab_size - l->slab_padding,
		    l->slab_padding);
	if (l->flags & SLUB_RED_ZONE)
		ask_redzones(&list, l, op == SLUB_ALLOC ? SLUB_RED_INACTIVE : SLUB_RED_ACTIVE,
			     requested);
	else if (l->flags & SLUB_POISON)
		ask(&list, SLUB_ALIGNMENT_PADDING, SLUB_POISON_INUSE, list.object + l->object_size,
		    l->inuse - l->object_size);
	if (op == SLUB_ALLOC && l->object_poison)
		ask_poison(&list, l);
	if (l->flags & SLUB_POISON)
		ask(&list, SLUB_OBJECT_PADDING, SLUB_POISON_INUSE, list.object + l->padding,
		    l->padding_size);
	return list.n;
}
