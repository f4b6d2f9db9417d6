/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"

bool input_is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

const char *input_name(const char *path)
{
	return input_is_stdin(path) ? "stdin" : path;
}

int input_open(const char *path, int flags)
{
	int fd = input_is_stdin(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) :
					open(path, O_RDONLY | O_CLOEXEC | flags);

	if (fd < 0)
		complain("%s: cannot open: %s", input_name(path), strerror(errno));
	return fd;
}
