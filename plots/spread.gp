# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 initcall, 2.. duration_us of each run

load "bars.gp"

# Of the durations in a row, from column i on; a run may lack the initcall.
low(i) = i > N + 1 ? NaN : low_of(column(i), low(i + 1))
low_of(a, b) = a != a ? b : b != b ? a : a < b ? a : b
high(i) = i > N + 1 ? NaN : high_of(column(i), high(i + 1))
high_of(a, b) = a != a ? b : b != b ? a : a > b ? a : b
ms(us) = us > 1 ? us / 1e3 : 1e-3

set label 98 sprintf("Initcalls that differ most in %d runs: a dot is a run", N)
set logscale x 10
set xlabel "ms"
set offsets 0, graph 0.12, 0.6, 0.6
set lmargin 26
set grid noytics
set ytics scale 0 noenhanced
unset key

plot DATA skip 1 using (ms(low(2))):(-$0):(ms(low(2))):(ms(high(2))):(-$0 - 0.2):(-$0 + 0.2):ytic(1) \
		with boxxyerror linecolor rgb "#b8dcf2" notitle, \
	for [k = 1:M] DATA skip 1 using (ms(column(ORDER[k] + 1))):(-$0) \
		with points pointtype 7 pointsize 0.6 linecolor rgb BLUE notitle, \
	DATA skip 1 using (ms(high(2))):(-$0):(sprintf("%.1f … %.1f", low(2) / 1e3, high(2) / 1e3)) \
		with labels left offset 1,0 font ",10" notitle
