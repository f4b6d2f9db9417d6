# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 cache, 2.. pair_ns of each variant

load "bars.gp"

set label 98 "SLUB debugging: an allocation and a free"
set style data histograms
set style histogram clustered gap 1.5
eval(ns_axis)
set ylabel "ns per pair"
set grid noxtics
eval(cluster_names)

plot for [k = 1:M] DATA skip 1 using ORDER[k] + 1:xticlabels(1) linetype L[ORDER[k]] \
		title T[ORDER[k]], \
	for [s = EMPTY ? EMPTY : 1 : EMPTY] DATA skip 1 using s + 1:xticlabels(1) \
		linecolor rgb "#e0e0e0" title "empty checks"
