/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbol table of an ELF file, by libelf, which is loaded for it (elf.so). */
#ifndef SLUBBENCH_ELF_H
#define SLUBBENCH_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_symbol {
	const char *name; /* dies with the callback */
	uint64_t value;
	uint64_t size;
	bool function;
};

/* Non-zero: enough. */
typedef int elf_symbol_fn(const struct elf_symbol *symbol, void *arg);

/*
 * elf_symbols - hand each symbol of the ELF file @fd to @fn, in the order of the table.
 *
 * 0, or what @fn ended with; -ENOENT: no symbol table, as after strip; -ENOSYS: built without libelf;
 * -ELIBACC: elf.so cannot be loaded, which is said once; @lost as in module_symbol().
 */
int elf_symbols(int fd, elf_symbol_fn *fn, void *arg, const char *lost);

/* What elf.so has to offer. */
typedef int elf_symbols_fn(int fd, elf_symbol_fn *fn, void *arg);
extern elf_symbols_fn elf_read_symbols;

#endif /* SLUBBENCH_ELF_H */
