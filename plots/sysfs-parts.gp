# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 registry, 2 nodes, 3 hash_ns, 4 allocate_ns, 5 tree_ns, 6 lock_ns, 7 median_ns, 8 spread_ns

spread = 0
stats DATA using (spread = spread + ($8 == $8), 0) nooutput

set label 98 "Where the time of a kernfs node goes"
set logscale x 10
set xlabel "nodes in the tree"
set ylabel "ns per node"
set yrange [0:*]
set format x "%.0s%c"

# Each part stands on the ones before; what is drawn first lies behind.
plot DATA using 2:($3 + $4 + $5 + $6) with filledcurves x1 linecolor rgb GREY title "lock", \
	DATA using 2:($3 + $4 + $5) with filledcurves x1 linecolor rgb BLUE title "tree", \
	DATA using 2:($3 + $4) with filledcurves x1 linecolor rgb SKY title "allocate", \
	DATA using 2:3 with filledcurves x1 linecolor rgb ORANGE title "hash", \
	DATA using 2:7 with linespoints linecolor rgb BLACK dashtype 1 pointtype 7 \
		pointsize 0.6 title "whole node", \
	for [k = 1 : spread ? 1 : 0] DATA using 2:8 with linespoints linecolor rgb BLACK dashtype "-" \
		pointtype 6 pointsize 0.6 title "in small directories"
