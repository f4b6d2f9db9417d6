/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The size of a function's symbol in the program that runs. */
#include "bench/code.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include "base/elf.h"

/* The first object that the loader lists is the program itself; its base is 0 unless it is a PIE. */
static int program_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uintptr_t *)base = info->dlpi_addr;
	return 1;
}

struct wanted {
	uint64_t address;
	size_t size;
};

static int is_wanted(const struct elf_symbol *symbol, void *arg)
{
	struct wanted *wanted = arg;

	if (!symbol->function || symbol->value != wanted->address)
		return 0;
	wanted->size = symbol->size;
	return 1;
}

static size_t function_size(uintptr_t address)
{
	struct wanted wanted = { .size = 0 };
	uintptr_t base = 0;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	dl_iterate_phdr(program_base, &base);
	wanted.address = address - base;
	elf_symbols(fd, is_wanted, &wanted, "the sizes of code and timing it at several addresses");
	close(fd);
	return wanted.size;
}

size_t check_code_bytes(const struct check_variant *variant)
{
	if (!variant->copyable || !variant->usable())
		return 0;
	return function_size((uintptr_t)variant->resolve());
}
