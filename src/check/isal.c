/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intel's ISA-L as a peer: it answers for zeroes only, and only whether, not where.  The library is loaded
 * by its soname when somebody asks for the variant, so that all others start without.
 */
#include <dlfcn.h>
#include <isa-l/mem_routines.h>

#include "functions.h"

static __typeof__(isal_zero_detect) *zero_detect;

bool isal_usable(void)
{
	static bool tried;
	void *library;

	if (!tried) {
		library = dlopen(ISAL_SONAME, RTLD_NOW | RTLD_LOCAL);
		if (library)
			zero_detect = (__typeof__(zero_detect))(uintptr_t)dlsym(library,
									  "isal_zero_detect");
	}
	tried = true;
	return zero_detect != NULL;
}

static size_t check_isal(const void *buf, uint8_t value, size_t n)
{
	(void)value;
	/* The library only reads, but its prototype has no const. */
	return zero_detect((void *)(uintptr_t)buf, n) ? 0 : n;
}

check_fn *isal_resolve(void)
{
	return isal_usable() ? check_isal : NULL;
}
