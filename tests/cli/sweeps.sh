#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `make bench`, with as little measuring as will do.
. "${srcdir:?}/tests/cli/tap.sh"

sh "$srcdir/bench/sweeps.sh" data --variant byte --repetitions 1 --min-time 1us --warmup 0 \
	--placement 1 --no-progress >out 2>err
same "the sweeps run" 0 $?
for sweep in sizes small align value mismatch cold workloads; do
	[ -n "$(field "data/check-$sweep.csv" median_ns variant=byte)" ] &&
		[ -n "$(field "data/check-$sweep.samples.csv" real_ns variant=byte)" ]
	ok $? "check-$sweep has summary and samples"
done
same "sizes from 8 bytes to 64 MiB" 24 "$(field data/check-sizes.csv variant variant=byte | wc -l)"
sh "$srcdir/bench/sweeps.sh" data2 --variant nobody >out 2>err
same "a mistake ends them" 1 $?

finish
