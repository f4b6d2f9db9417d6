# SPDX-License-Identifier: GPL-2.0-or-later
# Also the chart `latency`.
# fields: 1 variant, 2 size_bytes, 3 median_ns, 4 ci_low_ns, 5 ci_high_ns
MOST = 256

small(x) = x <= MOST ? x : NaN
of_small(y) = $2 <= MOST ? y : NaN
stats DATA using (tally(column(-2), strcol(1), small($2), $3)) nooutput
load "series.gp"

set label 98 CHART eq "latency" ? "Small sizes, each call waiting for the one before" \
	: "Small sizes: the price of a call"
set xrange [0:MOST]
set xtics 32
set mxtics 4
set logscale y 2
set xlabel "size, bytes"
set ylabel "ns per call"

plot for [s = EMPTY ? EMPTY : 1 : EMPTY] DATA index s - 1 using (small($2)):(of_small($3)) \
		with filledcurves x1 linecolor rgb "#e8e8e8" title "empty call", \
	for [s = LOAD ? LOAD : 1 : LOAD] DATA index s - 1 using (small($2)):(of_small($3)) \
		with lines linecolor rgb "#b0b0b0" linewidth 3 dashtype 1 title "load (limit)", \
	for [k = 1:M] DATA index ORDER[k] - 1 using (small($2)):(of_small($4)):(0):(of_small($5 - $4)) \
		with vectors nohead linetype L[ORDER[k]] dashtype 1 notitle, \
	for [k = 1:M] DATA index ORDER[k] - 1 using (small($2)):(of_small($3)) \
		with linespoints linetype L[ORDER[k]] pointsize 0.5 title T[ORDER[k]]
