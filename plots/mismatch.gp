# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 mismatch, 2.. median_ns of each variant that answers rightly

set label 98 "One check, by the place of the first wrong byte"
set ylabel "ns per call"
digit(c) = strstrt("0123456789", c)
tic(place) = place eq "none" ? "no mismatch" : digit(place[1:1]) ? "byte ".place : place." byte"

load "clusters.gp"
