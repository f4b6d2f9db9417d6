/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slubbench objects --corrupt: a fault on purpose, and what the kernel would print about it. */
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "cmd/objects_run.h"

struct wrong_byte {
	int64_t offset; /* from the object's first byte */
	uint8_t value;
};

struct wrong_bytes {
	struct wrong_byte *list;
	size_t n;
};

static int take_byte(const char *part, void *arg)
{
	struct wrong_bytes *bytes = arg;
	const char *colon = strrchr(part, ':');
	bool negative = part[0] == '-';
	char *offset;
	uint64_t distance, value;
	int64_t at;
	int rc;

	if (colon == NULL) {
		complain("objects: --corrupt: '%s' is no OFFSET:BYTE, as 64:0x41 or -1:0", part);
		return -1;
	}
	offset = xstrndup(part + negative, (size_t)(colon - part) - negative);
	rc = parse_number("objects: --corrupt", offset, 0, INT32_MAX, &distance);
	free(offset);
	if (rc != 0 || parse_number("objects: --corrupt", colon + 1, 0, UINT8_MAX, &value) != 0)
		return -1;
	at = negative ? -(int64_t)distance : (int64_t)distance;
	for (size_t i = 0; i < bytes->n; i++) {
		if (bytes->list[i].offset != at || bytes->list[i].value == value)
			continue;
		complain("objects: --corrupt: '%s': another byte is to be there already, 0x%02x",
			 part, bytes->list[i].value);
		return -1;
	}
	bytes->list = xgrow(bytes->list, bytes->n, sizeof(*bytes->list));
	bytes->list[bytes->n++] = (struct wrong_byte){
		.offset = at,
		.value = (uint8_t)value,
	};
	return 0;
}

/* A write out of the slot would hit another object, whose name the report would then tell. */
static int check_offsets(const struct wrong_bytes *bytes, const struct slab_cache *cache)
{
	int64_t least = -(int64_t)cache->layout.red_left_pad;
	int64_t most = least + cache->layout.size - 1;

	for (size_t i = 0; i < bytes->n; i++) {
		if (bytes->list[i].offset >= least && bytes->list[i].offset <= most)
			continue;
		complain("objects: --corrupt: offset %jd is outside of a slot of %s, %jd to %jd",
			 (intmax_t)bytes->list[i].offset, cache->name, (intmax_t)least,
			 (intmax_t)most);
		return -1;
	}
	return 0;
}

/* The owner of a live object may write into it: such a byte is meant for a free one. */
static bool wants_free_object(const struct wrong_bytes *bytes, const struct slab_cache *cache)
{
	for (size_t i = 0; i < bytes->n; i++)
		if (bytes->list[i].offset >= 0 &&
		    bytes->list[i].offset < cache->layout.object_size)
			return true;
	return false;
}

static const char *site_name(void *arg, uint64_t addr)
{
	static const char *const names[] = { "corrupt_object", "corrupt_object_alloc",
					     "corrupt_object_free" };

	(void)arg;
	return addr < sizeof(names) / sizeof(names[0]) ? names[addr] : NULL;
}

/* Three objects; the middle one is hit, live or freed, and then freed or allocated. */
static int hit(struct slab_cache *cache, const struct wrong_bytes *bytes, size_t requested,
	       const char *when)
{
	const struct slub_caller allocator = { .addr = 1, .pid = 1 }, freer = { .addr = 2, .pid = 1 };
	bool freed = when != NULL ? strcmp(when, "freed") == 0 : wants_free_object(bytes, cache);
	struct slub_object objects[3];

	for (size_t i = 0; i < 3; i++) {
		objects[i] = slub_alloc(cache, requested, &allocator);
		if (objects[i].bytes == NULL) {
			complain("objects: --corrupt: the checks find fault with new objects of %s",
				 cache->name);
			return -1;
		}
	}
	if (freed)
		slub_free(objects[1], &freer);
	for (size_t i = 0; i < bytes->n; i++)
		objects[1].bytes[bytes->list[i].offset] = bytes->list[i].value;
	if (freed)
		slub_alloc(cache, requested, &allocator);
	else
		slub_free(objects[1], &freer);
	return 0;
}

/* How many reports @v gives of the corruption, printed on @to; -1 after a complaint. */
static int64_t reports_of(const struct objects_plan *plan, const struct objects_workload *w,
			  const struct wrong_bytes *bytes, const struct check_variant *v, FILE *to)
{
	unsigned int flags = (unsigned int)plan->flags.values[plan->flags.n - 1];
	unsigned int depth = flags & SLUB_STORE_USER ? (unsigned int)plan->stack_depth : 0;
	struct slub_heap *heap = slub_heap_new(v, &plan->kernel, depth);
	struct slab_cache *cache = slab_cache_new(heap, &w->specs[0], flags);
	int64_t reports = -1;

	heap->log = to;
	heap->site_name = site_name;
	if (cache != NULL && check_offsets(bytes, cache) == 0 &&
	    hit(cache, bytes, w->ops[0].requested, plan->corrupt_when) == 0)
		reports = (int64_t)heap->reports;
	slub_heap_free(heap);
	return reports;
}

/* Nothing was reported: is that right? */
static int judge(const struct objects_plan *plan, const struct objects_workload *w,
		 const struct wrong_bytes *bytes, const struct check_variant *v)
{
	if (reports_of(plan, w, bytes, check_find("byte"), NULL) == 0) {
		note("%s: with these flags and in this state nothing looks at such a byte, or it "
		     "held that value", w->name);
		return STATUS_OK;
	}
	if (v->kind == CHECK_BASELINE || v->known_wrong != NULL) {
		note("%s: variant '%s' does not see it, as is known", w->name, v->name);
		return STATUS_OK;
	}
	complain("%s: variant '%s' does not see what a bytewise check sees", w->name, v->name);
	return STATUS_WRONG;
}

int objects_corrupt(struct objects_plan *plan, FILE *to)
{
	const struct check_variant *v = &check_variants[plan->variants.values[plan->variants.n - 1]];
	struct wrong_bytes bytes = { .n = 0 };
	int status = parse_each("objects: --corrupt", plan->corrupt, take_byte, &bytes) == 0 ?
		     STATUS_OK : STATUS_INPUT;

	for (size_t i = 0; status == STATUS_OK && i < plan->n_workloads; i++) {
		const struct objects_workload *w = &plan->workloads[i];
		int64_t reports = reports_of(plan, w, &bytes, v, to);

		if (reports < 0)
			status = STATUS_INPUT;
		else if (reports == 0)
			status = judge(plan, w, &bytes, v);
	}
	free(bytes.list);
	return status;
}
