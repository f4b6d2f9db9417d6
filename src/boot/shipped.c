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

static void complain_known(const char *what, const struct shipped_file *files, const char *name)
{
	char *known = xstrdup(files[0].name);

	for (size_t i = 1; files[i].name; i++) {
		char *longer = xasprintf("%s, %s", known, files[i].name);

		free(known);
		known = longer;
	}
	complain("%s: no '%s' is known and no file is called that; known: %s", what, name, known);
	free(known);
}

int shipped_or_file(const char *what, const struct shipped_file *files, const char *name,
		    const struct shipped_file **file)
{
	const char *names[32] = { NULL }, *near;

	*file = shipped_find(files, name);
	if (*file || looks_like_a_file(name) || !access(name, F_OK))
		return 0;
	for (size_t i = 0; files[i].name && i + 1 < sizeof(names) / sizeof(names[0]); i++)
		names[i] = files[i].name;
	near = nearest(name, names);
	if (near)
		complain("%s: no '%s' is known and no file is called that; did you mean %s?", what,
			 name, near);
	else
		complain_known(what, files, name);
	return -1;
}
