/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stddef.h>

#include "base/complain.h"
#include "slub/trace.h"

/* One kind of thing that was not replayed as it stands: "PATH: N TEXT". */
static const struct remark {
	size_t offset; /* of the count */
	const char *text;
} remarks[] = {
	{ offsetof(struct trace_counts, stray_frees),
	  "frees of addresses that the trace did not allocate: left out" },
	{ offsetof(struct trace_counts, live), "objects still live at the end" },
	{ offsetof(struct trace_counts, reused),
	  "allocs of an address that was live: its missing free was put in" },
	{ offsetof(struct trace_counts, null_frees), "frees of NULL: left out" },
	{ offsetof(struct trace_counts, failed), "allocs that failed: left out" },
	{ offsetof(struct trace_counts, zero), "allocs of 0 bytes: left out" },
	{ offsetof(struct trace_counts, large),
	  "kmalloc() of more than 8 KiB, which come from pages and are not checked: left out" },
	{ offsetof(struct trace_counts, impossible),
	  "allocs of sizes that no cache can have: left out" },
	{ offsetof(struct trace_counts, lost), "events lost by the tracer" },
	{ offsetof(struct trace_counts, cut), "line cut at the end: left out" },
};

int trace_notes(const char *path, const struct trace_counts *counts)
{
	if (counts->allocs == 0) {
		complain("%s: no kmem event to replay in %" PRIu64 " lines; expected text of ftrace, "
			 "perf script or trace-cmd report, as in 'kmalloc: call_site=... ptr=... "
			 "bytes_req=... bytes_alloc=...'", path, counts->lines + counts->cut);
		return -1;
	}
	for (size_t i = 0; i < sizeof(remarks) / sizeof(remarks[0]); i++) {
		uint64_t n = *(const uint64_t *)((const char *)counts + remarks[i].offset);

		if (n != 0)
			note("%s: %" PRIu64 " %s", path, n, remarks[i].text);
	}
	if (counts->lost_marks != 0 && counts->lost == 0)
		note("%s: the tracer lost events %" PRIu64 " times, it does not say how many", path,
		     counts->lost_marks);
	if (counts->bad != 0)
		note("%s:%" PRIu64 ": the first of %" PRIu64 " events without an address or a size "
		     "that can be read: left out", path, counts->first_bad, counts->bad);
	return 0;
}
