#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How long a boot log takes slubbench and other tools, start-up included, under hyperfine.
#
#	bench/log-tools.sh [-p PROGRAM] [-o FILE.csv] [-r RUNS] LOG [NAME=COMMAND...]
#
# A COMMAND gets the log as its last word, without a shell; NAME is what the table calls it, as in
#	bench/log-tools.sh dmesg.txt 'bootgraph.py=python3 bootgraph.py -o /tmp/out -dmesg'
# FILE.csv (log-tools.csv) is hyperfine's own.  Works with hyperfine 1.15 and later.
set -eu

program=${SLUBBENCH:-slubbench} file=log-tools.csv runs=25

fail() {
	echo "$0: $*" >&2
	exit 1
}

usage() {
	sed -n 's/^#	\(bench.*LOG.*\)/usage: \1/p' "$0" >&2
	exit 1
}

while getopts :p:o:r: option; do
	case $option in
	p) program=$OPTARG ;;
	o) file=$OPTARG ;;
	r) runs=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
log=$1
shift
command -v hyperfine >/dev/null || fail "hyperfine is missing (Debian: hyperfine)"
command -v "$program" >/dev/null || fail "$program: there is no such program"
case $runs in '' | 0* | *[!0-9]*) fail "-r: '$runs': expected a number of 1 or more" ;; esac
{ [ -f "$log" ] && [ -r "$log" ]; } || fail "$log: cannot read"
for name in "$log" "$program"; do
	case $name in *[[:space:]\'\"\\]*) fail "$name: hyperfine -N would take its name apart" ;; esac
done

n=$#
while [ "$n" -gt 0 ]; do
	case $1 in ?*=?*) ;; *) fail "'$1': expected NAME=COMMAND" ;; esac
	set -- "$@" --command-name "${1%%=*}" "${1#*=} $log"
	shift
	n=$((n - 1))
done
case $file in -*) file=./$file ;; esac	# hyperfine knows no --
# hyperfine makes the file first, and leaves it empty when a command fails.
trap 'rm -f "$file.new"' EXIT
trap 'exit 130' INT TERM
hyperfine -N --style basic --warmup 3 --runs "$runs" --export-csv "$file.new" \
	--command-name "slubbench" "$program initcalls --log $log" \
	--command-name "slubbench --csv" "$program initcalls --csv --log $log" "$@"
mv "$file.new" "$file"
