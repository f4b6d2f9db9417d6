/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user calls by name in a boot, and what he may have meant. */
#ifndef SLUBBENCH_BOOT_FIND_H
#define SLUBBENCH_BOOT_FIND_H

#include "boot/boot.h"

/*
 * boot_find(), or -1 after a complaint that starts with @option and tells the nearest names; @word is
 * what the option takes besides, NULL: nothing.
 */
ptrdiff_t find_call(const char *option, const struct boot *boot, const char *name,
		    const char *word);

/* The complaint about a device of which no probe is in the boot. */
void complain_no_probe(const char *option, const struct boot *boot, const char *device);

#endif /* SLUBBENCH_BOOT_FIND_H */
