#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/log-tools.sh: what it refuses, and that it leaves a row for each tool.
# shellcheck source=tests/cli/tap.sh
. "${srcdir:?}/tests/cli/tap.sh"

command -v hyperfine >/dev/null || skip_all "no hyperfine"
log=$srcdir/tests/data/logs/x86-6.1.192.txt
case $log in *[[:space:]\'\"\\]*) skip_all "hyperfine -N would take the name of the log apart" ;; esac

# stops NAME WORDS ARG...: exit 1, one line that has WORDS, and no CSV.
stops() {
	name=$1 words=$2 status=0
	shift 2
	"$srcdir/bench/log-tools.sh" -o no.csv "$@" >out 2>err || status=$?
	[ $status -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$words" err &&
		[ ! -e no.csv ]
	ok $? "$name"
}
stops "no log is refused" "LOG [NAME=COMMAND...]"
stops "an unknown option is refused" "usage: " -z "$log"
stops "a log that is not there is refused" "$PWD/none: cannot read" "$PWD/none"
stops "a folder is refused" "$PWD: cannot read" "$PWD"
stops "a command without a name is refused" "'perl': expected NAME=COMMAND" "$log" perl
stops "so is an empty name" "'=perl': expected NAME=COMMAND" "$log" =perl
: >"two words"
stops "a name that hyperfine would take apart is refused" "two words: hyperfine" "two words"

"$srcdir/bench/log-tools.sh" -r 2 -o three.csv "$log" "fake=cmp $log" >out 2>err
ok $? "a fake tool is timed, and gets the log as its last word"
same "there is a row for each" "slubbench
slubbench --csv
fake" "$(field three.csv command)"
awk -F, 'NR > 1 && !($4 > 0) { bad = 1 } END { exit bad || NR != 4 }' three.csv
ok $? "with times"

finish
