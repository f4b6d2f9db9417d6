/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One byte at a time: how SLUB checked its poison until Linux 3.1.
 *
 * Compiled so that no compiler vectorises it; tests/cli/objcode.sh reads the object code.
 */
#include "functions.h"

size_t check_byte(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *bytes = buf;
	size_t i;

	for (i = 0; i < n; i++) {
		if (bytes[i] != value)
			break;
	}
	return i;
}
