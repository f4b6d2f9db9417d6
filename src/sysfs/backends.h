/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The back ends, one file each; registry_types[] is how everyone else finds them. */
#ifndef SLUBBENCH_BACKENDS_H
#define SLUBBENCH_BACKENDS_H

#include "sysfs/registry.h"

extern const struct registry_type registry_model;
extern const struct registry_type registry_kernfs;
extern const struct registry_type registry_directory;
extern const struct registry_type registry_cgroup;

/* A folder in memory, where `directory` makes its tree when it is not told where; NULL: there is none. */
const char *registry_memory_folder(void);

#endif /* SLUBBENCH_BACKENDS_H */
