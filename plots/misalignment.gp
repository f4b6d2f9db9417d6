# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 variant, 2 align_bytes, 3 gib_per_s
stats DATA using (tally(column(-2), strcol(1), $2, positive($3))) nooutput
load "series.gp"

set label 98 "Throughput of misaligned buffers"
set xtics 8
set mxtics 2
set xlabel "offset of the buffer from a cache line, bytes"
set ylabel "GiB/s"
set yrange [0:*]

plot for [s = LOAD ? LOAD : 1 : LOAD] DATA index s - 1 using 2:3 \
		with filledcurves x1 linecolor rgb "#e8e8e8" title "load (limit)", \
	for [k = 1:M] DATA index ORDER[k] - 1 using 2:3 \
		with linespoints linetype L[ORDER[k]] pointsize 0.5 title T[ORDER[k]]
