#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts of bench/, plots/ and doc/: what they refuse, in one line, and that they leave nothing then.
# shellcheck source=tests/cli/tap.sh
. "${srcdir:?}/tests/cli/tap.sh"

bench=$srcdir/bench
trace=$srcdir/data/traces/tmpfs-file.txt
csv=$srcdir/tests/data/plots/objects.csv
mkdir clean

# stops NAME WORDS COMMAND...: in an empty folder; fails, one line that has WORDS, and no file.
stops() {
	name=$1 words=$2 status=0
	shift 2
	(cd clean && exec "$@") >out 2>err </dev/null || status=$?
	[ $status -ne 0 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$words" err &&
		[ -z "$(ls -A clean)" ]
	ok $? "$name"
	find clean -mindepth 1 -delete
}

for script in bench/sweeps.sh plots/draw.sh; do
	stops "$script without a folder" "usage: $srcdir/$script OUTPUT-FOLDER" sh "$srcdir/$script"
	stops "$script with an option" "usage: $srcdir/$script OUTPUT-FOLDER" sh "$srcdir/$script" --nosuch "$csv"
	stops "$script with no place for a folder" "/dev/null" sh "$srcdir/$script" /dev/null/out "$csv"
done
for script in commands instructions; do
	stops "$script.sh without a trace" "$script.sh: expected [-" sh "$bench/$script.sh"
	stops "$script.sh with a wrong option" "$script.sh: expected [-" sh "$bench/$script.sh" -z "$trace"
	stops "$script.sh with an option that lacks its argument" "$script.sh: expected [-" sh "$bench/$script.sh" -v
done
stops "readme.sh with another word" "record, check or nothing" sh "$srcdir/doc/readme.sh" chekc
stops "readme.sh with a word too many" "record, check or nothing" sh "$srcdir/doc/readme.sh" check twice
stops "readme.sh without a program" "/none: there is no such program" \
	env SLUBBENCH=/none sh "$srcdir/doc/readme.sh" check

# Without what a script needs.
mkdir bin
for tool in sh env sed awk tr mkdir mktemp rm cat mv ls cmp basename dirname; do
	ln -s "$(command -v $tool)" bin/$tool
done
stops "commands.sh without hyperfine" "hyperfine is missing" env PATH="$work/bin" sh "$bench/commands.sh" "$trace"
stops "log-tools.sh without hyperfine" "hyperfine is missing" env PATH="$work/bin" sh "$bench/log-tools.sh" "$trace"
stops "instructions.sh without valgrind" "valgrind is missing" \
	env PATH="$work/bin" sh "$bench/instructions.sh" "$trace"

# In the place of each a program that fails, or that answers as hyperfine does.
printf '#!/bin/sh\nexit 3\n' >bin/valgrind
cat >bin/hyperfine <<-'END'
	#!/bin/sh
	# each export file is made first; the last word is the command
	while [ $# -gt 1 ]; do
		case $1 in --export-*) echo "${FAKE-}" >"$2" || exit 1 ;; esac
		shift
	done
	[ -n "${FAKE-}" ] || { echo "Error: the command failed" >&2; exit 1; }
END
chmod +x bin/hyperfine bin/valgrind
PATH=$work/bin:$PATH
for script in commands instructions log-tools; do
	stops "$script.sh with a program that is not there" "$script.sh: /none: there is no such program" \
		sh "$bench/$script.sh" -p /none "$trace"
	stops "$script.sh with a trace that is not there" "$script.sh: /none: cannot read" \
		sh "$bench/$script.sh" /none
done
for script in commands log-tools; do
	stops "$script.sh with no number of runs" "'two': expected a number" sh "$bench/$script.sh" -r two "$trace"
done
stops "commands.sh with no number of passes" "'0': expected a number" sh "$bench/commands.sh" -n 0 "$trace"
stops "commands.sh with a variant that is not there" "there is no variant 'bite'; did you mean 'byte'?" \
	sh "$bench/commands.sh" -v bite "$trace"
stops "commands.sh with no place for a folder" "/dev/null" sh "$bench/commands.sh" -d /dev/null/x "$trace"
stops "instructions.sh with a file that is no trace" "$csv" sh "$bench/instructions.sh" -o rows.csv "$csv"
stops "instructions.sh with no place for its file" "none/rows.csv" sh "$bench/instructions.sh" -o none/rows.csv "$trace"
stops "commands.sh where hyperfine fails" "the command failed" sh "$bench/commands.sh" -r 1 -n 1 -v byte "$trace"
stops "log-tools.sh where it fails" "the command failed" sh "$bench/log-tools.sh" -r 1 "$trace"
! (cd clean && exec sh "$bench/instructions.sh" -o rows.csv -f none "$trace") >out 2>err && [ -z "$(ls -A clean)" ]
ok $? "instructions.sh where valgrind fails, at the row without checks too"

# Names that begin with a dash, or have a blank.
for folder in "-x" "two words"; do
	sh "$srcdir/plots/draw.sh" -- "$folder" "$csv" >out 2>err
	if command -v gnuplot >/dev/null; then
		[ -s "./$folder/objects-objects.svg" ]
		ok $? "charts in '$folder'"
	else
		skip "charts in '$folder'" "no gnuplot"
	fi
	sh "$bench/sweeps.sh" -- "$folder" --variant nobody >out 2>err
	[ $? -eq 1 ] && grep -q "there is no variant 'nobody'" err
	ok $? "sweeps in '$folder'"
	FAKE=a,b,c,1,2,3,4,5,6,7 sh "$bench/commands.sh" -d "$folder" -r 1 -n 1 -f F -v byte "$trace" >out 2>err
	same "commands in '$folder'" "commands-hyperfine.csv commands.csv commands.json" \
		"$(cd -- "./$folder" && echo commands*)"
	FAKE=1 sh "$bench/log-tools.sh" -o "$folder/log.csv" -r 1 "$trace" >out 2>err
	same "log-tools in '$folder'" 1 "$(cat "./$folder/log.csv")"
done

finish
