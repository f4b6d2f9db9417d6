/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Linear probing; a removal moves the entries behind it up, so that none is ever marked dead
 * (Knuth, The Art of Computer Programming 3, 6.4, algorithm R).
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "slub/trace_map.h"

#define LEAST 1024u

static size_t home_of(const struct trace_map *map, uint64_t key)
{
	/* Objects are aligned: the low bits say little, the product's high ones depend on all. */
	return (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (map->size - 1);
}

static struct trace_map_entry *place_of(const struct trace_map *map, uint64_t key)
{
	size_t at = home_of(map, key);

	while (map->entries[at].key != 0 && map->entries[at].key != key)
		at = (at + 1) & (map->size - 1);
	return &map->entries[at];
}

struct trace_map_entry *trace_map_find(const struct trace_map *map, uint64_t key)
{
	struct trace_map_entry *entry;

	if (map->size == 0)
		return NULL;
	entry = place_of(map, key);
	return entry->key == key ? entry : NULL;
}

static void resize(struct trace_map *map, size_t size)
{
	struct trace_map old = *map;

	map->entries = xcalloc(size, sizeof(*map->entries));
	map->size = size;
	for (size_t i = 0; i < old.size; i++)
		if (old.entries[i].key != 0)
			*place_of(map, old.entries[i].key) = old.entries[i];
	free(old.entries);
}

struct trace_map_entry *trace_map_add(struct trace_map *map, uint64_t key)
{
	struct trace_map_entry *entry;

	if (map->used >= map->size / 2)
		resize(map, map->size == 0 ? LEAST : 2 * map->size);
	entry = place_of(map, key);
	entry->key = key;
	map->used++;
	return entry;
}

void trace_map_remove(struct trace_map *map, struct trace_map_entry *entry)
{
	size_t hole = (size_t)(entry - map->entries), mask = map->size - 1;

	for (size_t at = (hole + 1) & mask; map->entries[at].key != 0; at = (at + 1) & mask) {
		size_t home = home_of(map, map->entries[at].key);

		/* It may move up when its home is not between the hole and itself. */
		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		map->entries[hole] = map->entries[at];
		hole = at;
	}
	map->entries[hole].key = 0;
	map->used--;
	if (map->size > LEAST && map->used < map->size / 8)
		resize(map, map->size / 2);
}

void trace_map_free(struct trace_map *map)
{
	free(map->entries);
	memset(map, 0, sizeof(*map));
}
