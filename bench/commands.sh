#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Whole commands under hyperfine: slub_debug off, on byte-wise, and on with each faster check.
#
#	bench/commands.sh [-d FOLDER] [-p PROGRAM] [-n PASSES] [-r RUNS] [-f FLAGS,...]
#		[-v VARIANT,...] TRACE
#
# The table of the patch of 2011 ("slub: reduce overhead of slub_debug": make -j12 and make clean
# with slub_debug off, on, and on with the patch) for a process whose work is a real kernel's
# allocations and frees.  Writes to FOLDER
#	commands.json, commands-hyperfine.csv   hyperfine's own
#	commands.csv                            schema commands-1, with the rows of 2011 beside ours
# and prints commands.csv as a table.  Works with hyperfine 1.15 and later.
set -eu

folder=. program=${SLUBBENCH:-slubbench} passes=400 runs=10 flags=FZP,FZPU
variants=byte,slub2011,memchr_inv,gpr,auto

fail() {
	echo "$0: $*" >&2
	exit 1
}

usage() {
	fail "expected [-d FOLDER] [-p PROGRAM] [-n PASSES] [-r RUNS] [-f FLAGS,...] [-v VARIANT,...] TRACE"
}

while getopts :d:p:n:r:f:v: option; do
	case $option in
	d) folder=$OPTARG ;;
	p) program=$OPTARG ;;
	n) passes=$OPTARG ;;
	r) runs=$OPTARG ;;
	f) flags=$OPTARG ;;
	v) variants=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
trace=$1
command -v hyperfine >/dev/null || fail "hyperfine is missing (Debian: hyperfine)"
command -v "$program" >/dev/null || fail "$program: there is no such program"
{ [ -f "$trace" ] && [ -r "$trace" ]; } || fail "$trace: cannot read"
for number in "$passes" "$runs"; do
	case $number in '' | 0* | *[!0-9]*) fail "'$number': expected a number of 1 or more" ;; esac
done
case $folder in -*) folder=./$folder ;; esac	# hyperfine knows no --
mkdir -p "$folder"
work=$(mktemp -d "$folder/commands.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# One run each first: a wrong flag, variant or trace is told by slubbench itself.
for f in $(echo "$flags" | tr ',' ' '); do
	for v in $(echo "$variants" | tr ',' ' '); do
		"$program" objects --trace "$trace" --flags "$f" --variant "$v" --passes 1 2>"$work/log" || {
			cat "$work/log" >&2
			exit 1
		}
	done
done

# hyperfine splits a command by itself with -N, but not 1.15 with a parameter list and quotes: a
# shell it is, whose own time hyperfine takes off.  The trace is in the page cache after --prepare.
quoted=$(printf '%s' "$trace" | sed "s/'/'\\\\''/g")
tool=$(printf '%s' "$program" | sed "s/'/'\\\\''/g")
common="'$tool' objects --trace '$quoted' --passes $passes"
hyperfine --style basic --warmup 1 --runs "$runs" --prepare "cat '$quoted' >/dev/null" \
	--export-csv "$work/commands-none.csv" \
	--command-name "none none" "$common --flags none --variant empty 2>/dev/null" >&2
hyperfine --style basic --warmup 1 --runs "$runs" --prepare "cat '$quoted' >/dev/null" \
	--parameter-list flags "$flags" --parameter-list variant "$variants" \
	--export-json "$work/commands.json" --export-csv "$work/commands-hyperfine.csv" \
	"$common --flags {flags} --variant {variant} 2>/dev/null" >&2

# Both of hyperfine's files and the seed's rows, in one form.  The command's own text may hold
# commas, so columns are counted from the end: median, user, system, min, max, then parameters.
{
	echo schema,source,command,flags,variant,median_s,min_s,max_s,slowdown
	base=$(awk -F, 'NR == 2 { print $(NF - 4) }' "$work/commands-none.csv")
	awk -F, -v base="$base" 'NR == 2 {
		printf "commands-1,here,objects --trace,none,none,%.6f,%.6f,%.6f,1\n", $(NF - 4),
			$(NF - 1), $NF }' "$work/commands-none.csv"
	awk -F, -v base="$base" 'NR > 1 {
		printf "commands-1,here,objects --trace,%s,%s,%.6f,%.6f,%.6f,%.4f\n", $(NF - 1), $NF,
			$(NF - 6), $(NF - 3), $(NF - 2), $(NF - 6) / base }' \
		"$work/commands-hyperfine.csv"
	# "slub: reduce overhead of slub_debug", linux-mm, 2011-06-26, the patch's own figures.
	cat <<-END
		commands-1,2011,make -j12,none,none,87,,,1
		commands-1,2011,make -j12,on,byte,106,,,1.2184
		commands-1,2011,make -j12,on,slub2011,93,,,1.0690
		commands-1,2011,make clean,none,none,1.2,,,1
		commands-1,2011,make clean,on,byte,7.6,,,6.3333
		commands-1,2011,make clean,on,slub2011,3.2,,,2.6667
	END
} >"$work/commands.csv"
mv "$work/commands.json" "$work/commands-hyperfine.csv" "$work/commands.csv" "$folder"

awk -F, '{ printf "%-6s %-16s %-6s %-11s %12s %10s\n", $2, $3, $4, $5, $6, $9 }' "$folder/commands.csv"
