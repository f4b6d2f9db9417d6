# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# TAP for the command line tests: each sources this, makes claims, and ends with `finish`.
#
# $SLUBBENCH is the program, $srcdir the top of the source.  Every test works in its own empty
# folder, $work, which goes away with it.

set -u
: "${SLUBBENCH:?is set by make check: the program to test}" "${srcdir:?is set by make check}"
case $srcdir in /*) ;; *) srcdir=$PWD/$srcdir ;; esac
case $SLUBBENCH in /*) ;; *) SLUBBENCH=$PWD/$SLUBBENCH ;; esac
plots=$srcdir/plots
export SLUBBENCH SLUBBENCH_PLOTS="$plots" LC_ALL=C.UTF-8

work=$(mktemp -d "${TMPDIR:-/tmp}/slubbench-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 99

count=0 failed=0

# ok STATUS NAME: one claim, true when STATUS is 0.
ok() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		failed=1
		[ -s "$work/out" ] && sed 's/^/# out: /' "$work/out" | head -n 20
		[ -s "$work/err" ] && sed 's/^/# err: /' "$work/err" | head -n 20
	fi
}

# run STATUS ARG...: run slubbench, keep its output in out and err; true when it exits with STATUS.
run() {
	run_want=$1
	shift
	run_status=0
	"$SLUBBENCH" "$@" >"$work/out" 2>"$work/err" </dev/null || run_status=$?
	[ "$run_status" -eq "$run_want" ] || {
		echo "# slubbench $*: exit $run_status, expected $run_want"
		return 1
	}
}

# runs NAME STATUS ARG...: `run` as a claim.
runs() {
	runs_name=$1
	shift
	run "$@"
	ok $? "$runs_name"
}

# refuses NAME WORDS ARG...: exit 1, nothing on stdout, one line on stderr that has WORDS in it.
refuses() {
	refuses_name=$1 refuses_words=$2
	shift 2
	run 1 "$@" && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
		grep -qF -- "$refuses_words" "$work/err"
	ok $? "$refuses_name"
}

# same NAME EXPECTED GOT: two texts are equal.
same() {
	[ "$2" = "$3" ]
	same_status=$?
	[ $same_status -eq 0 ] || printf '%s\n' "$2" "$3" | sed '1s/^/# expected: /;2,$s/^/# got: /'
	ok $same_status "$1"
}

# field FILE COLUMN [COLUMN=VALUE...]: that column of the matching rows of a plain CSV file.
field() {
	field_file=$1 field_column=$2
	shift 2
	awk -F, -v column="$field_column" -v conditions="$*" '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(conditions, c, " "); next }
		{
			for (i = 1; i <= n; i++) {
				split(c[i], pair, "=")
				if ($at[pair[1]] != pair[2]) next
			}
			print $at[column]
		}' "$field_file"
}

# json_has_csv NAME FILE.json FILE.csv: its rows are those of the CSV: columns, values and their types.
json_has_csv() {
	if ! command -v python3 >/dev/null; then
		skip "$1" "no python3"
		return
	fi
	python3 -c '
import csv, json, sys
file = json.load(open(sys.argv[1], encoding="utf-8"))
rows = list(csv.DictReader(open(sys.argv[2], encoding="utf-8", newline="")))
context = file["context"]
assert list(file) == ["schema", "context", "rows"], list(file)
assert rows and len(file["rows"]) == len(rows), len(file["rows"])
assert file["schema"] == rows[0]["schema"], file["schema"]
assert context["host_name"] == rows[0].get("host", context["host_name"]), context
assert context["cpu_model"] == rows[0].get("cpu", context["cpu_model"]), context
assert context["executable"] == "slubbench" and context["num_cpus"] >= 1, context
assert len(context["date"]) == len("2026-01-31T12:00:00+0000"), context
numbers = 0
for row, want in zip(file["rows"], rows):
    assert list(row) == list(want), list(row)
    for column, value in row.items():
        if value is None:
            assert want[column] == "", column
        elif isinstance(value, str):
            assert value == want[column], column
            assert column in ("host", "cpu", "kernel") or not value.isdigit(), column
        else:
            assert not isinstance(value, bool) and value == float(want[column]), column
            numbers += 1
assert numbers, "no numbers"
' "$2" "$3"
	ok $? "$1"
}

# skip NAME WHY: a claim that cannot be tried here.
skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

finish() {
	echo "1..$count"
	exit "$failed"
}
