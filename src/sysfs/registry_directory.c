/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registry back end `directory`: real directories, empty files and links in a folder. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "sysfs/backends.h"
#include "sysfs/scratch.h"

struct reg_dir {
	struct reg_dir *next;
	char *path; /* from the folder on; "" is the folder itself */
};

struct directory_registry {
	struct registry head;
	char *shown;         /* the folder's path, for complaints */
	char *name;          /* of the folder, in parent */
	int parent, folder;  /* open directories */
	struct reg_dir *dirs;
	struct reg_dir *top;
};

static struct directory_registry *self_of(struct registry *reg)
{
	return (struct directory_registry *)reg;
}

static int failed(const struct directory_registry *self, const char *path)
{
	complain("registry directory: %s/%s: %s", self->shown, path, strerror(errno));
	return -1;
}

/* So that the cost is that of the file system's code. */
const char *registry_memory_folder(void)
{
	static const char *const tried[] = { "/dev/shm", "/run", "/tmp" };
	struct statfs fs;

	for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++)
		if (!statfs(tried[i], &fs) && fs.f_type == TMPFS_MAGIC &&
		    !access(tried[i], W_OK | X_OK))
			return tried[i];
	return NULL;
}

/* Split config->path, or make up a name under a tmpfs. */
static int choose_folder(struct directory_registry *self, const char *path)
{
	const char *slash, *parent;
	char name[SCRATCH_NAME_MAX], *copy;

	if (!path) {
		parent = registry_memory_folder();
		if (!parent) {
			complain("registry directory: no tmpfs can be written to; --path FOLDER "
				 "tells where");
			return -1;
		}
		self->name = xstrdup(scratch_name(name));
		self->shown = xasprintf("%s/%s", parent, name);
		self->parent = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		return self->parent < 0 ? failed(self, "") : 0;
	}
	self->shown = xstrdup(path);
	slash = strrchr(path, '/');
	self->name = xstrdup(slash ? slash + 1 : path);
	copy = slash ? xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) : xstrdup(".");
	self->parent = open(copy, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (self->parent < 0)
		complain("registry directory: %s: %s", copy, strerror(errno));
	free(copy);
	return self->parent < 0 ? -1 : 0;
}

static struct reg_dir *add_dir(struct directory_registry *self, char *path)
{
	struct reg_dir *dir = xcalloc(1, sizeof(*dir));

	dir->path = path;
	dir->next = self->dirs;
	self->dirs = dir;
	return dir;
}

static void release(struct directory_registry *self)
{
	for (struct reg_dir *dir = self->dirs, *next; dir; dir = next) {
		next = dir->next;
		free(dir->path);
		free(dir);
	}
	if (self->folder >= 0)
		close(self->folder);
	if (self->parent >= 0)
		close(self->parent);
	free(self->shown);
	free(self->name);
	free(self);
}

static struct registry *directory_open(const struct reg_config *config, int *status)
{
	struct directory_registry *self = xcalloc(1, sizeof(*self));

	(void)status;
	self->head.type = &registry_directory;
	self->folder = self->parent = -1;
	if (choose_folder(self, config->path)) {
		release(self);
		return NULL;
	}
	if (!config->path)
		scratch_remove_leftovers(self->parent, true);
	scratch_begin();
	if (mkdirat(self->parent, self->name, 0700)) {
		complain("registry directory: %s: %s", self->shown,
			 errno == EEXIST ? "exists already; the tree is made anew and removed at the "
					   "end" : strerror(errno));
		scratch_end();
		release(self);
		return NULL;
	}
	self->folder = openat(self->parent, self->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (self->folder < 0) {
		failed(self, "");
		unlinkat(self->parent, self->name, AT_REMOVEDIR);
		scratch_end();
		release(self);
		return NULL;
	}
	self->top = add_dir(self, xstrdup(""));
	return &self->head;
}

static struct reg_dir *directory_top(struct registry *reg)
{
	return self_of(reg)->top;
}

static char *path_in(const struct reg_dir *in, const char *name)
{
	return *in->path ? xasprintf("%s/%s", in->path, name) : xstrdup(name);
}

static struct reg_dir *directory_make_dir(struct registry *reg, struct reg_dir *in,
					  const char *name)
{
	struct directory_registry *self = self_of(reg);
	char *path = path_in(in, name);

	if (scratch_interrupted() || (mkdirat(self->folder, path, 0755) && failed(self, path))) {
		free(path);
		return NULL;
	}
	return add_dir(self, path);
}

static int directory_make_file(struct registry *reg, struct reg_dir *in, const char *name)
{
	struct directory_registry *self = self_of(reg);
	char *path = path_in(in, name);
	int fd = openat(self->folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	int rc = 0;

	if (fd < 0)
		rc = failed(self, path);
	else
		close(fd);
	free(path);
	return rc;
}

/* The text of a link in @in to @to: relative, as sysfs has it. */
static char *link_text(const struct reg_dir *in, const struct reg_dir *to)
{
	size_t length = strlen(in->path), up = *in->path != 0, at = 0;
	char *text;

	if (!length)
		return xstrdup(to->path);
	if (!strncmp(to->path, in->path, length) && to->path[length] == '/')
		return xstrdup(to->path + length + 1);
	for (const char *p = in->path; (p = strchr(p, '/')); p++)
		up++;
	text = xmalloc(3 * up + strlen(to->path) + 1);
	for (; up; up--, at += 3)
		memcpy(text + at, "../", 3);
	strcpy(text + at, to->path);
	return text;
}

static int directory_make_link(struct registry *reg, struct reg_dir *in, const char *name,
			       struct reg_dir *to)
{
	struct directory_registry *self = self_of(reg);
	char *path = path_in(in, name), *text = link_text(in, to);
	int rc = 0;

	if (scratch_interrupted())
		rc = -1;
	else if (symlinkat(text, self->folder, path))
		rc = failed(self, path);
	free(text);
	free(path);
	return rc;
}

static int directory_remove(struct registry *reg, struct reg_dir *in, const char *name)
{
	struct directory_registry *self = self_of(reg);
	char *path = path_in(in, name);
	int rc = 1;

	if (unlinkat(self->folder, path, 0)) {
		if (errno == ENOENT)
			rc = 0;
		else if (errno == EISDIR || errno == EPERM)
			rc = scratch_remove(self->folder, path, true) ? failed(self, path) : 1;
		else
			rc = failed(self, path);
	}
	free(path);
	return rc;
}

static int directory_list(struct registry *reg, struct reg_dir *in, reg_list_fn *fn, void *arg)
{
	struct directory_registry *self = self_of(reg);
	const char *path = *in->path ? in->path : ".";
	int rc;

	return scratch_list(self->folder, path, fn, arg, &rc) ? failed(self, path) : rc;
}

static int directory_close(struct registry *reg)
{
	struct directory_registry *self = self_of(reg);
	int rc = scratch_finish(self->parent, self->name, true);

	if (rc > 0)
		failed(self, "");
	release(self);
	return rc ? -1 : 0;
}

const struct registry_type registry_directory = {
	.name = "directory",
	.description = "real directories, files and links on a tmpfs or under --path, timed",
	.timed = true,
	.files_links = true,
	.open = directory_open,
	.root = directory_top,
	.make_dir = directory_make_dir,
	.make_file = directory_make_file,
	.make_link = directory_make_link,
	.remove = directory_remove,
	.list = directory_list,
	.close = directory_close,
};
