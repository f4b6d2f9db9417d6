# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 policy (and run), 2 order, 3 duration_us, 4 initcall, 5 milestone

# The rows of a series come in order; it ends at its milestone, where it has one.
array END[N]
array SUM[N]
do for [s = 1:N] {
	END[s] = NaN
	SUM[s] = 0
}
is_marked(text) = text ne "–" && text ne "0" && text ne "no"
is_before(s, order) = !(order > END[s])
longest = 0
last = 0
simulated = 0

stats DATA using (tally(column(-2), strcol(1), $2, $3), \
	END[column(-2) + 1] = is_marked(strcol(5)) ? $2 : END[column(-2) + 1], 0) nooutput
stats DATA using (longest = is_before(column(-2) + 1, $2) && $3 > longest ? $3 : longest, \
	last = is_before(column(-2) + 1, $2) && $2 > last ? $2 : last, 0) nooutput
do for [s = 1:N] { simulated = simulated || strstrt(T[s], "deferred") > 0 }
load "series.gp"

COLOURS = BLUE." ".RED." ".GREEN." ".ORANGE." ".PINK." ".SKY." ".BLACK." ".GREY
colour(s) = word(COLOURS, 1 + (s - 1) % words(COLOURS))
add(s, us) = (SUM[s] = SUM[s] + (us == us ? us : 0), SUM[s] / 1e3)
# The first series names its big steps, left of their tops, or above where the axis is near.
array HEIGHT_OF[2]
do for [k = 1:2] { HEIGHT_OF[k] = 0 }
top(k, us) = (HEIGHT_OF[k] = HEIGHT_OF[k] + (us == us ? us : 0), HEIGHT_OF[k] / 1e3)
is_left(order) = order < 0.2 * last
is_named(us, order) = is_before(1, order) && us > 0.1 * longest

set label 98 "Time spent in initcalls up to the milestone".(simulated ? ": a simulation" : "")
set xlabel "initcalls, in their order"
set ylabel "ms"
set yrange [0:*]
set key inside top left

plot for [s = 1:N] DATA index s - 1 \
		using (is_before(s, $2) ? $2 : NaN):(is_before(s, $2) ? add(s, $3) : NaN) \
		with steps linecolor rgb colour(s) linewidth 2 title T[s], \
	DATA index 0 \
		using (is_named($3, $2) && !is_left($2) ? $2 : NaN):(is_before(1, $2) ? top(1, $3) : NaN):4 \
		with labels right offset -0.7,0 font ",9" notitle, \
	DATA index 0 \
		using (is_named($3, $2) && is_left($2) ? $2 : NaN):(is_before(1, $2) ? top(2, $3) : NaN):4 \
		with labels left offset 0,0.6 font ",9" notitle
