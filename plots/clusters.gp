# SPDX-License-Identifier: GPL-2.0-or-later
# Bars of each variant side by side, with the two baselines in grey: shared by charts that set the
# title and ylabel and say in `tic(name)` what stands below a cluster.
# fields: 1 name, 2.. ns of each variant

load "bars.gp"

set style data histograms
set style histogram clustered gap 1.5
eval(ns_axis)
set yrange [*<1:*] # a bar begins at 1 ns, where there is none below
set grid noxtics
eval(cluster_names)

plot for [s = EMPTY ? EMPTY : 1 : EMPTY] DATA skip 1 using s + 1:xticlabels(tic(strcol(1))) \
		linecolor rgb "#d0d0d0" title T[s], \
	for [s = LOAD ? LOAD : 1 : LOAD] DATA skip 1 using s + 1:xticlabels(tic(strcol(1))) \
		linecolor rgb "#b0b0b0" title T[s], \
	for [k = 1:M] DATA skip 1 using ORDER[k] + 1:xticlabels(tic(strcol(1))) linetype L[ORDER[k]] \
		title T[ORDER[k]]
