# SPDX-License-Identifier: GPL-2.0-or-later
# After the tally: ORDER[1..M] are the series to draw as lines and L[s] their linetypes; LOAD and
# EMPTY are the two baselines, 0 where the file has none.

array L[N]
array ORDER[N]
M = 0
LOAD = 0
EMPTY = 0
unknown = 0
place(name) = sum [k = 1:words(KNOWN)] (word(KNOWN, k) eq name ? k : 0)

do for [s = 1:N] {
	L[s] = place(T[s])
	if (T[s] eq "load") {
		LOAD = V[s] ? s : 0
	} else { if (T[s] eq "empty") {
		EMPTY = V[s] ? s : 0
	} else { if (V[s]) {
		M = M + 1
		ORDER[M] = s
		if (!L[s]) {
			L[s] = words(KNOWN) + 1 + unknown % 4
			unknown = unknown + 1
		}
	} } }
}
