/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of the symbol reader that needs libelf.  Internal to it. */
#ifndef SLUBBENCH_SYMBOLS_ELF_H
#define SLUBBENCH_SYMBOLS_ELF_H

#include "boot/symbols.h"

/* Adds the initcalls of the ELF file @fd; 0, or -1 after complain(). */
int symbols_read_elf(const char *path, int fd, struct symbols *symbols);

/* Adds the symbol when it is an initcall's. */
void symbols_add_text(struct symbols *symbols, const char *name, uint64_t address,
		      uint64_t console_start);

#endif /* SLUBBENCH_SYMBOLS_ELF_H */
