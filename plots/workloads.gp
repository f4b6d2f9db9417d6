# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 workload, 2.. median_ns of each variant

set label 98 "The checks that SLUB makes, by workload"
set ylabel "ns per allocation or free"
tic(name) = name

load "clusters.gp"
