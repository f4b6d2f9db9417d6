/* SPDX-License-Identifier: GPL-2.0-or-later */
/* elf.so: all that needs libelf. */
#include "base/elf.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>

/* The symbol table of @elf; what was stripped has none. */
static Elf_Data *find_table(Elf *elf, GElf_Shdr *header)
{
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section;
	     section = elf_nextscn(elf, section))
		if (gelf_getshdr(section, header) && header->sh_type == SHT_SYMTAB)
			return header->sh_entsize ? elf_getdata(section, NULL) : NULL;
	return NULL;
}

static int each_symbol(Elf *elf, elf_symbol_fn *fn, void *arg)
{
	GElf_Shdr header;
	Elf_Data *table = find_table(elf, &header);
	GElf_Sym symbol;
	int rc = 0;

	if (!table)
		return -ENOENT;
	for (int i = 0; !rc && (uint64_t)i < header.sh_size / header.sh_entsize; i++) {
		struct elf_symbol found;

		if (!gelf_getsym(table, i, &symbol))
			continue;
		found.name = elf_strptr(elf, header.sh_link, symbol.st_name);
		found.value = symbol.st_value;
		found.size = symbol.st_size;
		found.function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
		if (found.name)
			rc = fn(&found, arg);
	}
	return rc;
}

int elf_read_symbols(int fd, elf_symbol_fn *fn, void *arg)
{
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	int rc = elf ? each_symbol(elf, fn, arg) : -ENOENT;

	elf_end(elf);
	return rc;
}
