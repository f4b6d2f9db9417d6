#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The slab registrar in logs of real kernels: Linux 6.1.192 with slab_sysfs_init eager and deferred
# (the same kernel but for that line; QEMU with -icount shift=0, so 1 us is 1000 instructions), and
# kernels of Debian with what /sys/kernel/slab had in them.
. "${srcdir:?}/tests/cli/tap.sh"

data=$srcdir/tests/data/registrar

# same_tree NAME LOG LISTING OPTION...: the simulated tree is that listing, line by line.
same_tree() {
	tree_name=$1 tree_log=$2 tree_listing=$3
	shift 3
	rm -f tree
	run 0 initcalls --log "$data/$tree_log" --tree tree "$@" && cmp tree "$data/$tree_listing" >err
	ok $? "$tree_name"
}
same_tree "the tree with merging is the real one" x86-eager-merge.txt tree-merge.txt
same_tree "and the same when deferred" x86-eager-merge.txt tree-merge.txt --defer
same_tree "the tree without merging is the real one" x86-eager-nomerge.txt tree-nomerge.txt
same_tree "and the same from the deferred log, made eager" x86-deferred-nomerge.txt \
	tree-nomerge.txt --eager
same_tree "and with kernfs's own nodes" x86-eager-nomerge.txt tree-nomerge.txt --registry kernfs
if "$SLUBBENCH" sysfs --registry directory --caches 1 --repetitions 1 >out 2>err || ! grep -q 'no tmpfs' err; then
	same_tree "and with real directories" x86-eager-merge.txt tree-merge.txt --registry directory
else
	skip "and with real directories" "no tmpfs"
fi
runs "the counts are those of the kernel" 0 initcalls --log "$data/x86-eager-merge.txt" --csv
same "144 directories, 180 links, 3888 files" "145 180 3888" "$(awk -F, 'NR > 1 {
	dirs += $15; files += $16; links += $17 } END { print dirs, links, files }' out)"

# names_as LOG: directories and links by name, with what the links point to.
for log in debian-6.1-amd64-a debian-6.1-amd64-nomerge debian-5.10-amd64-a; do
	rm -f tree
	run 0 initcalls --log "$data/$log.txt" --tree tree
	sed 's/ size=.*//' tree | cmp - "$data/$log.tree.txt" >err
	ok $? "the tree of $log is the real one"
done

# The sets of Debian's kernels owe flags to the listings above.  Here flags, constructors and usersize are
# those of another kernel's source, sizes those of Debian's /proc/slabinfo, and the listing is predicted.
# foretold SET LOG: "AGREE of COMMON" caches that both sets know; in `wrong` where the others went.
foretold() {
	awk -F, -v OFS=, '{ sub(/\r$/, "") }
		FNR == NR { flags[$2] = $5; made[$2] = $6; user[$2] = $7; next }
		$2 in flags { print $1, $2, $3, $4, flags[$2], made[$2], user[$2] < $3 ? user[$2] : $3, $8 }' \
		"$srcdir/data/caches/linux-6.1.csv" "$srcdir/data/caches/$1.csv" |
		sed '1s/.*/schema,cache,size_bytes,align_bytes,flags,constructor,usersize_bytes,created_by/' >common.csv
	rm -f tree
	run 0 initcalls --log "$data/$2.txt" --caches common.csv --tree tree
	awk 'FILENAME == ARGV[1] { split($0, f, ","); common[f[2]] = FNR > 1; next }
		FILENAME == ARGV[2] { if (common[$2]) { n++; real[$2] = $1 " " $4 } next }
		common[$2] { got = $1 " " ($1 == "L" ? $4 : "")
			if (got == real[$2]) agree++; else print $2, got, "not", real[$2] >"wrong" }
		END { print agree, "of", n }' common.csv "$data/$2.tree.txt" tree
}
: >wrong
same "flags of 6.1.192 foretell where Debian's 6.1 has each cache" "161 of 161" \
	"$(foretold debian-6.1-amd64 debian-6.1-amd64-a)"
same "and Debian's 5.10, but for 12" "129 of 141" "$(foretold debian-5.10-amd64 debian-5.10-amd64-a)"
same "  which got SLAB_ACCOUNT between the two" "" "$(sed 's/:A-/:/' wrong |
	awk '!($2 == "L" && $5 == "L" && $3 == $6)')"

# took LOG: "initcall usecs" of each initcall; a second of a name is NAME#2.
took() {
	awk '{ for (i = 1; i <= NF; i++) if ($i == "initcall" && $(i + 2) == "returned") {
		name = $(i + 1); sub(/\+.*/, "", name)
		if (seen[name]++) name = name "#" seen[name]
		print name, $(i + 5)
	} }' "$1"
}
# rows CSV POLICY: the same of a simulation.
rows() {
	awk -F, -v policy="$2" 'NR > 1 && $4 == policy {
		name = $7
		if (seen[name]++) name = name "#" seen[name]
		print name, $11
	}' "$1"
}
# creators_near GOT WANTED: each initcall that creates caches within 10 us or 10 %.
creators_near() {
	awk -F, '$14 > 0 { print $7 }' rows.csv | sort -u >creators
	awk 'FILENAME == ARGV[1] { creator[$1] = 1; next }
		FILENAME == ARGV[2] { got[$1] = $2; next }
		{
			base = $1; sub(/#.*/, "", base)
			off = got[$1] - $2; if (off < 0) off = -off
			if (creator[base] && off > 10 && off > $2 / 10 && $2 > 0) {
				print "# " $1 ": " got[$1] " for " $2; bad = 1
			}
		}
		END { exit bad }' creators "$1" "$2" >misses
	near_status=$?
	cat misses
	return $near_status
}
# within NAME GOT WANTED OFF: GOT is at most OFF away.
within() {
	awk -v got="$2" -v wanted="$3" -v off="$4" 'BEGIN {
		d = got - wanted; if (d < 0) d = -d; exit !(got != "" && d <= off) }'
	within_status=$?
	[ $within_status -eq 0 ] || echo "# got $2, wanted $3 within $4"
	ok $within_status "$1"
}
ends() {
	awk -F, -v name="$1" -v policy="$2" 'NR > 1 && $7 == name && $4 == policy {
		printf "%.1f\n", $10 + $11 }' rows.csv
}

runs "eager log, without merging" 0 initcalls --log "$data/x86-eager-nomerge.txt" --compare \
	--milestone esb_driver_init --csv=rows.csv
rows rows.csv deferred >got
rows rows.csv eager >as_read
took "$data/x86-deferred-nomerge.txt" >wanted
within "the watchdog gains 7462 us, within 2 %" \
	"$(echo "$(ends esb_driver_init eager) $(ends esb_driver_init deferred)" |
		awk '{ print $1 - $2 }')" 7462 149
within "slab_sysfs_init deferred takes 8081 us, within 3 %" \
	"$(awk '$1 == "slab_sysfs_init" { print $2 }' got)" 8081 242
creators_near got wanted
ok $? "every creator is within 10 us or 10 % of the deferred log"
within "what is recorded stays as it is" "$(awk '$1 == "ext4_init_fs" { print $2 }' as_read)" 441 0.01
grep -q 'Run /init.* unchanged' out
ok $? "Run /init does not move"
same "it stands after the mm/ initcalls and before those of fs/" \
	"max_swapfiles_check slab_sysfs_init check_early_ioremap_leak" "$(
	rows rows.csv deferred | grep -B 1 -A 1 '^slab_sysfs_init ' | cut -d ' ' -f 1 |
		tr '\n' ' ' | sed 's/ $//')"
same "btrfs is registered after it and gains nothing" "969" "$(
	awk '$1 == "init_btrfs_fs" { print $2 }' got | cut -d . -f 1)"
same "symbols put it there too" "max_swapfiles_check" "$(
	run 0 initcalls --log "$data/x86-eager-nomerge.txt" --defer --csv=sym.csv \
		--symbols "$srcdir/tests/data/symbols/x86-6.1.192.map"
	rows sym.csv deferred | grep -B 1 '^slab_sysfs_init ' | head -n 1 | cut -d ' ' -f 1)"
grep -q '252 known (linux-6.1)' out
ok $? "it says how many caches are known, and by which knowledge"

runs "deferred log, made eager" 0 initcalls --log "$data/x86-deferred-nomerge.txt" --compare \
	--milestone esb_driver_init --csv=rows.csv
rows rows.csv eager >got
took "$data/x86-eager-nomerge.txt" >wanted
within "the watchdog loses 7462 us, within 2 %" \
	"$(echo "$(ends esb_driver_init eager) $(ends esb_driver_init deferred)" |
		awk '{ print $1 - $2 }')" 7462 149
within "slab_sysfs_init eager takes 3817 us, within 3 %" \
	"$(awk '$1 == "slab_sysfs_init" { print $2 }' got)" 3817 115
creators_near got wanted
ok $? "every creator is within 10 us or 10 % of the eager log"
grep -q 'Run /init.* unchanged' out
ok $? "Run /init does not move"
same "it stands where the eager kernel has it" "procswaps_init slab_sysfs_init fcntl_init" "$(
	rows rows.csv eager | grep -B 1 -A 1 '^slab_sysfs_init ' | cut -d ' ' -f 1 |
		tr '\n' ' ' | sed 's/ $//')"

runs "eager log, with merging" 0 initcalls --log "$data/x86-eager-merge.txt" --compare \
	--milestone esb_driver_init --csv=rows.csv
within "the watchdog gains 4788 us, within 2 %" \
	"$(echo "$(ends esb_driver_init eager) $(ends esb_driver_init deferred)" |
		awk '{ print $1 - $2 }')" 4788 96
within "slab_sysfs_init deferred takes 5138 us, within 3 %" \
	"$(rows rows.csv deferred | awk '$1 == "slab_sysfs_init" { print $2 }')" 5138 154
# What the initcalls that create caches took in the deferred kernel with merging.  aio_setup, 15, is met to
# 11 us only: eager it took 49 more, where a cache with one link takes all others 36 to 39.  What the registrar
# teaches does not tell that one, and without merging it is met.
cat >wanted <<'EOF'
fsnotify_init 13
filelock_init 15
sock_init 43
uid_cache_init 0
user_namespaces_init 15
init_bio 29
blk_ioc_init 14
genhd_device_init 47
sg_pool_init 31
inotify_user_setup 12
eventpoll_init 13
iomap_init 24
inet_init 1274
af_unix_init 15
init_sunrpc 93
init_posix_timers 0
pid_namespaces_init 1
fcntl_init 1
dio_init 3
dnotify_init 4
fanotify_user_setup 5
mbcache_init 3
ext4_init_fs 63
journal_init 15
init_squashfs_fs 5
init_fat_fs 5
init_iso9660_fs 2
init_nfs_fs 65
init_jffs2_fs 41
fuse_init 50
ovl_init 3
init_xfs_fs 160
init_f2fs_fs 107
init_mqueue_fs 22
io_uring_init 1
brd_init 343
init_sd 20
dm_init 62
nf_conntrack_standalone_init 64
inet6_init 502
nf_defrag_init#2 19
br_init 3
can_init 21
cgw_module_init 9
ubifs_init 491
init_btrfs_fs 549
ubi_init 42
EOF
rows rows.csv deferred >got
creators_near got wanted
ok $? "every creator but aio_setup is within 10 us or 10 % of the deferred kernel with merging"
within "aio_setup is within 12 us" "$(awk '$1 == "aio_setup" { print $2 }' got)" 15 12

# Nothing is known but the log: ten times slower, everything is ten times as much.
awk '{ if ($0 ~ /returned/) { $(NF - 1) = $(NF - 1) * 10 } print }' "$data/x86-eager-nomerge.txt" >slow.txt
run 0 initcalls --log slow.txt --defer --csv=rows.csv
within "prices are learned from the log" \
	"$(rows rows.csv deferred | awk '$1 == "slab_sysfs_init" { print $2 }')" 80810 2424
# Debugging keeps all caches apart, whatever slab_nomerge says.
sed 's/\(command line: .*\)/\1 slub_debug=FZPU/' "$data/x86-eager-merge.txt" >debug.txt
run 0 initcalls --log debug.txt --csv
same "slub_debug=FZPU keeps 252 directories" 253 "$(awk -F, 'NR > 1 { n += $15 } END { print n }' out)"
sed 's/\(command line: .*\)/\1 slub_debug=Z,dentry/' "$data/x86-eager-merge.txt" >debug.txt
run 0 initcalls --log debug.txt --csv
same "of one cache it changes nothing here" 145 "$(awk -F, 'NR > 1 { n += $15 } END { print n }' out)"
sed 's/\(command line: .*\)/\1 slub_debug=Z,fat*;F,kmalloc-8,vmap_area/' "$data/x86-eager-merge.txt" >debug.txt
rm -f tree
run 0 initcalls --log debug.txt --tree tree
same "a flag of its own name shows in the directory" "L vmap_area -> :F-0000064" "$(grep ' vmap_area' tree)"

log=$data/x86-eager-nomerge.txt
# A registrar that took less than the clock shows is free; how long is not known of a line that does not tell.
awk '/initcall slab_sysfs_init/ { sub(/\[[^]]*\]/, stamp); sub(/after [0-9]*/, "after 0") }
	/calling  slab_sysfs_init/ { match($0, /\[[^]]*\]/); stamp = substr($0, RSTART, RLENGTH) } { print }' "$log" >zero.txt
for how in --quiet --defer --eager --compare --advise; do
	runs "a registrar of 0 us: $how" 0 initcalls --log zero.txt $how
done
run 0 initcalls --log zero.txt --defer --csv
same "costs nothing, and makes what it made" "0 233" "$(field out registration_us initcall=slab_sysfs_init) $(
	field out directories initcall=slab_sysfs_init)"
grep -qE "^slubbench: note: zero.txt:[0-9]+: 'slab_sysfs_init' took 0 us, less than the log's clock shows: registration is taken as free; --node-cost DURATION gives it a price$" err
ok $? "and is told"
run 0 initcalls --log zero.txt --defer --csv --node-cost 1us && ! grep -q 'taken as free' err
ok $? "unless it has a price"
sed 's/returned 0 after .*/returned 0./; s/\[[^]]*\]//' "$log" >untold.txt
runs "a log without durations can be shown" 0 initcalls --log untold.txt
refuses "but what is moved needs a cost" \
	"the log does not tell how long 'slab_sysfs_init' took, from which the cost of registration is learned; --node-cost" \
	initcalls --log untold.txt --quiet --compare
runs "which can be given" 0 initcalls --log untold.txt --compare --node-cost 1us
sed '/initcall slab_sysfs_init/d' "$log" >never.txt
refuses "a registrar that never returns is refused" "never returns" initcalls --log never.txt --defer
grep -qE 'never.txt:[0-9]+: ' err
ok $? "  with its line"
sed '/calling  slab_sysfs_init/{p;s/slab_sysfs_init/slab_late_init/}
/initcall slab_sysfs_init/{p;s/slab_sysfs_init/slab_late_init/}' "$log" >twice.txt
refuses "a registrar that is there twice is refused" "twice" initcalls --log twice.txt --defer
grep -qE 'twice.txt:[0-9]+: ' err
ok $? "  with its line"
runs "unless it is told which" 0 initcalls --log twice.txt --defer --registrar slab_sysfs_init
sed '/calling  slab_sysfs_init/d
s/initcall slab_sysfs_init.*/initcall slab_sysfs_init blacklisted/' "$log" >black.txt
refuses "a blacklisted registrar is refused" "blacklisted" initcalls --log black.txt --defer
grep -qE 'black.txt:[0-9]+: ' err
ok $? "  with its line"
sed '/slab_sysfs_init/d' "$log" >none.txt
refuses "a log without one is refused" "--registrar" initcalls --log none.txt --defer
runs "but it can be shown" 0 initcalls --log none.txt
echo kept >tree
refuses "a tree that exists is refused" "exists already" initcalls --log "$log" --tree tree
same "and kept" kept "$(cat tree)"
refuses "an unknown set of caches is refused" "did you mean 'linux-6.1'?" initcalls --log "$log" \
	--caches linux-6.2

# reached OPTION...: when the milestone is reached, microseconds.
reached() {
	run 0 initcalls --log "$data/x86-eager-merge.txt" --milestone inet6_init --csv "$@"
	awk -F, 'NR > 1 && $7 == "inet6_init" { printf "%.0f\n", $10 + $11 }' out
}
# promises COLUMN RANK: a figure of the advice.
promises() {
	awk -v column="$1" -v rank="$2" '$1 == "rank" { on = 1 } on && $1 == rank { print $column }' advice
}
# near NAME A B: within the microsecond to which the table rounds.
near() {
	[ -n "$2" ] && [ -n "$3" ] && [ $(($2 - $3)) -le 1 ] && [ $(($3 - $2)) -le 1 ]
	near_status=$?
	echo "# $2 $3"
	ok $near_status "$1"
}
run 0 initcalls --log "$data/x86-eager-merge.txt" --milestone inet6_init --advise=6
cp out advice
same "the registrar wins most" slab_sysfs_init "$(promises 2 1)"
before=$(reached)
near "what the others register is its gain" "$(promises 4 1)" $((before - $(reached --defer)))
near "so is the time of another one" "$(promises 4 2)" \
	$((before - $(reached --defer="$(promises 2 2)")))
all=$(awk '!NF { on = 0 } on { printf s $2; s = "," } $1 == "rank" { on = 1 }' advice)
same "six are advised" 6 "$(echo "$all" | tr ',' '\n' | wc -l)"
near "and what they would win together is counted once" "$(promises 5 6)" $((before - $(reached --defer="$all")))

run 0 initcalls --log "$data/x86-deferred-nomerge.txt" --csv
grep -E '^schema,|,slab_sysfs_init,' out >nodes.csv
cmp "$srcdir/data/reference/kernel-nodes.csv" nodes.csv
ok $? "what README says of the kernel's nodes is in its log"
same "instructions for a node" "README has $(awk -F, 'NR == 2 { printf "%d", $11 * 1000 / ($15 + $16) + .5 }' nodes.csv)" \
	"README has $(sed -nE 's/.* needs ([0-9]+) instructions for a node.*/\1/p' "$srcdir/README.md")"

finish
