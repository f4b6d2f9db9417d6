# SPDX-License-Identifier: GPL-2.0-or-later
# The tally of a chart of bars: its table has a head line, and a column for each series.

do for [s = 1:N] {
	stats DATA using (T[s] = strcol(s + 1), 0) every ::0::0 nooutput
	stats DATA using (V[s] = V[s] + (column(s + 1) == column(s + 1)), 0) skip 1 nooutput
}
load "series.gp"
