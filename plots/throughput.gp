# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 variant, 2 size_bytes, 3 gib_per_s, 4 median_ns, 5 ci_low_ns, 6 ci_high_ns
stats DATA using (tally(column(-2), strcol(1), positive($2), positive($3))) nooutput
load "series.gp"

# The interval of the time, as one of the rate.
rate(time) = $3 * $4 / time

set label 98 "Throughput of each check against size"
eval(bytes_axis)
set logscale y 10
set ylabel "GiB/s"

plot for [s = LOAD ? LOAD : 1 : LOAD] DATA index s - 1 using (positive($2)):3 \
		with filledcurves x1 linecolor rgb "#e8e8e8" title "load (limit)", \
	for [k = 1:M] DATA index ORDER[k] - 1 using (positive($2)):(rate($6)):(0):(rate($5) - rate($6)) \
		with vectors nohead linetype L[ORDER[k]] dashtype 1 notitle, \
	for [k = 1:M] DATA index ORDER[k] - 1 using (positive($2)):3 \
		with linespoints linetype L[ORDER[k]] pointsize 0.5 title T[ORDER[k]]
