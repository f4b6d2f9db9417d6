/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what is shipped to what one kernel has. */
#include "boot/fit.h"

#include <stdio.h>
#include <string.h>

#include "boot/shipped.h"

static size_t known_rows(const struct boot *boot, const struct cache_set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++)
		n += boot_find(boot, set->rows[i].created_by) >= 0;
	return n;
}

/* Is the set for the series of this kernel, "-6.1" in "debian-6.1-amd64"? */
static bool of_series(const char *name, const struct boot *boot)
{
	int major, minor;
	char series[32];
	const char *at;

	if (!boot->kernel || sscanf(boot->kernel, "%d.%d", &major, &minor) != 2)
		return false;
	snprintf(series, sizeof(series), "-%d.%d", major, minor);
	at = strstr(name, series);
	return at && (at[strlen(series)] == '\0' || at[strlen(series)] == '-');
}

static bool any_of_series(const struct boot *boot)
{
	for (const struct shipped_file *file = shipped_caches; file->name; file++)
		if (of_series(file->name, boot))
			return true;
	return false;
}

int fit_choose(const struct boot *boot, struct cache_set **out)
{
	bool series = any_of_series(boot);
	size_t most = 0;

	*out = NULL;
	for (const struct shipped_file *file = shipped_caches; file->name; file++) {
		struct cache_set *set;
		size_t known;

		/* Those of one board are for that one only. */
		if (shipped_find(shipped_boards, file->name) ||
		    (series && !of_series(file->name, boot)))
			continue;
		if (*out && file->creations <= most) /* it cannot know more */
			continue;
		if (cache_set_read("caches", file->name, &set)) {
			cache_set_free(*out);
			return -1;
		}
		known = known_rows(boot, set);
		if (!*out || known > most) {
			cache_set_free(*out);
			*out = set;
			most = known;
		} else {
			cache_set_free(set);
		}
	}
	return 0;
}

/* KMALLOC_MIN_SIZE: ARCH_DMA_MINALIGN of arm64 was 128 until 6.5. */
static unsigned int kmalloc_least(const struct boot *boot)
{
	int major, minor;

	if (boot->kernel && sscanf(boot->kernel, "%d.%d", &major, &minor) == 2 &&
	    (major > 6 || (major == 6 && minor >= 5)))
		return 8;
	for (size_t i = 0; i < boot->n_calls; i++)
		if (strstr(boot->calls[i].name, "arm64"))
			return 128;
	return 8;
}

struct kernel {
	unsigned int kmalloc_least;
	bool memcg;
};

static bool has(const struct cache_row *row, const void *arg)
{
	const struct slub_cache_spec *spec = &row->request.spec;
	const struct kernel *kernel = arg;

	if (!(spec->flags & SLUB_KMALLOC))
		return true;
	if ((spec->flags & SLUB_ACCOUNT) && !kernel->memcg)
		return false;
	/* The sizes between powers of two exist only where they are of use: kmalloc_index(). */
	return spec->object_size >= kernel->kmalloc_least &&
	       (spec->object_size != 192 || kernel->kmalloc_least <= 64);
}

void fit_set(struct cache_set *set, const struct boot *boot)
{
	struct kernel kernel = {
		.kmalloc_least = kmalloc_least(boot),
		.memcg = boot_find(boot, "mem_cgroup_init") >= 0,
	};

	cache_set_filter(set, has, &kernel);
	if (kernel.memcg)
		return;
	for (size_t i = 0; i < set->n; i++)
		set->rows[i].request.spec.flags &= ~(unsigned int)SLUB_ACCOUNT;
}
