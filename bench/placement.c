/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/code.h"
#include "bench/placement.h"
#include "check/verify.h"

#define PAGE  4096u
#define LINE  64u
#define FETCH 16u /* what compilers align functions to when nothing else is asked */

/*
 * Position @i of @n: spread evenly over a page, and as many 16-byte steps into its cache line, so
 * that both the sets and the fetch windows change.  The first is where a line and a page start.
 */
static size_t position(unsigned int i, unsigned int n)
{
	return i * (PAGE / n) / LINE * LINE + i % (LINE / FETCH) * FETCH;
}

static bool copy_everywhere(struct placement *p, check_fn *fn, size_t bytes, unsigned int n)
{
	size_t stride = (bytes + 2 * PAGE - 1) / PAGE * PAGE; /* a page and more each, so none meet */
	const void *code = (const void *)(uintptr_t)fn;
	uint8_t *map;

	p->map_size = stride * n + PAGE;
	map = mmap(NULL, p->map_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return false;
	p->map = map;
	for (unsigned int i = 0; i < n; i++) {
		uint8_t *at = map + i * stride + position(i, n);

		memcpy(at, code, bytes);
		__builtin___clear_cache((char *)at, (char *)at + bytes);
		p->fn[i] = (check_fn *)(uintptr_t)at;
	}
	/* Never writable and executable at once: hardened systems kill for less. */
	return mprotect(map, p->map_size, PROT_READ | PROT_EXEC) == 0;
}

/* A copy that reaches for something beside it does not find it any more. */
static bool still_right(const struct check_variant *v, check_fn *fn)
{
	static const uint8_t some[] = { 0x6b };
	struct verify_failure failure;

	return v->kind == CHECK_BASELINE ||
	       check_verify(v, fn, VERIFY_FAST, some, 1, &failure) == 0;
}

void placement_make(struct placement *p, const struct check_variant *v, check_fn *fn,
		    unsigned int n)
{
	size_t bytes = n > 1 ? check_code_bytes(v) : 0;

	memset(p, 0, sizeof(*p));
	p->n = n;
	p->moved = bytes > 0 && copy_everywhere(p, fn, bytes, n) && still_right(v, p->fn[0]);
	if (p->moved)
		return;
	placement_free(p);
	for (unsigned int i = 0; i < n; i++)
		p->fn[i] = fn;
}

void placement_free(struct placement *p)
{
	if (p->map)
		munmap(p->map, p->map_size);
	p->map = NULL;
}
