#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What every command has in common: help, version, wrong words, closed and full outputs.
. "${srcdir:?}/tests/cli/tap.sh"

runs "--help works" 0 --help
grep -q '^Usage: slubbench COMMAND' out
ok $? "--help says how to use it"
runs "--version works" 0 --version
grep -qE '^slubbench [0-9]+\.[0-9]+\.[0-9]+$' out
ok $? "--version is one line"
refuses "no command is refused" "a command is missing"
refuses "an unknown command is refused" "unknown command 'zzz'" zzz

"$SLUBBENCH" --help >/dev/full 2>err
same "a full disk is exit 1" 1 $?
grep -q 'standard output: cannot write' err
ok $? "a full disk is told"
"$SLUBBENCH" --help >&- 2>err
same "a closed stdout is exit 1" 1 $?
{ sleep 0.2; "$SLUBBENCH" --help; echo $? >status; } 2>err | true
same "a closed pipe is exit 1" 1 "$(cat status)"

"$SLUBBENCH" plot --list >/dev/full 2>err
same "one fault is one line" 1 "$(wc -l <err | tr -d ' ')"
refuses "two outputs to one file are refused" "two outputs cannot go to one file" \
	check-bytes --size 8 --csv=one.csv --samples=./one.csv
[ ! -e one.csv ]
ok $? "and neither is written"
(ulimit -f 0; "$SLUBBENCH" initcalls --compare --csv=limit.csv >/dev/null 2>&1)
same "a file size limit is exit 1" 1 $?

refuses "nothing behind --version" "takes no operand: 'extra'" -V extra
refuses "nor behind --help" "takes no operand" --help plot

finish
