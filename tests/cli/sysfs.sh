#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sysfs: what is counted, what is priced, and that nothing stays behind.
. "${srcdir:?}/tests/cli/tap.sh"

header=schema,host,cpu,registry,time,caches,attributes,merge,directories,files,links,nodes
header=$header,repetitions,min_ns,median_ns,mad_ns,ci_low_ns,ci_high_ns,cache_ns,directory_ns
header=$header,file_ns,link_ns,hash_ns,allocate_ns,tree_ns,lock_ns,node_bytes,page_faults,spread_ns

# directory_rows TEXT: it, where there is a tmpfs for the back end of that name; else nothing.
if "$SLUBBENCH" sysfs --registry directory --caches 1 --repetitions 1 --quiet >out 2>err ||
	! grep -q 'no tmpfs' err; then
	memory=yes
else
	memory=
fi
directory_rows() {
	[ -z "$memory" ] || printf '%s' "$1"
}

runs "all back ends but cgroup run" 0 sysfs --caches 7,70 --repetitions 2 --csv=rows.csv
same "sysfs-1 has its columns" "$header" "$(head -n 1 rows.csv | tr -d '\r')"
same "a row for each back end and size" "model 7
model 70
kernfs 7
kernfs 70$(directory_rows "
directory 7
directory 70")" "$(awk -F, 'NR > 1 { print $4, $6 }' rows.csv)"
# of 7 caches 2 stand alone, 2 are the first of their kind, 3 are aliases: 4 directories, 5 links
same "nodes of 7 caches that merge: the kset, 4 directories, 108 files, 5 links" \
	"5 108 5 118" "$(awk -F, '$4 == "kernfs" && $6 == 7 { print $9, $10, $11, $12 }' rows.csv)"
same "what is simulated says so" "measured
simulated" "$(awk -F, 'NR > 1 { print $5 }' rows.csv | sort -u)"
awk -F, '$4 == "kernfs" { sub(/\r/, ""); if (!($15 > 0 && $21 > 0 && $23 > 0 && $24 > 0 &&
	$25 > 0 && $26 > 0 && $27 >= 128 && $29 > 0)) bad = 1 } END { exit bad }' rows.csv
ok $? "kernfs tells where its time goes and how much memory a node takes"
same "only kernfs is spread, only what is measured has page faults" "model 0 0
kernfs 1 1$(directory_rows "
directory 1 0")" "$(awk -F, 'NR > 1 { sub(/\r/, ""); print $4, $28 != "", $29 != "" }' rows.csv | sort -ru)"
runs "JSON beside CSV" 0 sysfs --caches 7 --repetitions 2 --csv=rows.csv --json=rows.json
[ -s out ]
ok $? "and the table"
json_has_csv "the rows are the same" rows.json rows.csv
runs "JSON alone" 0 sysfs --registry model --caches 7,70 --repetitions 2 --csv=rows.csv --json
json_has_csv "goes to stdout in place of the table" out rows.csv
runs "samples" 0 sysfs --caches 7 --registry model,kernfs --repetitions 3 --min-time 1us --samples=all.csv \
	--csv=rows.csv
same "are there for each repetition of each kind" "27 12" "$(for registry in kernfs model; do
	field all.csv node_ns registry=$registry | grep -c .; done | xargs)"
for kind in any=median_ns directory=directory_ns link=link_ns spread=spread_ns lock=lock_ns; do
	same "the median of ${kind#*=} is that of its samples" \
		"$(field rows.csv "${kind#*=}" registry=kernfs)" \
		"$(field all.csv node_ns registry=kernfs "kind=${kind%=*}" | sort -g | sed -n 2p)"
done
refuses "the samples have stdout for themselves" "sysfs: --csv and --samples cannot both go to stdout" \
	sysfs --csv --samples -
refuses "by whatever name" "sysfs: --json and --samples cannot both go to stdout" \
	sysfs --json=- --samples=-
refuses "CSV and JSON do not share stdout" "sysfs: --csv and --json cannot both go to stdout" \
	sysfs --csv --json
runs "a large tree" 0 sysfs --registry kernfs --caches 2000 --repetitions 3 --min-time 1us --csv
# The allocator of the address sanitizer holds back what was freed.
if ASAN_OPTIONS=help=1 "$SLUBBENCH" --version 2>&1 | grep -q AddressSanitizer; then
	skip "finds its memory mapped, all but a few pages" "sanitized"
else
	[ "$(field out page_faults)" -lt 20 ]
	ok $? "finds its memory mapped, all but a few pages" # 200 and more when it is new
fi
refuses "a sample is at least a microsecond" "too short" sysfs --min-time 1ns
runs "without merging" 0 sysfs --registry model --caches 7 --merge off --node-cost 2us --csv
same "each cache has its directory" "8 189 0" "$(awk -F, 'NR > 1 { print $9, $10, $11 }' out)"
same "and every node its price" "2000" "$(field out median_ns)"
runs "more attributes" 0 sysfs --registry kernfs --caches 10 --merge off --attributes 0,60 --csv
same "files are caches times attributes" "0
600" "$(field out files)"

mkdir place
runs "a tree can be made where one likes" 0 sysfs --registry directory --caches 5 \
	--repetitions 1 --path place/tree
same "and is removed again" "" "$(ls place)"
touch place/taken
refuses "a path that exists is refused" "place/taken: exists already" sysfs --registry directory \
	--caches 5 --path place/taken
refuses "a path without a parent is refused" "nowhere" sysfs --registry directory --path nowhere/x
if [ "$(id -u)" -ne 0 ]; then
	mkdir locked && chmod 555 locked
	refuses "a folder without permission is refused" "locked" sysfs --registry directory \
		--path locked/x
fi
if mkdir full && mount -t tmpfs -o size=64k,nr_inodes=100 slubbench-test full 2>/dev/null; then
	refuses "a file system without room is refused" "No space left" sysfs --registry directory \
		--caches 10 --path full/tree
	same "and nothing stays behind" "" "$(ls full)"
	umount full
fi

groups() {
	find /sys/fs/cgroup -maxdepth 6 -type d -name 'slubbench.*' 2>/dev/null
}
# start_cgroups: a long run in the background, as $pid, that has made its first one.
start_cgroups() {
	"$SLUBBENCH" sysfs --registry cgroup --caches 300 --repetitions 1000 >out 2>err &
	pid=$!
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -n "$(groups)" ] && break
		sleep 0.1
	done
}
run_status=0
"$SLUBBENCH" sysfs --registry cgroup --caches 5 --merge off --repetitions 1 --csv >out 2>err || run_status=$?
if [ "$run_status" -eq 77 ]; then
	[ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
	ok $? "without the right for cgroups it says so, once # exit 77"
else
	same "cgroups run where they may" 0 "$run_status"
	same "5 cgroups and the kset" 6 "$(field out directories)"
	same "none stays behind" "" "$(groups)"
	start_cgroups
	kill -TERM $pid # an INT is ignored by what a script starts in the background
	wait $pid
	case $? in 1 | 143) ;; *) false ;; esac # 143: between two trees there is nothing to remove
	ok $? "a signal ends it"
	same "and none stays behind" "" "$(groups)"
	start_cgroups
	kill -KILL $pid
	wait $pid 2>/dev/null
	run 0 sysfs --registry cgroup --caches 5 --repetitions 1
	same "the next run removes what a killed one left" "" "$(groups)"
fi

# nohup(1): a hangup is none.
(trap '' HUP; exec "$SLUBBENCH" sysfs --registry directory --path hup --caches 500 --repetitions 3 \
	>out 2>err) &
pid=$!
while [ ! -d hup ] && kill -0 $pid; do
	sleep 0.01
done
kill -HUP $pid
wait $pid
same "a signal that is ignored is ignored" 0 $?

# No tmpfs anywhere: folders of /proc cannot be written to.
cat >no-tmpfs <<'END'
for folder in /dev/shm /run /tmp; do
	[ ! -d "$folder" ] || mount --bind /proc/self/net "$folder" || exit 99
done
exec "$@"
END
if unshare -m sh no-tmpfs "$SLUBBENCH" --version >out 2>/dev/null; then
	unshare -m sh no-tmpfs "$SLUBBENCH" sysfs --caches 5 --repetitions 1 --csv >out 2>err
	same "without a tmpfs the default set runs" "0 model kernfs" "$? $(field out registry | xargs)"
	same "and tells in one line what it lacks" 1 "$(grep -c 'directory is left out: no tmpfs' err)"
	unshare -m sh no-tmpfs "$SLUBBENCH" sysfs --registry model,directory --caches 5 >out 2>err
	same "who asks for real directories is refused" 1 $?
else
	skip "without a tmpfs the default set runs" "no mount namespace that has the program"
fi

refuses "--path without the back end it is for is refused" "--path is for the back end directory" \
	sysfs --registry model,kernfs --caches 5 --path place/nowhere
refuses "--node-cost without the model is refused" "--node-cost is for the back end model" \
	sysfs --registry kernfs,directory --caches 5 --node-cost 1us
runs "both are fine with all back ends" 0 sysfs --caches 5 --repetitions 1 --path place/tree \
	--node-cost 1us
refuses "an unknown back end is refused" "did you mean 'kernfs'?" sysfs --registry kernf
refuses "no caches are refused" "--caches" sysfs --caches 0
refuses "too many caches are refused" "--caches" sysfs --caches 2M
refuses "an empty list is refused" "--caches" sysfs --caches ''

finish
