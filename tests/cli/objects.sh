#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# slubbench objects: whole objects timed, traces replayed, faults made on purpose, bad input refused.
# shellcheck source=tests/cli/tap.sh
. "${srcdir:?}/tests/cli/tap.sh"
trace=$srcdir/data/traces/tmpfs-create-6.1.txt
slabinfo=$srcdir/tests/data/slub-layout/slabinfo-6.1-2cpu.txt
brief='--repetitions 2 --min-time 1us --warmup 0'

# --- rows
# shellcheck disable=SC2086 # $brief is words
run 0 objects --cache dentry,kmalloc-4k --flags FZPU,none --variant byte,gpr $brief --csv
ok $? "two caches, two flags, two variants"
same "none once, then empty and each variant, for each cache" \
	"dentry:none dentry:empty dentry:byte dentry:gpr kmalloc-4k:none kmalloc-4k:empty kmalloc-4k:byte kmalloc-4k:gpr" \
	"$(awk -F, 'NR > 1' out | tr -d '\r' | sed 's/"[^"]*"/X/g' | awk -F, '{ print $5 ":" $11 }' | xargs)"
sed 's/"[^"]*"/X/g' out >plain.csv
same "the schema" objects-1 "$(field plain.csv schema variant=byte cache=dentry)"
same "a slot of dentry with FZPU" 288 "$(field plain.csv size_bytes variant=byte cache=dentry)"
same "a slot of dentry without" 192 "$(field plain.csv size_bytes variant=none cache=dentry)"
same "nothing is checked without flags" 0 "$(field plain.csv check_bytes_per_op variant=none cache=dentry)"
same "byte-wise is right" ok "$(field plain.csv verdict variant=byte cache=dentry)"
# shellcheck disable=SC2086
run 0 objects --cache dentry --flags FZ --variant byte $brief --csv
sed 's/"[^"]*"/X/g' out >plain.csv
same "two redzones of 8 bytes are checked per operation" 16 "$(field plain.csv check_bytes_per_op variant=byte)"
# shellcheck disable=SC2086
run 0 objects --cache dentry --variant slub2011 $brief --csv
sed 's/"[^"]*"/X/g' out >plain.csv
same "the patch of 2011 is known to be wrong" known-wrong "$(field plain.csv verdict variant=slub2011)"
# shellcheck disable=SC2086
run 0 objects --cache all --flags F --variant byte $brief --csv
same "--cache all has every known cache" 22 "$(grep -c ',byte,' out)"
# shellcheck disable=SC2086
run 0 objects --cache filp --variant byte $brief --samples samples.csv --csv=rows.csv
ok $? "--samples and --csv=FILE"
same "a sample of alloc, free and both for each repetition" 18 "$(($(wc -l <samples.csv) - 1))"
[ -s rows.csv ] && [ -s out ]
ok $? "with a CSV file the table is on stdout"
# shellcheck disable=SC2086
run 0 objects --cache dentry --flags FZ,none --variant byte $brief --csv=rows.csv --json=rows.json
ok $? "--json beside --csv"
[ -s out ]
ok $? "and the table"
json_has_csv "the rows are the same" rows.json rows.csv
# shellcheck disable=SC2086
run 0 objects --trace "$trace" --variant byte $brief --csv=rows.csv --json
ok $? "--json to stdout"
json_has_csv "has all of it" out rows.csv
refuses "CSV and JSON on one stdout" "objects: --csv and --json cannot both go to stdout" \
	objects --cache dentry --csv --json
refuses "a JSON file that cannot be" "nowhere/rows.json" objects --cache dentry --json=nowhere/rows.json

# --- workloads of real machines
# shellcheck disable=SC2086
run 0 objects --slabinfo "$slabinfo" --variant byte --ops 512 $brief --csv
ok $? "--slabinfo"
grep -q ',mix,' out
ok $? "is one mix"
# shellcheck disable=SC2086
refuses "--cache that the slabinfo lacks" "'dentyr' is not in the slabinfo file; did you mean 'dentry'?" \
	objects --slabinfo "$slabinfo" --cache dentyr $brief
# shellcheck disable=SC2086
run 0 objects --trace "$trace" --variant byte,memchr_inv $brief --csv
ok $? "--trace"
sed 's/"[^"]*"/X/g' out >plain.csv
same "every event of the trace is an operation" \
	"$(($(grep -vc '^#' "$trace") - $(grep -c 'ptr=0000000000000000' "$trace") - $(sed -n 's/.*: \([0-9]*\) frees of addresses that.*/\1/p' err)))" \
	"$(field plain.csv operations variant=byte)"
grep -q 'objects still live at the end' err
ok $? "objects that stay are told"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ if ($at["alloc_ns"] == "" || $at["free_ns"] == "" || $at["pair_ns"] <= 0) bad = 1
	  pair = $at["alloc_ns"] + $at["free_ns"] - $at["pair_ns"]; if (pair > 0.01 || pair < -0.01) bad = 1 }
	END { exit bad || NR != 5 }' plain.csv
ok $? "an alloc, a free, and both make a pair"
# shellcheck disable=SC2086
"$SLUBBENCH" objects --trace - --variant byte $brief --csv --samples samples.csv <"$trace" >out 2>err
same "a trace from stdin" 0 $?
same "samples of it: allocs, frees and both" "6 6 6" \
	"$(for o in alloc free any; do grep -c "trace,stdin,.*,$o," samples.csv; done | xargs)"

# shellcheck disable=SC2086
run 0 objects --trace "$trace" --variant byte $brief --quiet
[ ! -s err ] && [ -s out ]
ok $? "--quiet leaves the notes out"

# --- for the tools that look at a process from outside
run 0 objects --trace "$trace" --variant gpr --passes 3 --quiet
[ ! -s out ] && [ ! -s err ]
ok $? "--passes prints nothing"
runs "--passes without debugging" 0 objects --cache dentry --flags none --passes 2
# A sanitized program does not run under it.
if valgrind "$SLUBBENCH" --version >/dev/null 2>&1; then
	head -n 112 "$trace" >short.txt
	sh "$srcdir/bench/instructions.sh" -p "$SLUBBENCH" -o counts.csv -f none,FZP -v byte,memchr_inv short.txt 2>err
	ok $? "bench/instructions.sh"
	byte=$(field counts.csv instructions variant=byte) word=$(field counts.csv instructions variant=memchr_inv)
	none=$(field counts.csv instructions variant=none)
	[ "$((2 * ${byte:-0}))" -gt "$((3 * ${word:-0}))" ] && [ "${word:-0}" -gt "$((2 * ${none:-0}))" ] && [ "${none:-0}" -gt 0 ]
	ok $? "byte-wise takes more instructions than word-wise, and that more than none"
else
	skip "bench/instructions.sh" "no valgrind that runs it"
fi
if command -v hyperfine >/dev/null; then
	sh "$srcdir/bench/commands.sh" -p "$SLUBBENCH" -d commands -n 1 -r 2 -f FZP -v byte,gpr "$trace" >out 2>err
	ok $? "bench/commands.sh"
	same "has none, both variants and the six rows of 2011" "none byte gpr none byte slub2011 none byte slub2011" \
		"$(field commands/commands.csv variant | xargs)"
	same "a command takes some time" 3 "$(field commands/commands.csv median_s source=here | awk '$1 > 0' | wc -l)"
else
	skip "bench/commands.sh" "no hyperfine"
fi

# --- a fault on purpose
run 0 objects --cache dentry --corrupt 5:0x13
ok $? "--corrupt"
same "the report names the region" ": Poison overwritten" "$(sed -n 's/^BUG dentry (Not tainted)//p' out)"
same "and the byte" "First byte 0x13 instead of 0x6b" "$(sed -n 's/^0x.*@offset=301\. //p' out)"
same "the object is the one that was hit" 1 "$(grep -c '^Object 0x.* @offset=296 fp=' out)"
grep -q '^FIX dentry: Restoring Poison 0xffff88800000012d-0xffff88800000012d=0x6b$' out &&
	grep -q '^FIX dentry: Marking all objects used$' out
ok $? "the bytes are restored and the slab is taken out of use"
run 0 objects --cache kmalloc-64 --corrupt 64:0x41,70:0
same "a live object: right redzone, first to last bad byte" \
	"0xffff888000000180-0xffff888000000186 @offset=384. First byte 0x41 instead of 0xcc" "$(grep '^0x' out)"
run 0 objects --cache kmalloc-64 --corrupt=-1:0x42
grep -q 'Left Redzone overwritten$' out
ok $? "a negative offset is the left redzone"
run 0 objects --cache dentry --corrupt 5:0x13 --corrupt-when live
[ ! -s out ] && grep -q 'nothing looks at such a byte' err
ok $? "a live object is its owner's"
run 0 objects --cache kmalloc-64 --corrupt=-1:0x42 --variant slub2011
[ ! -s out ] && grep -q "'slub2011' does not see it, as is known" err
ok $? "the patch of 2011 misses it"
run 0 objects --cache kmalloc-64 --kernel 6.2 --corrupt 50:0 --corrupt-when live
grep -q 'kmalloc Redzone overwritten$' out
ok $? "6.2 checks what kmalloc() gave beyond what was asked"
refuses "a byte of another object" "slubbench: objects: --corrupt: offset 280 is outside of a slot of dentry, -8 to 279" objects --cache dentry --corrupt 280:1
refuses "no colon" "slubbench: objects: --corrupt: '280' is no OFFSET:BYTE" objects --cache dentry --corrupt 280
refuses "a byte above 255" "'256'" objects --cache dentry --corrupt 1:256
refuses "--corrupt-when alone" "says when --corrupt writes its bytes" objects --cache dentry --corrupt-when live
refuses "two bytes for one offset" "'1:3': another byte is to be there already, 0x02" \
	objects --cache dentry --corrupt 1:2,5:3,1:3
refuses "--corrupt twice over" "give one of them" objects --cache dentry --corrupt 1:1 --passes 1
refuses "rows of what is not timed" "--passes: times nothing" objects --cache dentry --passes 1 --csv
refuses "--ops with --corrupt" "objects: --corrupt: writes into one object, so there is nothing for --ops" objects --cache dentry --corrupt 1:1 --ops 5
refuses "JSON of what is not timed" "objects: --corrupt: times nothing" objects --cache dentry --corrupt 1:1 --json
refuses "--corrupt of a trace" "give --cache, not a workload" objects --trace "$trace" --corrupt 1:1

# --- bad input
refuses "a wrong letter" "there is no flag 'X'" objects --flags FZX
refuses "a cache that is not there" "did you mean 'dentry'?" objects --cache dentyr
refuses "a variant that is not there" "there is no variant 'bite'" objects --variant bite
refuses "no objects" "--ops" objects --ops 0
refuses "too many bytes" "slubbench: objects: --ops: 1000000 objects of up to " objects --cache kmalloc-8k --ops 1000000
refuses "a kernel that is not modelled" "'7.0' is not one of 6.1 and 6.2" objects --kernel 7.0
refuses "a trace that is not there" "nope: cannot open" objects --trace nope
refuses "a folder for a trace" "cannot read" objects --trace .
refuses "--ops of a trace" "slubbench: objects: --ops: a trace brings its own operations" objects --trace "$trace" --ops 5
refuses "two workloads" "give one of them" objects --trace "$trace" --slabinfo "$slabinfo"
: >empty.txt
refuses "an empty trace" "no kmem event to replay in 0 lines" objects --trace empty.txt
echo 'hello world' >text.txt
refuses "a text that is no trace" "no kmem event to replay in 1 line;" objects --trace text.txt
refuses "a text that is no slabinfo" "text.txt:1: expected 'slabinfo - version" objects --slabinfo text.txt
printf '%s\n' 'x-1 [000] .... 1.0: kmalloc: call_site=f bytes_req=8 bytes_alloc=8' \
	'x-1 [000] .... 1.0: kfree: call_site=f ptr=zz' 'x-1 [000] .... 1.0: kfree: call_site=f ptr=ff' >only-bad.txt
refuses "events that cannot be read, and no others" \
	"in 3 lines: 2 events without an address or a size that can be read, 1 free of an address that the trace did not allocate;" \
	objects --trace only-bad.txt
refuses "a trace that never ends" "/dev/zero:1: a line of more than 64 MiB: this is no trace" objects --trace /dev/zero
refuses "a slabinfo that never ends" "/dev/zero:1: a zero byte or a line of more" objects --slabinfo /dev/zero
gzip -c "$trace" >trace.gz
refuses "a compressed trace" "zcat it" objects --trace trace.gz
printf 'PERFILE2zzzzzzzz' >perf.data
refuses "a perf.data" "use what perf script prints" objects --trace perf.data

# --- trace.dat: trace-cmd reads it
if command -v trace-cmd >/dev/null && command -v python3 >/dev/null; then
	python3 "$srcdir/tests/data/traces/make-trace-dat.py" trace.dat
	# shellcheck disable=SC2086
	run 0 objects --trace trace.dat --variant byte $brief --csv
	ok $? "a trace.dat"
	sed 's/"[^"]*"/X/g' out >plain.csv
	same "all of its events are replayed" 40 "$(field plain.csv operations variant=byte)"
	head -c 5000 trace.dat >cut.dat
	refuses "half a trace.dat" "cut.dat: trace-cmd cannot read it: " objects --trace cut.dat
	head -c 200 trace.dat >start.dat
	refuses "the start of a trace.dat" "start.dat: trace-cmd finds no event in it" objects --trace start.dat
else
	skip "a trace.dat" "no trace-cmd or no python3"
fi
printf '\027\010\104tracing6\0' >trace.dat
"$SLUBBENCH" objects --trace - <trace.dat >out 2>err
[ $? -eq 1 ] && grep -q "is a trace.dat, which is not read front to back; give the file's name" err
ok $? "a trace.dat on standard input is refused"
mkfifo pipe
cat trace.dat >pipe &
refuses "and in a pipe that has a name" "pipe: is a trace.dat, which is not read front to back" objects --trace pipe
mkdir -p tools
with_tools() {
	PATH=$PWD/tools "$SLUBBENCH" objects --trace trace.dat --passes 1 >out 2>err
}
with_tools
[ $? -eq 1 ] && grep -q 'trace.dat: is a trace.dat, and trace-cmd, which reads them, is not installed' err
ok $? "no trace-cmd"
echo text >text
refuses "rows over the trace, before it is read" "text: is read by this command" objects --trace text --csv=text
tool() {
	printf '#!/bin/sh\n%s\n' "$1" >tools/trace-cmd
	chmod +x tools/trace-cmd
}
# shellcheck disable=SC2016 # for the script
tool '[ "$*" = "report -i trace.dat" ] && echo "x-1 [000] 1.0: kmalloc: (f+0x1) call_site=f ptr=0xff80 bytes_req=8 bytes_alloc=8"'
with_tools
same "trace-cmd report is what is run" 0 $?
tool 'echo bad luck >&2; exit 3'
with_tools
[ $? -eq 1 ] && grep -qx 'slubbench: trace.dat: trace-cmd cannot read it: bad luck' err
ok $? "trace-cmd fails: its words are passed on"
# shellcheck disable=SC2016
tool 'kill -9 $$'
with_tools
[ $? -eq 1 ] && grep -q 'trace-cmd died of signal 9' err
ok $? "trace-cmd is killed"
# shellcheck disable=SC2016
tool 'echo "x-1 [000] 1.0: kmalloc: (f+0x1) call_site=f ptr=0xff80 bytes_req=8 bytes_alloc=8"
/bin/sleep 30 & echo $! >sleeper'
started=$(date +%s)
with_tools
status=$? sleeper=/proc/$(cat sleeper)/stat
[ $status -eq 0 ] && [ $(($(date +%s) - started)) -lt 20 ] && ! grep -q '(sleep) [^ZX]' "$sleeper" 2>/dev/null
ok $? "trace-cmd leaves a child with its pipe: the trace ends, and so does the child"
# shellcheck disable=SC2016
tool 'echo "x-1 [000] 1.0: kmalloc: (f+0x1) call_site=f ptr=0xff80 bytes_req=8 bytes_alloc=8"
echo $$ >sleeper; exec >&- /bin/sleep 30'
started=$(date +%s)
with_tools
status=$? sleeper=/proc/$(cat sleeper)/stat
[ $status -eq 1 ] && [ $(($(date +%s) - started)) -lt 20 ] && ! grep -q '(sleep) [^ZX]' "$sleeper" 2>/dev/null &&
	grep -qx 'slubbench: trace.dat: trace-cmd closed its output and did not end: killed' err
ok $? "trace-cmd closes its output and never ends: it is killed"

a='x-1 [000] .... 1.0: kmem_cache_alloc: call_site=f ptr=ff00 bytes_req=64 bytes_alloc=64'
f='x-1 [000] .... 1.0: kmem_cache_free: call_site=f ptr=ff00'
{
	printf '%s\n' "$f" "$a" "$f" "$f" "$a" "$a" 'CPU:0 [LOST 9 EVENTS]'
	printf '%s\n' 'x-1 [000] .... 1.0: kmalloc: call_site=f ptr=ff80 bytes_req=0 bytes_alloc=0'
	printf '%s\n' 'x-1 [000] .... 1.0: kmalloc: call_site=f ptr=ff80 bytes_req=1099511627776 bytes_alloc=1099511627776'
	printf '%s\n' 'x-1 [000] .... 1.0: kmalloc: call_site=f bytes_req=8 bytes_alloc=8'
	printf '%s' 'x-1 [000] .... 1.0: kmem_cache_free: call_site=f ptr=ff'
} >bad.txt
# shellcheck disable=SC2086
run 0 objects --trace bad.txt --variant byte $brief
ok $? "a trace with holes is replayed"
for hole in '2 frees of addresses that the trace did not allocate: left out' \
	'1 alloc of an address that was live: the missing free was put in' \
	'1 alloc of 0 bytes: left out' '1 alloc of a size that no cache can have: left out' \
	'9 events lost by the tracer' '1 line cut at the end: left out' \
	'1 event without an address or a size that can be read: left out' \
	'1 object still live at the end'; do
	grep -qxF "slubbench: note: bad.txt: $hole" err || echo "$hole" >>untold
done
grep -qxF 'slubbench: note: bad.txt:10: the first event that cannot be read' err && [ ! -s untold ]
ok $? "and each hole is counted and told"

finish
