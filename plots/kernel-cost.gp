# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 variant, 2 size_bytes, 3 median_ns

stats DATA using (tally(column(-2), strcol(1), positive($2), positive($3))) nooutput
load "series.gp"

set label 98 "In a kernel: SIMD pays for saving its registers at every call"
eval(bytes_axis)
eval(ns_axis)
set ylabel "ns per call"

plot for [k = 1:M] DATA index ORDER[k] - 1 using (positive($2)):3 \
	with linespoints linetype L[ORDER[k]] pointsize 0.5 title T[ORDER[k]]
