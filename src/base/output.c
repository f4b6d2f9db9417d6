/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/output.h"
#include "base/xalloc.h"

/*
 * Files that are open now, by the name they will get: a second output of one name would take the
 * first one's place without a word.
 */
static const struct output *open_outputs[8];
#define N_OPEN (sizeof(open_outputs) / sizeof(*open_outputs))

static bool is_taken(const struct output *out)
{
	for (size_t i = 0; i < N_OPEN; i++) {
		if (open_outputs[i] && out->path && !strcmp(open_outputs[i]->path, out->path))
			return true;
	}
	return false;
}

/* Regular files that are read, by device and inode: no name of theirs may become an output's. */
static struct input {
	dev_t device;
	ino_t inode;
} *inputs;
static size_t n_inputs;

void output_protect(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") ? stat(path, &st) : fstat(STDIN_FILENO, &st))
		return;
	if (!S_ISREG(st.st_mode))
		return;
	inputs = xgrow(inputs, n_inputs, sizeof(*inputs));
	inputs[n_inputs++] = (struct input){ st.st_dev, st.st_ino };
}

static bool is_input(const struct stat *st)
{
	for (size_t i = 0; i < n_inputs; i++) {
		if (inputs[i].device == st->st_dev && inputs[i].inode == st->st_ino)
			return true;
	}
	return false;
}

/* Put @now where @before is: NULL for a free place, and to free one. */
static void replace_open(const struct output *before, const struct output *now)
{
	for (size_t i = 0; i < N_OPEN; i++) {
		if (open_outputs[i] == before) {
			open_outputs[i] = now;
			return;
		}
	}
}

static int cannot_write(const char *path)
{
	complain("%s: cannot write: %s", path, strerror(errno));
	return -1;
}

/* Told once: a commit finds it first, and main() asks again. */
static int cannot_write_stdout(void)
{
	static bool told;

	if (!told)
		cannot_write("standard output");
	told = true;
	return -1;
}

/*
 * A file to rename over @out->path later: nameless where O_TMPFILE works, else with a dull name.
 * Nobody else may read it before take_rights().
 */
static int open_beside(struct output *out)
{
	char *copy = xstrdup(out->path);
	int fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	free(copy);
	if (fd >= 0 || errno == ENOENT || errno == EACCES || errno == EROFS || errno == ENOTDIR)
		return fd;
	out->temporary = xasprintf("%s.XXXXXX", out->path);
	return mkostemp(out->temporary, O_CLOEXEC);
}

/* Those of the file that was @there, NULL: of a new one.  A group that cannot stay gets none. */
static void take_rights(int fd, const struct stat *there)
{
	mode_t mode = umask(0);

	umask(mode);
	mode = 0666 & ~mode;
	if (there) {
		mode = there->st_mode & 0777;
		if (fchown(fd, there->st_uid, there->st_gid) && fchown(fd, (uid_t)-1, there->st_gid))
			mode &= 0707;
	}
	fchmod(fd, mode);
}

/* What could not be written to is not replaced either. */
static bool may_write(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	return fd >= 0 && !close(fd);
}

/* May @path be written, which has *@there now, NULL: nothing?  0, or -1 after a complaint. */
static int check_target(const char *path, const struct stat *there)
{
	struct stat link;

	if (!there && !lstat(path, &link)) {
		complain("%s: is a link to a file that is not there", path);
		return -1;
	}
	if (there && is_input(there)) {
		complain("%s: is read by this command and would be overwritten", path);
		return -1;
	}
	return there && S_ISREG(there->st_mode) && !may_write(path) ? cannot_write(path) : 0;
}

/* The name of a file that is not there yet, with its folder as realpath() has it. */
static char *absolute(const char *path)
{
	char *copy = xstrdup(path), *base = xstrdup(path);
	char *folder = realpath(dirname(copy), NULL);
	char *whole = folder ? xasprintf("%s/%s", folder, basename(base)) : xstrdup(path);

	free(copy);
	free(base);
	free(folder);
	return whole;
}

int output_open(struct output *out, const char *path)
{
	struct stat st;
	bool exists;
	int fd;

	*out = (struct output){ .what = path };
	if (!path || !strcmp(path, "-")) {
		out->file = stdout;
		return 0;
	}
	exists = !stat(path, &st);
	if (!exists && errno == ENOENT && path[strlen(path) - 1] == '/')
		errno = EISDIR; /* basename() would make a file of that name */
	if (!exists && errno != ENOENT)
		return cannot_write(path);
	if (check_target(path, exists ? &st : NULL))
		return -1;
	if (exists && !S_ISREG(st.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	} else {
		/* Through a link to the file it names: the link is the user's, and stays. */
		out->path = realpath(path, NULL);
		if (!out->path)
			out->path = absolute(path);
		if (is_taken(out)) {
			complain("%s: two outputs cannot go to one file", path);
			output_drop(out);
			return -1;
		}
		fd = open_beside(out);
		if (fd >= 0)
			take_rights(fd, exists ? &st : NULL);
	}
	if (fd >= 0)
		out->file = fdopen(fd, "w");
	if (out->file) {
		if (out->path)
			replace_open(NULL, out);
		return 0;
	}
	cannot_write(path);
	output_drop(out);
	return -1;
}

/* linkat() does not replace: link under a dull name first, and rename that. */
static int give_name(struct output *out)
{
	char self[32];

	if (!out->temporary) {
		snprintf(self, sizeof(self), "/proc/self/fd/%d", fileno(out->file));
		out->temporary = xasprintf("%s.%ld", out->path, (long)getpid());
		if (linkat(AT_FDCWD, self, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW))
			return -1;
	}
	return rename(out->temporary, out->path);
}

int output_commit(struct output *out)
{
	int rc = 0;

	if (!out->file)
		return 0;
	if (fflush(out->file) || ferror(out->file))
		rc = out->file == stdout ? cannot_write_stdout() : cannot_write(out->what);
	else if (out->path && (fsync(fileno(out->file)) || give_name(out)))
		rc = cannot_write(out->what);
	if (!rc) {
		free(out->temporary); /* renamed: nothing left to remove */
		out->temporary = NULL;
	}
	output_drop(out);
	return rc;
}

void output_drop(struct output *out)
{
	replace_open(out, NULL);
	if (out->file && out->file != stdout)
		fclose(out->file);
	if (out->temporary)
		unlink(out->temporary);
	free(out->temporary);
	free(out->path);
	*out = (struct output){ 0 };
}

bool output_is_terminal(FILE *file)
{
	const char *term = getenv("TERM");

	return isatty(fileno(file)) && term && *term && strcmp(term, "dumb");
}

int output_stdout_open(void)
{
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	/* Nobody else writes to it, and libsmartcols would take the lock for every blank. */
	__fsetlocking(stdout, FSETLOCKING_BYCALLER);
	if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
		return 0;
	errno = EBADF;
	return cannot_write_stdout();
}

int output_stdout_ok(void)
{
	if (!fflush(stdout) && !ferror(stdout) && (!close(STDOUT_FILENO) || errno == EBADF))
		return 0;
	return cannot_write_stdout();
}
