#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Keep the outputs and pictures of README.md in step with data/reference/.
#
#	doc/readme.sh record	run each block's command anew into data/reference/, then fill
#	doc/readme.sh		run only the exact ones anew, fill the blocks, draw the pictures
#	doc/readme.sh check	tell what is out of step; exit 1 if anything is
#
# A block of README.md is what stands between these two lines, and shows data/reference/NAME.txt:
#	<!-- output NAME: slubbench ... -->
#	<!-- end -->
# `exact` in place of `output` says that the command prints the same on every machine: check runs
# it again.  `<!-- data NAME: slubbench ... -->` is run by record and not shown: it makes a CSV file for
# `<!-- picture NAME: FILE.csv CHART -->`, which draws doc/pictures/NAME.svg.
# $SLUBBENCH is the program; default: build/slubbench.
set -eu
cd "$(dirname "$0")/.."
program=${SLUBBENCH:-$PWD/build/slubbench}
case $program in /*) ;; *) program=$PWD/$program ;; esac
[ -x "$program" ] || {
	echo "readme.sh: $program: there is no such program; make it, or name it in \$SLUBBENCH" >&2
	exit 1
}
reference=data/reference
tab=$(printf '\t')

# The marked lines as "KIND<tab>NAME<tab>WORDS".
marks() {
	sed -nE "s/^<!-- (output|exact|data|picture) ([a-z0-9-]+): (.*) -->\$/\1$tab\2$tab\3/p" README.md
}

# run FOLDER COMMAND: in the folder, where its files go; the words are README.md's own.
run() (
	cd "$1"
	# shellcheck disable=SC2317 # called by eval
	slubbench() { "$program" "$@"; }
	eval "$2"
)

# record KINDS: "output exact data", or some of them.
record() {
	mkdir -p $reference
	marks | while IFS=$tab read -r kind name words; do
		case " $1 " in *" $kind "*) ;; *) continue ;; esac
		echo "$words" >&2
		run $reference "$words" >$reference/"$name".new </dev/null || {
			rm -f $reference/"$name".new
			exit 1
		}
		if [ "$kind" = data ]; then
			rm $reference/"$name".new
		else
			mv $reference/"$name".new $reference/"$name".txt
		fi
	done
}

fill() {
	awk -v reference=$reference '
		/^<!-- (output|exact) / {
			name = $3
			sub(/:$/, "", name)
			words = $0
			sub(/^<!-- [a-z]+ [^ ]+ /, "", words)
			sub(/ -->$/, "", words)
			file = reference "/" name ".txt"
			print
			print "```console"
			print "$ " words
			while ((got = getline line <file) > 0)
				print line
			if (got < 0) {
				print "readme.sh: " file ": cannot read" >"/dev/stderr"
				exit 1
			}
			close(file)
			print "```"
			inside = 1
			next
		}
		/^<!-- end -->$/ { inside = 0 }
		!inside' README.md
}

# draw FOLDER: all pictures.
draw() {
	mkdir -p "$1"
	marks | while IFS=$tab read -r kind name words; do
		[ "$kind" = picture ] || continue
		"$program" plot --quiet --chart "${words#* }" --output "$1/$name.svg" \
			"$reference/${words%% *}" </dev/null
	done
}

check() {
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	fill >"$work/README.md"
	diff -u README.md "$work/README.md" || return 1
	mkdir "$work/reference"
	marks | while IFS=$tab read -r kind name words; do
		[ "$kind" = exact ] || continue
		run "$work/reference" "$words" >"$work/out" </dev/null
		diff -u "$reference/$name.txt" "$work/out" || exit 1
	done || return 1
	# Another gnuplot draws other numbers of digits.
	version=$(gnuplot --version 2>/dev/null || echo none)
	marks | while IFS=$tab read -r kind name words; do
		[ "$kind" = picture ] || continue
		picture=doc/pictures/$name.svg
		[ -s "$picture" ] || { echo "$picture: missing" && exit 1; }
		grep -q "(doc/pictures/$name.svg)" README.md || { echo "$picture: not shown" && exit 1; }
		sed -n 's/.*Produced by \(.*\) <.*/\1/p' "$picture" | grep -qiF "$version" || continue
		"$program" plot --quiet --chart "${words#* }" --output "$work/$name.svg" \
			"$reference/${words%% *}" </dev/null
		cmp "$picture" "$work/$name.svg" || exit 1
	done
}

case $* in
record) record "output exact data" ;;
check)
	check && exit
	echo "README.md is out of step: run doc/readme.sh" >&2
	exit 1
	;;
'') record exact ;;
*) echo "readme.sh: record, check or nothing was expected" >&2 && exit 1 ;;
esac
fill >README.md.new || {
	rm -f README.md.new
	exit 1
}
mv README.md.new README.md
draw doc/pictures
