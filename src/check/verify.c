/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "verify.h"

#define DENSE_FULL 520 /* up to here every size and every position */
#define DENSE_FAST 72
#define EDGE       128 /* bytes of faults that lie around a buffer, against looking beyond it */
#define ALIGNS     64

/* Of a larger buffer: faults on both sides of each multiple of 64, or of an eighth, and on the last bytes. */
#define SEAMS_UP_TO 8193
#define LAST	    9

/* Faults of one buffer: at most every position of the dense sizes. */
#define MAX_POSITIONS DENSE_FULL

/* FAST takes the first four: zero, the poison of free objects, the red zone of inactive ones, erased flash. */
static const uint8_t default_values[] = { 0x00, 0x6b, 0xbb, 0xff, 0xcc, 0x80, 0x7f, 0x01 };
#define FAST_VALUES 4

/* Around the block sizes of loops.  The largest lies beyond every cache, where a method may change again. */
static const size_t full_sizes[] = { 575,  576,   577,   639,   641,     1023,    1024,    1025,
				     2047, 2048,  2049,  4095,  4096,    4097,    8191,    8193,
				     65535, 65536, 65537, 1048579, 25165829 };
static const size_t fast_sizes[] = { 95,  96,  127, 128, 129, 191, 192, 193, 255,  256,  257,  319, 321,
				     383, 385, 511, 512, 513, 520, 577, 639, 1023, 1024, 1025, 4097, 8193 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Memory between two pages that nobody may touch, seen twice: the variant may only read it. */
struct area {
	uint8_t *map;
	size_t map_size;
	uint8_t *begin, *end; /* as we write it */
	ptrdiff_t to_read;    /* from there to the same byte as the variant sees it */
};

struct trial {
	const struct check_variant *v;
	check_fn *fn;
	enum verify_depth depth;
	struct area area;
	struct verify_failure unexpected, announced; /* the smallest of each kind so far */
	bool has_unexpected, has_announced;
	size_t positions[MAX_POSITIONS];
	size_t n_positions;
};

/* ---- a crash counts as an answer -------------------------------------------------------------- */

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };

struct handlers {
	struct sigaction old[COUNT(crash_signals)];
};

/* Where a crash of this thread lands; NULL outside of a call to the variant. */
static __thread sigjmp_buf *landing;
static __thread const uint8_t *volatile crashed_at;

static void on_crash(int signal_number, siginfo_t *info, void *context)
{
	(void)context;
	crashed_at = info->si_addr;
	if (landing)
		siglongjmp(*landing, signal_number);
	/* Somebody else's crash: let it happen again, without us. */
	signal(signal_number, SIG_DFL);
}

static void handlers_install(struct handlers *handlers)
{
	/* SA_NODEFER: leaving by siglongjmp() would otherwise keep the signal blocked. */
	struct sigaction action = { .sa_sigaction = on_crash, .sa_flags = SA_NODEFER | SA_SIGINFO };
	size_t i;

	sigemptyset(&action.sa_mask);
	for (i = 0; i < COUNT(crash_signals); i++)
		sigaction(crash_signals[i], &action, &handlers->old[i]);
}

static void handlers_restore(const struct handlers *handlers)
{
	size_t i;

	for (i = 0; i < COUNT(crash_signals); i++)
		sigaction(crash_signals[i], &handlers->old[i], NULL);
}

/* The answer of @fn, or 0 with the number of the signal in *@signal_number. */
static size_t guarded_call(check_fn *fn, const uint8_t *buf, uint8_t value, size_t n,
			   int *signal_number)
{
	sigjmp_buf *outer = landing;
	sigjmp_buf here;
	size_t got;

	*signal_number = sigsetjmp(here, 0);
	if (*signal_number) {
		landing = outer;
		return 0;
	}
	landing = &here;
	got = fn(buf, value, n);
	landing = outer;
	return got;
}

/* ---- one buffer ------------------------------------------------------------------------------- */

static bool smaller(const struct verify_failure *a, const struct verify_failure *b)
{
	if (a->n != b->n)
		return a->n < b->n;
	if (a->value != b->value)
		return a->value < b->value;
	if (a->position != b->position)
		return a->position < b->position;
	return a->align < b->align;
}

static void record(struct trial *t, const struct verify_failure *failure)
{
	struct verify_failure *slot = failure->known ? &t->announced : &t->unexpected;
	bool *taken = failure->known ? &t->has_announced : &t->has_unexpected;

	if (!*taken || smaller(failure, slot))
		*slot = *failure;
	*taken = true;
}

/* What faults there, in spite of that, was a write. */
static bool is_readable(const struct area *area, const uint8_t *at)
{
	return at >= area->begin + area->to_read && at < area->end + area->to_read;
}

/* The variant is asked about @buf, whose first fault is at @position (@n: none). */
static void ask(struct trial *t, const uint8_t *buf, uint8_t value, size_t n, size_t position)
{
	struct verify_failure failure = {
		.n = n,
		.value = value,
		.align = (unsigned int)((uintptr_t)buf % ALIGNS),
		.position = position,
	};
	bool right;

	failure.got = guarded_call(t->fn, buf + t->area.to_read, value, n, &failure.signal);
	failure.wrote = failure.signal == SIGSEGV && is_readable(&t->area, crashed_at);
	if (t->v->kind == CHECK_BASELINE)
		right = true;
	else if (t->v->kind == CHECK_YES_NO && position < n)
		right = failure.got < n;
	else
		right = failure.got == position;
	if (right && !failure.signal)
		return;
	failure.known = t->v->known_wrong && t->v->known_wrong(value, n);
	record(t, &failure);
}

/* Which positions get a fault: all of a small buffer, else both sides of the seams of loops and the end. */
static void plan_positions(struct trial *t, size_t n)
{
	const size_t dense = t->depth == VERIFY_FULL ? DENSE_FULL : DENSE_FAST;
	const size_t seam = n <= SEAMS_UP_TO ? 64 : n / 8;
	size_t position = 0;

	t->n_positions = 0;
	if (n > dense) {
		t->positions[t->n_positions++] = 0;
		for (position = seam; position < n - LAST; position += seam) {
			t->positions[t->n_positions++] = position - 1;
			t->positions[t->n_positions++] = position;
		}
		position = n - LAST;
	}
	for (; position < n; position++)
		t->positions[t->n_positions++] = position;
}

/* Fill the buffer, and all around it with what would be a fault. */
static void lay_out(const struct trial *t, uint8_t *buf, uint8_t value, size_t n)
{
	uint8_t *end = buf + n;
	size_t before = (size_t)(buf - t->area.begin), after = (size_t)(t->area.end - end);

	if (before > EDGE)
		before = EDGE;
	if (after > EDGE)
		after = EDGE;
	memset(buf - before, (uint8_t)~value, before);
	memset(buf, value, n);
	memset(end, (uint8_t)~value, after);
}

/*
 * A buffer without a fault; with a single one, of one flipped bit, at each position; and, when
 * @with_runs, with faults from each position to the end.  Those are ones: the last block all ones made
 * ISA-L 2.31's loop run past the end (https://github.com/intel/isa-l/issues/413).
 */
static void try_buffer(struct trial *t, uint8_t *buf, uint8_t value, size_t n, bool with_runs)
{
	uint8_t ones = value == 0xff ? 0x00 : 0xff;
	size_t i, position, faulty = n;

	lay_out(t, buf, value, n);
	ask(t, buf, value, n, n);
	if (t->v->kind == CHECK_BASELINE)
		return;
	for (i = 0; i < t->n_positions; i++) {
		position = t->positions[i];
		buf[position] = value ^ (uint8_t)(1u << (position + n) % 8);
		ask(t, buf, value, n, position);
		buf[position] = value;
	}
	for (i = with_runs ? t->n_positions : 0; i > 0; i--) {
		position = t->positions[i - 1];
		memset(buf + position, ones, faulty - position);
		faulty = position;
		ask(t, buf, value, n, position);
	}
}

/* ---- the cases -------------------------------------------------------------------------------- */

/* Buffers of @n bytes: up against both guard pages, and at alignments in between. */
static void try_size(struct trial *t, size_t n, const uint8_t *values, size_t n_values)
{
	uint8_t *middle = t->area.begin + 2 * EDGE;
	size_t i, align, stride;
	bool full = t->depth == VERIFY_FULL;
	bool dense = full && n <= DENSE_FULL;

	plan_positions(t, n);
	for (i = 0; i < n_values; i++) {
		/* The huge ones cost milliseconds each: one value tells what they can tell. */
		if (n > 1 << 20 && i)
			break;
		try_buffer(t, t->area.end - n, values[i], n, true);
		if (full || !i)
			try_buffer(t, t->area.begin, values[i], n, full);
		/*
		 * Each alignment of each size is tried once; the values take turns, so that each
		 * meets each alignment within n_values sizes.
		 */
		stride = dense ? n_values : ALIGNS;
		for (align = (i * 37 + n * 5) % stride; align < ALIGNS; align += stride)
			try_buffer(t, middle + align, values[i], n, dense && align % 8 == n % 8);
	}
}

static void try_all(struct trial *t, const uint8_t *values, size_t n_values)
{
	const bool full = t->depth == VERIFY_FULL;
	const size_t *sizes = full ? full_sizes : fast_sizes;
	size_t i, n, n_sizes = full ? COUNT(full_sizes) : COUNT(fast_sizes);

	for (n = 0; n <= (full ? DENSE_FULL : DENSE_FAST) && !t->has_unexpected; n++)
		try_size(t, n, values, n_values);
	for (i = 0; i < n_sizes && !t->has_unexpected; i++)
		try_size(t, sizes[i], values, n_values);
}

/* Two mappings of @room bytes of the one file, the second with a page of nothing on both sides. */
static int area_map(struct area *area, int fd, size_t room, size_t page)
{
	uint8_t *guarded;

	area->map_size = 2 * room + 2 * page;
	area->map = mmap(NULL, area->map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area->map == MAP_FAILED)
		return -1;
	guarded = area->map + room + page;
	area->begin = area->map;
	area->end = area->begin + room;
	area->to_read = guarded - area->begin;
	if (mmap(area->begin, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
		    MAP_FAILED &&
	    mmap(guarded, room, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED)
		return 0;
	munmap(area->map, area->map_size);
	return -1;
}

static int area_open(struct area *area, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (bytes + 4 * EDGE + page - 1) / page * page;
	int fd = memfd_create("slubbench", MFD_CLOEXEC), ret = -1;

	if (fd < 0)
		return -1;
	if (ftruncate(fd, (off_t)room) == 0)
		ret = area_map(area, fd, room, page);
	close(fd);
	return ret;
}

static int trial_result(const struct trial *t, struct verify_failure *first)
{
	if (t->has_unexpected)
		*first = t->unexpected;
	else if (t->has_announced)
		*first = t->announced;
	return t->has_unexpected || t->has_announced;
}

int check_verify(const struct check_variant *v, check_fn *fn, enum verify_depth depth,
		 const uint8_t *values, size_t n_values, struct verify_failure *first)
{
	struct trial t = { .v = v, .fn = fn, .depth = depth };
	const bool full = depth == VERIFY_FULL;
	uint8_t applicable[256];
	struct handlers handlers;
	size_t n_applicable = 0, i;

	if (!n_values) {
		values = default_values;
		n_values = full ? COUNT(default_values) : FAST_VALUES;
	}
	for (i = 0; i < n_values && n_applicable < COUNT(applicable); i++) {
		if (!v->applies || v->applies(values[i]))
			applicable[n_applicable++] = values[i];
	}
	if (area_open(&t.area, full ? full_sizes[COUNT(full_sizes) - 1] :
				      fast_sizes[COUNT(fast_sizes) - 1]))
		return -1;
	handlers_install(&handlers);
	try_all(&t, applicable, n_applicable);
	handlers_restore(&handlers);
	munmap(t.area.map, t.area.map_size);
	return trial_result(&t, first);
}

int check_verify_one(const struct check_variant *v, check_fn *fn, size_t n, uint8_t value,
		     struct verify_failure *first)
{
	struct trial t = { .v = v, .fn = fn, .depth = VERIFY_FULL };
	struct handlers handlers;

	if (n > DENSE_FULL || area_open(&t.area, DENSE_FULL))
		return -1;
	handlers_install(&handlers);
	try_size(&t, n, &value, 1);
	handlers_restore(&handlers);
	munmap(t.area.map, t.area.map_size);
	return trial_result(&t, first);
}

void verify_describe(const struct verify_failure *failure, char *text, size_t size)
{
	const char *what = failure->wrote ? "writes into the buffer" :
			   failure->signal == SIGSEGV || failure->signal == SIGBUS ?
					    "reads outside the buffer" :
					    "crashes";
	char fault[48] = "no fault";

	if (failure->position < failure->n)
		snprintf(fault, sizeof(fault), "a fault at %zu", failure->position);
	if (failure->signal)
		snprintf(text, size, "%s (%s): n=%zu value=0x%02x align=%u, %s", what,
			 strsignal(failure->signal), failure->n, failure->value, failure->align,
			 fault);
	else
		snprintf(text, size, "n=%zu value=0x%02x align=%u, %s: answered %zu", failure->n,
			 failure->value, failure->align, fault, failure->got);
}
