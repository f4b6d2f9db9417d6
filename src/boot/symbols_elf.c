/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/symbols_elf.h"

#include "base/complain.h"

#ifdef HAVE_LIBELF

#include <gelf.h>
#include <libelf.h>
#include <string.h>

/* The symbol table of @elf; a stripped vmlinux has none. */
static Elf_Data *find_table(Elf *elf, GElf_Shdr *header)
{
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section;
	     section = elf_nextscn(elf, section))
		if (gelf_getshdr(section, header) && header->sh_type == SHT_SYMTAB)
			return elf_getdata(section, NULL);
	return NULL;
}

static uint64_t find_console_start(Elf *elf, Elf_Data *table, const GElf_Shdr *header, int n)
{
	GElf_Sym symbol;

	for (int i = 0; i < n; i++) {
		const char *name;

		if (!gelf_getsym(table, i, &symbol))
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && !strcmp(name, "__con_initcall_start"))
			return symbol.st_value;
	}
	return 0;
}

int symbols_read_elf(const char *path, int fd, struct symbols *symbols)
{
	uint64_t console_start;
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Data *table;
	Elf *elf;
	int n;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	table = elf ? find_table(elf, &header) : NULL;
	if (!table || header.sh_entsize == 0) {
		complain("%s: an ELF file without a symbol table; take System.map or the vmlinux "
			 "before strip", path);
		elf_end(elf);
		return -1;
	}
	n = (int)(header.sh_size / header.sh_entsize);
	console_start = find_console_start(elf, table, &header, n);
	for (int i = 0; i < n; i++) {
		const char *name;

		if (!gelf_getsym(table, i, &symbol))
			continue;
		name = elf_strptr(elf, header.sh_link, symbol.st_name);
		if (name && !strncmp(name, "__initcall_", 11))
			symbols_add_text(symbols, name, symbol.st_value, console_start);
	}
	elf_end(elf);
	return 0;
}

#else /* !HAVE_LIBELF */

int symbols_read_elf(const char *path, int fd, struct symbols *symbols)
{
	(void)fd;
	(void)symbols;
	complain("%s: an ELF file, and this slubbench was built without libelf (libelf-dev); give "
		 "System.map or the output of nm", path);
	return -1;
}

#endif
