# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 size_bytes, 2.. median_ns of each variant

load "bars.gp"

# Over byte-wise; where nobody timed that, over what Linux does, or the first one.
BASE = 0
do for [name in "byte memchr_inv"] {
	do for [s = 1:N] {
		BASE = BASE == 0 && T[s] eq name ? s : BASE
	}
}
BASE = BASE ? BASE : 1
faster(s) = column(BASE + 1) / column(s + 1)

set label 98 "Speed-up against size"
eval(bytes_axis)
set logscale y 2
set ylabel "times faster than ".T[BASE]

# smooth unique: in the order of size.
plot for [k = 1:M] DATA skip 1 using (positive($1)):(faster(ORDER[k])) smooth unique \
	with linespoints linetype L[ORDER[k]] pointsize 0.5 title T[ORDER[k]]
