/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/input.h"
#include "slub/trace.h"

/* One kind of thing that was not replayed as it stands, and what was done about it. */
static const struct remark {
	size_t offset; /* of the count */
	const char *one, *many, *done;
} remarks[] = {
	{ offsetof(struct trace_counts, bad),
	  "event without an address or a size that can be read",
	  "events without an address or a size that can be read", ": left out" },
	{ offsetof(struct trace_counts, stray_frees),
	  "free of an address that the trace did not allocate",
	  "frees of addresses that the trace did not allocate", ": left out" },
	{ offsetof(struct trace_counts, live), "object still live at the end",
	  "objects still live at the end", "" },
	{ offsetof(struct trace_counts, reused), "alloc of an address that was live",
	  "allocs of addresses that were live", ": the missing free was put in" },
	{ offsetof(struct trace_counts, null_frees), "free of NULL", "frees of NULL",
	  ": left out" },
	{ offsetof(struct trace_counts, failed), "alloc that failed", "allocs that failed",
	  ": left out" },
	{ offsetof(struct trace_counts, zero), "alloc of 0 bytes", "allocs of 0 bytes",
	  ": left out" },
	{ offsetof(struct trace_counts, large),
	  "kmalloc() of more than 8 KiB, which comes from pages and is not checked",
	  "kmalloc() of more than 8 KiB, which come from pages and are not checked",
	  ": left out" },
	{ offsetof(struct trace_counts, impossible), "alloc of a size that no cache can have",
	  "allocs of sizes that no cache can have", ": left out" },
	{ offsetof(struct trace_counts, lost), "event lost by the tracer",
	  "events lost by the tracer", "" },
	{ offsetof(struct trace_counts, cut), "line cut at the end", "", ": left out" },
};
#define N_REMARKS (sizeof(remarks) / sizeof(remarks[0]))

static uint64_t count_of(const struct remark *r, const struct trace_counts *counts)
{
	return *(const uint64_t *)((const char *)counts + r->offset);
}

/* One line that says what there was instead of events. */
static void complain_of_nothing(const char *path, const struct trace_counts *counts)
{
	const char *before = ": ";
	size_t size;
	char *why;
	FILE *to = open_memstream(&why, &size);

	if (to == NULL) {
		complain("no memory");
		return;
	}
	for (size_t i = 0; i < N_REMARKS; i++) {
		uint64_t n = count_of(&remarks[i], counts);

		if (n == 0)
			continue;
		fprintf(to, "%s%" PRIu64 " %s", before, n, n == 1 ? remarks[i].one : remarks[i].many);
		before = ", ";
	}
	if (fclose(to) == 0)
		complain("%s: no kmem event to replay in %" PRIu64 " line%s%s; expected text of "
			 "ftrace, perf script or trace-cmd report, as in 'kmalloc: call_site=... "
			 "ptr=... bytes_req=... bytes_alloc=...'", path,
			 counts->lines + counts->cut, plural(counts->lines + counts->cut), why);
	free(why);
}

int trace_notes(const char *path, const struct trace_counts *counts)
{
	path = input_name(path);
	if (counts->allocs == 0) {
		complain_of_nothing(path, counts);
		return -1;
	}
	for (size_t i = 0; i < N_REMARKS; i++) {
		const struct remark *r = &remarks[i];
		uint64_t n = count_of(r, counts);

		if (n != 0)
			note("%s: %" PRIu64 " %s%s", path, n, n == 1 ? r->one : r->many, r->done);
	}
	if (counts->bad != 0)
		note("%s:%" PRIu64 ": the first event that cannot be read", path,
		     counts->first_bad);
	if (counts->lost_marks != 0 && counts->lost == 0)
		note("%s: the tracer lost events %" PRIu64 " time%s, it does not say how many",
		     path, counts->lost_marks, plural(counts->lost_marks));
	return 0;
}
