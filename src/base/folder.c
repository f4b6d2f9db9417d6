/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/folder.h"

#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

static bool has_ours(const char *folder, const char *file, uid_t owner)
{
	char *path = xasprintf("%s/%s", folder, file);
	struct stat st;
	bool ours = !stat(path, &st) && st.st_uid == owner;

	free(path);
	return ours;
}

char *find_folder(const char *variable, const char *const *beside, const char *file,
		  const char *installed)
{
	const char *given = getenv(variable);
	char self[PATH_MAX], *home;
	struct stat st;
	ssize_t n;

	if (given && *given)
		return xstrdup(given);
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n < 0 ? 0 : n] = '\0';
	if (n < 0 || stat(self, &st))
		return xstrdup(installed);
	home = dirname(self);
	for (; *beside; beside++) {
		char *folder = xasprintf("%s/%s", home, *beside);

		if (has_ours(folder, file, st.st_uid))
			return folder;
		free(folder);
	}
	return xstrdup(installed);
}
