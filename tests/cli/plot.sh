#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every chart renders; names are data; bad input is one line.
# shellcheck disable=SC2016,SC1112 # hostile names look like expansions and have odd quotes
# shellcheck disable=SC2154 # plots and work come from tap.sh
# shellcheck source=tests/cli/tap.sh
. "${srcdir:?}/tests/cli/tap.sh"
data=$srcdir/tests/data/plots

# What needs no gnuplot first.
runs "--list works" 0 plot --list
same "--list names each script" "$(cd "$plots" && for s in *.gp; do
	case $s in bars.gp | clusters.gp | series.gp | style.gp) ;; *) echo "${s%.gp}" ;; esac
done | LC_ALL=C sort)" "$(cut -d' ' -f1 out | LC_ALL=C sort)"
runs "--list FILE works" 0 plot --list "$data/initcalls-compare.csv"
same "--list FILE names the charts that fit" "timeline before-after cumulative" \
	"$(cut -d' ' -f1 out | xargs)"

refuses "no file is refused" "one CSV file was expected" plot
refuses "two files are refused" "one CSV file was expected" plot a.csv b.csv
refuses "a missing file is refused" "nosuch.csv: cannot read" plot nosuch.csv
refuses "a folder is refused" "cannot read" plot .
refuses "an unknown chart is refused, with the nearest" "did you mean 'timeline'?" \
	plot "$data/initcalls-compare.csv" --chart timline
refuses "a chart of another schema is refused" "needs 'check-summary-1'" \
	plot "$data/initcalls-compare.csv" --chart throughput
refuses "a chart without rows is refused" "no rows for the chart 'cold'" \
	plot "$data/check-sizes.csv" --chart cold
refuses "an unknown ending is refused" "'x.pdf': a name that ends in .svg or .png" \
	plot "$data/check-sizes.csv" --output x.pdf
refuses "an ending without a name is refused" "'.svg': a name that ends in" \
	plot "$data/check-sizes.csv" --output .svg
refuses "nor in a folder" "'./.png': a name that ends in" plot "$data/check-sizes.csv" --output ./.png
refuses "standard input is refused" "'-': standard input is not read" plot -
refuses "also by --list" "'-': standard input is not read" plot --list -
refuses "an unwritable output is refused" "cannot write" \
	plot "$data/check-sizes.csv" --output nosuch/x.svg
refuses "an empty --chart is refused" "is empty" plot "$data/check-sizes.csv" --chart ""

: >empty.csv
refuses "an empty file is refused" "empty.csv: no rows" plot empty.csv
printf 'a\0b\n' >nul.csv
refuses "a binary file is refused" "NUL byte" plot nul.csv
printf 'schema,host\ncheck-summary-1,h\n' >column.csv
refuses "a missing column is refused" "no column 'variant'" plot column.csv
printf 'schema,host\nboot-1,h\n' >schema.csv
refuses "a schema without a chart is refused" "no chart draws the schema 'boot-1'" plot schema.csv
sed '3s/,0x6b,/,0x6b/' "$data/check-sizes.csv" >ragged.csv
refuses "a ragged row is refused" "ragged.csv:3: 24 fields" plot ragged.csv
awk -F, -v OFS=, 'NR == 4 { $6 = "many" } { print }' "$data/check-sizes.csv" >word.csv
refuses "a word for a number is refused" "word.csv:4: size_bytes: 'many'" plot word.csv
{
	head -n 1 "$data/check-sizes.csv"
	for i in $(seq 70); do
		awk -F, -v OFS=, -v i="$i" 'NR == 8 { $4 = "v" i; print }' "$data/check-sizes.csv"
	done
} >crowd.csv
refuses "more lines than one can tell apart are refused" "more than 64 series" plot crowd.csv

# unfit FILE COLUMN VALUE: the file with that value in all of the column.
unfit() {
	awk -F, -v OFS=, -v column="$2" -v value="$3" '
		{ cr = sub(/\r$/, "") ? "\r" : "" }
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		NR > 1 { $at = value }
		{ print $0 cr }' "$data/$1.csv"
}
for value in 1e308 1e-320 0 -5 ''; do
	unfit sysfs median_ns "$value" >unfit.csv
	refuses "no chart of '$value' alone" "unfit.csv: nothing to draw in the chart 'sysfs'" \
		plot --chart sysfs unfit.csv
done
refuses "nor where no chart is named" "unfit.csv: nothing to draw in the chart 'sysfs'" \
	plot "$(unfit sysfs nodes 0 >unfit.csv && echo unfit.csv)"
head -3 "$data/check-sizes.csv" >baselines.csv
same "of empty and load" "empty load" "$(field baselines.csv variant | sort | tr '\n' ' ' | sed 's/ $//')"
refuses "there is nothing to draw" "baselines.csv: nothing to draw in the chart 'small'" \
	plot baselines.csv --chart small --output small.svg
run 0 plot "$data/check-align.csv" --chart throughput --output one.svg
ok $? "one size makes a chart"
! grep -q gnuplot err
ok $? "of which gnuplot has nothing to say"
rm -f one.svg baselines.csv
refuses "sizes behind the end of an axis are nothing to draw" "nothing to draw in the chart 'small'" \
	plot --chart small "$(unfit check-sizes size_bytes 4096 >unfit.csv && echo unfit.csv)"
refuses "a word that is no number is refused" "unfit.csv:2: median_ns: 'nan' is not a number" \
	plot --chart sysfs "$(unfit sysfs median_ns nan >unfit.csv && echo unfit.csv)"
same "--list names only charts with something to draw" "" \
	"$(unfit sysfs nodes 0 >unfit.csv && "$SLUBBENCH" plot --list unfit.csv)"
{ printf '\357\273\277' && cat "$data/check-sizes.csv"; } >mark.csv
"$SLUBBENCH" plot --list mark.csv >marked && "$SLUBBENCH" plot --list "$data/check-sizes.csv" | cmp -s - marked
ok $? "a mark of UTF-8 before the first byte is no part of the header"
rm marked

mkdir bin
ln -s "$(command -v env)" bin/env
PATH=$work/bin run 1 plot "$data/check-sizes.csv" --output x.svg &&
	grep -q 'apt-get install gnuplot-nox' err && [ ! -e x.svg ]
ok $? "a missing gnuplot is told, with its package"
SLUBBENCH_PLOTS=$work run 1 plot "$data/check-sizes.csv" --output x.svg &&
	grep -q "no chart scripts in $work; SLUBBENCH_PLOTS can" err && [ ! -e x.svg ]
ok $? "a folder without scripts is told"

# As DESTDIR leaves it: the program finds what came with it.
mkdir -p moved/bin moved/share/slubbench/plots
cp "$SLUBBENCH" moved/bin/slubbench
cp "$plots/style.gp" moved/share/slubbench/plots/
env -u SLUBBENCH_PLOTS PATH="$work/bin" moved/bin/slubbench plot "$data/check-sizes.csv" --output x.svg 2>err
grep -q 'gnuplot-nox' err && rm moved/share/slubbench/plots/style.gp
ok $? "the scripts of a moved tree are found beside it"
rm -r moved
same "nothing was left behind" "" \
	"$(find . -mindepth 1 -maxdepth 1 ! -name '*.csv' ! -name bin ! -name out ! -name err)"

command -v gnuplot >/dev/null || {
	skip "charts" "gnuplot is not installed"
	finish
}

# draws CHART FILE WORD...: as SVG and PNG, in silence, each WORD shown in the SVG.
draws() {
	chart=$1 csv=$2
	shift 2
	run 0 plot --chart "$chart" --output "$chart.svg" "$csv" && ! grep gnuplot err && [ ! -s out ] &&
		grep -q '^</svg>' "$chart.svg"
	ok $? "$chart: an SVG, and not a word from gnuplot"
	for word; do
		grep -qF -- ">$word<" "$chart.svg"
		ok $? "$chart: shows '$word'"
	done
	run 0 plot --quiet --chart "$chart" --output "$chart.png" "$csv" && [ ! -s err ] && [ ! -s out ] &&
		[ "$(head -c 8 "$chart.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]
	ok $? "$chart: a PNG, and not a word from gnuplot"
}

draws throughput "$data/check-sizes.csv" byte memchr_inv gpr auto "load (limit)" GiB/s "4 KiB"
draws small "$data/check-sizes.csv" byte memchr_inv auto "empty call" "ns per call"
draws speedup "$data/check-sizes.csv" byte memchr_inv auto "times faster than byte"
draws misalignment "$data/check-align.csv" memchr_inv auto "load (limit)"
draws latency "$data/check-modes.csv" memchr_inv auto "empty call" \
	"Small sizes, each call waiting for the one before"
draws kernel-cost "$data/check-modes.csv" gpr avx2 "ns per call"
draws cold "$data/check-cold.csv" memchr_inv auto "Hot cache (lines) and cold cache (dashes)"
draws workloads "$data/check-workloads.csv" dentry kmalloc-4k byte auto empty load
draws value "$data/check-value.csv" byte slub2011 auto empty "0x6b poison-free" 0x80 "ns per call"
draws mismatch "$data/check-mismatch.csv" byte memcmp auto load "no mismatch" "first byte" "byte 50"
draws timeline "$data/initcalls-compare.csv" eager deferred slab_sysfs_init "sysfs registration" \
	"milestone gpio_wdt_driver_init at 944.4 ms" "gpio_wdt_driver_init at 920.2 ms: -24.3 ms"
draws before-after "$data/initcalls-compare.csv" slab_sysfs_init ext4_init_fs "1758 → 240"
draws cumulative "$data/initcalls-runs.csv" "eager 1" "Time spent in initcalls up to the milestone"
draws cumulative "$data/initcalls-compare.csv" eager deferred fec_driver_init \
	"Time spent in initcalls up to the milestone: a simulation"
draws objects "$data/objects.csv" dentry none byte slub2011 memchr_inv gpr auto "ns per pair"
draws commands "$data/commands.csv" "make clean on" "objects --trace FZPU" byte slub2011 auto without
draws sysfs "$data/sysfs.csv" "model simulated" "kernfs measured" "nodes in the tree"
draws sysfs-parts "$data/sysfs.csv" hash allocate tree lock "whole node" "in small directories"
draws spread "$data/initcalls-runs.csv" fec_driver_init "198.3 … 234.4"

same "the key of cold names a variant once" 1 "$(grep -c '<text>memchr_inv<' cold.svg)"
unfit objects pair_ns 123456 >long.csv
draws objects long.csv 100k

grep -q '>slub2011<' speedup.svg
same "a variant without an answer has no line" 1 $?
awk -F, -v OFS=, '$4 == "slub2011" { $25 = "known-wrong" } { print }' "$data/check-value.csv" >wrong.csv
"$SLUBBENCH" plot --quiet --chart value --output wrong.svg wrong.csv && ! grep -q '>slub2011<' wrong.svg
ok $? "nor a bar among the times of one call"
grep -q "showHypertext(evt,'slab_sysfs_init (device): starts at" timeline.svg
ok $? "the timeline has tooltips"

runs "SVG goes to stdout by default" 0 plot "$data/check-align.csv"
cmp -s out misalignment.svg
same "the default chart is the first that finds its rows" 1 $?
grep -q '^</svg>' out
ok $? "stdout carries the whole picture"
runs "other slices are told" 0 plot "$data/check-align.csv" --output slice.svg
grep -q 'note: .*left 54 rows out of the chart' err
ok $? "how many rows were left out is told"

# What the environment tells gnuplot changes nothing.
run 0 plot "$data/check-align.csv" --output plain.svg
mkdir library
echo 'set label 97 "canary" at screen 0.5,0.5' | tee library/.gnuplot library/gnuplotrc >library/style.gp
HOME=$work/library GNUTERM=dumb GNUPLOT_LIB=$work/library GNUPLOT_DRIVER_DIR=$work/library \
	FIT_LOG=$work/library/fit.log LC_ALL=de_DE.UTF-8 run 0 plot "$data/check-align.csv" --output odd.svg &&
	cmp -s plain.svg odd.svg
ok $? "GNUTERM, GNUPLOT_LIB and a locale do not change a chart"
env -i PATH="$PATH" SLUBBENCH_PLOTS="$plots" "$SLUBBENCH" plot --quiet "$data/check-align.csv" \
	--output bare.svg 2>err && [ ! -s err ] && cmp -s plain.svg bare.svg
ok $? "nor does an environment without any of it"
{ cat "$data/sysfs.csv" && tail -n 1 "$data/sysfs.csv" |
	awk -F, -v OFS=, '{ $12 = $12 * 2; $15 = "1e308"; print }'; } >some.csv
runs "one number out of all bounds is left out" 0 plot --chart sysfs some.csv --output some.svg
grep -q '^</svg>' some.svg && grep -q 'some.csv: left 1 number out of the chart' err
ok $? "and told"

# Whole or not at all.
echo before >kept.svg
SLUBBENCH_PLOTS=$work run 1 plot "$data/check-sizes.csv" --output kept.svg
same "a failure leaves the old file" before "$(cat kept.svg)"
mkdir broken
cp "$plots"/*.gp broken
echo 'plot nonsense' >broken/throughput.gp
SLUBBENCH_PLOTS=$work/broken run 1 plot "$data/check-sizes.csv" --output kept.svg &&
	[ "$(wc -l <err)" -eq 1 ] && grep -q "gnuplot cannot draw 'throughput':.*nonsense" err
ok $? "an error of gnuplot is one line"
"$SLUBBENCH" plot "$data/check-align.csv" >/dev/full 2>err
same "a full disk is exit 1" 1 $?

# Names from a file, and names of files, are data.
hostile='`touch canary1`$(touch canary2)"; system("touch canary3"); "'
cat >hostile.csv <<EOF
schema,cpu,variant,size_bytes,gib_per_s,median_ns,ci_low_ns,ci_high_ns,align_bytes,value,mismatch,cache,mode,workload
check-summary-1,\`touch canary4\` <b>,"$(printf %s "$hostile" | sed 's/"/""/g')",8,1,2,1,3,0,1,none,hot,throughput,
check-summary-1,\`touch canary4\` <b>,"$(printf %s "$hostile" | sed 's/"/""/g')",16,1,2,1,3,0,1,none,hot,throughput,
check-summary-1,\`touch canary4\` <b>,"</text><script>alert('1')</script>",8,2,2,1,3,0,1,none,hot,throughput,
check-summary-1,\`touch canary4\` <b>,"</text><script>alert('1')</script>",16,2,2,1,3,0,1,none,hot,throughput,
check-summary-1,\`touch canary4\` <b>,"two
lines	and a_b^{c}@d\\\\n",8,3,2,1,3,0,1,none,hot,throughput,
check-summary-1,\`touch canary4\` <b>,"two
lines	and a_b^{c}@d\\\\n",16,3,2,1,3,0,1,none,hot,throughput,
check-summary-1,\`touch canary4\` <b>,'=cmd|calc,8,4,2,1,3,0,1,none,hot,throughput,
check-summary-1,\`touch canary4\` <b>,'=cmd|calc,16,4,2,1,3,0,1,none,hot,throughput,
EOF
printf 'check-summary-1,`touch canary4` <b>,\377\033[31mred,8,5,2,1,3,0,1,none,hot,throughput,\n' >>hostile.csv
for kind in svg png; do
	name='a `touch canary5`$(touch canary6) "b'"'c.$kind"
	run 0 plot hostile.csv --output "$name" && [ -s "$name" ] && [ ! -s err ]
	ok $? "hostile names draw as $kind"
	mv "$name" "hostile.$kind"
done
mv hostile.csv '|touch canary7;.csv'
runs "a hostile file name is a file name" 0 plot '|touch canary7;.csv' --output '< touch canary8.svg'
same "nothing was executed" "" "$(find . "$plots" -name '*canary*' ! -name '*.svg' ! -name '*.csv')"
grep -q '<script>alert' hostile.svg
same "markup in a name is escaped" 1 $?
for word in '`touch canary1`$(touch canary2)”; system(”touch canary3”); ”' \
	'&lt;script>alert(’1’)&lt;/script>' 'two lines and a_b^{c}@d∖∖n' '=cmd|calc' '� [31mred'; do
	grep -qF -- "$word" hostile.svg
	ok $? "shown as text: $word"
done
rm kept.svg
if command -v xmllint >/dev/null; then
	xmllint --noout ./*.svg 2>err
	ok $? "every SVG is well-formed XML"
else
	skip "every SVG is well-formed XML" "no xmllint"
fi

# The tooltips of a timeline are strings of a script in the SVG.
awk -F, -v OFS=, 'NR == 5 { $7 = "x\x27);alert(1);//" } { print }' "$data/initcalls-compare.csv" >quote.csv
run 0 plot --chart timeline quote.csv --output quote.svg && grep -qF "(evt,'x’);alert(1);//" quote.svg
ok $? "a quote in a name does not end a tooltip's string"

finish
