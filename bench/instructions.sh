#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Count the instructions of slubbench objects on a trace, by flags and variant, with callgrind.
#
#	bench/instructions.sh [-o FILE] [-p PROGRAM] [-f FLAGS,...] [-v VARIANT,...] TRACE
#
# Only the replay counts: not the reading of the trace, not the verifying of the variant.  The same
# program gives the same numbers on every machine that runs it, so this is what to compare with a
# kernel under an instruction-counting emulator.  callgrind has no AVX-512: `auto` is AVX2 at best.
# Writes CSV, schema objects-instructions-1.
set -eu

program=${SLUBBENCH:-slubbench} out=- flags=none,F,Z,P,U,FZP,FZPU
variants=empty,byte,slub2011,memchr_inv,gpr,auto

fail() {
	echo "$0: $*" >&2
	exit 1
}

usage() {
	fail "expected [-o FILE] [-p PROGRAM] [-f FLAGS,...] [-v VARIANT,...] TRACE"
}

while getopts :o:p:f:v: option; do
	case $option in
	o) out=$OPTARG ;;
	p) program=$OPTARG ;;
	f) flags=$OPTARG ;;
	v) variants=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
trace=$1
command -v valgrind >/dev/null || fail "valgrind is missing (Debian: valgrind)"
command -v "$program" >/dev/null || fail "$program: there is no such program"
{ [ -f "$trace" ] && [ -r "$trace" ]; } || fail "$trace: cannot read"

work=$(mktemp -d)
new=$work/rows
trap 'rm -rf -- "$work" "$new"' EXIT
trap 'exit 130' INT TERM
if [ "$out" != - ]; then
	new=$out.new
	: >"$new"	# before the long work: is there room for it?
fi

# told COMMAND...: what it says on stderr is shown only where it fails.
told() {
	"$@" 2>"$work/log" || {
		cat "$work/log" >&2
		exit 1
	}
}

told "$program" objects --trace "$trace" --variant byte --flags F --repetitions 1 --min-time 1us \
	--warmup 0 --csv >"$work/one.csv"
operations=$(awk -F'","|,|"' '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "operations") from_end = NF - i; next }
		NR == 2 { print $(NF - from_end) }' "$work/one.csv")

# count FLAGS VARIANT [NAME]: one row, with NAME in place of the variant.
count() {
	told valgrind -q --tool=callgrind --callgrind-out-file="$work/out" --collect-atstart=no \
		--toggle-collect=object_replay_run "$program" objects --trace "$trace" --flags "$1" \
		--variant "$2" --passes 1 >/dev/null
	instructions=$(sed -n 's/^\(summary\|totals\): *//p' "$work/out" | head -n 1)
	awk -v flags="$1" -v variant="${3-$2}" -v trace="$(basename "$trace")" -v n="$instructions" \
		-v operations="$operations" 'BEGIN {
			printf "objects-instructions-1,%s,%s,%s,%d,%d,%.1f\n", trace, flags, variant,
				operations, n, n / operations
		}'
}

rows() {
	echo schema,trace,flags,variant,operations,instructions,instructions_per_op
	for f in $(echo "$flags" | tr ',' ' '); do
		# Nothing is checked without F: one variant says it all.
		case $f in
		none) count none empty none ;;
		*F*) for v in $(echo "$variants" | tr ',' ' '); do count "$f" "$v"; done ;;
		*) count "$f" empty ;;
		esac
	done
}

rows >"$new"
if [ "$out" = - ]; then
	cat "$new"
else
	mv -- "$new" "$out"
fi
