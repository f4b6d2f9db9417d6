/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slub_debug=FLAGS[,CACHES][;...]: parse_slub_debug_flags(), setup_slub_debug() of Linux 6.1. */
#include "slub/cache_debug.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* The letters before the comma; none at all means the usual four, "-" means off. */
static unsigned int letters_parse(const char *text, size_t length, bool *no_higher_order)
{
	static const struct {
		char letter;
		unsigned int flag;
	} letters[] = {
		{ 'f', SLUB_CONSISTENCY }, { 'z', SLUB_RED_ZONE }, { 'p', SLUB_POISON },
		{ 'u', SLUB_STORE_USER },  { 't', SLUB_TRACE },    { 'a', SLUB_FAILSLAB },
	};
	unsigned int flags = 0;

	if (!length)
		return SLUB_DEBUG_FLAGS;
	for (size_t i = 0; i < length; i++) {
		char letter = (char)tolower((unsigned char)text[i]);

		*no_higher_order |= letter == 'o';
		for (size_t k = 0; k < sizeof(letters) / sizeof(letters[0]); k++)
			if (letters[k].letter == letter)
				flags |= letters[k].flag;
	}
	return flags;
}

static void blocks_free(struct slub_debug *debug)
{
	for (size_t i = 0; i < debug->n_blocks; i++)
		free(debug->blocks[i].caches);
	free(debug->blocks);
	debug->blocks = NULL;
	debug->n_blocks = 0;
}

/* @value is what follows "slub_debug=", @length bytes of it. */
static void debug_parse(struct slub_debug *debug, const char *value, size_t length)
{
	const char *end = value + length;

	blocks_free(debug);
	debug->all = 0;
	do {
		size_t block = strcspn(value, ";"), letters;
		struct slub_debug_block *added;
		unsigned int flags;

		if (block > (size_t)(end - value))
			block = (size_t)(end - value);
		letters = strcspn(value, ",");
		if (letters > block)
			letters = block;
		flags = letters_parse(value, letters, &debug->no_higher_order);
		if (letters == block) {
			debug->all = flags;
		} else {
			debug->blocks = xgrow(debug->blocks, debug->n_blocks, sizeof(*added));
			added = &debug->blocks[debug->n_blocks++];
			added->flags = flags;
			added->caches = xstrndup(value + letters + 1, block - letters - 1);
		}
		value += block + 1;
	} while (value < end);
}

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !strncmp(word, name, length);
}

static void take_word(struct slub_debug *debug, const char *word, size_t length)
{
	size_t key = strcspn(word, "= \t\r\n");

	if (is_word(word, length, "slab_nomerge") || is_word(word, length, "slub_nomerge"))
		debug->nomerge = true;
	else if (is_word(word, length, "slab_merge") || is_word(word, length, "slub_merge"))
		debug->nomerge = false;
	else if (!is_word(word, key, "slub_debug") && !is_word(word, key, "slab_debug"))
		return;
	else if (key + 1 < length)
		debug_parse(debug, word + key + 1, length - key - 1);
	else
		debug_parse(debug, "", 0);
}

void slub_debug_from_command_line(struct slub_debug *debug, const char *line)
{
	static const char blank[] = " \t\r\n";

	for (line += strspn(line, blank); *line; line += strspn(line, blank)) {
		size_t length = strcspn(line, blank);

		take_word(debug, line, length);
		line += length;
	}
}

void slub_debug_free(struct slub_debug *debug)
{
	blocks_free(debug);
}

/* Is @name among the comma separated @caches, the last of whose letters may be a '*'? */
static bool names_cache(const char *caches, const char *name)
{
	while (*caches) {
		size_t length = strcspn(caches, ",");
		const char *star = memchr(caches, '*', length);

		if (star ? !strncmp(name, caches, (size_t)(star - caches)) :
			   is_word(caches, length, name))
			return true;
		caches += length + (caches[length] == ',');
	}
	return false;
}

unsigned int slub_debug_flags(const struct slub_debug *debug, unsigned int flags,
			      const char *name)
{
	unsigned int all = debug->all;

	if (flags & SLUB_NO_USER_FLAGS)
		return flags;
	/* Whoever makes the traces must not be traced. */
	if (flags & SLUB_NOLEAKTRACE)
		all &= ~SLUB_STORE_USER;
	for (size_t i = 0; i < debug->n_blocks; i++)
		if (names_cache(debug->blocks[i].caches, name))
			return flags | debug->blocks[i].flags;
	return flags | all;
}
