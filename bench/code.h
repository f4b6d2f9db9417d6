/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much code a variant is. */
#ifndef SLUBBENCH_CODE_H
#define SLUBBENCH_CODE_H

#include "check/check.h"

/*
 * check_code_bytes - size of the code of @variant in bytes, from its symbol in this program.
 *
 * 0 when it is not known: a program that was stripped or built without libelf, a variant that is not
 * usable here, or one whose work is done in a library (its own symbol would be a fraction of it).
 */
size_t check_code_bytes(const struct check_variant *variant);

#endif /* SLUBBENCH_CODE_H */
