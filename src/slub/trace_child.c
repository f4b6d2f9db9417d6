/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/complain.h"
#include "slub/trace_child.h"

#define LOOK_MS     100  /* how often to look whether it still lives, while it says nothing */
#define PATIENCE_MS 2000 /* for it to end once it has closed its output */
#define SILENCE_MS  30000 /* until its next byte: it prints while it reads, however much that is */

static int spawn(struct trace_child *child, const char *path, int to)
{
	const char *const argv[] = { "trace-cmd", "report", "-i", path, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int rc;

	/* A group of its own: what it starts can be told from all others, and ended with it. */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, child->said, STDERR_FILENO);
	/* exec() does not write to them, whatever its prototype says. */
	rc = posix_spawnp(&child->pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return rc;
}

int trace_child_start(struct trace_child *child, const char *path)
{
	int ends[2], rc;

	*child = (struct trace_child){ .said = memfd_create("trace-cmd", MFD_CLOEXEC),
				       .silence_ms = SILENCE_MS };
	if (child->said < 0 || pipe2(ends, O_CLOEXEC) != 0) {
		complain("%s: no pipe for trace-cmd: %s", path, strerror(errno));
		if (child->said >= 0)
			close(child->said);
		return -1;
	}
	rc = spawn(child, path, ends[1]);
	close(ends[1]);
	if (rc == 0)
		return ends[0];
	if (rc == ENOENT)
		complain("%s: is a trace.dat, and trace-cmd, which reads them, is not installed "
			 "(Debian: trace-cmd); or give what trace-cmd report prints elsewhere", path);
	else
		complain("%s: cannot start trace-cmd: %s", path, strerror(rc));
	close(ends[0]);
	close(child->said);
	child->pid = 0;
	return -1;
}

/* Has it exited?  It stays a zombie until wait_for(), so that its group's number is no other's. */
static bool exited(const struct trace_child *child)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid != 0;
}

ssize_t trace_child_read(struct trace_child *child, int fd, void *to, size_t n)
{
	struct pollfd pipe_end = { .fd = fd, .events = POLLIN };
	int waited_ms = 0, ready;
	bool gone = false;

	/* Once more after it is gone: what it wrote last is still to be read. */
	while (child->pid != 0 && (ready = poll(&pipe_end, 1, LOOK_MS)) <= 0) {
		if (ready < 0)
			return -1;
		waited_ms += LOOK_MS;
		child->silent = !gone && waited_ms >= child->silence_ms;
		if (gone || child->silent) {
			kill(-child->pid, SIGKILL);
			return 0;
		}
		gone = exited(child);
	}
	return read(fd, to, n);
}

static int wait_for(struct trace_child *child)
{
	int status = 0;

	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
	return status;
}

/* exited(), with a little patience. */
static bool soon_exited(const struct trace_child *child)
{
	for (int waited = 0; !exited(child); waited += LOOK_MS / 10) {
		if (waited >= PATIENCE_MS)
			return false;
		poll(NULL, 0, LOOK_MS / 10);
	}
	return true;
}

int trace_child_end(struct trace_child *child, const char *path)
{
	char text[200], *words;
	bool stuck;
	int status;
	ssize_t n;

	if (child->pid == 0)
		return 0;
	stuck = !soon_exited(child);
	if (stuck)
		kill(-child->pid, SIGKILL);
	status = wait_for(child);
	n = pread(child->said, text, sizeof(text) - 1, 0);
	close(child->said);
	text[n < 0 ? 0 : n] = '\0';
	words = text + strspn(text, " \t\n");
	words[strcspn(words, "\n")] = '\0';
	/* It also exits with 0 when it could make nothing of the file. */
	if (status == 0 && *words != '\0')
		note("%s: trace-cmd: %s", path, words);
	if (child->silent)
		complain("%s: trace-cmd said nothing for %d s and did not end: killed", path,
			 child->silence_ms / 1000);
	else if (stuck)
		complain("%s: trace-cmd closed its output and did not end: killed", path);
	else if (WIFSIGNALED(status))
		complain("%s: trace-cmd died of signal %d over it", path, WTERMSIG(status));
	else if (status != 0)
		complain("%s: trace-cmd cannot read it: %s", path,
			 *words != '\0' ? words : "it does not say why");
	return status == 0 ? 0 : -1;
}

void trace_child_drop(struct trace_child *child)
{
	if (child->pid == 0)
		return;
	kill(-child->pid, SIGKILL);
	wait_for(child);
	close(child->said);
}
