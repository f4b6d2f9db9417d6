/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/complain.h"
#include "base/machine.h"
#include "bench/checks.h"
#include "bench/evict.h"
#include "bench/gbench.h"

int check_buffer_open(struct check_buffer *b, size_t most, const char *what)
{
	b->map = NULL;
	/* The rest of memory is for everybody else: to be killed is a poor answer. */
	if (most > machine_memory() / 8 * 7) {
		complain("%s: %zu bytes do not fit into this machine's %llu bytes of memory", what,
			 most, (unsigned long long)machine_memory());
		return -1;
	}
	b->size = most + CHECK_LINE_BYTES;
	b->map = mmap(NULL, b->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (b->map == MAP_FAILED) {
		b->map = NULL;
		complain("%s: no memory for %zu bytes: %s", what, most, strerror(errno));
		return -1;
	}
	return 0;
}

void check_buffer_close(struct check_buffer *b)
{
	if (b->map)
		munmap(b->map, b->size);
	b->map = NULL;
}

const uint8_t *check_buffer_fill(struct check_buffer *b, const struct check_case *c,
				 const uint8_t *bytes)
{
	uint8_t *at = b->map + c->align;

	if (bytes) {
		memcpy(at, bytes, c->size);
		return at;
	}
	/* One byte more than is checked: so every page is there even when that is none. */
	memset(at, c->value, c->size);
	at[c->size] = (uint8_t)~c->value;
	if (c->fault != CHECK_CLEAN)
		at[c->fault] = (uint8_t)~c->value;
	return at;
}

static void run_throughput(void *arg, int64_t n)
{
	const struct check_work *w = arg;
	check_fn *fn = w->fn;
	const uint8_t *at = w->at;
	size_t size = w->size;
	uint8_t value = w->value;

	for (int64_t i = 0; i < n; i++)
		gb_use(fn(at, value, size));
}

static void run_latency(void *arg, int64_t n)
{
	const struct check_work *w = arg;
	check_fn *fn = w->fn;
	const uint8_t *at = w->at;
	size_t size = w->size;
	uint8_t value = w->value;
	size_t nothing = 0, answer = 0;

	/* Any answer and 0 is 0, but neither compiler nor CPU can know before it is there. */
	__asm__ volatile("" : "+r"(nothing));
	for (int64_t i = 0; i < n; i++)
		answer = fn(at + (answer & nothing), value, size);
	gb_use(answer);
}

static void run_kernel(void *arg, int64_t n)
{
	const struct check_work *w = arg;
	check_fn *fn = w->fn;
	const uint8_t *at = w->at;
	size_t size = w->size;
	uint8_t value = w->value;

	xstate_dirty(w->xstate); /* and each restore makes it so again */
	for (int64_t i = 0; i < n; i++) {
		xstate_save(w->xstate);
		gb_use(fn(at, value, size));
		xstate_restore(w->xstate);
	}
}

static void make_cold(void *arg)
{
	const struct check_work *w = arg;

	evict(w->at, w->size);
}

struct measure_work check_work(struct check_work *w, const char *name, const struct check_case *c)
{
	return (struct measure_work){
		.name = name,
		.run = w->xstate		  ? run_kernel :
		       c->mode == CHECK_LATENCY ? run_latency :
						    run_throughput,
		.prepare = c->cold ? make_cold : NULL,
		.arg = w,
	};
}
