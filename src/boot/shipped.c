/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding what is compiled in.  The texts are in shipped_data.c, made from data/ by the build. */
#include "boot/shipped.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/xalloc.h"

const struct shipped_file *shipped_find(const struct shipped_file *files, const char *name)
{
	for (; files->name; files++)
		if (!strcmp(files->name, name))
			return files;
	return NULL;
}

static bool looks_like_a_file(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') || (length > 4 && !strcmp(name + length - 4, ".csv")) ||
	       !strcmp(name, "-");
}

/* "known: NAME, ..." */
static char *known_names(const struct shipped_file *files)
{
	char *known = xasprintf("known: %s", files[0].name);

	for (size_t i = 1; files[i].name; i++) {
		char *longer = xasprintf("%s, %s", known, files[i].name);

		free(known);
		known = longer;
	}
	return known;
}

int shipped_or_file(const char *what, const struct shipped_file *files, const char *name,
		    const struct shipped_file **file)
{
	const char *names[32] = { NULL };
	char *known;

	*file = shipped_find(files, name);
	if (*file || looks_like_a_file(name) || !access(name, F_OK))
		return 0;
	for (size_t i = 0; files[i].name && i + 1 < sizeof(names) / sizeof(names[0]); i++)
		names[i] = files[i].name;
	known = known_names(files);
	complain("%s: no '%s' is known and no file is called that%s", what, name,
		 did_you_mean(name, names, known));
	free(known);
	return -1;
}
