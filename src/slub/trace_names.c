/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "slub/trace_names.h"

#define MOST 65536u /* callers: a kernel has a few thousand; a hostile file has no end of them */

static uint64_t hash_of(const char *text, size_t n)
{
	uint64_t hash = n;

	for (; n >= 8; text += 8, n -= 8) {
		uint64_t word;

		memcpy(&word, text, 8);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	for (; n > 0; text++, n--)
		hash = (hash ^ (unsigned char)*text) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static uint32_t *place_of(const struct trace_names *names, const char *text, size_t n)
{
	size_t at = hash_of(text, n) & (names->size - 1);

	while (names->numbers[at] != 0) {
		const char *known = names->names[names->numbers[at]];

		if (strncmp(known, text, n) == 0 && known[n] == '\0')
			break;
		at = (at + 1) & (names->size - 1);
	}
	return &names->numbers[at];
}

static void grow(struct trace_names *names)
{
	names->size = names->size == 0 ? 256 : 2 * names->size;
	free(names->numbers);
	names->numbers = xcalloc(names->size, sizeof(*names->numbers));
	for (uint32_t i = 1; i < names->n; i++)
		*place_of(names, names->names[i], strlen(names->names[i])) = i;
}

uint32_t trace_names_number(struct trace_names *names, const char *text, size_t n)
{
	uint32_t *place;

	if (n == 0 || memchr(text, '\0', n) != NULL)
		return 0;
	if (names->n == 0) {
		names->names = xgrow(names->names, 0, sizeof(*names->names));
		names->names[names->n++] = xstrdup("?");
	}
	if (2 * names->n >= names->size)
		grow(names);
	place = place_of(names, text, n);
	if (*place == 0 && names->n < MOST) {
		names->names = xgrow(names->names, names->n, sizeof(*names->names));
		names->names[names->n] = xstrndup(text, n);
		*place = (uint32_t)names->n++;
	}
	return *place;
}

void trace_names_free(struct trace_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->names[i]);
	free(names->names);
	free(names->numbers);
	memset(names, 0, sizeof(*names));
}
