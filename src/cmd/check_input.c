/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/input.h"
#include "base/machine.h"
#include "cmd/check_input.h"

#define STEP ((size_t)1 << 20) /* first room for what does not tell its size */

/* The bytes are copied once, to each alignment in turn, and the rest of the world needs memory. */
static size_t most_bytes(void)
{
	return (size_t)(machine_memory() / 16 * 7);
}

static int too_big(const char *path)
{
	complain("%s: larger than the %zu bytes that this machine can check in one piece", path,
		 most_bytes());
	return -1;
}

static int grow(struct input *input, size_t room)
{
	uint8_t *bytes = realloc(input->bytes, room);

	if (!bytes) {
		complain("%s: no memory for %zu bytes", input->path, room);
		return -1;
	}
	input->bytes = bytes;
	return 0;
}

/* Up to the end of @fd; @room bytes are there already. */
static int read_all(struct input *input, int fd, size_t room)
{
	for (;;) {
		ssize_t got;

		if (input->size == room) {
			if (room >= most_bytes())
				return too_big(input->path);
			room = room * 2 < most_bytes() ? room * 2 : most_bytes();
			if (grow(input, room) != 0)
				return -1;
		}
		got = read(fd, input->bytes + input->size, room - input->size);
		if (got == 0)
			return 0;
		if (got < 0 && errno != EINTR) {
			complain("%s: cannot read: %s", input->path, strerror(errno));
			return -1;
		}
		if (got > 0)
			input->size += (size_t)got;
	}
}

static int read_regular(struct input *input, int fd, size_t size)
{
	if (size > most_bytes())
		return too_big(input->path);
	if (grow(input, size + 1) != 0) /* one more, to meet the end without growing again */
		return -1;
	if (read_all(input, fd, size + 1) != 0)
		return -1;
	if (input->size >= size)
		return 0;
	complain("%s: shrank from %zu to %zu byte%s while it was read", input->path, size,
		 input->size, plural(input->size));
	return -1;
}

static int read_fd(struct input *input, int fd, bool regular_only)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		complain("%s: cannot read: %s", input->path, strerror(errno));
		return -1;
	}
	if (S_ISREG(st.st_mode) && regular_only) /* of stdin some may have been read before us */
		return read_regular(input, fd, (size_t)st.st_size);
	if (S_ISDIR(st.st_mode) || regular_only) {
		complain("%s: is %s; expected a regular file, or - for stdin", input->path,
			 S_ISDIR(st.st_mode) ? "a directory" :
			 S_ISFIFO(st.st_mode) ? "a FIFO" : "no regular file");
		return -1;
	}
	return grow(input, STEP) == 0 ? read_all(input, fd, STEP) : -1;
}

int input_read(struct input *input, const char *path)
{
	/* Without O_NONBLOCK a FIFO would keep us waiting for its writer before it is refused. */
	int fd = input_open(path, O_NONBLOCK), ret;

	memset(input, 0, sizeof(*input));
	input->path = input_name(path);
	if (fd < 0)
		return -1;
	ret = read_fd(input, fd, !input_is_stdin(path));
	close(fd);
	if (ret == 0 && input->size == 0) {
		complain("%s: is empty: there is nothing to check", input->path);
		ret = -1;
	}
	return ret;
}

void input_free(struct input *input)
{
	free(input->bytes);
	input->bytes = NULL;
}

size_t input_first_bad(const struct input *input, uint8_t value)
{
	for (size_t i = 0; i < input->size; i++) {
		if (input->bytes[i] != value)
			return i;
	}
	return input->size;
}
