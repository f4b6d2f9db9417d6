/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the time of a kernfs node goes. */
#ifndef SLUBBENCH_KERNFS_PARTS_H
#define SLUBBENCH_KERNFS_PARTS_H

#include <stddef.h>

/*
 * What one node costs by parts, nanoseconds each, every part alone over the same nodes.  They need
 * not add up to the whole, which also counts references and links nodes to parents and targets.
 */
struct kernfs_parts {
	double hash_ns;     /* kernfs_name_hash() of the name */
	double allocate_ns; /* the node, a copy of its name where it is no file, its number */
	double tree_ns;     /* descent and insertion, with the hash at hand */
	double lock_ns;     /* the lock of the tree, taken and given back twice */
};

/*
 * Measure them for @directories directories in one directory, each with the @n_files files of
 * @files, and @links links beside them.
 */
struct kernfs_parts kernfs_measure_parts(size_t directories, size_t links,
					 const char *const *files, size_t n_files);

#endif /* SLUBBENCH_KERNFS_PARTS_H */
