/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders that never stay behind. */
#include "sysfs/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/xalloc.h"

/* Field 22 of /proc/PID/stat, in clock ticks since boot; 0: no such process. */
static unsigned long long start_of(long pid)
{
	unsigned long long start = 0;
	char path[64], line[1024];
	const char *at;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	stat = fopen(path, "re");
	if (!stat)
		return 0;
	/* The name of the process, field 2, may hold blanks and brackets. */
	if (fgets(line, sizeof(line), stat) && (at = strrchr(line, ')'))) {
		for (int field = 2; at && field < 22; field++)
			at = strchr(at + 1, ' ');
		if (at)
			start = strtoull(at, NULL, 10);
	}
	fclose(stat);
	return start;
}

const char *scratch_name(char name[SCRATCH_NAME_MAX])
{
	static unsigned int count;
	int n = snprintf(name, SCRATCH_NAME_MAX, "slubbench.%ld.%llu", (long)getpid(),
			 start_of(getpid()));

	/* A second one of this process. */
	if (count++)
		snprintf(name + n, SCRATCH_NAME_MAX - (size_t)n, ".%u", count);
	return name;
}

bool scratch_is_leftover(const char *name)
{
	unsigned long long start, now;
	int end = 0;
	long pid;

	if (sscanf(name, "slubbench.%ld.%llu%n", &pid, &start, &end) != 2 || !end || pid <= 0 ||
	    (name[end] && name[end] != '.'))
		return false;
	now = start_of(pid);
	return now ? now != start : access("/proc/self/stat", F_OK) == 0;
}

/* The entries of a directory, read before any is removed: some file systems lose their place. */
static char **names_in(int fd, size_t *n)
{
	char **names = NULL;
	struct dirent *entry;
	DIR *dir = fdopendir(dup(fd));

	*n = 0;
	while (dir && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		names = xgrow(names, *n, sizeof(*names));
		names[(*n)++] = xstrdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	return names;
}

static int empty(int fd, bool files)
{
	int rc = 0;
	size_t n;
	char **names = names_in(fd, &n);

	for (size_t i = 0; i < n; i++) {
		struct stat st;

		if (!fstatat(fd, names[i], &st, AT_SYMLINK_NOFOLLOW)) {
			if (S_ISDIR(st.st_mode))
				rc |= scratch_remove(fd, names[i], files);
			else if (files)
				rc |= unlinkat(fd, names[i], 0);
		}
		free(names[i]);
	}
	free(names);
	return rc;
}

int scratch_remove(int dirfd, const char *name, bool files)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	rc = empty(fd, files);
	close(fd);
	return unlinkat(dirfd, name, AT_REMOVEDIR) || rc ? -1 : 0;
}

size_t scratch_remove_leftovers(int dirfd, bool files)
{
	size_t n, removed = 0;
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char **names;

	if (fd < 0)
		return 0;
	names = names_in(fd, &n);
	for (size_t i = 0; i < n; i++) {
		if (scratch_is_leftover(names[i]) && !scratch_remove(fd, names[i], files))
			removed++;
		free(names[i]);
	}
	free(names);
	close(fd);
	return removed;
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define N_SIGNALS (sizeof(signals) / sizeof(signals[0]))

static volatile sig_atomic_t interrupted;
static struct sigaction before[N_SIGNALS];
static unsigned int depth;

static void on_signal(int number)
{
	interrupted = number;
}

void scratch_begin(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	if (depth++)
		return;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < N_SIGNALS; i++) {
		sigaction(signals[i], &action, &before[i]);
		if (before[i].sa_handler == SIG_IGN) /* nohup(1) and such mean it */
			sigaction(signals[i], &before[i], NULL);
	}
}

void scratch_end(void)
{
	if (--depth)
		return;
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
}

int scratch_finish(int dirfd, const char *name, bool files)
{
	int rc = 0;

	if (scratch_remove(dirfd, name, files))
		rc = 1;
	else if (scratch_interrupted()) /* one may have come in the meantime */
		rc = -1;
	scratch_end(); /* sigaction() with known signals: it leaves errno alone */
	return rc;
}

bool scratch_interrupted(void)
{
	static bool told;

	if (!interrupted)
		return false;
	if (!told)
		complain("interrupted by %s: what was made is removed again",
			 strsignal((int)interrupted));
	told = true;
	return true;
}

static int tell_entry(int dirfd, const struct dirent *dirent, reg_list_fn *fn, void *arg)
{
	struct reg_entry entry = { .name = dirent->d_name, .kind = REG_FILE };
	char target[4096], *last;
	ssize_t n;

	if (!strcmp(entry.name, ".") || !strcmp(entry.name, ".."))
		return 0;
	if (dirent->d_type == DT_DIR)
		entry.kind = REG_DIRECTORY;
	n = dirent->d_type == DT_LNK ? readlinkat(dirfd, entry.name, target, sizeof(target) - 1) :
				       -1;
	if (n >= 0) {
		target[n] = '\0';
		last = strrchr(target, '/');
		entry.kind = REG_LINK;
		entry.target = last ? last + 1 : target;
	}
	return fn(&entry, arg);
}

int scratch_list(int dirfd, const char *path, reg_list_fn *fn, void *arg, int *rc)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir)
		return -1;
	*rc = 0;
	while (*rc == 0 && (entry = readdir(dir)))
		*rc = tell_entry(fd, entry, fn, arg);
	closedir(dir);
	return 0;
}
