/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many bytes of code a variant is: the size of its symbol in the program that runs. */
#include "check.h"

#ifdef HAVE_LIBELF
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <unistd.h>

/* The first object that the loader lists is the program itself; its base is 0 unless it is a PIE. */
static int program_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uintptr_t *)base = info->dlpi_addr;
	return 1;
}

/* Size of the function at @address in the symbol table of @elf, 0 when there is none. */
static size_t symbol_size(Elf *elf, uintptr_t address)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;
	Elf_Data *data;
	size_t i;

	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(section, NULL);
		if (!data || !header.sh_entsize)
			continue;
		for (i = 0; i < header.sh_size / header.sh_entsize; i++) {
			if (gelf_getsym(data, (int)i, &symbol) && symbol.st_value == address &&
			    GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
				return symbol.st_size;
		}
	}
	return 0;
}

static size_t function_size(uintptr_t address)
{
	uintptr_t base = 0;
	size_t size = 0;
	Elf *elf;
	int fd;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return 0;
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	dl_iterate_phdr(program_base, &base);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf) {
		size = symbol_size(elf, address - base);
		elf_end(elf);
	}
	close(fd);
	return size;
}
#else
static size_t function_size(uintptr_t address)
{
	(void)address;
	return 0;
}
#endif

size_t check_code_bytes(const struct check_variant *variant)
{
	if (!variant->copyable || !variant->usable())
		return 0;
	return function_size((uintptr_t)variant->resolve());
}
