#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Draw every chart of every CSV file given: `make plots` calls it.
#	draw.sh OUTPUT-FOLDER FILE.csv...
set -u
: "${SLUBBENCH:?names the program}"
usage() {
	echo "usage: $0 OUTPUT-FOLDER FILE.csv...; -- goes before a name that begins with -" >&2
	exit 1
}

while getopts : _; do usage; done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
out=$1
shift

[ $# -gt 0 ] || {
	echo "plots: there is no CSV file to draw; 'make bench' measures some" >&2
	exit 0
}
command -v gnuplot >/dev/null || {
	echo "plots: gnuplot is not installed; on Debian and Ubuntu: apt-get install gnuplot-nox" >&2
	exit 0
}
mkdir -p -- "$out" || exit 1
list=$(mktemp "${TMPDIR:-/tmp}/slubbench-plots.XXXXXX") || exit 1
trap 'rm -f "$list"' EXIT

status=0
for csv; do
	"$SLUBBENCH" plot --list -- "$csv" >"$list" || status=1
	while read -r chart _; do
		picture=$out/$(basename -- "$csv" .csv)-$chart.svg
		"$SLUBBENCH" plot --quiet --chart "$chart" --output "$picture" -- "$csv" </dev/null &&
			echo "$picture" || status=1
	done <"$list"
done
exit $status
