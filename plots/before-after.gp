# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 initcall, 2 and 3 duration_us under the two policies

load "bars.gp"

# A bar goes from the time before to the time after, on a logarithmic axis: its length is the ratio.
LEAST = 1.0
shown(x) = x > LEAST ? x : LEAST
y(row) = -row
label_of(a, b) = sprintf(a < 10 || b < 10 ? "%.1f → %.1f" : "%.0f → %.0f", a, b)

set label 98 sprintf("Initcalls that change most, from %s (grey) to %s (orange): a simulation", T[1], T[2])
set logscale x 10
set xlabel "µs"
set offsets 0, graph 0.12, 0.6, 0.6
set lmargin 26
set grid noytics
set ytics scale 0 noenhanced
unset key

plot DATA skip 1 using (shown($2)):(y($0)):(shown($2)):(shown($3)):(y($0) - 0.28):(y($0) + 0.28):ytic(1) \
		with boxxyerror linecolor rgb SKY notitle, \
	DATA skip 1 using (shown($2)):(y($0)):(0):(0.56) with points pointtype 7 linecolor rgb GREY notitle, \
	DATA skip 1 using (shown($3)):(y($0)) with points pointtype 7 linecolor rgb RED notitle, \
	DATA skip 1 using (shown($2) > shown($3) ? shown($2) : shown($3)):(y($0)):(label_of($2, $3)) \
		with labels left offset 1,0 font ",10" notitle
