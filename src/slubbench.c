/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slubbench: the commands by name, and nothing else. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/output.h"
#include "cmd/cmd.h"

static const struct cmd *const cmds[] = {
	&cmd_check_bytes,
	&cmd_initcalls,
	&cmd_objects,
	&cmd_plot,
	&cmd_sysfs,
	NULL,
};

static void usage(void)
{
	printf("Usage: slubbench COMMAND [OPTIONS]\n\nCommands:\n");
	for (const struct cmd *const *cmd = cmds; *cmd; cmd++)
		printf("  %-14s%s\n", (*cmd)->name, (*cmd)->summary);
	printf("\nslubbench COMMAND --help tells its options.\n");
}

static int unknown(const char *name)
{
	static const char *const options[] = { "--help", "--version", NULL };
	const char *names[sizeof(cmds) / sizeof(*cmds)] = { NULL };
	bool option = name[0] == '-';

	for (size_t i = 0; cmds[i]; i++)
		names[i] = cmds[i]->name;
	complain("unknown %s '%s'%s", option ? "option" : "command", name,
		 did_you_mean(name, option ? options : names, "see slubbench --help"));
	return STATUS_INPUT;
}

static int run(int argc, char **argv)
{
	bool help, version;

	if (argc < 2) {
		complain("a command is missing; see slubbench --help");
		return STATUS_INPUT;
	}
	help = !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help");
	version = !strcmp(argv[1], "--version") || !strcmp(argv[1], "-V");
	if ((help || version) && argc > 2) {
		complain("%s takes no operand: '%s'; see slubbench --help", argv[1], argv[2]);
		return STATUS_INPUT;
	}
	if (help)
		usage();
	if (version)
		printf("slubbench %s\n", PACKAGE_VERSION);
	if (help || version)
		return STATUS_OK;
	for (const struct cmd *const *cmd = cmds; *cmd; cmd++) {
		if (!strcmp((*cmd)->name, argv[1]))
			return (*cmd)->run(*cmd, argc - 1, argv + 1);
	}
	return unknown(argv[1]);
}

/*
 * A closed 0, 1 or 2 must not become the first file that we open, and must not look like one: what is
 * there cannot be read as stdin or written as the others.
 */
static void hold_closed(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	}
}

int main(int argc, char **argv)
{
	int status;

	hold_closed();
	signal(SIGPIPE, SIG_IGN);     /* a closed pipe is a write error with a line and a status */
	signal(SIGXFSZ, SIG_IGN);     /* and so is a file size limit */
	status = run(argc, argv);
	if (output_stdout_ok() && status == STATUS_OK)
		status = STATUS_INPUT;
	return status;
}
