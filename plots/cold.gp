# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 variant and cache, 2 size_bytes, 3 median_ns, 4 variant, 5 cache
# A series is a variant in one state of the cache; a colour is a variant, and the key names it once.
array C[N]
stats DATA using (tally(column(-2), strcol(4), positive($2), positive($3))) nooutput
stats DATA using (C[column(-2) + 1] = strcol(5), 0) nooutput
load "series.gp"
array HOT[N]
array COLD[N]
hot = 0
cold = 0
do for [k = 1:M] {
	if (C[ORDER[k]] eq "cold") {
		cold = cold + 1
		COLD[cold] = ORDER[k]
	} else {
		hot = hot + 1
		HOT[hot] = ORDER[k]
	}
}

set label 98 "Hot cache (lines) and cold cache (dashes)"
eval(bytes_axis)
eval(ns_axis)
set ylabel "ns per call"

plot for [k = 1:cold] DATA index COLD[k] - 1 using (positive($2)):3 \
		with linespoints linetype L[COLD[k]] dashtype "-" pointsize 0.5 title hot ? "" : T[COLD[k]], \
	for [k = 1:hot] DATA index HOT[k] - 1 using (positive($2)):3 \
		with linespoints linetype L[HOT[k]] dashtype 1 pointsize 0.5 title T[HOT[k]]
