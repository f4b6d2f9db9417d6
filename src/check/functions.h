/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions behind check_variants[]: for variants.c alone, everybody else goes by the table. */
#ifndef CHECK_FUNCTIONS_H
#define CHECK_FUNCTIONS_H

#include "check.h"

/* Which of these are there, config.h and the Makefile say. */
check_fn check_empty;
check_fn check_byte;
check_fn check_slub2011;
check_fn check_memchr_inv;
check_fn check_gpr;
check_fn check_memcmp;

check_fn check_gpr_scas; /* check_gpr with rep scas in the window of sizes where that wins */
check_fn check_rep_scas;
check_fn check_sse2;
check_fn check_avx2;
check_fn check_avx512;
check_fn check_neon;
check_fn check_sve;

check_fn check_highway_avx2; /* both from highway.cc */
check_fn check_highway_avx512;

/* What this CPU and its OS offer.  False on another architecture, or when this compiler has no support. */
bool cpu_has_sse2(void);
bool cpu_has_avx2(void);
bool cpu_has_avx512(void);
bool cpu_has_neon(void);
bool cpu_has_sve(void);
bool cpu_has_fast_scas(void);
bool cpu_has_fast_avx512(void);

/* The fastest of several functions for this CPU. */
check_fn *load_resolve(void);
check_fn *gpr_resolve(void);
check_fn *auto_resolve(void);

/* ISA-L's, from its library: whether that can be had, and the function. */
bool isal_usable(void);
check_fn *isal_resolve(void);

#endif /* CHECK_FUNCTIONS_H */
