/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A boot and its initcalls: the names of the levels, and the life of the structure.
 */
#include "boot/boot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static const char *const level_names[N_LEVELS] = {
	[LEVEL_UNKNOWN] = "unknown",
	[LEVEL_CONSOLE] = "console",
	[LEVEL_EARLY] = "early",
	[LEVEL_PURE] = "pure",
	[LEVEL_PURE_SYNC] = "pure_sync",
	[LEVEL_CORE] = "core",
	[LEVEL_CORE_SYNC] = "core_sync",
	[LEVEL_POSTCORE] = "postcore",
	[LEVEL_POSTCORE_SYNC] = "postcore_sync",
	[LEVEL_ARCH] = "arch",
	[LEVEL_ARCH_SYNC] = "arch_sync",
	[LEVEL_SUBSYS] = "subsys",
	[LEVEL_SUBSYS_SYNC] = "subsys_sync",
	[LEVEL_FS] = "fs",
	[LEVEL_FS_SYNC] = "fs_sync",
	[LEVEL_ROOTFS] = "rootfs",
	[LEVEL_DEVICE] = "device",
	[LEVEL_DEVICE_SYNC] = "device_sync",
	[LEVEL_LATE] = "late",
	[LEVEL_LATE_SYNC] = "late_sync",
};

static const char *const source_names[] = {
	[SOURCE_NONE] = "unknown",
	[SOURCE_DESCRIPTION] = "description",
	[SOURCE_STAMPS] = "stamps",
	[SOURCE_REPORTED] = "reported",
	[SOURCE_LEVEL_LINES] = "level-lines",
	[SOURCE_SYMBOLS] = "symbols",
	[SOURCE_KNOWLEDGE] = "known-order",
	[SOURCE_MODEL] = "model",
};

/* NULL stays NULL. */
static char *copy_text(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

const char *level_name(enum initcall_level level)
{
	return level < N_LEVELS ? level_names[level] : level_names[LEVEL_UNKNOWN];
}

enum initcall_level level_from_name(const char *name)
{
	for (int level = 0; level < N_LEVELS; level++)
		if (!strcmp(name, level_names[level]))
			return level;
	return LEVEL_UNKNOWN;
}

const char *fact_source_name(enum fact_source source)
{
	return source_names[source];
}

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint32_t hash_of(const char *name, size_t n)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	return hash;
}

/* Those of one name stand in the table in their order. */
void boot_index(struct boot *boot)
{
	for (boot->n_index = 16; boot->n_index < 2 * boot->n_calls; boot->n_index *= 2)
		;
	free(boot->index);
	boot->index = xcalloc(boot->n_index, sizeof(*boot->index));
	for (size_t i = 0; i < boot->n_calls; i++) {
		const char *name = boot->calls[i].name;
		size_t slot = hash_of(name, strlen(name)) & (boot->n_index - 1);

		while (boot->index[slot])
			slot = (slot + 1) & (boot->n_index - 1);
		boot->index[slot] = (uint32_t)i + 1;
	}
}

static bool is_called(const struct boot *boot, size_t call, const char *name, size_t n)
{
	const char *candidate = boot->calls[call].name;

	return *candidate == *name && !strncmp(candidate, name, n) && !candidate[n];
}

/* Number @which, from 1, of the calls whose name is the first @n bytes of @name. */
static ptrdiff_t find_which(const struct boot *boot, const char *name, size_t n, unsigned long which)
{
	size_t slot;

	if (!boot->index) {
		for (size_t i = 0; i < boot->n_calls; i++)
			if (is_called(boot, i, name, n) && --which == 0)
				return (ptrdiff_t)i;
		return -1;
	}
	slot = hash_of(name, n) & (boot->n_index - 1);
	for (; boot->index[slot]; slot = (slot + 1) & (boot->n_index - 1))
		if (is_called(boot, boot->index[slot] - 1, name, n) && --which == 0)
			return (ptrdiff_t)boot->index[slot] - 1;
	return -1;
}

/* "journal_init#2" is the second initcall called journal_init. */
ptrdiff_t boot_find(const struct boot *boot, const char *name)
{
	const char *hash = strrchr(name, '#');
	unsigned long which = 1;
	char *end;

	if (!hash)
		return find_which(boot, name, strlen(name), 1);
	which = strtoul(hash + 1, &end, 10);
	if (*end || end == hash + 1 || which == 0)
		return -1;
	return find_which(boot, name, (size_t)(hash - name), which);
}

struct boot *boot_new(const char *name)
{
	struct boot *boot = xcalloc(1, sizeof(*boot));

	boot->name = copy_text(name);
	boot->run_init_us = NAN;
	return boot;
}

static struct initcall *append(struct initcall **calls, size_t *n, const char *name)
{
	struct initcall *call;

	*calls = xgrow(*calls, *n, sizeof(**calls));
	call = &(*calls)[(*n)++];
	*call = (struct initcall){
		.name = copy_text(name),
		.pid = 1,
		.start_us = NAN,
		.duration_us = NAN,
		.self_us = NAN,
	};
	return call;
}

struct initcall *boot_add(struct boot *boot, const char *name)
{
	free(boot->index); /* it would not know this one */
	boot->index = NULL;
	return append(&boot->calls, &boot->n_calls, name);
}

struct initcall *boot_add_async(struct boot *boot, const char *name)
{
	return append(&boot->asyncs, &boot->n_asyncs, name);
}

struct probe *boot_add_probe(struct boot *boot, const char *device)
{
	struct probe *probe;

	boot->probes = xgrow(boot->probes, boot->n_probes, sizeof(*boot->probes));
	probe = &boot->probes[boot->n_probes++];
	*probe = (struct probe){
		.device = copy_text(device),
		.end_us = NAN,
		.duration_us = NAN,
		.initcall = -1,
	};
	return probe;
}

struct mark *boot_add_mark(struct boot *boot, const char *text)
{
	struct mark *mark;

	boot->marks = xgrow(boot->marks, boot->n_marks, sizeof(*boot->marks));
	mark = &boot->marks[boot->n_marks++];
	*mark = (struct mark){ .text = copy_text(text), .at_us = NAN };
	return mark;
}

static void copy_call(struct initcall *to, const struct initcall *from)
{
	*to = *from;
	to->name = copy_text(from->name);
	to->module = copy_text(from->module);
	to->caches = NULL;
	if (from->n_caches)
		to->caches = xcalloc(from->n_caches, sizeof(*to->caches));
	for (size_t i = 0; i < from->n_caches; i++)
		to->caches[i] = copy_text(from->caches[i]);
}

struct boot *boot_copy(const struct boot *boot, const size_t *order)
{
	struct boot *copy = boot_new(boot->name);

	copy->kernel = copy_text(boot->kernel);
	copy->recorded = boot->recorded;
	copy->stamps = boot->stamps;
	copy->run_init_us = boot->run_init_us;
	copy->command_line = copy_text(boot->command_line);
	copy->cpus = boot->cpus;
	copy->hwalign = boot->hwalign;
	copy->n_calls = boot->n_calls;
	copy->calls = xgrown(boot->n_calls, sizeof(*copy->calls));
	for (size_t i = 0; i < boot->n_calls; i++)
		copy_call(&copy->calls[i], &boot->calls[order ? order[i] : i]);
	for (size_t i = 0; i < boot->n_asyncs; i++)
		copy_call(boot_add_async(copy, NULL), &boot->asyncs[i]);
	for (size_t i = 0; i < boot->n_probes; i++) {
		struct probe *probe = boot_add_probe(copy, NULL);

		*probe = boot->probes[i];
		probe->device = copy_text(boot->probes[i].device);
	}
	for (size_t i = 0; i < boot->n_marks; i++) {
		struct mark *mark = boot_add_mark(copy, NULL);

		*mark = boot->marks[i];
		mark->text = copy_text(boot->marks[i].text);
	}
	return copy;
}

static void free_calls(struct initcall *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct initcall *call = &calls[i];

		for (size_t k = 0; k < call->n_caches; k++)
			free(call->caches[k]);
		free(call->caches);
		free(call->module);
		free(call->name);
	}
	free(calls);
}

void boot_free(struct boot *boot)
{
	if (!boot)
		return;
	free_calls(boot->calls, boot->n_calls);
	free_calls(boot->asyncs, boot->n_asyncs);
	for (size_t i = 0; i < boot->n_probes; i++)
		free(boot->probes[i].device);
	free(boot->probes);
	free(boot->index);
	for (size_t i = 0; i < boot->n_marks; i++)
		free(boot->marks[i].text);
	free(boot->marks);
	free(boot->kernel);
	free(boot->command_line);
	free(boot->name);
	free(boot);
}
