#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# initcalls on boot logs: milestones, what-if, advice, several logs, and logs that are none.
# shellcheck source=tests/cli/tap.sh
. "${srcdir:?}/tests/cli/tap.sh"
logs=$srcdir/tests/data/logs
dog=$logs/watchdog.txt
x86=$logs/x86-6.1.192.txt
map=$srcdir/tests/data/symbols/x86-6.1.192.map
wait_for="--milestone probe:20bc000.watchdog"

# says NAME WORDS: the output of the last run has these words.
says() {
	grep -qF -- "$2" out
	ok $? "$1"
}
# notes NAME WORDS: so has its standard error.
notes() {
	grep -qF -- "$2" err
	ok $? "$1"
}

runs "a log is read" 0 initcalls --log "$x86" --csv
same "each initcall is a row" 355 "$(wc -l <out)"
same "before the clock switch the stamps tell" stamps "$(field out duration_from initcall=init_hw_perf_events)"
same "after it what is reported" reported "$(field out duration_from initcall=pci_sysfs_init)"
same "also of calls that create caches" stamps "$(field out duration_from initcall=init_bio)"
same "levels are from what is known" known-order "$(field out level_from initcall=pci_sysfs_init)"
same "failures have their names" "ENODEV" "$(field out error initcall=rapl_pmu_init)"
notes "what was read is told" "354 initcalls"
notes "and what was taken for none" "5 calls of devices that are no initcalls"
runs "with the kernel's symbols" 0 initcalls --log "$x86" --symbols "$map" --csv
same "levels are from there" symbols "$(field out level_from initcall=pci_sysfs_init)"
same "with the sync ones" subsys_sync "$(field out level initcall=vga_arb_device_init)"
tr -d '\r' <"$x86" | sed 's/^<[0-9]*>\[[^]]*\] //' >bare.txt
same "a log is read from standard input" 12 "$("$SLUBBENCH" initcalls --log - --csv <"$dog" 2>/dev/null | wc -l)"
refuses "which may be empty" "stdin: empty" initcalls --log -

# shellcheck disable=SC2086
{
runs "a milestone" 0 initcalls --log "$dog" $wait_for
says "its time" "probe of 20bc000.watchdog returns 0 at 870.0 ms"
says "its line and clock" "line 20 of watchdog.txt; the clock is that of the printk stamps"
says "the initcalls before it" "before it, 785.3 ms in 8 initcalls, by level:"
grep -qE '^between initcalls +84700 +9\.7% +870000' out
ok $? "what lies between, and the sum is the milestone"
grep -qE '^fec +1 +210100 +24\.1% +485200' out
ok $? "by prefix, cumulative"
grep -qE '^2188000\.ethernet +2 +1 +15000 +65000 +615000 0' out
ok $? "a deferred probe, its cost and its span"
says "a failure by name" "imx_sdma_init returned -ENXIO (-6)"
runs "advice" 0 initcalls --log "$dog" $wait_for --advise=3
grep -qE '^ +1 pty_init +device +178000 +178000 .* candidate +device level' out
ok $? "the best candidate and its reason"
grep -qE '^ +4 ' out
ok $((! $?)) "no more than asked for"
runs "advice as JSON" 0 initcalls --log "$dog" $wait_for --advise=3 --json
grep -q '"gain_us": 178000' out && grep -q '"verdict": "candidate"' out
ok $? "has gain and verdict"
runs "deferring one" 0 initcalls --log "$dog" $wait_for --defer=pty_init
says "wins at the milestone" "at 692.0 ms"
says "beside the log as it is" "178.0 ms sooner"
says "and costs nothing in all" "970.0 ms: unchanged"
runs "promoting one" 0 initcalls --log "$dog" --milestone pty_init --promote=pty_init
says "wins at the milestone" "pty_init returns at 280.4 ms"
refuses "the milestone itself stays" "the milestone's probe runs in it" \
	initcalls --log "$dog" $wait_for --defer=imx2_wdt_driver_init
refuses "a wait stays" "deferred_probe_initcall cannot move: waits" \
	initcalls --log "$dog" $wait_for --defer=deferred_probe_initcall
refuses "a console stays" "con_init cannot move: a console" \
	initcalls --log "$dog" $wait_for --defer=con_init
refuses "a module stays" "imx_sdma_init cannot move: a module" \
	initcalls --log "$dog" $wait_for --promote=imx_sdma_init
refuses "a lower level stays" "below device level" \
	initcalls --log "$x86" --symbols "$map" --defer=pci_subsys_init
}
refuses "an unknown initcall to promote" "'nothing'" initcalls --log "$dog" --promote=nothing
refuses "the nearest is told" "the nearest are pty_init and con_init" initcalls --log "$dog" --promote=pty_inits
refuses "of one to defer as well" "the nearest is pty_init" initcalls --log "$dog" --defer=pty_int
refuses "and of a registrar" "the nearest is slab_sysfs_init" \
	initcalls --log "$dog" --registrar slab_sysfs_int
refuses "an unknown milestone has a nearest one" "the nearest is imx2_wdt_driver_init" \
	initcalls --log "$dog" --milestone imx2_wdt_driver
refuses "a device is a probe's" "no initcall '20bc000.watchdog'; did you mean 'probe:20bc000.watchdog'?" \
	initcalls --log "$dog" --milestone 20bc000.watchdog
refuses "an unknown device as well" "the nearest is 2184000.usb" \
	initcalls --log "$dog" --milestone probe:2184000.usc
runs "a milestone without stamps" 0 initcalls --log bare.txt --milestone init
says "says which clock" "the sum of the durations, as the log has no stamps"
runs "JSON" 0 initcalls --log "$dog" --milestone init --json
grep -q '"unplaced_lines": 0' out && grep -q '"at_us": 970000' out && grep -q '"lost_us": 15000' out
ok $? "has counts, milestone and deferrals"

sed 's/170400 usecs/370400 usecs/' "$dog" >second.txt
sed 's/6\.13\.9/6.14.1/; /pty_init/d' "$dog" >third.txt
runs "three logs" 0 initcalls --log "$dog" second.txt third.txt --milestone init --csv=rows.csv
grep -qE '^pty_init +2 +170400 +270400 +370400 +74% no' out
ok $? "an unsteady initcall"
says "the milestone of all" "970.0 ms (median of 3 logs"
says "different kernels" "different kernels"
says "what is not in all" "initcalls that are not in all of the logs: 1"
same "rows of each run" "11 11 10" "$(cut -d, -f3 rows.csv | sed 1d | sort | uniq -c | awk '{ printf s $1; s = " " }')"
runs "a log that is there twice" 0 initcalls --log "$dog" second.txt "$dog" --csv
same "counts once" "11 11" "$(cut -d, -f3 out | sed 1d | sort | uniq -c | awk '{ printf s $1; s = " " }')"
notes "and is told" "watchdog.txt: the same log as"
for ends in 's/$/\r/' 's/$/ /' 's/$/\r\r/'; do
	sed "$ends" "$dog" >ends.txt
	runs "with other line ends ($ends)" 0 initcalls --log "$dog" ends.txt --csv
	notes "it is the same" "ends.txt: the same log as"
done
tr '\n' '\r' <"$dog" >ends.txt
runs "or carriage returns alone" 0 initcalls --log ends.txt "$dog"
notes "too" "watchdog.txt: the same log as ends.txt"
says "and a milestone of one log" "(median of 1 log; "
sed '$s/$/ x/' "$dog" >more.txt
runs "with a word more" 0 initcalls --log "$dog" more.txt
says "it is another" "(median of 2 logs; "
runs "symbols of several logs from standard input" 0 initcalls --log "$x86" second.txt --csv --symbols "$map"
cp out expected.csv
"$SLUBBENCH" initcalls --log "$x86" second.txt --csv --symbols - <"$map" >out 2>err && cmp out expected.csv
ok $? "are those of the file"
refuses "standard input is read once" "only once" initcalls --log - --symbols -
refuses "several logs are not moved" "take one" initcalls --log "$dog" second.txt --defer=pty_init
refuses "--log twice" "--log: is there twice" initcalls --log "$dog" --log second.txt
refuses "files without --log" "follow --log" initcalls "$dog"
refuses "a missing one of several" "nowhere.txt" initcalls --log "$dog" nowhere.txt

sed 's/^\(.*\)\] calling  fec_driver_init.*/&\n\1] calling  3_port_probe+0x0\/0x9 @ 44/
s/^\(.*\)\] initcall fec_driver_init.*/&\n\1] initcall 3_port_probe+0x0\/0x9 returned after 210100 usecs/' \
	"$dog" >async.txt
runs "asynchronous functions" 0 initcalls --log async.txt --csv
same "are rows behind the initcalls" "12 async 44 330000 210100" \
	"$(field out order initcall=port_probe) $(field out level initcall=port_probe) $(
	field out pid initcall=port_probe) $(field out start_us initcall=port_probe) $(
	field out duration_us initcall=port_probe)"
# shellcheck disable=SC2086
runs "beside what is deferred" 0 initcalls --log async.txt $wait_for --defer=pty_init --csv
same "they start as much sooner as what starts them" 152000 "$(field out start_us initcall=port_probe)"
cat "$x86" "$x86" >twice.txt
runs "the same boot twice" 0 initcalls --log twice.txt --csv
same "is one" 355 "$(wc -l <out)"
notes "and is told" "2 boots in it, one and the same"
printf 'initcall a+0x0/0x5 returned 0 after many usecs\n' | cat "$dog" - >odd.txt
runs "an odd line" 0 initcalls --log odd.txt
notes "is told with its number" \
	"odd.txt:30: 'initcall a+0x0/0x5 returned 0 after many usecs': expected a number of 64 bits, as in 'after 5 usecs'"

# Carriage returns alone end the lines of a serial capture; elsewhere they are no line ends.
runs "lines as they are" 0 initcalls --log "$x86" --csv
sed 's/^[^,]*,[^,]*,//' out >expected.csv
tr '\n' '\r' <"$x86" | tr -s '\r' >returns.txt
runs "carriage returns alone" 0 initcalls --log returns.txt --csv
sed 's/^[^,]*,[^,]*,//' out | cmp - expected.csv
ok $? "end lines"
"$SLUBBENCH" initcalls --log - --csv <returns.txt 2>err | sed 's/^[^,]*,[^,]*,//' | cmp - expected.csv
ok $? "of a pipe as well"
cat returns.txt returns.txt returns.txt >long.txt
echo >>long.txt
runs "with a newline behind more than one line has" 0 initcalls --log long.txt --csv
same "all the same" 355 "$(wc -l <out)"
awk '{ printf " 10%%\r 20%%\r%s\n", $0 }' "$dog" >progress.txt
runs "progress that overwrites itself" 0 initcalls --log progress.txt --csv
same "does not end a line" 28 "$(field out line initcall=imx_sdma_init)"

# What is read is never written.
cp "$dog" mine.txt
ln -s mine.txt link.txt
refuses "a log stays" "is read by this command" initcalls --log mine.txt --csv=mine.txt
refuses "through a link" "is read by this command" initcalls --log mine.txt --json=link.txt
refuses "as one of several" "is read by this command" initcalls --log "$x86" mine.txt --csv=./mine.txt
refuses "symbols stay" "is read by this command" \
	initcalls --log "$dog" --symbols mine.txt --csv=mine.txt
cmp mine.txt "$dog"
ok $? "to the byte"

# Logs that are none, or hostile.
: >empty
refuses "an empty file" "empty: empty" initcalls --log empty
refuses "a folder" "Is a directory" initcalls --log .
refuses "a missing file" "No such file" initcalls --log nowhere
refuses "a text without initcalls" "no initcall_debug lines in" initcalls --log "$srcdir/COPYING"
# What is wrong with the first line of a log that has no other.
while IFS='|' read -r wanted line; do
	printf '[    0.1] x\n%s\n' "$line" >odd.txt
	refuses "an odd line alone: $line" \
		"slubbench: odd.txt:2: '$line': expected $wanted; no initcall of this log can be read" \
		initcalls --log odd.txt
done <<END
a number of 64 bits, as in 'after 5 usecs'|initcall a+0x0/0x5 returned 0 after 99999999999999999999 usecs
a number of 64 bits, as in 'after 5 usecs'|initcall 0xc03fe890 ran for 99999999999999999999 msecs: a+0x0/0x5()
a number of 64 bits, as in 'after 5 usecs'|probe of 20bc000.watchdog returned 0 after 99999999999999999999 usecs
a result of 32 bits, as in 'returned 0'|initcall a+0x0/0x5 returned 9999999999 after 5 usecs
the unit, usecs or msecs|initcall a+0x0/0x5 returned 0 after 5 parsecs
the number of a process, as in '@ 1'|[    0.2] calling  a+0x0/0x5 @ 9999999999
a function as in f+0x0/0x10|initcall a+0x0/ returned 0 after 5 usecs
END
refuses "a program" "no initcall_debug lines in" initcalls --log "$(command -v sh)"
refuses "endless zeros" "this is no log" initcalls --log /dev/zero
head -c 100000000 /dev/zero | tr '\0' x >wide
cat wide "$dog" >wide.txt
rm wide
runs "100 MB without a line end are passed by" 0 initcalls --log wide.txt --csv
same "what is behind is read" 12 "$(wc -l <out)"
notes "and the line is told" "longer than any log line"
rm wide.txt
mkfifo pipe
cat "$dog" >pipe &
runs "a FIFO is read" 0 initcalls --log pipe --csv
same "to its end" 12 "$(wc -l <out)"
printf '[    0.1] calling  f\303\274r_init+0x0/0x5 @ 1\n' >local.txt
runs "a name that is not ASCII" 0 initcalls --log local.txt
grep -qF "$(printf ' f\303\274r_init ')" out
ok $? "stands in the table as the locale has it"
cat >hostile.txt <<'END'
[    0.1] calling  <script>alert(1)</script>+0x0/0x5 @ 1
[    0.2] initcall <script>alert(1)</script>+0x0/0x5 returned 0 after 1 usecs
[    0.3] calling  =cmd|'/c calc'!A0+0x0/0x5 @ 1
[    0.3] calling  =HYPERLINK("x"),"y"+0x0/0x5 @ 1
[    0.4] initcall =HYPERLINK("x"),"y"+0x0/0x5 returned 0 after 1 usecs
[    0.5] calling  `touch${IFS}pwned`$(touch${IFS}pwned)+0x0/0x5 @ 1
[    0.6] initcall `touch${IFS}pwned`$(touch${IFS}pwned)+0x0/0x5 returned 0 after 1 usecs
[    0.7] calling  x"@f{/Bold}'\042system("touch${IFS}pwned")+0x0/0x5 @ 1
[    0.8] initcall x"@f{/Bold}'\042system("touch${IFS}pwned")+0x0/0x5 returned 0 after 1 usecs
END
runs "hostile names" 0 initcalls --log hostile.txt --csv=hostile.csv
grep -qF "'=HYPERLINK" hostile.csv
ok $? "no formula in a spreadsheet"
if command -v gnuplot >/dev/null; then
	runs "no script in a chart" 0 plot hostile.csv --output hostile.svg
	grep -q '<script>' hostile.svg
	ok $((! $?)) "no element either"
else
	skip "no script in a chart" "no gnuplot"
fi
[ ! -e pwned ]
ok $? "nothing was executed"

finish
