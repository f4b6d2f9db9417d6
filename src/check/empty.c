/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The floor: what a call costs that does nothing. */
#include "functions.h"

size_t check_empty(const void *buf, uint8_t value, size_t n)
{
	(void)buf;
	(void)value;
	return n;
}
