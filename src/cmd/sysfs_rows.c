/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysfs: rows of sysfs-1 and sysfs-samples-1. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/xalloc.h"
#include "cmd/sysfs.h"
#include "report/stats.h"

enum {
	SCHEMA, HOST, CPU, REGISTRY, TIME, CACHES, ATTRIBUTES, MERGE, DIRECTORIES, FILES, LINKS,
	NODES, REPETITIONS, MIN, MEDIAN, MAD, CI_LOW, CI_HIGH, CACHE, DIRECTORY, FILE_NS, LINK,
	HASH, ALLOCATE, TREE, LOCK, BYTES, PAGE_FAULTS, SPREAD
};

const struct column sysfs_columns[] = {
	[SCHEMA] = { "schema", NULL, CELL_TEXT, 0, false },
	[HOST] = { "host", NULL, CELL_TEXT, 0, false },
	[CPU] = { "cpu", NULL, CELL_TEXT, 0, false },
	[REGISTRY] = { "registry", NULL, CELL_TEXT, 0, true },
	[TIME] = { "time", NULL, CELL_TEXT, 0, true }, /* measured, or simulated */
	[CACHES] = { "caches", NULL, CELL_COUNT, 0, true },
	[ATTRIBUTES] = { "attributes", NULL, CELL_COUNT, 0, false },
	[MERGE] = { "merge", NULL, CELL_TEXT, 0, false },
	[DIRECTORIES] = { "directories", NULL, CELL_COUNT, 0, false },
	[FILES] = { "files", NULL, CELL_COUNT, 0, false },
	[LINKS] = { "links", NULL, CELL_COUNT, 0, false },
	[NODES] = { "nodes", NULL, CELL_COUNT, 0, true },
	[REPETITIONS] = { "repetitions", NULL, CELL_COUNT, 0, false },
	/* of one node, whichever kind */
	[MIN] = { "min_ns", "min ns", CELL_REAL, 1, false },
	[MEDIAN] = { "median_ns", "ns/node", CELL_REAL, 1, true },
	[MAD] = { "mad_ns", NULL, CELL_REAL, 1, false },
	[CI_LOW] = { "ci_low_ns", "from", CELL_REAL, 1, true },
	[CI_HIGH] = { "ci_high_ns", "to", CELL_REAL, 1, true },
	/* medians: of one cache with all that belongs to it, and of one node of a kind */
	[CACHE] = { "cache_ns", "ns/cache", CELL_REAL, 0, true },
	[DIRECTORY] = { "directory_ns", "ns/dir", CELL_REAL, 1, true },
	[FILE_NS] = { "file_ns", "ns/file", CELL_REAL, 1, true },
	[LINK] = { "link_ns", "ns/link", CELL_REAL, 1, true },
	/* kernfs: the parts of a node, each timed alone */
	[HASH] = { "hash_ns", "hash", CELL_REAL, 1, true },
	[ALLOCATE] = { "allocate_ns", "allocate", CELL_REAL, 1, true },
	[TREE] = { "tree_ns", "tree", CELL_REAL, 1, true },
	[LOCK] = { "lock_ns", "lock", CELL_REAL, 1, true },
	[BYTES] = { "node_bytes", "bytes", CELL_COUNT, 0, true },
	[PAGE_FAULTS] = { "page_faults", NULL, CELL_REAL, 0, false }, /* of one tree, median */
	/* kernfs: one node where no directory holds more than SYSFS_SPREAD, median */
	[SPREAD] = { "spread_ns", "spread", CELL_REAL, 1, true },
	{ .name = NULL },
};

enum {
	S_SCHEMA, S_HOST, S_CPU, S_REGISTRY, S_TIME, S_CACHES, S_ATTRIBUTES, S_MERGE, S_KIND,
	S_REPETITION, S_NODE
};

const struct column sysfs_sample_columns[] = {
	[S_SCHEMA] = { "schema", NULL, CELL_TEXT, 0, false },
	[S_HOST] = { "host", NULL, CELL_TEXT, 0, false },
	[S_CPU] = { "cpu", NULL, CELL_TEXT, 0, false },
	[S_REGISTRY] = { "registry", NULL, CELL_TEXT, 0, true },
	[S_TIME] = { "time", NULL, CELL_TEXT, 0, true }, /* measured, or simulated */
	[S_CACHES] = { "caches", NULL, CELL_COUNT, 0, true },
	[S_ATTRIBUTES] = { "attributes", NULL, CELL_COUNT, 0, true },
	[S_MERGE] = { "merge", NULL, CELL_TEXT, 0, true },
	[S_KIND] = { "kind", NULL, CELL_TEXT, 0, true }, /* any, or that of a column KIND_ns */
	[S_REPETITION] = { "repetition", NULL, CELL_COUNT, 0, true },
	[S_NODE] = { "node_ns", NULL, CELL_REAL, 1, true },
	{ .name = NULL },
};

/* The parts of a kernfs node, by their columns. */
static const struct {
	unsigned int column;
	const char *name;
	size_t offset; /* in struct kernfs_parts */
} parts[] = {
	{ HASH, "hash", offsetof(struct kernfs_parts, hash_ns) },
	{ ALLOCATE, "allocate", offsetof(struct kernfs_parts, allocate_ns) },
	{ TREE, "tree", offsetof(struct kernfs_parts, tree_ns) },
	{ LOCK, "lock", offsetof(struct kernfs_parts, lock_ns) },
};

static uint64_t nodes_of(const struct sysfs_case *one)
{
	uint64_t nodes = 0;

	for (int kind = 0; kind < N_REG_KINDS; kind++)
		nodes += one->made[kind];
	return nodes;
}

/* Were any made, and timed on their own? */
static bool has_kind(const struct sysfs_case *one, enum reg_kind kind)
{
	return one->made[kind] && (one->type->files_links || kind == REG_DIRECTORY);
}

/* The median of one kind, nanoseconds a node; NAN where there is none. */
static double kind_ns(const struct sysfs_case *one, enum reg_kind kind)
{
	if (!has_kind(one, kind))
		return NAN;
	return summarise(one->kind_us[kind], one->n).median * 1000 / (double)one->made[kind];
}

/* All samples of one part; to be freed. */
static double *part_values(const struct sysfs_case *one, size_t offset)
{
	double *values = xcalloc(one->n, sizeof(*values));

	for (size_t i = 0; i < one->n; i++)
		memcpy(&values[i], (const char *)&one->parts[i] + offset, sizeof(*values));
	return values;
}

static void fill_kernfs(struct rows *rows, const struct sysfs_case *one)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		double *values = part_values(one, parts[i].offset);

		rows_set_real(rows, parts[i].column, median_of(values, one->n));
		free(values);
	}
	rows_set_real(rows, SPREAD,
		      summarise(one->spread_us, one->n).median * 1000 / (double)nodes_of(one));
}

static void fill_counts(struct rows *rows, const struct sysfs_case *one)
{
	rows_set_text(rows, SCHEMA, "sysfs-1");
	rows_set_text(rows, HOST, machine_host());
	rows_set_text(rows, CPU, machine_cpu());
	rows_set_text(rows, REGISTRY, one->type->name);
	rows_set_text(rows, TIME, one->type->timed ? "measured" : "simulated");
	rows_set_count(rows, CACHES, one->caches);
	rows_set_count(rows, ATTRIBUTES, one->attributes);
	rows_set_text(rows, MERGE, one->merge ? "on" : "off");
	rows_set_count(rows, DIRECTORIES, one->made[REG_DIRECTORY]);
	rows_set_count(rows, FILES, one->made[REG_FILE]);
	rows_set_count(rows, LINKS, one->made[REG_LINK]);
	rows_set_count(rows, NODES, nodes_of(one));
	rows_set_count(rows, REPETITIONS, one->n);
}

void sysfs_fill(struct rows *rows, const struct sysfs_case *one)
{
	struct summary all = summarise(one->total_us, one->n);
	double ns = 1000 / (double)nodes_of(one);

	rows_add(rows);
	fill_counts(rows, one);
	rows_set_real(rows, MIN, all.min * ns);
	rows_set_real(rows, MEDIAN, all.median * ns);
	rows_set_real(rows, MAD, all.mad * ns);
	rows_set_real(rows, CI_LOW, all.ci_low * ns);
	rows_set_real(rows, CI_HIGH, all.ci_high * ns);
	rows_set_real(rows, CACHE, all.median * 1000 / (double)one->caches);
	rows_set_real(rows, DIRECTORY, kind_ns(one, REG_DIRECTORY));
	rows_set_real(rows, FILE_NS, kind_ns(one, REG_FILE));
	rows_set_real(rows, LINK, kind_ns(one, REG_LINK));
	if (one->parts)
		fill_kernfs(rows, one);
	if (one->node_bytes)
		rows_set_count(rows, BYTES, one->node_bytes);
	if (one->type->timed)
		rows_set_real(rows, PAGE_FAULTS, summarise(one->page_faults, one->n).median);
}

/* Of one kind: each of @values times @scale is nanoseconds of a node. */
static void fill_kind(struct rows *samples, const struct sysfs_case *one, const char *kind,
		      const double *values, double scale)
{
	for (size_t i = 0; i < one->n; i++) {
		rows_add(samples);
		rows_set_text(samples, S_SCHEMA, "sysfs-samples-1");
		rows_set_text(samples, S_HOST, machine_host());
		rows_set_text(samples, S_CPU, machine_cpu());
		rows_set_text(samples, S_REGISTRY, one->type->name);
		rows_set_text(samples, S_TIME, one->type->timed ? "measured" : "simulated");
		rows_set_count(samples, S_CACHES, one->caches);
		rows_set_count(samples, S_ATTRIBUTES, one->attributes);
		rows_set_text(samples, S_MERGE, one->merge ? "on" : "off");
		rows_set_text(samples, S_KIND, kind);
		rows_set_count(samples, S_REPETITION, i);
		rows_set_real(samples, S_NODE, values[i] * scale);
	}
}

void sysfs_fill_samples(struct rows *samples, const struct sysfs_case *one)
{
	static const char *const kinds[N_REG_KINDS] = {
		[REG_DIRECTORY] = "directory", [REG_FILE] = "file", [REG_LINK] = "link",
	};
	const double ns = 1000 / (double)nodes_of(one);

	fill_kind(samples, one, "any", one->total_us, ns);
	for (int kind = 0; kind < N_REG_KINDS; kind++) {
		if (has_kind(one, kind))
			fill_kind(samples, one, kinds[kind], one->kind_us[kind],
				  1000 / (double)one->made[kind]);
	}
	if (!one->parts)
		return;
	fill_kind(samples, one, "spread", one->spread_us, ns);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		double *values = part_values(one, parts[i].offset);

		fill_kind(samples, one, parts[i].name, values, 1);
		free(values);
	}
}
