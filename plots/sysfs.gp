# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 registry, 2 nodes, 3 median_ns, 4 ci_low_ns, 5 ci_high_ns

stats DATA using (tally(column(-2), strcol(1), positive($2), positive($3))) nooutput
load "series.gp"

set label 98 "What one node of sysfs costs"
set logscale xy 10
set xlabel "nodes in the tree"
set ylabel "ns per node"
set format x "%.0s%c"

plot for [k = 1:M] DATA index ORDER[k] - 1 using 2:4:(0):($5 - $4) \
		with vectors nohead linetype L[ORDER[k]] dashtype 1 notitle, \
	for [k = 1:M] DATA index ORDER[k] - 1 using 2:3 \
		with linespoints linetype L[ORDER[k]] dashtype 1 pointsize 0.7 title T[ORDER[k]]
