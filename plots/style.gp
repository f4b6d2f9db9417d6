# SPDX-License-Identifier: GPL-2.0-or-later
# What all charts share: size, fonts, colours, and how a series gets its colour.  slubbench plot runs
#	gnuplot -d -c style.gp CHART TABLE PICTURE svg|png SERIES ROWS SUBTITLE
# and this file ends by loading CHART.gp.  Names are data: nothing here puts one into a command.

CHART = ARG1
DATA = ARG2
N = int(ARG5)
ROWS = int(ARG6)
SVG = ARG4 eq "svg"

# Charts whose rows are written out are as high as they have rows.
HEIGHT = CHART eq "before-after" || CHART eq "spread" ? 130 + 24 * ROWS : 480
TOOLTIPS = SVG && CHART eq "timeline"

set encoding utf8
set datafile separator tab

# A name for the ids in an SVG, where a dash may not be.
dash = strstrt(CHART, "-")
ID = dash ? CHART[1:dash - 1]."_".CHART[dash + 1:*] : CHART

# noenhanced: _ ^ { } @ in a name are no markup.  A PNG is twice as large, to be sharp at 800 px.
if (TOOLTIPS) {
	set terminal svg noenhanced size 800,HEIGHT font "sans-serif,12" background "#ffffff" rounded \
		name ID mousing standalone
} else { if (SVG) {
	set terminal svg noenhanced size 800,HEIGHT font "sans-serif,12" background "#ffffff" rounded \
		name ID
} else {
	set terminal pngcairo noenhanced size 1600,2*HEIGHT font "sans-serif,12" fontscale 1.6 \
		linewidth 2 pointscale 2 background "#ffffff" rounded
} }
set output ARG3

set border 3 linecolor "#606060"
set tics nomirror out scale 0.6 textcolor "#303030"
set grid back linetype 1 linecolor "#dddddd" linewidth 0.5
set key outside right top Left reverse samplen 2 spacing 1.15 noenhanced
set style fill solid 0.85 noborder
set lmargin 11
set tmargin 4
# A chart gives label 98 its text: the title; below it, which slice of the file is shown.
set label 98 "" at screen 0.02,graph 1 left offset 0,2.7 font ",14" front
set label 99 ARG7 at screen 0.02,graph 1 left offset 0,1.2 font ",10" textcolor "#505050" front

# Okabe and Ito's colours, for all kinds of colour vision (Color Universal Design, 2008), and some
# darker ones; where two are near each other, dashes and points tell them apart.
BLACK = "#000000"
ORANGE = "#e69f00"
SKY = "#56b4e9"
GREEN = "#009e73"
BLUE = "#0072b2"
RED = "#d55e00"
PINK = "#cc79a7"
GREY = "#8c8c8c"

# A variant looks the same in every chart.  The last four are for names that nobody foresaw.
KNOWN = "byte slub2011 memchr_inv gpr rep-scas memcmp sse2 avx2 avx512 auto highway isal neon sve none"
set linetype 1 linecolor rgb GREY linewidth 1.5 pointtype 7
set linetype 2 linecolor rgb "#c8b400" linewidth 1.5 dashtype "-" pointtype 8
set linetype 3 linecolor rgb ORANGE linewidth 2 pointtype 9
set linetype 4 linecolor rgb GREEN linewidth 2.5 pointtype 5
set linetype 5 linecolor rgb "#882255" linewidth 1.5 dashtype "-" pointtype 4
set linetype 6 linecolor rgb BLACK linewidth 1.5 dashtype "." pointtype 2
set linetype 7 linecolor rgb SKY linewidth 1.5 pointtype 6
set linetype 8 linecolor rgb BLUE linewidth 1.5 pointtype 10
set linetype 9 linecolor rgb PINK linewidth 1.5 pointtype 12
set linetype 10 linecolor rgb RED linewidth 2.5 pointtype 7
set linetype 11 linecolor rgb "#8c6d31" linewidth 1.5 pointtype 1
set linetype 12 linecolor rgb "#117733" linewidth 1.5 dashtype "-" pointtype 14
set linetype 13 linecolor rgb BLUE linewidth 1.5 pointtype 10
set linetype 14 linecolor rgb PINK linewidth 1.5 pointtype 12
set linetype 15 linecolor rgb "#c0c0c0" linewidth 1.5 pointtype 3
set linetype 16 linecolor rgb RED linewidth 1.5 dashtype "-" pointtype 6
set linetype 17 linecolor rgb SKY linewidth 1.5 dashtype "-" pointtype 4
set linetype 18 linecolor rgb BLACK linewidth 1.5 dashtype "-" pointtype 8
set linetype 19 linecolor rgb BLUE linewidth 1.5 dashtype "-" pointtype 3

# T[s]: name of series s; V[s]: how many points it has.  A chart of lines fills them by
# `stats DATA using (tally(column(-2), name, x, y))`, a call for each row, and then loads series.gp.
array T[N]
array V[N]
do for [s = 1:N] { V[s] = 0 }
tally(b, name, x, y) = (T[b + 1] = name, V[b + 1] = V[b + 1] + (x == x && y == y), 0)

# Sizes in bytes on the x axis; 0 has no place on a logarithmic one.
positive(x) = x > 0 ? x : NaN
bytes_axis = "set logscale x 2; set xlabel 'size'; set xtics ('1 B' 1, '8 B' 8, '64 B' 64, '512 B' 512, \
'4 KiB' 4096, '32 KiB' 32768, '256 KiB' 262144, '2 MiB' 2097152, '16 MiB' 16777216, \
'128 MiB' 134217728, '1 GiB' 1073741824, '8 GiB' 8589934592)"

# Nanoseconds on a logarithmic y axis: 100k, since 100000 pushes the label out of the picture.
ns_axis = "set logscale y 10; set format y '%.0s%c'"

# What stands below a cluster of bars is steeper where there are many of them.
cluster_names = sprintf("set xtics scale 0 rotate by %d", ROWS > 12 ? -50 : -20)

load CHART.".gp"
