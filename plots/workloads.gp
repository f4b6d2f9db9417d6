# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 workload, 2.. median_ns of each variant

load "bars.gp"

set label 98 "The checks that SLUB makes, by workload"
set style data histograms
set style histogram clustered gap 1.5
set logscale y 10
set ylabel "ns per allocation or free"
set grid noxtics
set xtics scale 0 rotate by -20

plot for [s = EMPTY ? EMPTY : 1 : EMPTY] DATA skip 1 using s + 1:xticlabels(1) \
		linecolor rgb "#d0d0d0" title T[s], \
	for [s = LOAD ? LOAD : 1 : LOAD] DATA skip 1 using s + 1:xticlabels(1) \
		linecolor rgb "#b0b0b0" title T[s], \
	for [k = 1:M] DATA skip 1 using ORDER[k] + 1:xticlabels(1) linetype L[ORDER[k]] \
		title T[ORDER[k]]
