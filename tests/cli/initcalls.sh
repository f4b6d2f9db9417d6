#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# initcalls on the board of the 2022 patch and on descriptions of our own.
. "${srcdir:?}/tests/cli/tap.sh"

# near NAME GOT WANTED PERCENT: GOT is within PERCENT of WANTED.
near() {
	awk -v got="$2" -v wanted="$3" -v percent="$4" 'BEGIN {
		off = (got - wanted) / wanted * 100
		exit !(got != "" && off <= percent && -off <= percent)
	}'
	near_status=$?
	[ $near_status -eq 0 ] || echo "# got $2, wanted $3 within $4 %"
	ok $near_status "$1"
}

# of INITCALL POLICY COLUMN: from rows.csv.
of() {
	field rows.csv "$3" "initcall=$1" "policy=$2"
}

header=schema,boot,run,policy,order,level,initcall,module,pid,start_us,duration_us,self_us
header=$header,registration_us,caches,directories,files,links,milestone
header=$header,level_from,duration_from,result,error,probes,before_milestone_us,cumulative_us,line

runs "the board runs" 0 initcalls --compare --csv=rows.csv
same "initcalls-1 has its columns" "$header" "$(head -n 1 rows.csv | tr -d '\r')"
near "slab_sysfs_init eager is 11 ms" "$(of slab_sysfs_init eager duration_us)" 11000 5
near "slab_sysfs_init deferred is 16 ms" "$(of slab_sysfs_init deferred duration_us)" 16000 5
near "ext4_init_fs eager" "$(of ext4_init_fs eager duration_us)" 1386 5
near "journal_init eager" "$(of journal_init eager duration_us)" 517 5
near "init_fat_fs eager" "$(of init_fat_fs eager duration_us)" 294 5
same "ext4_init_fs deferred is its own work" 240 "$(of ext4_init_fs deferred duration_us)"
same "journal_init deferred is its own work" 32 "$(of journal_init deferred duration_us)"
same "init_fat_fs deferred is its own work" 18 "$(of init_fat_fs deferred duration_us)"
same "fat makes two directories and no link" "2 54 0" "$(of init_fat_fs eager directories
) $(of init_fat_fs eager files) $(of init_fat_fs eager links)"
same "and none when deferred" "0 0 0" "$(of init_fat_fs deferred directories
) $(of init_fat_fs deferred files) $(of init_fat_fs deferred links)"
ends() {
	awk -v s="$(of "$1" "$2" start_us)" -v d="$(of "$1" "$2" duration_us)" 'BEGIN { printf "%f", s + d }'
}
gain=$(awk -v a="$(ends gpio_wdt_driver_init eager)" -v b="$(ends gpio_wdt_driver_init deferred)" \
	'BEGIN { print a - b }')
near "the watchdog gains 17 ms" "$gain" 17000 5.88
same "the watchdog is the milestone" "gpio_wdt_driver_init
gpio_wdt_driver_init" "$(awk -F, '{ sub(/\r/, "") } NR > 1 && $18 != "" { print $7 }' rows.csv)"
for policy in eager deferred; do
	awk -F, -v p=$policy '$4 == p { sum += $11 } END { printf "%.3f\n", sum }' rows.csv
done | uniq >totals
same "the total is unchanged" 1 "$(wc -l <totals)"
grep -qx 'initcall ext4_init_fs returned 0 after *[0-9]* *240 *[0-9]*' out
ok $? "the table has the patch's own lines"
grep -q 'gpio_wdt_driver_init returns at .* eager, .* deferred: 16\.[0-9] ms sooner' out &&
	grep -q 'total: .* unchanged' out
ok $? "the milestone's gain and the total stand below"
grep -q simulation out
ok $? "it says that it is a simulation"
same "the registrar is the last mm/ initcall before the late ones of drivers" \
	"init_machine_late printk_late_init slab_sysfs_init check_early_ioremap_leak" "$(
	awk -F, '$4 == "deferred" && $6 == "late" { print $7 }' rows.csv | head -n 4 | tr '\n' ' ' |
		sed 's/ $//')"
same "levels run in their order" 1 "$(
	awk -F, '$4 == "eager" { print $6 }' rows.csv | uniq | tr '\n' ' ' |
		grep -c '^early core arch subsys fs device late late_sync $')"

runs "without a policy it runs as described" 0 initcalls --csv
same "which is eager" eager "$(field out policy initcall=slab_sysfs_init)"
runs "one initcall can be deferred" 0 initcalls --defer=ext4_init_fs --csv
same "then it runs late" late "$(field out level initcall=ext4_init_fs)"
same "and the registrar stays" device "$(field out level initcall=slab_sysfs_init)"
runs "init is a milestone" 0 initcalls --milestone init

# Arithmetic: every node at 2 us, one cache more, another price.
cat >caches.csv <<'EOF'
schema,cache,size_bytes,align_bytes,flags,constructor,usersize_bytes,created_by
caches-1,root,64,0,,1,0,(start_kernel)
caches-1,first,32,0,,0,0,mine_init
caches-1,second,32,0,,0,0,mine_init
caches-1,third,32,0,,1,0,mine_init
caches-1,fourth,48,0,,1,0,mine_init
EOF
cat >board.csv <<'EOF'
schema,level,initcall,module,self_us,caches
boot-1,device,slab_sysfs_init,,5,
boot-1,device,mine_init,,100,first second third
boot-1,device,dog_init,,50,
EOF
nodes="--boot board.csv --caches caches.csv --milestone dog_init --csv=rows.csv --compare"
# shellcheck disable=SC2086
runs "a board of one's own runs" 0 initcalls $nodes --node-cost 2us
# first: directory, 27 files, link; second: link; third: directory, 27 files
same "58 nodes at 2 us" 216 "$(of mine_init eager duration_us)"
same "and none when deferred" 100 "$(of mine_init deferred duration_us)"
same "the registrar has the kset and one cache" 63 "$(of slab_sysfs_init eager duration_us)"
same "and three more with two links when deferred" 179 "$(of slab_sysfs_init deferred duration_us)"
same "the milestone gains both" "eager 329 deferred 150" "$(for p in eager deferred; do
	printf '%s %.0f ' $p "$(ends dog_init $p)"; done | sed 's/ $//')"
# shellcheck disable=SC2086
run 0 initcalls $nodes --node-cost 6us
same "three times the price" 448 "$(of mine_init eager duration_us)"
sed -i 's/third$/third fourth/' board.csv
# shellcheck disable=SC2086
run 0 initcalls $nodes --node-cost 2us
same "one more cache is 28 more nodes" 272 "$(of mine_init eager duration_us)"
# shellcheck disable=SC2086
run 0 initcalls $nodes --node-cost 2us --attributes 10
same "with ten files each it is less" 170 "$(of mine_init eager duration_us)"

refuses "more files than fit are refused" "'4294967295' is not a number from 0 to 100000" \
	initcalls --attributes 4294967295
refuses "an empty name in a list is refused" "where a comma asks" initcalls --defer=ext4_init_fs,,x
refuses "an unknown board is refused" "did you mean 'patch-2022'?" initcalls --boot patch-2023
refuses "--compare has no columns to choose" "-o: the table of --compare" initcalls --compare -o order
refuses "nor has --advise" "-o: the table of --advise" initcalls --advise -o order
refuses "no advice in rows of CSV" "no place for --advise" initcalls --advise --csv
runs "no attributes at all" 0 initcalls --attributes 0
run 0 initcalls --milestone init --compare && grep -q '^slubbench: note: .*instead: the last initcall returns' err
ok $? "init of a board without it is noted"
run 0 initcalls --milestone init --compare --quiet && [ ! -s err ]
ok $? "and not when quiet"
refuses "an unknown option is refused" "did you mean '--compare'" initcalls --compair
refuses "an unknown initcall to defer is refused" "no_such_init" initcalls --defer=no_such_init
refuses "an unknown milestone is refused" "initcalls: --milestone: patch-2022 has no initcall 'no_such_init'" \
	initcalls --milestone no_such_init
refuses "init is a name as well" "the nearest is init" initcalls --milestone inti
refuses "and so is probe" "'prob:dog' is no initcall; did you mean 'probe:dog'?" initcalls --milestone prob:dog
refuses "an unknown registry is refused" "did you mean 'model'?" initcalls --registry modell
refuses "two policies are refused" "only one of them" initcalls --eager --compare
refuses "an initcall cannot be put late and early" "'ext4_init_fs' cannot be both" \
	initcalls --defer=aio_setup,ext4_init_fs --promote=ext4_init_fs
refuses "CSV and JSON do not share stdout" "cannot both go to stdout" initcalls --csv --json
refuses "what caches are known is told, all of them" \
	"known: linux-6.1, debian-6.1-amd64, debian-5.10-amd64 and patch-2022" initcalls --caches zzzzzzzz
ln -s nowhere dangling
refuses "a link to nowhere is no place for a tree" "exists already" initcalls --tree dangling
refuses "a price that nothing heeds is refused" "--node-cost is for --registry model" \
	initcalls --registry kernfs --node-cost 2us
refuses "a price of ages is refused" "longer than a day" initcalls --node-cost 999999999999999s
refuses "the beginning of a name finds it" "ext4_init_fs" initcalls --milestone ext4_init
refuses "a wrong price is refused" "--node-cost" initcalls --node-cost 5parsecs
refuses "a missing file is refused" "nowhere.csv" initcalls --boot nowhere.csv

# bad NAME LINE WORDS: board.csv, after the change, is refused with that line.
bad() {
	refuses "$1" "board.csv:$2: " initcalls --boot board.csv --caches caches.csv
	grep -qF -- "$3" err
	ok $? "  and told why"
}
cp board.csv good.csv
sed -i '3s/device/devise/' board.csv
bad "an unknown level is refused" 3 "did you mean 'device'?"
sed '3s/100/-100/' good.csv >board.csv
bad "a negative time is refused" 3 "self_us"
sed '3s/second/seconds/' good.csv >board.csv
bad "an unknown cache is refused" 3 "'seconds'"
sed '4s/$/first/' good.csv >board.csv
bad "a cache made twice is refused" 4 "which line 3 did already"
sed '3s/mine_init//' good.csv >board.csv
bad "an initcall without a name is refused" 3 "empty"
sed '1s/self_us/self/' good.csv >board.csv
refuses "a missing column is refused" "self_us" initcalls --boot board.csv --caches caches.csv
cp good.csv board.csv

# worse NAME LINE WORDS: the same for caches.csv.
worse() {
	refuses "$1" "caches.csv:$2: " initcalls --boot board.csv --caches caches.csv
	grep -qF -- "$3" err
	ok $? "  and told why"
}
cp caches.csv good.csv
sed -i '4s/second/first/' caches.csv
worse "a cache that is there twice is refused" 4 "twice, first in line 3"
sed '3s/32/0/' good.csv >caches.csv
worse "a size of 0 is refused" 3 "size_bytes of cache 'first'"
sed '3s/,0,/,24,/' good.csv >caches.csv
worse "an alignment of 24 is refused" 3 "24 is no power of two"
sed '3s/,0,,/,0,PANIC SLAB_FAST,/' good.csv >caches.csv
worse "an unknown flag is refused" 3 "unknown flag 'SLAB_FAST'"
sed '5s/,1,0,/,2,0,/' good.csv >caches.csv
worse "a constructor of 2 is refused" 5 "constructor of cache 'third'"
refuses "the milestone stays although nobody asked for it" "the milestone itself" \
	initcalls --defer=gpio_wdt_driver_init
runs "but not when another one is" 0 initcalls --defer=gpio_wdt_driver_init --milestone init

finish
