/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/module.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "base/complain.h"
#include "base/folder.h"
#include "base/xalloc.h"

/* Where libtool leaves them in a build tree, for the program and for the unit tests. */
static const char *const beside[] = { ".libs", "../../.libs", "../lib/" PACKAGE, NULL };

void *module_symbol(const char *file, const char *symbol, const char *lost)
{
	char *folder = find_folder("SLUBBENCH_MODULES", beside, file, PKGLIBDIR);
	char *path = xasprintf("%s/%s", folder, file);
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *found = module ? dlsym(module, symbol) : NULL;

	if (!found && lost)
		note("without %s: %s; SLUBBENCH_MODULES may name its folder", lost, dlerror());
	else if (!found)
		complain("a part of this program cannot be loaded: %s; SLUBBENCH_MODULES may name its "
			 "folder", dlerror());
	free(path);
	free(folder);
	return found;
}
