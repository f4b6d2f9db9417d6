# SPDX-License-Identifier: GPL-2.0-or-later
# fields: 1 value, 2.. median_ns of each variant that answers rightly

set label 98 "One check, by the value looked for"
set ylabel "ns per call"

# The names that --value knows.
VALUES = "0x00 zero 0x5a poison-inuse 0x6b poison-free 0xa5 poison-end 0xbb red-inactive 0xcc red-active \
0xff erased"
name_of(hex) = sum [k = 1:words(VALUES)] (k % 2 == 1 && word(VALUES, k) eq hex ? k + 1 : 0)
tic(hex) = name_of(hex) ? hex." ".word(VALUES, int(name_of(hex))) : hex

load "clusters.gp"
