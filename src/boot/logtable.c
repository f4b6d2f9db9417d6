/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/logtable.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* FNV-1a of both names. */
static uint32_t hash_of(const char *name, const char *module)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	for (; module && *module; module++)
		hash = (hash ^ (unsigned char)*module) * 16777619u;
	return hash;
}

static bool is_of(const struct initcall *call, const char *name, const char *module)
{
	if (strcmp(call->name, name) || !call->module != !module)
		return false;
	return !module || !strcmp(call->module, module);
}

static struct log_slot *find(const struct log_draft *draft, const char *name, const char *module)
{
	uint32_t hash = hash_of(name, module);
	size_t mask = draft->n_slots - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct log_slot *slot = &draft->slots[i];

		if (slot->newest == NO_CALL)
			return slot;
		if (slot->hash == hash && is_of(&draft->boot->calls[slot->newest], name, module))
			return slot;
	}
}

static void make_room(struct log_draft *draft)
{
	struct log_slot *old = draft->slots;
	size_t n_old = draft->n_slots;

	if (old && draft->n_used * 2 < n_old)
		return;
	draft->n_slots = n_old ? 2 * n_old : 1024;
	draft->slots = xcalloc(draft->n_slots, sizeof(*draft->slots));
	for (size_t i = 0; i < draft->n_slots; i++)
		draft->slots[i].newest = NO_CALL;
	for (size_t i = 0; i < n_old; i++) {
		size_t mask = draft->n_slots - 1, at = old[i].hash & mask;

		if (old[i].newest == NO_CALL)
			continue;
		while (draft->slots[at].newest != NO_CALL)
			at = (at + 1) & mask;
		draft->slots[at] = old[i];
	}
	free(old);
}

uint32_t log_table_newest(const struct log_draft *draft, const char *name, const char *module)
{
	if (!draft->slots)
		return NO_CALL;
	return find(draft, name, module)->newest;
}

void log_table_open(struct log_draft *draft, uint32_t index)
{
	struct log_raw *raw = &draft->raw[index];
	const struct initcall *call = &draft->boot->calls[index];
	struct log_slot *slot;

	make_room(draft);
	slot = find(draft, call->name, call->module);
	if (slot->newest == NO_CALL) {
		draft->n_used++;
		slot->hash = hash_of(call->name, call->module);
		slot->open = NO_CALL;
	}
	raw->older = slot->newest;
	raw->older_open = slot->open;
	raw->open = true;
	slot->newest = slot->open = index;
}

uint32_t log_table_close(struct log_draft *draft, const char *name, const char *module)
{
	struct log_slot *slot;
	uint32_t index;

	if (!draft->slots)
		return NO_CALL;
	slot = find(draft, name, module);
	if (slot->newest == NO_CALL || slot->open == NO_CALL)
		return NO_CALL;
	index = slot->open;
	slot->open = draft->raw[index].older_open;
	draft->raw[index].open = false;
	return index;
}

enum initcall_level log_level_word(struct span word)
{
	char name[16];

	if (word.n >= sizeof(name))
		return LEVEL_UNKNOWN;
	memcpy(name, word.at, word.n);
	name[word.n] = '\0';
	return level_from_name(name);
}

/* Length of the UTF-8 character at @p that is fit to be printed, 0: it is not one. */
static size_t utf8_length(const unsigned char *p, size_t left)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc2 ? 2 : 0;
	uint32_t code = n == 1 ? *p : *p & (0x7f >> n);

	if (n == 0 || n > left || *p > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code < least[n] || code > 0x10ffff ||
	    (code >= 0xd800 && code < 0xe000))
		return 0;
	return n;
}

char *log_clean_name(struct span name)
{
	const unsigned char *from = (const unsigned char *)name.at;
	static const char digits[] = "0123456789abcdef";
	char *clean, *to;
	size_t n = 0;

	while (n < name.n && from[n] >= ' ' && from[n] < 0x7f)
		n++;
	if (n == name.n)
		return xstrndup(name.at, name.n);
	to = clean = xreallocarray(NULL, name.n + 1, 4);
	for (size_t i = 0; i < name.n; i += n) {
		n = utf8_length(from + i, name.n - i);
		if (n) {
			memcpy(to, from + i, n);
			to += n;
			continue;
		}
		*to++ = '\\';
		*to++ = 'x';
		*to++ = digits[from[i] >> 4];
		*to++ = digits[from[i] & 15];
		n = 1;
	}
	*to = '\0';
	return clean;
}
