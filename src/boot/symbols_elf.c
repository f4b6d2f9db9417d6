/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/symbols_elf.h"

#include <errno.h>
#include <string.h>

#include "base/complain.h"
#include "base/elf.h"

static int take_console_start(const struct elf_symbol *symbol, void *arg)
{
	if (strcmp(symbol->name, "__con_initcall_start"))
		return 0;
	*(uint64_t *)arg = symbol->value;
	return 1;
}

struct taking {
	struct symbols *symbols;
	uint64_t console_start;
};

static int take_initcall(const struct elf_symbol *symbol, void *arg)
{
	const struct taking *taking = arg;

	if (!strncmp(symbol->name, "__initcall_", 11))
		symbols_add_text(taking->symbols, symbol->name, symbol->value,
				 taking->console_start);
	return 0;
}

int symbols_read_elf(const char *path, int fd, struct symbols *symbols)
{
	struct taking taking = { symbols, 0 };
	int rc = elf_symbols(fd, take_console_start, &taking.console_start, NULL);

	if (rc >= 0)
		rc = elf_symbols(fd, take_initcall, &taking, NULL);
	if (rc == -ENOENT)
		complain("%s: an ELF file without a symbol table; take System.map or the vmlinux "
			 "before strip", path);
	else if (rc == -ENOSYS)
		complain("%s: an ELF file, and this slubbench was built without libelf (libelf-dev); "
			 "give System.map or the output of nm", path);
	return rc < 0 ? -1 : 0;
}
