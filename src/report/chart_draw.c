/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gnuplot is started without a shell, in the folder of the scripts.  It reads the table and writes
 * the picture through files in memory, so that no name of the user's is ever part of a command.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/folder.h"
#include "base/xalloc.h"
#include "report/chart.h"

static bool has_scripts(const char *folder)
{
	char *style = xasprintf("%s/style.gp", folder);
	bool there = !access(style, R_OK);

	free(style);
	return there;
}

/* Beside the binary in a build or moved tree, else as installed; the environment comes first. */
static char *find_scripts(void)
{
	static const char *const beside[] = { "plots", "../plots", "../share/" PACKAGE "/plots", NULL };

	return find_folder("SLUBBENCH_PLOTS", beside, "style.gp", PKGDATADIR "/plots");
}

/* The three files in memory: what gnuplot reads, draws and says. */
struct files {
	int table, picture, said;
};

/* What is left of a chart when points that C lets through cancel out: a ratio to nothing. */
static bool is_about_data(const char *words)
{
	static const char *const about[] = { "range is invalid", "value undefined", "valid points",
					     "empty x range", "empty y range" };

	for (size_t i = 0; i < sizeof(about) / sizeof(*about); i++)
		if (strstr(words, about[i]))
			return true;
	return false;
}

/* Errors of gnuplot come as a source line, a caret and then the reason: the last line says most. */
static void tell_words(const struct files *files, const char *csv, const char *script, bool failed)
{
	char text[4096], *line, *last = NULL, *rest = text;
	ssize_t n = pread(files->said, text, sizeof(text) - 1, 0);

	text[n < 0 ? 0 : n] = '\0';
	while ((line = strsep(&rest, "\n"))) {
		line += strspn(line, " \t\r");
		/* One size in the file makes an axis of one value: gnuplot widens it, all is well. */
		if (*line && !strstr(line, ", adjusting to ["))
			last = line;
	}
	if (failed && last && is_about_data(last))
		complain("%s: nothing to draw in the chart '%s'", csv, script);
	else if (failed)
		complain("gnuplot cannot draw '%s': %s", script, last ? last : "it does not say why");
	else if (last)
		note("gnuplot: %s", last);
}

/*
 * The environment of gnuplot: ours without what would change a chart (GNUTERM, GNUPLOT_LIB,
 * FIT_LOG ...), and with a locale that is UTF-8 and always there.
 */
static char **make_environment(void)
{
	static const char *const dropped[] = { "GNU", "FIT_", "GDFONTPATH=", "LANG", "LC_" };
	static char locale[] = "LC_ALL=C.UTF-8";
	char **copy;
	size_t n = 0, kept = 0;

	while (environ[n])
		n++;
	copy = xcalloc(n + 2, sizeof(*copy));
	for (size_t i = 0; i < n; i++) {
		bool drop = false;

		for (size_t k = 0; k < sizeof(dropped) / sizeof(*dropped); k++)
			drop |= !strncmp(environ[i], dropped[k], strlen(dropped[k]));
		if (!drop)
			copy[kept++] = environ[i];
	}
	copy[kept] = locale;
	return copy;
}

static int spawn_gnuplot(const char *folder, const char *const *argv, const struct files *files,
			 pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	char **environment = make_environment();
	int rc;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, files->said, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, files->said, STDERR_FILENO);
	/* Onto itself: the child keeps it open across exec. */
	posix_spawn_file_actions_adddup2(&actions, files->table, files->table);
	posix_spawn_file_actions_adddup2(&actions, files->picture, files->picture);
	posix_spawn_file_actions_addchdir_np(&actions, folder);
	/* exec() does not write to them, whatever its prototype says. */
	rc = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, environment);
	free(environment);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

static int run_gnuplot(const struct chart_data *data, enum picture kind, const char *folder,
		       const struct files *files)
{
	const char *name = data->chart->name;
	char *table = xasprintf("/dev/fd/%d", files->table);
	char *picture = xasprintf("/dev/fd/%d", files->picture);
	char *series = xasprintf("%zu", data->n_series), *rows = xasprintf("%zu", data->n_rows);
	const char *argv[] = { "gnuplot", "-d", "-c", "style.gp", name, table, picture,
			       kind == PICTURE_SVG ? "svg" : "png", series, rows, data->subtitle,
			       NULL };
	int rc, status = 0;
	pid_t pid;

	rc = spawn_gnuplot(folder, argv, files, &pid);
	if (rc == ENOENT)
		complain("gnuplot is not installed; on Debian and Ubuntu: "
			 "apt-get install gnuplot-nox");
	else if (rc)
		complain("cannot start gnuplot: %s", strerror(rc));
	while (!rc && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!rc)
		tell_words(files, data->file, name, status != 0);
	free(table);
	free(picture);
	free(series);
	free(rows);
	return rc || status ? -1 : 0;
}

static int copy_picture(int picture, FILE *to, const char *name)
{
	char piece[4096];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(picture, piece, sizeof(piece), at)) > 0) {
		fwrite(piece, 1, (size_t)n, to); /* an error shows in the stream */
		at += n;
	}
	if (n < 0 || !at) {
		complain("gnuplot drew nothing for '%s'", name);
		return -1;
	}
	return 0;
}

int chart_draw(const struct chart_data *data, enum picture kind, FILE *to)
{
	struct files files = { fileno(data->table), memfd_create("picture", MFD_CLOEXEC),
			       memfd_create("said", MFD_CLOEXEC) };
	char *folder = find_scripts();
	int rc = -1;

	if (files.picture < 0 || files.said < 0)
		complain("no memory for a chart: %s", strerror(errno));
	else if (!has_scripts(folder))
		complain("no chart scripts in %s; SLUBBENCH_PLOTS can name another folder", folder);
	else if (!run_gnuplot(data, kind, folder, &files))
		rc = copy_picture(files.picture, to, data->chart->name);
	close(files.picture);
	close(files.said);
	free(folder);
	return rc;
}
