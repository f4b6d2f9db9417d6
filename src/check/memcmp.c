/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The libc way: the first byte is right and the buffer equals itself moved by one (CCAN's memeqzero
 * and coreutils' is_nul are refinements of it).  libc's memcmp() tells no offset: where it says that
 * something differs, the bytes are looked at one by one.
 */
#include <string.h>

#include "functions.h"
#include "words.h"

size_t check_memcmp(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *bytes = buf;

	if (!n)
		return 0;
	if (bytes[0] != value)
		return 0;
	return memcmp(bytes, bytes + 1, n - 1) ? bytes_equal(bytes, value, n) : n;
}
