# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 command and flags, 2.. slowdown of each variant

load "bars.gp"

set label 98 "Whole commands with slub_debug; make: the figures of the patch of 2011"
set style data histograms
set style histogram clustered gap 1.5
set yrange [0:*]
set ylabel "times slower than without debugging"
set grid noxtics
set xtics scale 0 rotate by -20

plot for [k = 1:M] DATA skip 1 using ORDER[k] + 1:xticlabels(1) linetype L[ORDER[k]] \
		title T[ORDER[k]], \
	1 linecolor rgb BLACK linewidth 1 dashtype "-" title "without"
