#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Measure what the charts show: `make bench` calls it.
#	sweeps.sh OUTPUT-FOLDER [OPTION...]
# Further options go to every run: "--min-time 1ms --repetitions 3" for a first look, "--cpu 3".
set -u
: "${SLUBBENCH:?names the program}"
usage() {
	echo "usage: $0 OUTPUT-FOLDER [OPTION...]; -- goes before a name that begins with -" >&2
	exit 1
}

while getopts : _; do usage; done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
out=$1
shift
mkdir -p -- "$out" || exit 1

# sweep NAME ARG...: NAME.csv and the samples it is made of.
sweep() {
	name=$1
	shift
	echo "$out/$name.csv" >&2
	"$SLUBBENCH" check-bytes --csv="$out/$name.csv" --samples="$out/$name.samples.csv" "$@" \
		>/dev/null || exit $?
}

sweep check-sizes --size 8..64M*2 "$@"
sweep check-small --size 0..64+4,96,127,128,191,192,255,256 --mode throughput,latency "$@"
sweep check-align --size 16K --align 0,1,2,4,8,16,24,32,48,63 "$@"
sweep check-value --size 64,4K --value zero,poison-inuse,poison-free,poison-end,red-inactive,red-active,erased "$@"
sweep check-mismatch --size 64,4K --mismatch none,first,middle,last "$@"
sweep check-cold --size 64..1M*4 --cache hot,cold "$@"
if grep -qw xsave /proc/cpuinfo; then
	sweep check-kernel --size 64..64K*2 --kernel-cost "$@"
fi
sweep check-workloads --workload all "$@"
