/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "slub/object.h"
#include "slub/report.h"

#define DIRECT_MAP  0xffff888000000000u /* where an x86-64 kernel maps all memory */
#define VMEMMAP     0xffffea0000000000u /* and the struct slab of each page */
#define STRUCT_PAGE 64u
#define DUMP_MAX    4096u               /* PAGE_SIZE: no more of an object is dumped */

uint64_t slub_report_address(const struct slub_slab *slab, const uint8_t *byte)
{
	if (byte == NULL)
		return 0;
	return DIRECT_MAP + slab->page * 4096 + (uint64_t)(byte - slab->base);
}

/* slab_bug(), print_tainted() */
__attribute__((format(printf, 2, 0))) static void bug(struct slub_slab *slab, const char *fmt,
						     va_list args)
{
	struct slub_heap *heap = slab->cache->heap;

	heap->reports++;
	if (heap->log == NULL)
		return;
	fputs("============================================================================="
	      "\n", heap->log);
	fprintf(heap->log, "BUG %s (%s): ", slab->cache->name,
		heap->tainted ? "Tainted: G    B             " : "Not tainted");
	vfprintf(heap->log, fmt, args);
	fputs("\n-----------------------------------------------------------------------------"
	      "\n\n", heap->log);
}

__attribute__((format(printf, 2, 3))) static void bug_line(struct slub_slab *slab, const char *fmt,
							   ...)
{
	va_list args;

	va_start(args, fmt);
	bug(slab, fmt, args);
	va_end(args);
}

void slub_report_fix(struct slub_slab *slab, const char *fmt, ...)
{
	FILE *log = slab->cache->heap->log;
	va_list args;

	if (log == NULL)
		return;
	fprintf(log, "FIX %s: ", slab->cache->name);
	va_start(args, fmt);
	vfprintf(log, fmt, args);
	va_end(args);
	fputc('\n', log);
}

/* print_hex_dump() with DUMP_PREFIX_ADDRESS, 16 bytes a line, their text at column 49. */
static void print_section(struct slub_slab *slab, const char *text, const uint8_t *from, size_t n)
{
	FILE *log = slab->cache->heap->log;

	for (size_t done = 0; done < n; done += 16) {
		size_t row = n - done < 16 ? n - done : 16;

		fprintf(log, "%s%016" PRIx64 ": ", text, slub_report_address(slab, from + done));
		for (size_t i = 0; i < row; i++)
			fprintf(log, "%02x ", from[done + i]);
		fprintf(log, "%*s", (int)(49 - 3 * row), "");
		for (size_t i = 0; i < row; i++) {
			uint8_t c = from[done + i];

			fputc(c < 0x80 && isprint(c) ? c : '.', log);
		}
		fputc('\n', log);
	}
}

static void print_site(const struct slub_heap *heap, uint64_t addr)
{
	const char *name = heap->site_name ? heap->site_name(heap->site_arg, addr) : NULL;

	if (name != NULL)
		fputs(name, heap->log);
	else
		fprintf(heap->log, "0x%" PRIx64, addr);
}

static void print_track(struct slub_slab *slab, const uint8_t *object, enum slub_track_item item)
{
	const struct slub_heap *heap = slab->cache->heap;
	struct slub_track track = slub_object_track(slab->cache, object, item);
	const uint64_t *frames;
	unsigned int n;

	if (track.addr == 0)
		return;
	fprintf(heap->log, "%s in ", item == SLUB_TRACK_ALLOC ? "Allocated" : "Freed");
	print_site(heap, track.addr);
	fprintf(heap->log, " age=%" PRIu64 " cpu=%d pid=%d\n", heap->jiffies - track.when,
		track.cpu, track.pid);
	n = slub_depot_fetch(heap->depot, track.handle, &frames);
	for (unsigned int i = 0; i < n; i++) {
		fputc(' ', heap->log);
		print_site(heap, frames[i]);
		fputc('\n', heap->log);
	}
}

/* print_slab_info() */
static void print_slab(struct slub_slab *slab)
{
	fprintf(slab->cache->heap->log,
		"Slab 0x%016" PRIx64 " objects=%u used=%u fp=0x%016" PRIx64 " flags=0x200(slab)\n",
		VMEMMAP + slab->page * STRUCT_PAGE, slab->objects, slab->inuse,
		slub_report_address(slab, slab->freelist));
}

/* print_trailer() */
static void print_trailer(struct slub_slab *slab, const uint8_t *object)
{
	const struct slub_layout *l = &slab->cache->layout;
	FILE *log = slab->cache->heap->log;

	if (l->flags & SLUB_STORE_USER) {
		print_track(slab, object, SLUB_TRACK_ALLOC);
		print_track(slab, object, SLUB_TRACK_FREE);
	}
	print_slab(slab);
	fprintf(log, "Object 0x%016" PRIx64 " @offset=%td fp=0x%016" PRIx64 "\n\n",
		slub_report_address(slab, object), object - slab->base,
		slub_report_address(slab, slub_freeptr(slab->cache, object)));

	if (l->flags & SLUB_RED_ZONE)
		print_section(slab, "Redzone  ", object - l->red_left_pad, l->red_left_pad);
	else if (object > slab->base + 16)
		print_section(slab, "Bytes b4 ", object - 16, 16);
	print_section(slab, "Object   ", object,
		      l->object_size < DUMP_MAX ? l->object_size : DUMP_MAX);
	if (l->flags & SLUB_RED_ZONE)
		print_section(slab, "Redzone  ", object + l->object_size,
			      l->inuse - l->object_size);
	print_section(slab, "Padding  ", object + l->padding, l->padding_size);
}

void slub_report_object(struct slub_slab *slab, uint8_t *object, const char *reason)
{
	bug_line(slab, "%s", reason);
	if (slab->cache->heap->log != NULL)
		print_trailer(slab, object);
	slab->cache->heap->tainted = true;
}

void slub_report_slab(struct slub_slab *slab, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	bug(slab, fmt, args);
	va_end(args);
	if (slab->cache->heap->log != NULL)
		print_slab(slab);
	slab->cache->heap->tainted = true;
}

/* restore_bytes() */
static void restore(struct slub_slab *slab, const char *what, uint8_t value, uint8_t *from,
		    uint8_t *to)
{
	slub_report_fix(slab, "Restoring %s 0x%016" PRIx64 "-0x%016" PRIx64 "=0x%x", what,
			slub_report_address(slab, from), slub_report_address(slab, to - 1), value);
	memset(from, value, (size_t)(to - from));
}

void slub_report_bytes(struct slub_slab *slab, uint8_t *object, enum slub_region region,
		       uint8_t *start, uint8_t value, size_t fault, size_t length)
{
	uint8_t *first = start + fault, *end = start + length;

	while (end > first && end[-1] == value)
		end--;

	if (object == NULL) {
		slub_report_slab(slab, "Padding overwritten. 0x%016" PRIx64 "-0x%016" PRIx64
				 " @offset=%td", slub_report_address(slab, first),
				 slub_report_address(slab, end - 1), first - slab->base);
		if (slab->cache->heap->log != NULL)
			print_section(slab, "Padding  ", start, length);
		restore(slab, "slab padding", value, first, end);
		return;
	}

	bug_line(slab, "%s overwritten", slub_region_names[region]);
	if (slab->cache->heap->log != NULL) {
		fprintf(slab->cache->heap->log,
			"0x%016" PRIx64 "-0x%016" PRIx64
			" @offset=%td. First byte 0x%x instead of 0x%x\n",
			slub_report_address(slab, first), slub_report_address(slab, end - 1),
			first - slab->base, *first, value);
		print_trailer(slab, object);
	}
	slab->cache->heap->tainted = true;
	restore(slab, slub_region_names[region], value, first, end);
}
