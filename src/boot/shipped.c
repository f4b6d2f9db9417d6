/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding what is compiled in.  The texts are in shipped_data.c, made from data/ by the build. */
#include "boot/shipped.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/parse.h"
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

int shipped_or_file(const char *what, const struct shipped_file *files, const char *name,
		    const struct shipped_file **file)
{
	const char *names[32] = { NULL };
	char *known, *all;

	*file = shipped_find(files, name);
	if (*file || looks_like_a_file(name) || !access(name, F_OK))
		return 0;
	for (size_t i = 0; files[i].name && i + 1 < sizeof(names) / sizeof(names[0]); i++)
		names[i] = files[i].name;
	all = words_joined(names);
	known = xasprintf("known: %s", all);
	complain("%s: no '%s' is known and no file is called that%s", what, name,
		 did_you_mean(name, names, known));
	free(known);
	free(all);
	return -1;
}
