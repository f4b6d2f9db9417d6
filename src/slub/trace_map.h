/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which address is which live object: an open hash of 64-bit keys that shrinks as it grows. */
#ifndef SLUBBENCH_SLUB_TRACE_MAP_H
#define SLUBBENCH_SLUB_TRACE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct trace_map_entry {
	uint64_t key; /* 0: empty */
	uint32_t slot;
	uint16_t cache;
};

struct trace_map {
	struct trace_map_entry *entries;
	size_t size, used; /* size: a power of two, or 0 */
};

/* NULL when @key, not 0, is not there. */
struct trace_map_entry *trace_map_find(const struct trace_map *map, uint64_t key);

/* The entry of @key, which is not there yet; good until the next change of the map. */
struct trace_map_entry *trace_map_add(struct trace_map *map, uint64_t key);

/* Take @entry of this map out. */
void trace_map_remove(struct trace_map *map, struct trace_map_entry *entry);

void trace_map_free(struct trace_map *map);

#endif /* SLUBBENCH_SLUB_TRACE_MAP_H */
