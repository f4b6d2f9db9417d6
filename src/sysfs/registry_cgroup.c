/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registry back end `cgroup`: the running kernel's own kernfs.  Making a cgroup makes a directory
 * there with the files of its controllers, and the state of the cgroup besides; sysfs itself
 * cannot be written to from user space.
 */
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "sysfs/backends.h"
#include "sysfs/scratch.h"

struct reg_dir {
	struct reg_dir *next;
	char *path; /* from our cgroup on */
};

struct cgroup_registry {
	struct registry head;
	char *where;        /* the directory that ours is in */
	char name[SCRATCH_NAME_MAX];
	int parent, group;  /* open directories */
	struct reg_dir *dirs, *top;
};

static struct cgroup_registry *self_of(struct registry *reg)
{
	return (struct cgroup_registry *)reg;
}

/* The mount to use: version 2 where there is one, else the first of version 1. */
static char *find_mount(bool *v2)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;
	char *found = NULL;

	*v2 = false;
	while (mounts && !*v2 && (mount = getmntent(mounts))) {
		*v2 = !strcmp(mount->mnt_type, "cgroup2");
		if (*v2 || (!found && !strcmp(mount->mnt_type, "cgroup"))) {
			free(found);
			found = xstrdup(mount->mnt_dir);
		}
	}
	if (mounts)
		endmntent(mounts);
	return found;
}

/* Our own cgroup of version 2, below @mount; NULL where a namespace hides it. */
static char *own_cgroup(const char *mount)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	char line[4096], *path = NULL;

	while (file && !path && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "0::/", 4))
			path = xasprintf("%s%s", mount, line + 3);
	}
	if (file)
		fclose(file);
	if (path && access(path, W_OK)) {
		free(path);
		path = NULL;
	}
	return path;
}

static int failed(const struct cgroup_registry *self, const char *path)
{
	complain("registry cgroup: %s/%s%s%s: %s", self->where, self->name, *path ? "/" : "", path,
		 strerror(errno));
	return -1;
}

static int find_place(struct cgroup_registry *self)
{
	bool v2;
	char *mount = find_mount(&v2);

	if (!mount) {
		complain("registry cgroup: not supported here: no cgroup file system is mounted");
		return -1;
	}
	self->where = v2 ? own_cgroup(mount) : NULL;
	if (self->where)
		free(mount);
	else
		self->where = mount;
	self->parent = open(self->where, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (self->parent >= 0)
		return 0;
	complain("registry cgroup: not supported here: %s: %s", self->where, strerror(errno));
	return -1;
}

static struct reg_dir *add_dir(struct cgroup_registry *self, char *path)
{
	struct reg_dir *dir = xcalloc(1, sizeof(*dir));

	dir->path = path;
	dir->next = self->dirs;
	self->dirs = dir;
	return dir;
}

static void release(struct cgroup_registry *self)
{
	for (struct reg_dir *dir = self->dirs, *next; dir; dir = next) {
		next = dir->next;
		free(dir->path);
		free(dir);
	}
	if (self->group >= 0)
		close(self->group);
	if (self->parent >= 0)
		close(self->parent);
	free(self->where);
	free(self);
}

static int make_own(struct cgroup_registry *self)
{
	size_t leftovers = scratch_remove_leftovers(self->parent, false);

	if (leftovers)
		note("registry cgroup: removed %zu cgroup%s that a killed run left behind", leftovers,
		     plural(leftovers));
	scratch_name(self->name);
	if (mkdirat(self->parent, self->name, 0755)) {
		complain("registry cgroup: %s here: %s/%s: %s",
			 errno == EACCES || errno == EPERM || errno == EROFS ? "not permitted" :
									       "not possible",
			 self->where, self->name, strerror(errno));
		return -1;
	}
	self->group = openat(self->parent, self->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (self->group >= 0)
		return 0;
	failed(self, "");
	unlinkat(self->parent, self->name, AT_REMOVEDIR);
	return -1;
}

static struct registry *cgroup_open(const struct reg_config *config, int *status)
{
	struct cgroup_registry *self = xcalloc(1, sizeof(*self));

	(void)config;
	self->head.type = &registry_cgroup;
	self->group = self->parent = -1;
	scratch_begin();
	if (scratch_interrupted() || find_place(self) || make_own(self)) {
		if (!scratch_interrupted())
			*status = STATUS_UNSUPPORTED;
		scratch_end();
		release(self);
		return NULL;
	}
	self->top = add_dir(self, xstrdup("."));
	return &self->head;
}

static struct reg_dir *cgroup_top(struct registry *reg)
{
	return self_of(reg)->top;
}

static struct reg_dir *cgroup_make_dir(struct registry *reg, struct reg_dir *in, const char *name)
{
	struct cgroup_registry *self = self_of(reg);
	char *path = xasprintf("%s/%s", in->path, name);

	if (scratch_interrupted() || (mkdirat(self->group, path, 0755) && failed(self, path))) {
		free(path);
		return NULL;
	}
	return add_dir(self, path);
}

/* The files of a cgroup are the kernel's, and there are no links. */
static int cgroup_make_file(struct registry *reg, struct reg_dir *in, const char *name)
{
	(void)in;
	errno = EPERM;
	return failed(self_of(reg), name);
}

static int cgroup_make_link(struct registry *reg, struct reg_dir *in, const char *name,
			    struct reg_dir *to)
{
	(void)to;
	return cgroup_make_file(reg, in, name);
}

static int cgroup_remove(struct registry *reg, struct reg_dir *in, const char *name)
{
	struct cgroup_registry *self = self_of(reg);
	char *path = xasprintf("%s/%s", in->path, name);
	int rc = 1;

	if (unlinkat(self->group, path, AT_REMOVEDIR))
		rc = errno == ENOENT ? 0 : failed(self, path);
	free(path);
	return rc;
}

static int cgroup_list(struct registry *reg, struct reg_dir *in, reg_list_fn *fn, void *arg)
{
	struct cgroup_registry *self = self_of(reg);
	int rc;

	return scratch_list(self->group, in->path, fn, arg, &rc) ? failed(self, in->path) : rc;
}

static int cgroup_close(struct registry *reg)
{
	struct cgroup_registry *self = self_of(reg);
	int rc = scratch_finish(self->parent, self->name, false);

	if (rc > 0)
		failed(self, "");
	release(self);
	return rc ? -1 : 0;
}

const struct registry_type registry_cgroup = {
	.name = "cgroup",
	.description = "the running kernel's kernfs, by making cgroups, timed; needs the right to",
	.timed = true,
	.files_links = false,
	.open = cgroup_open,
	.root = cgroup_top,
	.make_dir = cgroup_make_dir,
	.make_file = cgroup_make_file,
	.make_link = cgroup_make_link,
	.remove = cgroup_remove,
	.list = cgroup_list,
	.close = cgroup_close,
};
