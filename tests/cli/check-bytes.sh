#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-bytes: options, files, verdicts.  Nothing here depends on how fast anything is.
. "${srcdir:?}/tests/cli/tap.sh"

# As little measuring as will do.
quick() {
	quick_status=$1
	shift
	run "$quick_status" check-bytes --repetitions 3 --min-time 50us --warmup 0 "$@"
}

# claim AWK-CONDITION NAME FILE: the condition holds in every row; columns by name as c("NAME").
claim() {
	awk -F, '
		function c(name) { return $(at[name]) }
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ rows++ }
		!('"$1"') { print "# row " NR ": " $0; bad = 1 }
		END { exit bad || !rows }' "$3"
	ok $? "$2"
}

# --- files ---------------------------------------------------------------------------------------
quick 0 --size 64,4K --variant byte --csv=sum.csv --samples=all.csv
ok $? "a small run works"
same "header of check-summary-1" \
	"schema,host,cpu,variant,isa,size_bytes,align_bytes,value,mismatch,cache,mode,workload,repetitions,min_ns,median_ns,mad_ns,ci_low_ns,ci_high_ns,cycles,gib_per_s,speedup,of_limit,placement_spread,code_bytes,verdict" \
	"$(head -n 1 sum.csv | tr -d '\r')"
same "header of check-samples-1" \
	"schema,host,cpu,variant,size_bytes,align_bytes,value,mismatch,cache,mode,workload,repetition,iterations,real_ns,cpu_ns" \
	"$(head -n 1 all.csv | tr -d '\r')"
same "the baselines and the reference run beside what was asked" \
	"empty load byte memchr_inv" "$(field sum.csv variant size_bytes=64 | tr '\n' ' ' | sed 's/ $//')"
same "a row for each variant in each case" 8 "$(field sum.csv schema schema=check-summary-1 | wc -l)"
same "a row for each sample" 24 "$(field all.csv schema schema=check-samples-1 | wc -l)"
same "samples are numbered from 0" "0 1 2" \
	"$(field all.csv repetition variant=byte size_bytes=4096 | tr '\n' ' ' | sed 's/ $//')"
claim 'c("min_ns") > 0 && c("min_ns") <= c("ci_low_ns") && c("ci_low_ns") <= c("median_ns") &&
	c("median_ns") <= c("ci_high_ns")' "min <= interval's start <= median <= its end" sum.csv
claim 'c("value") == "0x6b" && c("mismatch") == "none" && c("cache") == "hot" &&
	c("mode") == "throughput" && c("align_bytes") == 0 && c("repetitions") == 3' \
	"the defaults are in the file" sum.csv
claim 'c("iterations") > 0 && c("real_ns") > 0 && c("cpu_ns") > 0' "samples carry both clocks" all.csv
same "the median is the samples' median" "$(field sum.csv median_ns variant=byte size_bytes=64)" \
	"$(field all.csv real_ns variant=byte size_bytes=64 | sort -g | sed -n 2p)"
reference=$(field sum.csv median_ns variant=memchr_inv size_bytes=64)
limit=$(field sum.csv median_ns variant=load size_bytes=64)
claim 'c("size_bytes") != 64 || c("variant") == "empty" || c("variant") == "load" ||
	(c("speedup") * c("median_ns") / '"$reference"' - 1) ^ 2 < 1e-12' \
	"speedup is the reference's median by one's own" sum.csv
claim 'c("size_bytes") != 64 || c("variant") == "empty" ||
	(c("of_limit") * c("median_ns") / '"$limit"' - 1) ^ 2 < 1e-12' \
	"of_limit is the median of load by one's own" sum.csv
claim '(c("variant") == "empty" && c("gib_per_s") == "") ||
	(c("gib_per_s") * c("median_ns") * 1.073741824 / c("size_bytes") - 1) ^ 2 < 1e-12' \
	"gib_per_s is size by median, and none of the baseline that reads nothing" sum.csv
claim 'c("variant") ~ /^(empty|load)$/ ? c("verdict") c("speedup") == "" : c("verdict") == "ok"' \
	"baselines get no verdict and no speedup" sum.csv

# --- cases ---------------------------------------------------------------------------------------
quick 0 --size 1..4*2,9 --align 0,1 --value poison-end,7,0xBB --mismatch none,last --cache hot \
	--variant memchr_inv --csv=sum.csv
ok $? "lists make a cross product"
same "of all lists" 144 "$(field sum.csv variant | wc -l)"
same "sizes in their order" "1 2 4 9" "$(field sum.csv size_bytes | uniq | tr '\n' ' ' | sed 's/ $//')"
same "values by name and number" "0x07 0xa5 0xbb" \
	"$(field sum.csv value | sort -u | tr '\n' ' ' | sed 's/ $//')"
same "the mismatch by its name" 12 \
	"$(field sum.csv variant variant=memchr_inv align_bytes=1 mismatch=last | wc -l)"
quick 0 --size 0 --variant byte --csv
ok $? "no bytes at all can be checked"
grep -q ',0,0,0x6b,none,hot,throughput,,3,' out
ok $? "and --csv alone goes to stdout in place of the table"
quick 0 --size 4096 --mismatch 17 --variant memcmp --csv=sum.csv
ok $? "a mismatch at an offset"
same "the offset is in the file" 17 "$(field sum.csv mismatch variant=memcmp)"
if "$SLUBBENCH" check-bytes --list | grep -q '^isal '; then
	quick 0 --size 4096 --value zero --mismatch 17 --variant isal
	ok $? "a mismatch for a variant that has no offsets"
	grep -q 'isal answers yes or no' err
	ok $? "which says so"
fi
quick 0 --size 64 --cache hot,cold --variant byte --csv=sum.csv --samples=all.csv
ok $? "cold beside hot"
same "both are in the file" "hot cold" "$(field sum.csv cache variant=byte | tr '\n' ' ' | sed 's/ $//')"
claim 'c("cache") == "hot" || (c("cpu_ns") == "" && c("real_ns") > 0)' \
	"no CPU time where it would count the eviction" all.csv
quick 0 --size 64 --variant byte --reference byte --csv=sum.csv
same "another reference is 1 against itself" 1 "$(field sum.csv speedup variant=byte)"
same "and the usual one stays away" "" "$(field sum.csv speedup variant=memchr_inv)"

quick 0 --size 64 --mode throughput,latency --variant byte --csv=sum.csv --samples=all.csv
ok $? "both modes in one run"
same "are in the file" "throughput latency" "$(field sum.csv mode variant=byte | tr '\n' ' ' | sed 's/ $//')"
same "and in the samples" 3 "$(field all.csv mode variant=byte mode=latency | wc -l)"
quick 0 --size 64 --filter '^(byte|gpr)$' --csv=sum.csv
same "--filter takes what matches, baselines and reference besides" "empty load byte memchr_inv gpr" \
	"$(field sum.csv variant | tr '\n' ' ' | sed 's/ $//')"

# --- code and placement --------------------------------------------------------------------------
quick 0 --size 64 --variant byte,memcmp --placement 2 --csv=sum.csv --samples=all.csv
ok $? "two places"
same "one row a repetition, whatever the places" 3 "$(field all.csv variant variant=byte | wc -l)"
same "a call into the C library stays where it is" "" "$(field sum.csv placement_spread variant=memcmp)"
claim 'c("placement_spread") == "" || c("placement_spread") >= 0' "a spread is no less than 0" sum.csv
quick 0 --size 64 --variant byte --placement 1 --csv=sum.csv
same "one place has no spread" "" "$(field sum.csv placement_spread variant=byte)"
run 0 check-bytes --list --csv
cp out list.csv
same "the code's size is the same in list and file" "$(field list.csv code_bytes variant=byte)" \
	"$(field sum.csv code_bytes variant=byte)"

# --- what a kernel pays --------------------------------------------------------------------------
if grep -qw xsave /proc/cpuinfo; then
	quick 0 --size 64 --kernel-cost --variant gpr,auto --csv=sum.csv
	ok $? "--kernel-cost"
	same "stands beside throughput" "throughput kernel" \
		"$(field sum.csv mode variant=gpr | tr '\n' ' ' | sed 's/ $//')"
	same "has no limit to be held against" "" "$(field sum.csv of_limit variant=gpr mode=kernel)"
	grep -qE '^In a kernel, saving and restoring .* costs [0-9.]+ ns a call' out
	ok $? "tells the price"
	grep -qE '^SIMD (pays from 64 bytes on|does not pay)' out
	ok $? "and whether it pays"
fi

# --- SLUB's own checks ---------------------------------------------------------------------------
quick 0 --workload dentry,random-small --variant byte --csv=sum.csv --samples=all.csv
ok $? "workloads"
same "in the file by their names" "dentry random-small" \
	"$(field sum.csv workload variant=byte | tr '\n' ' ' | sed 's/ $//')"
same "and nothing but them when no size was asked for" "" "$(field sum.csv size_bytes variant=byte | tr -d '\n')"
same "in the samples too" 6 "$(field all.csv workload variant=byte | grep -c .)"
quick 0 --workload all --variant byte -r 1 --csv=sum.csv
same "all of them are nine" 9 "$(field sum.csv workload variant=byte | sort -u | wc -l)"
quick 0 --workload dentry --size 32 --variant byte
ok $? "sizes beside a workload"
grep -qE '^variant +workload +bytes ' out
ok $? "are told apart in the table"
quick 0 --workload kmalloc-4k --variant slub2011 --csv=sum.csv
same "a workload that meets the mistake" known-wrong "$(field sum.csv verdict variant=slub2011)"
refuses "a workload that is not there names the nearest" "did you mean 'dentry'" check-bytes --workload dentri

# --- a file --------------------------------------------------------------------------------------
{ head -c 3000 /dev/zero; printf x; head -c 99 /dev/zero; } >image
quick 0 --input image --value 0,erased --variant byte --csv=sum.csv
ok $? "a file as input"
grep -qxF 'image: the first of 3100 bytes that is not 0x00 is 0x78 at offset 3000' out
ok $? "where it is wrong, and how"
grep -qxF 'image: the first of 3100 bytes that is not 0xff is 0x00 at offset 0' out
ok $? "for each value"
same "the offset is in the file" 3000 "$(field sum.csv mismatch variant=byte value=0x00)"
same "and the size" 3100 "$(field sum.csv size_bytes variant=byte value=0x00)"
same "no limit for those that need not read all" "" "$(field sum.csv of_limit variant=byte value=0x00)"
head -c 77 /dev/zero >clean
quick 0 --input clean --value 0 --align 5 --variant byte
ok $? "a clean file"
grep -qxF 'clean: each of 77 bytes is 0x00' out
ok $? "is said to be clean"
"$SLUBBENCH" check-bytes -r 1 --min-time 50us --warmup 0 --variant byte --value 0 --input - <image >out 2>err
same "stdin" 0 $?
grep -q '^stdin: the first of 3100 bytes .* at offset 3000$' out
ok $? "is checked the same"
head -c 9999 image | "$SLUBBENCH" check-bytes -r 1 --min-time 50us --warmup 0 --variant byte --value 0 --input - --csv >out 2>err
grep -q 'note: stdin: the first of 3100 bytes .* at offset 3000$' err
ok $? "with CSV on stdout the verdict on the file goes to stderr"
mkfifo fifo
: >empty
refuses "a folder is refused" ".: is a directory" check-bytes --input .
refuses "a FIFO is refused" "fifo: is a FIFO" check-bytes --input fifo
refuses "a device is refused" "/dev/null: is no regular file" check-bytes --input /dev/null
refuses "an empty file is refused" "empty: is empty" check-bytes --input empty
refuses "a file that is not there is refused" "nowhere: cannot open" check-bytes --input nowhere
refuses "a file and a size are refused" "leave out --size" check-bytes --input clean --size 4
refuses "a file and a mismatch are refused" "leave out --mismatch" check-bytes --input clean --mismatch 4
truncate -s 100T huge 2>/dev/null || truncate -s 7T huge
if [ -s huge ]; then
	refuses "a file larger than memory is refused" "huge: larger than" check-bytes --input huge
fi

# --- verdicts ------------------------------------------------------------------------------------
quick 0 --size 16,64 --value 0xcc,0x6b --variant slub2011 --csv=sum.csv
ok $? "a variant that is known to be wrong is no failure"
same "it is named where it is wrong" known-wrong "$(field sum.csv verdict variant=slub2011 size_bytes=64 value=0xcc)"
same "and only there: 16 bytes" ok "$(field sum.csv verdict variant=slub2011 size_bytes=16 value=0xcc)"
same "and only there: 0x6b" ok "$(field sum.csv verdict variant=slub2011 size_bytes=64 value=0x6b)"
same "it gets no speedup" "" "$(field sum.csv speedup variant=slub2011 size_bytes=64 value=0xcc)"
[ -n "$(field sum.csv median_ns variant=slub2011 size_bytes=64 value=0xcc)" ]
ok $? "but it is timed"
grep -q 'slub2011 is known to be wrong for 0xcc' err && grep 'slub2011' err | grep -q 17
ok $? "the smallest failing case is told: 17 bytes"
quick 0 --size 16 --value 0xcc --variant slub2011
[ ! -s err ] || ! grep -q slub2011 err
ok $? "no word of it where no case meets it"

# --- table and list ------------------------------------------------------------------------------
quick 0 --size 64,128 --variant byte
ok $? "the table"
same "one line each, a header and a blank line between cases" 10 "$(wc -l <out)"
grep -qE '^variant +bytes +ns/call +95% from +to +min +GiB/s +speedup +of load +placement +verdict' out
ok $? "its columns"
grep -qE '^load .* 100%' out
ok $? "load is all of load"
quick 0 --size 64 --align 0,1 --variant byte
grep -qE '^variant +bytes +align ' out
ok $? "what differs between cases is shown"
quick 0 --size 64 --variant byte -o variant,cache,mad_ns
same "-o chooses" "variant cache mad" "$(head -n 1 out | tr -s ' ' | sed 's/ $//')"
runs "--list works" 0 check-bytes --list
for variant in byte slub2011 memchr_inv gpr rep-scas memcmp sse2 avx2 avx512 auto empty load; do
	grep -qE "^$variant " out
	ok $? "--list has $variant"
done
grep -qE '^(neon|sse2) .* no: needs ' out
ok $? "--list says why one is of no use here"
runs "--list as CSV" 0 check-bytes --list --csv
grep -qE '^check-variants-1,memchr_inv,any,8,yes,[0-9]*,yes,' out
ok $? "with all that is known of a variant"
runs "--list as JSON beside CSV" 0 check-bytes --list --csv=list.csv --json=list.json
json_has_csv "has the same variants" list.json list.csv
# listed VARIANTS OPTION...: which variants --list has.
listed() {
	listed_want=$1
	shift
	run 0 check-bytes --list "$@" --csv
	same "--list $*" "$listed_want" "$(field out variant | xargs)"
}
listed "byte neon" --variant neon,byte
listed "gpr" --filter '^gp'
listed "byte gpr" --filter '^gp' --variant byte
refuses "--list of a variant that is not there" "--variant: there is no variant 'avx3'; did you mean 'avx2'?" \
	check-bytes --list --variant avx3
refuses "nor of none" "--filter: 'zzz' matches no variant" check-bytes --list --filter zzz
for option in --reference=byte --size=64 --kernel-cost --samples=all.csv; do
	refuses "--list has no use for ${option%=*}" "check-bytes: --list times nothing: leave out ${option%=*}" \
		check-bytes --list "$option"
done

# --- JSON ----------------------------------------------------------------------------------------
quick 0 --size 64 --cache hot,cold --variant byte --json=gb.json --csv=sum.csv --samples=all.csv
ok $? "JSON beside CSV"
[ -s out ]
ok $? "and the table"
same "one run for each sample" "$(field all.csv schema | wc -l)" "$(grep -c '"run_name"' gb.json)"
grep -q '"name": "byte/64/0/0x6b/none/hot/throughput"' gb.json
ok $? "named by its case"
quick 0 --size 64 --variant byte --json
head -n 1 out | grep -qx '{'
ok $? "--json alone goes to stdout in place of the table"
! grep -q '^variant' out
ok $? "and nothing else does"
if command -v python3 >/dev/null; then
	python3 -c '
import json, sys
runs = json.load(open("out"))["benchmarks"]
assert len(runs) == 12, len(runs)
for run in runs:
    assert run["run_type"] == "iteration" and run["time_unit"] == "ns" and run["threads"] == 1
    assert run["real_time"] > 0 and run["cpu_time"] > 0 and run["iterations"] > 0
    assert run["repetitions"] == 3 and 0 <= run["repetition_index"] < 3
'
	ok $? "with all that the schema asks for"
else
	skip "with all that the schema asks for" "no python3"
fi
refuses "CSV and JSON on one stdout are refused" "cannot both go to stdout" check-bytes --csv --json

# --- bad input -----------------------------------------------------------------------------------
for size in -1 4Q '' ',' 8.. 8..4 99999999999999999999 x; do
	refuses "--size '$size' is refused" "--size: '$size'" check-bytes --size "$size"
done
refuses "a size beyond memory is refused" "1125899906842624 bytes" check-bytes --size 1024T
refuses "--align 64 is refused" "--align: 64" check-bytes --align 64
refuses "--value 256 is refused" "--value: '256'" check-bytes --value 256
refuses "--value with a slip names the nearest" "did you mean 'poison-free'" check-bytes --value poisonfree
refuses "--mismatch with a slip names the nearest" "did you mean 'middle'" check-bytes --mismatch midle
refuses "a mismatch behind the end is refused" "'64' is not within 64 bytes" check-bytes --size 64 --mismatch 64
refuses "a mismatch in nothing is refused" "'first' is not within 0 bytes" check-bytes --size 0 --mismatch first
refuses "--cache with a slip names the nearest" "did you mean 'cold'" check-bytes --cache colt
refuses "a variant that is not there names the nearest" "did you mean 'avx2'" check-bytes --variant avx3
refuses "a reference that is not there is refused" "--reference: there is no variant 'nobody'" check-bytes --reference nobody
refuses "a baseline is no reference" "--reference: 'empty'" check-bytes --reference empty
refuses "--mode with a slip names the nearest" "did you mean 'latency'" check-bytes --mode latecy
refuses "a broken --filter is refused" "--filter: '(' is no extended regular expression" check-bytes --filter '('
refuses "a --filter for nobody is refused" "--filter: 'zzz' matches no variant" check-bytes --filter zzz
refuses "--placement 0 is refused" "--placement: '0'" check-bytes --placement 0
refuses "--placement 17 is refused" "--placement: '17'" check-bytes --placement 17
refuses "--repetitions 0 is refused" "--repetitions: '0'" check-bytes --repetitions 0
refuses "--min-time 0 is refused" "--min-time: '0'" check-bytes --min-time 0
refuses "--min-time without a unit is refused" "--min-time: '5'" check-bytes --min-time 5
refuses "too many cases are refused" "more than" check-bytes --size 0..60000+1 --align 0..63+1
refuses "an operand is refused" "takes no operand" check-bytes 64
refuses "an unknown column is refused" "there is no column 'median'" check-bytes -o median
refuses "an unknown option is refused" "unknown option '--frobnicate'" check-bytes --frobnicate
refuses "a file in no folder is refused" "none/sum.csv" check-bytes --csv=none/sum.csv
rm -f sum.csv all.csv
refuses "a mistake leaves no file" "CPU 99999" check-bytes --cpu 99999 --csv=sum.csv --samples=all.csv
[ ! -e sum.csv ] && [ ! -e all.csv ]
ok $? "neither summary nor samples"
if [ "$(uname -m)" = x86_64 ]; then elsewhere=neon; else elsewhere=sse2; fi
runs "a variant of another CPU is exit 77" 77 check-bytes --variant "$elsewhere"
grep -q "variant '$elsewhere' does not run here: it needs " err
ok $? "and says what it needs"

"$SLUBBENCH" check-bytes -q -r 3 --min-time 50us --size 16,64 --value 0xcc --variant slub2011 >out 2>err
[ ! -s err ]
ok $? "--quiet says nothing of what is no error"

# --- surroundings --------------------------------------------------------------------------------
BENCHMARK_LIST_TESTS=true BENCHMARK_FORMAT=json BENCHMARK_FILTER=x BENCHMARK_OUT=library.json
export BENCHMARK_LIST_TESTS BENCHMARK_FORMAT BENCHMARK_FILTER BENCHMARK_OUT
quick 0 --size 64 --variant byte --csv
ok $? "the library's variables have no say"
same "in what is written" 5 "$(wc -l <out)"
[ ! -e library.json ]
ok $? "nor in what files there are"
unset BENCHMARK_LIST_TESTS BENCHMARK_FORMAT BENCHMARK_FILTER BENCHMARK_OUT
"$SLUBBENCH" check-bytes -r 1 --min-time 50us --size 64 --variant byte --csv >/dev/full 2>err
same "a full disk is exit 1" 1 $?
"$SLUBBENCH" check-bytes -r 1 --min-time 50us --size 64 --variant byte >&- 2>err
same "a closed stdout is exit 1" 1 $?
# A limit on file sizes is one on shared memory as well.
(ulimit -f 1; "$SLUBBENCH" check-bytes -r 1 --min-time 50us --size 64 --variant byte >/dev/null 2>err)
same "what there is no memory to verify is no wrong answer" 1 $?
grep -q 'byte could not be verified and will not be timed' err
ok $? "which is told"

finish
