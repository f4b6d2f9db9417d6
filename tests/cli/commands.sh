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
refuses "an unknown option is called one" "unknown option '--hlep'" --hlep
refuses "an option that lacks its argument is named, behind an operand too" \
	"option '--log' needs an argument" initcalls one.txt --log
refuses "and one of a letter" "option '-o' needs an argument" initcalls one.txt -o

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
# full OPTION COMMAND...: the file fails, and what was found is shown, above the complaint.
full() {
	full_option=$1
	shift
	"$SLUBBENCH" "$@" >shown 2>/dev/null
	"$SLUBBENCH" "$@" "$full_option=/dev/full" >out 2>err
	same "$full_option of a full disk is exit 1: $*" 1 $?
	same "which is told: $*" 1 "$(grep -c '/dev/full: cannot write: No space left on device' err)"
	same "and the table is shown: $*" "$(wc -l <shown)" "$(wc -l <out)"
	"$SLUBBENCH" "$@" "$full_option=/dev/full" 2>&1 | tail -n 1 | grep -q /dev/full
	ok $? "above that: $*"
}
if [ -c /dev/full ]; then
	log=$srcdir/tests/data/logs/watchdog.txt
	cp "$log" again.txt
	brief="--repetitions 1 --min-time 1us --warmup 0"
	# shellcheck disable=SC2086 # words
	for option in --csv --json --samples; do
		full $option check-bytes $brief --size 64 --variant byte
		full $option objects $brief --cache dentry --ops 4 --variant byte
		full $option sysfs --repetitions 1 --registry model --caches 5
		[ $option = --samples ] && continue
		full $option check-bytes --list
		full $option initcalls
		full $option initcalls --compare
		full $option initcalls --advise
		full $option initcalls --log "$log"
		full $option initcalls --log "$log" again.txt
	done
	kept_status=0
	"$SLUBBENCH" initcalls --csv=/dev/full --json=kept.json >/dev/null 2>&1 || kept_status=$?
	[ $kept_status -eq 1 ] && [ -s kept.json ]
	ok $? "one file that fails takes no other with it"
fi

refuses "two outputs to one file are refused" "two outputs cannot go to one file" \
	check-bytes --size 8 --csv=one.csv --samples=./one.csv
[ ! -e one.csv ]
ok $? "and neither is written"
(ulimit -f 0; "$SLUBBENCH" initcalls --compare --csv=limit.csv >/dev/null 2>&1)
same "a file size limit is exit 1" 1 $?

refuses "nothing behind --version" "takes no operand: 'extra'" -V extra
refuses "nor behind --help" "takes no operand" --help plot

# Colour: on a terminal, and never a letter of difference.
plain() {
	sed 's/\x1b\[[0-9;]*m//g'
}
escape=$(printf '\033')
for command in "check-bytes --list" "initcalls" "initcalls --compare" "initcalls --advise"; do
	# shellcheck disable=SC2086 # words
	run 0 $command && cp out never && run 0 $command --color always && grep -q "$escape" out &&
		plain <out | cmp -s - never && run 0 $command --color=auto && cmp -s out never
	ok $? "$command: --color adds emphasis and nothing else, and none in a pipe"
done
for command in "check-bytes --size 64 --value 0xa5 --variant slub2011 --warmup 0" "sysfs --registry model --caches 5" \
	"objects --cache dentry --ops 4 --variant byte --warmup 0"; do
	# shellcheck disable=SC2086 # words
	run 0 $command --repetitions 1 --min-time 1us --color always && grep -q "$escape\[1m" out
	ok $? "${command%% *} has --color"
	# shellcheck disable=SC2086 # words
	run 0 $command --repetitions 1 --min-time 1us --color always --csv && ! grep -q "$escape" out
	ok $? "${command%% *} has none of it in CSV"
done
run 0 check-bytes --size 64 --value 0xa5 --variant slub2011 --warmup 0 --min-time 1us --color always &&
	grep -q "^$escape\[31mslub2011 .*known-wrong" out && grep -q "^$escape\[1mmemchr_inv" out
ok $? "a wrong variant is red, and the reference bold"
refuses "another word for --color is refused" "initcalls: --color: 'bright' is not one of auto, always and never" \
	initcalls --color bright

# on_terminal VARIABLE=VALUE... ARG...: what slubbench prints there.
on_terminal() {
	script -qec "env $* </dev/null" /dev/null </dev/null 2>/dev/null | tr -d '\r'
}
# A chroot may have script(1), but no terminals.
if [ "$(script -qec 'echo yes' /dev/null </dev/null 2>/dev/null | tr -d '\r')" = yes ]; then
	run 0 initcalls
	on_terminal TERM=xterm NO_COLOR= "$SLUBBENCH" initcalls >terminal
	grep -q "$escape" terminal && plain <terminal | cmp -s - out
	ok $? "a terminal gets emphasis, and the same text"
	for words in "TERM=dumb NO_COLOR=" "-u TERM NO_COLOR=" "TERM=xterm NO_COLOR=1"; do
		on_terminal "$words" "$SLUBBENCH" initcalls | cmp -s - out
		ok $? "none with $words"
	done
	on_terminal TERM=xterm NO_COLOR=1 "$SLUBBENCH" initcalls --color always | cmp -s - terminal
	ok $? "--color always is stronger than NO_COLOR"
	on_terminal TERM=xterm NO_COLOR= "$SLUBBENCH" initcalls --color never | cmp -s - out
	ok $? "--color never is stronger than a terminal"
else
	skip "emphasis on a terminal" "no script(1) that makes one"
fi

# Where both go to one place, they do not mix.
"$SLUBBENCH" initcalls --log "$srcdir/tests/data/registrar/x86-deferred-nomerge.txt" >out 2>&1
[ "$(grep -c 'slubbench: ' out)" -gt 0 ] && grep 'slubbench: ' out | grep -qv '^slubbench: '
same "a note begins a line, behind the table as well" 1 $?

# A name that only a folder can have.
: >kept
for words in --csv=new/ --csv=kept/ "--tree new/" "--tree kept/"; do
	# shellcheck disable=SC2086 # words
	refuses "no file for initcalls $words" "${words##*[= ]}: cannot write: " initcalls $words
done
[ ! -e new ] && [ ! -s kept ]
ok $? "and none is made or written"
refuses "a name too long for the folder is found before anything is timed" \
	"cannot write: File name too long" initcalls "--csv=$(printf '%0300d' 0)"

# A file that is there: the new one has its mode, and a link to it stays one.
for mode in 600 640 755; do
	echo old >there && chmod $mode there && run 0 initcalls --csv=there
	same "a file of mode $mode is replaced, and keeps it" "$mode schema" "$(stat -c %a there) $(head -c 6 there)"
done
rm there && (umask 027 && run 0 initcalls --csv=there)
same "a new one has what the umask leaves" 640 "$(stat -c %a there)"
ln -s there link && run 0 initcalls --json=link && [ -L link ] && [ "$(head -c 1 there)" = "{" ]
ok $? "a link is written through"
ln -s none nowhere && refuses "a link to nothing is refused" "nowhere: is a link to a file that is not there" \
	initcalls --csv=nowhere
[ -L nowhere ] && [ ! -e none ]
ok $? "and stays what it is"
rm nowhere
if [ "$(id -u)" -ne 0 ]; then
	echo old >locked && chmod 444 locked
	refuses "a file that is read-only is refused" "locked: cannot write: Permission denied" \
		initcalls --csv=locked
	same "and stays as it is" old "$(cat locked)"
else
	skip "a file that is read-only is refused" "root may write to it"
	chown 65534:65533 there && run 0 initcalls --csv=there
	same "root leaves a file to its owner" 65534:65533 "$(stat -c %u:%g there)"
fi

# A task of an embedded system has a small stack.
# shellcheck disable=SC3045 # where there is none, it is skipped
small() (
	ulimit -s 24 && exec env -i "$SLUBBENCH" "$@"
)
if small --help >out 2>&1; then
	small initcalls --milestone zzz >out 2>err
	[ $? -eq 1 ] && grep -qF "no initcall 'zzz'" err
	ok $? "24 KiB of stack are enough to complain"
	small initcalls --compare >out 2>err
	ok $? "and for a simulation"
else
	skip "24 KiB of stack are enough" "they are not for this C library"
fi

# One letter for one thing.
for command in check-bytes initcalls objects plot sysfs; do
	run 0 "$command" --help
	grep -E '^ +(-., )?--(quiet|repetitions|list)\b' out | grep -qvE '^  -[qrl], --'
	same "$command: -q, -r and -l wherever their options are" 1 $?
done

# What a closed descriptor is.
"$SLUBBENCH" initcalls --csv=closed.csv >&- 2>err
same "a table for a closed stdout is exit 1" 1 $?
[ ! -e closed.csv ] && grep -q 'standard output: cannot write: Bad file descriptor' err
ok $? "and no file is written"
for words in "check-bytes --input" "initcalls --log" "objects --trace"; do
	# shellcheck disable=SC2086 # words
	"$SLUBBENCH" $words - <&- >out 2>err
	[ $? -eq 1 ] && grep -q 'cannot read: Bad file descriptor' err
	ok $? "$words - of a closed stdin is told"
done

# What was typed is shown, but not all of it.
long=$(printf '%05000d' 0)
for words in "check-bytes --size" "check-bytes --variant" "check-bytes --$long" "initcalls --registry" "$long"; do
	# shellcheck disable=SC2086 # words
	refuses "a long word is cut: ${words%%0*}" "000...'" $words "x$long"
	[ "$(wc -c <err)" -lt 400 ]
	ok $? "and the line is short"
done
refuses "what is wrong with it is not cut" "...' is neither a size" check-bytes --size "x$long"
refuses "--size is named by its complaint" "check-bytes: --size: 1099511627776 bytes do not fit" \
	check-bytes --size 1T
echo kkk >input
refuses "--input and --workload exclude each other" "--input and --workload: which of the two?" \
	check-bytes --input input --workload dentry

# Words of a fixed set: all that there are, and the nearest.
while read -r near command option typed all; do
	refuses "$command $option $typed names its words" \
		"slubbench: $command: $option: '$typed' is not one of $all; did you mean '$near'?" \
		"$command" "$option" "$typed"
done <<-END
	never check-bytes --color nevr auto, always and never
	never sysfs --color nevr auto, always and never
	cold check-bytes --cache colt hot and cold
	latency check-bytes --mode latncy throughput and latency
	kernfs sysfs --registry kernf model, kernfs, directory and cgroup
	kernfs initcalls --registry kernf model, kernfs, directory and cgroup
	off sysfs --merge of off and on
	freed objects --corrupt-when fred live and freed
	6.1 objects --kernel 6.3 6.1 and 6.2
END
refuses "a wrong registry is not overlooked where none is used" "did you mean 'model'?" \
	initcalls --log one two --registry modell
refuses "one of the own options that is misspelt" "unknown option '--versoin'; did you mean '--version'?" --versoin

while read -r range words; do
	refuses "what is wrong with the range $range" "--size: '$range' $words" check-bytes --size "$range"
done <<-END
	64..8*2 runs backwards; the smaller size comes first
	64..8 runs backwards; the smaller size comes first
	8..64+0 never gets beyond its first size
	8..64*1 never gets beyond its first size
	0..64*2 never gets beyond its first size
END

# One of each is no more than one.
nouns='byte|line|field|row|number|log|initcall|start|return|call|probe|device|cache|timing|candidate'
singular() {
	singular_name=$1
	shift
	run "$@" && grep -qE "(^|[^0-9.])1 (hard-wrapped |asynchronous )?($nouns)( |;|,|$)" out err &&
		! grep -E "(^|[^0-9.])1 (hard-wrapped |asynchronous )?(($nouns)s|tries)\\>" out err
	ok $? "one is one: $singular_name"
}
printf 'initcall a+0x0/0x5 returned 0 after 5\n' >one.txt
printf '%s\n' 'calling  a+0x0/0x5 @ 1' 'probe of d returned 0 after 5 usecs' \
	'probe of e returned -517 after 5 usecs' 'calling  5_f+0x0/0x5 @ 9' 'initcall b+0x0/0x5 returned 0 after' \
	'5 usecs' 'initcall b+0x0/0x5 returned with preemption imbalance' 'calling  c+0x0/0x5 @ x' >some.txt
printf x >byte
printf 'schema,variant\nx\n' >short.csv
singular "a line" 0 initcalls --log one.txt
singular "of everything" 0 initcalls --log some.txt
singular "before a milestone" 0 initcalls --log some.txt --milestone probe:d
singular "a line without initcalls" 1 initcalls --log byte
singular "a byte" 0 check-bytes --input byte --value 0x78 --variant byte --repetitions 1 --min-time 1us --warmup 0 --quiet
singular "another byte" 0 check-bytes --input byte --variant byte --repetitions 1 --min-time 1us --warmup 0 --quiet
singular "a mismatch" 1 check-bytes --size 1 --mismatch 1
singular "a field" 1 plot short.csv

# One --quiet for all.
run 0 initcalls --quiet --log "$srcdir/tests/data/logs/watchdog.txt" && [ ! -s err ]
ok $? "--quiet leaves out notes"
for command in check-bytes initcalls objects sysfs; do
	refuses "$command: a complaint about -o names it" "$command: --columns: there is no column 'nosuch'" \
		"$command" -o nosuch
done

for command in check-bytes objects sysfs; do
	refuses "$command: a CPU that is not there is refused" \
		"$command: --cpu: cannot run on CPU 99999: there is no such CPU here, or the cpuset" \
		"$command" --cpu 99999
done

# rows_of COLUMN FILE: how many rows have which value.
rows_of() {
	field "$2" "$1" | sort | uniq -c | awk '{ print $1 "*" $2 }' | xargs
}
# once COLUMN ROWS COMMAND OPTION...
once() {
	once_column=$1 once_rows=$2
	shift 2
	run 0 "$@" --csv
	same "taken once: $*" "$once_rows" "$(rows_of "$once_column" out)"
}
brief="--repetitions 1 --min-time 1us --warmup 0"
# shellcheck disable=SC2086 # words
{
	# one row each of empty, load, byte and memchr_inv
	once size_bytes "4*16 4*32 4*8" check-bytes $brief --variant byte --size 8..32*2,0x10,8
	once value "4*0x6b" check-bytes $brief --variant byte --size 8 --value 0x6b,poison-free
	once mode "4*latency" check-bytes $brief --variant byte,byte --size 8 --mode latency,latency
	once workload "4*dentry" check-bytes $brief --variant byte --workload dentry,dentry
	once flags "2*FZ 1*none" objects $brief --ops 4 --variant byte,byte --cache dentry,dentry --flags FZ,zf,FFZ
	run 0 check-bytes $brief --size 8 --variant byte -o +verdict,isa,isa
	same "taken once: columns" "of load placement verdict isa" "$(head -n 1 out | grep -o 'of load .*' | xargs)"
	run 0 check-bytes $brief --size 8,16 --variant byte
	usual=$(sed -n 1p out | xargs)
	run 0 check-bytes $brief --size 8,16 --variant byte -o +cycles
	same "+NAME adds to the columns that are shown without" "$usual cycles" "$(sed -n 1p out | xargs)"
	run 0 check-bytes $brief --variant byte --workload all --csv
	once workload "$(rows_of workload out)" check-bytes $brief --variant byte --workload all,dentry
}
once caches "1*5 1*6" sysfs --registry model,model --caches 5,6,5 --attributes 1,1
run 0 initcalls --defer=slab_sysfs_init,slab_sysfs_init --csv
mv out twice.csv
run 0 initcalls --defer=slab_sysfs_init --csv
cmp -s out twice.csv
ok $? "taken once: initcalls"

finish
