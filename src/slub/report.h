/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SLUB's reports, in the kernel's own form: Linux 6.1, slab_bug(), print_trailer(), slab_fix() and
 * restore_bytes() of mm/slub.c.  Without printk's stamps and without the dump of the stack, which
 * user space does not have.
 *
 * They go to the heap's log.  Addresses are made up from the order of pages, so that a report is
 * the same in every run.
 */
#ifndef SLUBBENCH_SLUB_REPORT_H
#define SLUBBENCH_SLUB_REPORT_H

#include "slub/slab.h"

/*
 * Bytes [fault, ...) of the @length ones from @start do not all hold @value: say so, with the
 * first and the last bad byte, print the object (NULL: the slab's padding), and restore them.
 */
void slub_report_bytes(struct slub_slab *slab, uint8_t *object, enum slub_region region,
		       uint8_t *start, uint8_t value, size_t fault, size_t length);

/* object_err() and slab_err() */
void slub_report_object(struct slub_slab *slab, uint8_t *object, const char *reason);
__attribute__((format(printf, 2, 3))) void slub_report_slab(struct slub_slab *slab,
							    const char *fmt, ...);

/* slab_fix() */
__attribute__((format(printf, 2, 3))) void slub_report_fix(struct slub_slab *slab,
							   const char *fmt, ...);

/* Where reports say that @byte, of the slab or not, lies; 0 for NULL. */
uint64_t slub_report_address(const struct slub_slab *slab, const uint8_t *byte);

#endif /* SLUBBENCH_SLUB_REPORT_H */
