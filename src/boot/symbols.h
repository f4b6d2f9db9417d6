/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The initcalls of a kernel as its symbols tell them: level and link order of each.
 */
#ifndef SLUBBENCH_SYMBOLS_H
#define SLUBBENCH_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "boot/boot.h"

struct symbol {
	char *name;                /* of the function */
	char *object;              /* KBUILD_MODNAME of its file; NULL before 5.12 */
	enum initcall_level level;
	uint64_t address;          /* of the entry; 0 where kptr_restrict hides it */
};

struct symbols {
	struct symbol *entries;    /* in the order in which they run */
	size_t n;
};

/*
 * Reads System.map, /proc/kallsyms, the output of nm, or an ELF vmlinux where libelf was there at
 * build time; @path "-" is standard input.  0, or -1 after complain(); the caller frees *out.
 */
int symbols_read(const char *path, struct symbols **out);
void symbols_free(struct symbols *symbols);

/*
 * Takes one symbol name apart: "__initcall__kmod_slub__421_6231_slab_sysfs_init6" (since 5.12),
 * "__initcall_slab_sysfs_init6", "__initcall_con_init" (console, before 5.12: @address must be
 * behind @console_start, 0 is behind).  Returns false for anything else.
 */
bool symbol_parse(const char *text, uint64_t address, uint64_t console_start,
		  struct symbol *symbol);

/*
 * Gives the calls of @boot their levels: the k-th call of a name is the k-th entry of that name.
 * Returns how many calls were found.  What "entering initcall level" lines said stands, a sync level
 * within it excepted.
 */
size_t symbols_apply(const struct symbols *symbols, struct boot *boot);

/*
 * Where would call @index land, were its initcall of @level instead?  Returns the index of the call
 * before which the linker puts it, boot->n_calls for the end, -1 when the symbols cannot tell.
 * Within a level the order is that of the object files, so the neighbours of its object in its own
 * level that appear in @level as well are the signposts.
 */
ptrdiff_t symbols_place(const struct symbols *symbols, const struct boot *boot, size_t index,
			enum initcall_level level);

#endif /* SLUBBENCH_SYMBOLS_H */
