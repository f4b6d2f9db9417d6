# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 policy, 2 start_us, 3 duration_us, 4 registration_us, 5 initcall, 6 level, 7 milestone

# A band for each policy, the first on top; times in ms.
from = 1e300
to = -1e300
registered = 0
array AT[N]
array MARK[N]
do for [s = 1:N] { AT[s] = NaN }
is_marked(text) = text ne "–" && text ne "0" && text ne "no"

stats DATA using (tally(column(-2), strcol(1), $2, $3), \
	from = $2 < from ? $2 : from, to = $2 + $3 > to ? $2 + $3 : to, \
	registered = $4 > registered ? $4 : registered, \
	AT[column(-2) + 1] = is_marked(strcol(7)) ? $2 + $3 : AT[column(-2) + 1], \
	MARK[column(-2) + 1] = is_marked(strcol(7)) ? strcol(7) : MARK[column(-2) + 1], 0) nooutput
load "series.gp"

span = to - from
x(us) = (us - from) / 1e3
base(s) = N - s
middle(start, duration) = x(start + duration / 2)

# Long initcalls, and those with much registration, get their name written; heights take turns.
is_named(duration, registration) = duration > 0.035 * span || registration > 0.5 * registered
is_right(start) = start > from + 0.7 * span
array TURN[N]
do for [s = 1:N] { TURN[s] = 0 }
height(s) = (TURN[s] = TURN[s] + 1, base(s) + 0.46 + 0.08 * (TURN[s] % 6))
tip(name, level, start, duration, registration) = \
	sprintf("%s (%s): starts at %.3f ms, takes %.3f ms, %.3f ms of it registration", \
	name, level, x(start), duration / 1e3, registration / 1e3)

set label 98 N > 1 ? "When each initcall runs: a simulation" : "When each initcall runs"
set xlabel "ms"
set xrange [0:x(to)]
set yrange [-0.12:N]
set ytics scale 0 noenhanced
set ytics ()
set grid noytics
first = 0
do for [s = 1:N] {
	set ytics add (T[s] base(s) + 0.21)
	if (AT[s] == AT[s]) {
		set arrow from x(AT[s]), base(s) - 0.06 to x(AT[s]), base(s) + 0.42 nohead front \
			linecolor rgb BLACK linewidth 1.5 dashtype "-"
		set label (first ? sprintf("%s at %.1f ms: %+.1f ms", MARK[s], x(AT[s]), (AT[s] - AT[first]) / 1e3) \
			: sprintf("milestone %s at %.1f ms", MARK[s], x(AT[s]))) at x(AT[s]), base(s) - 0.04 \
			right offset -0.5,0 front font ",10"
		first = first ? first : s
	}
}
set key outside bottom right horizontal

# Neighbours differ in shade, or nobody sees where one ends.
plot for [s = 1:N] DATA index s - 1 \
		using (x($2)):(base(s)):(x($2)):(x($2 + $3)):(base(s) + 0.06):(base(s) + 0.36) \
		every 2 with boxxyerror linecolor rgb BLUE title s == 1 ? "initcall" : "", \
	for [s = 1:N] DATA index s - 1 \
		using (x($2)):(base(s)):(x($2)):(x($2 + $3)):(base(s) + 0.06):(base(s) + 0.36) \
		every 2::1 with boxxyerror linecolor rgb SKY notitle, \
	for [s = 1:N] DATA index s - 1 \
		using (x($2)):(base(s)):(x($2 + $3 - $4)):(x($2 + $3)):(base(s) + 0.06):(base(s) + 0.36) \
		with boxxyerror linecolor rgb RED title s == 1 ? "sysfs registration" : "", \
	for [s = 1:N] DATA index s - 1 \
		using (is_named($3, $4) && !is_right($2) ? middle($2, $3) : NaN):\
			(is_named($3, $4) && !is_right($2) ? height(s) : NaN):5 \
		with labels left font ",9" notitle, \
	for [s = 1:N] DATA index s - 1 \
		using (is_named($3, $4) && is_right($2) ? middle($2, $3) : NaN):\
			(is_named($3, $4) && is_right($2) ? height(s) : NaN):5 \
		with labels right font ",9" notitle, \
	for [s = 1:TOOLTIPS ? N : 0] DATA index s - 1 \
		using (middle($2, $3)):(base(s) + 0.21):(tip(strcol(5), strcol(6), $2, $3, $4)) \
		with labels hypertext point pointtype 5 pointsize 1.2 linecolor rgb "#fe000000" notitle
