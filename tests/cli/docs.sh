#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --help, the man page and the completion tell of the same commands, options and columns.
# shellcheck source=tests/cli/tap.sh
. "${srcdir:?}/tests/cli/tap.sh"
man=$srcdir/man/slubbench.1

# The options of each command, "command --long" or "command -l", from two places.
commands() {
	"$SLUBBENCH" --help | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p'
}

help_options() {
	commands | while read -r command; do
		"$SLUBBENCH" "$command" --help | grep -E '^ +(-., )?--' |
			grep -oE '^ +(-., )?--[a-z-]+' | tr -s ', ' '\n' | sed -n "s/^-/$command -/p"
	done | grep -vE ' (-h|--help|-V|--version)$' | sort
}

man_options() {
	awk '
		/^\.Sh / { command = ""; in_commands = $2 == "COMMANDS" }
		/^\.Ss / && in_commands { command = $2 }
		/^\.It Fl / && command != "" {
			for (i = 2; i < NF; i++)
				if ($i == "Fl") print command, "-" $(i + 1)
		}' "$man" | sort
}

# The same for what is said of a file: "schema column column...".
man_columns() {
	awk -v schema="$1" '
		/^\.It / { found = $2 == schema; next }
		found && /^\./ { exit }
		found { printf "%s ", $0 }' "$man" | sed 's/, */,/g; s/ *$//'
}

help_options >from-help
man_options >from-man
[ -s from-help ] && [ -s from-man ]
ok $? "options are found in --help and in the man page"
same "the man page has every option of --help" "" "$(comm -23 from-help from-man)"
same "--help has every option of the man page" "" "$(comm -13 from-help from-man)"
same "the man page has every command, and no other" "$(commands | sort)" \
	"$(awk '/^\.Sh / { on = $2 == "COMMANDS" } on && /^\.Ss / { print $2 }' "$man" | sort)"

# check_header SCHEMA ARG...: the man page has the header that the command writes.
check_header() {
	schema=$1
	shift
	run 0 "$@"
	same "the man page has the columns of $schema" "$(head -n 1 out | tr -d '\r')" \
		"$(man_columns "$schema")"
}
check_header check-summary-1 check-bytes --size 8 --variant byte --repetitions 1 --min-time 1us \
	--warmup 0 --csv
check_header check-samples-1 check-bytes --size 8 --variant byte --repetitions 1 --min-time 1us \
	--warmup 0 --samples -
check_header check-variants-1 check-bytes --list --csv
check_header initcalls-1 initcalls --csv
check_header sysfs-1 sysfs --registry model --caches 5 --csv
check_header sysfs-samples-1 sysfs --registry model --caches 5 --samples -
check_header objects-1 objects --cache dentry --ops 4 --variant byte --repetitions 1 --min-time 1us \
	--warmup 0 --csv
check_header objects-samples-1 objects --cache dentry --ops 4 --variant byte --repetitions 1 \
	--min-time 1us --warmup 0 --samples -
same "the man page has the columns of boot-1" "$(head -n 1 "$srcdir/data/boards/patch-2022.csv")" \
	"$(man_columns boot-1)"
same "the man page has the columns of caches-1" \
	"$(head -n 1 "$srcdir/data/caches/linux-6.1.csv")" "$(man_columns caches-1)"

if command -v mandoc >/dev/null; then
	mandoc -Tlint -W warning "$man" >out 2>err
	ok $? "mandoc has nothing against the man page"
else
	skip "mandoc has nothing against the man page" "no mandoc"
fi

"$srcdir/doc/readme.sh" check >out 2>err
ok $? "README.md is in step with data/reference and the program"

command -v bash >/dev/null || {
	skip "completion" "no bash"
	finish
}

# completes WORD...: what bash would offer for the last one.
completes() {
	# shellcheck disable=SC2016 # for bash
	bash -c '
		program=$1 && shift
		. "$srcdir/completion/slubbench"
		compopt() { :; }
		COMP_WORDS=(slubbench "$@") COMP_CWORD=$#
		_slubbench "$program"
		printf "%s\n" "${COMPREPLY[@]}"' bash "$SLUBBENCH" "$@"
}

same "the completion offers every command" "$(commands | sort)" \
	"$(completes '' | grep -v '^--' | sort)"
commands | while read -r command; do
	completes "$command" -- | sed -n "s/=\$//; s/^-/$command -/p"
done | grep -vE ' --(help|version)$' | sort >from-completion
grep -e ' --' from-help >long
same "the completion offers every option, and no other" "$(cat long)" "$(cat from-completion)"
same "it offers the variants" "avx2 avx512" "$(completes check-bytes --variant av | xargs)"
same "it offers them in a list, too" "byte,avx2 byte,avx512" \
	"$(completes check-bytes --variant byte,av | xargs)"
same "it offers the words of --color" "always" "$(completes initcalls --color al | xargs)"
same "it offers the charts" "throughput" "$(completes plot --chart thr | xargs)"
echo x >some.csv
same "it offers files where an option takes one" "some.csv" "$(completes initcalls --csv = so | xargs)"
same "it offers files as operands" "some.csv" "$(completes plot so | xargs)"

finish
