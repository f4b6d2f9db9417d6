/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/complain.h"
#include "bench/jail.h"

struct verdict { /* written by the child through its pipe, when it comes to its end */
	int returned;
};

void *jail_share(size_t size)
{
	void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared != MAP_FAILED)
		return shared;
	complain("no memory to share with another process: %s", strerror(errno));
	return NULL;
}

void jail_unshare(void *shared, size_t size)
{
	if (shared)
		munmap(shared, size);
}

_Noreturn static void inmate(int (*fn)(void *arg), void *arg, int to_parent)
{
	const struct rlimit no_core = { 0, 0 };
	struct verdict verdict;
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* whoever kills us means the child as well */
	setrlimit(RLIMIT_CORE, &no_core);
	if (nowhere >= 0)
		dup2(nowhere, STDOUT_FILENO);
	verdict.returned = fn(arg);
	/* Never exit(): what the parent has buffered and registered is the parent's. */
	if (write(to_parent, &verdict, sizeof(verdict)) != (ssize_t)sizeof(verdict))
		_exit(1);
	_exit(0);
}

/* False when the child stayed silent for too long.  The pipe ends when the child does. */
static bool await(int from_child, const volatile uint64_t *beat, double patience_s)
{
	struct pollfd end = { .fd = from_child, .events = POLLIN };
	uint64_t last = *beat;

	for (;;) {
		int ready = poll(&end, 1, (int)(patience_s * 1000));
		uint64_t now = *beat;

		if (ready > 0)
			return true;
		if (ready == 0 && now == last)
			return false;
		last = now;
	}
}

static enum jail_end ending(pid_t pid, int from_child, int *status)
{
	struct verdict verdict;
	bool spoke = read(from_child, &verdict, sizeof(verdict)) == (ssize_t)sizeof(verdict);
	int how = 0;

	while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(how)) {
		*status = WTERMSIG(how);
		return JAIL_SIGNAL;
	}
	if (spoke) {
		*status = verdict.returned;
		return JAIL_DONE;
	}
	*status = WEXITSTATUS(how);
	return JAIL_EXIT;
}

enum jail_end jail_run(int (*fn)(void *arg), void *arg, const volatile uint64_t *beat,
		       double patience_s, int *status)
{
	enum jail_end end;
	int fds[2];
	pid_t pid;

	fflush(NULL);
	if (pipe2(fds, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
		complain("cannot start another process: %s", strerror(errno));
		return JAIL_FAILED;
	}
	if (pid == 0) {
		close(fds[0]);
		inmate(fn, arg, fds[1]);
	}
	close(fds[1]);
	if (await(fds[0], beat, patience_s)) {
		end = ending(pid, fds[0], status);
	} else {
		kill(pid, SIGKILL);
		ending(pid, fds[0], status);
		end = JAIL_STUCK;
	}
	close(fds[0]);
	return end;
}

const char *jail_words(enum jail_end end, int status, double patience_s)
{
	static char words[96];

	if (end == JAIL_SIGNAL)
		snprintf(words, sizeof(words), "died of signal %d, %s", status, strsignal(status));
	else if (end == JAIL_EXIT)
		snprintf(words, sizeof(words), "ended the process with status %d", status);
	else if (end == JAIL_STUCK)
		snprintf(words, sizeof(words), "did not come back within %.0f s", patience_s);
	else
		snprintf(words, sizeof(words), "could not be run");
	return words;
}
