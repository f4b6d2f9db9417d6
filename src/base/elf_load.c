/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/elf.h"

#include <errno.h>

#include "base/module.h"

#ifdef HAVE_LIBELF
int elf_symbols(int fd, elf_symbol_fn *fn, void *arg, const char *lost)
{
	static elf_symbols_fn *read_symbols;
	static bool tried;

	if (!tried)
		read_symbols = (elf_symbols_fn *)(uintptr_t)module_symbol(
			"elf.so", "elf_read_symbols", lost);
	tried = true;
	return read_symbols ? read_symbols(fd, fn, arg) : -ELIBACC;
}
#else
int elf_symbols(int fd, elf_symbol_fn *fn, void *arg, const char *lost)
{
	(void)fd;
	(void)fn;
	(void)arg;
	(void)lost;
	return -ENOSYS;
}
#endif
