/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/input.h"
#include "base/xalloc.h"
#include "slub/slabinfo.h"

#define SIZE_MOST    (4u << 20) /* KMALLOC_MAX_SIZE */
#define LONGEST_LINE 4096       /* a row has a few hundred bytes, the cgroup's name included */

static const char title[] = "slabinfo - version: ";

static struct slabinfo_cache *cache_called(struct slabinfo *info, const char *name, size_t n)
{
	struct slabinfo_cache *cache;

	for (size_t i = 0; i < info->n; i++)
		if (strncmp(info->list[i].name, name, n) == 0 && info->list[i].name[n] == '\0')
			return &info->list[i];
	info->list = xgrow(info->list, info->n, sizeof(*info->list));
	cache = &info->list[info->n++];
	*cache = (struct slabinfo_cache){ .name = xstrndup(name, n) };
	return cache;
}

/*
 * "NAME ACTIVE NUM SIZE ...": the name may hold blanks, as memory cgroups are called anything, so
 * the numbers are what follows the last word that is none.  False when there are fewer than three.
 */
static bool split(char *line, size_t *name, uint64_t numbers[3])
{
	char *end = strstr(line, " : "), *at;
	size_t n = end != NULL ? (size_t)(end - line) : strlen(line);

	while (n > 0 && (isdigit((unsigned char)line[n - 1]) || isspace((unsigned char)line[n - 1])))
		n--;
	/* kmalloc-64 ends in digits: the name goes on to the next blank. */
	while (line[n] != '\0' && !isspace((unsigned char)line[n]))
		n++;
	*name = n;
	at = line + n;
	for (size_t i = 0; i < 3; i++) {
		char *after;

		errno = 0;
		numbers[i] = strtoull(at, &after, 10);
		if (after == at || errno != 0)
			return false;
		at = after;
	}
	return n > 0;
}

/* Length of the name without the cgroup behind it: "dentry(12:foo)". */
static size_t root_name(const char *name, size_t n)
{
	const char *open = memchr(name, '(', n);

	return open != NULL && open > name && name[n - 1] == ')' ? (size_t)(open - name) : n;
}

static int take_row(struct slabinfo *info, const char *path, unsigned int number, char *line)
{
	struct slabinfo_cache *cache;
	uint64_t numbers[3];
	size_t n;

	if (!split(line, &n, numbers)) {
		complain("%s:%u: '%.60s' is no row of slabinfo; expected a cache's name and its "
			 "objects in use, objects and bytes per object", path, number, line);
		return -1;
	}
	if (numbers[2] == 0 || numbers[2] > SIZE_MOST) {
		complain("%s:%u: %.*s has objects of %ju bytes; expected 1 to %u", path, number,
			 (int)n, line, (uintmax_t)numbers[2], SIZE_MOST);
		return -1;
	}
	cache = cache_called(info, line, root_name(line, n));
	cache->active += numbers[0];
	cache->size = (unsigned int)numbers[2];
	return 0;
}

static int take_line(struct slabinfo *info, const char *path, unsigned int number, char *line)
{
	size_t n = strlen(line);

	while (n > 0 && isspace((unsigned char)line[n - 1]))
		line[--n] = '\0';
	if (number == 1 && strncmp(line, title, sizeof(title) - 1) != 0) {
		complain("%s:1: expected '%s2.1' as in /proc/slabinfo", path, title);
		return -1;
	}
	return number > 1 && n > 0 && line[0] != '#' ? take_row(info, path, number, line) : 0;
}

static int read_rows(FILE *f, const char *path, struct slabinfo *info)
{
	char line[LONGEST_LINE];
	unsigned int number = 0;
	int rc = 0;

	while (rc == 0 && fgets(line, sizeof(line), f) != NULL) {
		number++;
		if (strchr(line, '\n') == NULL && !feof(f)) {
			complain("%s:%u: a zero byte or a line of more than %d bytes: this is no "
				 "slabinfo", path, number, LONGEST_LINE - 2);
			return -1;
		}
		rc = take_line(info, path, number, line);
	}
	if (rc == 0 && ferror(f)) {
		complain("%s: cannot read: %s", path, strerror(errno));
		rc = -1;
	}
	if (rc == 0 && info->n == 0) {
		complain("%s: no cache in it; expected rows as in /proc/slabinfo", path);
		rc = -1;
	}
	return rc;
}

int slabinfo_read(const char *path, struct slabinfo *info)
{
	int fd = input_open(path, 0), rc;
	FILE *f;

	*info = (struct slabinfo){ .n = 0 };
	if (fd < 0)
		return -1;
	f = fdopen(fd, "r");
	if (f == NULL) {
		complain("%s: out of memory", input_name(path));
		close(fd);
		return -1;
	}
	rc = read_rows(f, input_name(path), info);
	fclose(f);
	return rc;
}

void slabinfo_free(struct slabinfo *info)
{
	for (size_t i = 0; i < info->n; i++)
		free(info->list[i].name);
	free(info->list);
	*info = (struct slabinfo){ .n = 0 };
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

struct slub_cache_spec slabinfo_spec(const struct slabinfo_cache *cache,
				     const struct slub_kernel *kernel)
{
	const struct slub_known_cache *known = slub_known_find(cache->name);
	struct slub_cache_spec spec = { .name = cache->name, .object_size = cache->size };
	struct slub_layout l;

	if (known != NULL && slub_layout_init(&l, &known->spec, kernel) == 0 &&
	    l.size == cache->size) {
		spec = known->spec;
		spec.name = cache->name;
		return spec;
	}
	if (strstr(cache->name, "kmalloc-") != NULL) {
		spec.flags = SLUB_KMALLOC;
		spec.align = (cache->size & (cache->size - 1)) == 0 ? cache->size : 0;
		return spec;
	}
	if (cache->size % kernel->cacheline == 0)
		spec.align = kernel->cacheline;
	spec.constructor = ends_with(cache->name, "inode_cache") ||
			   ends_with(cache->name, "radix_tree_node");
	/* Its free pointer took the last word of the slot. */
	if (spec.constructor && spec.object_size > 8)
		spec.object_size -= 8;
	return spec;
}
