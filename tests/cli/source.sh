#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The source itself: each file names its licence, each shell script passes shellcheck; how quickstart
# counts.
# The files are those of $srcdir, be it a clone or an unpacked tarball, a build's own left out.
. "${srcdir:?}/tests/cli/tap.sh"
cd "$srcdir" || exit 99

files() {
	find .ci bench completion man plots src tests Makefile.am configure.ac m4/slubbench.m4 \
		quickstart -type f \( "$@" \) 2>/dev/null | sort
}

sources() {
	files -name '*.[ch]' -o -name '*.cc' -o -name '*.sh' -o -name '*.awk' -o -name '*.gp' -o \
		-name '*.am' -o -name '*.ac' -o -name '*.m4' -o -name '*.1' -o -path '.ci/run' -o \
		-path 'completion/*' -o -path quickstart
}

sources >"$work/sources"
[ "$(wc -l <"$work/sources")" -gt 50 ] && grep -qx src/slubbench.c "$work/sources" &&
	grep -qx quickstart "$work/sources"
ok $? "the source is found"

while read -r file; do
	head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2\.0-or-later' || echo "$file"
done <"$work/sources" >"$work/out"
[ ! -s "$work/out" ]
ok $? "every source file begins with its licence"

if command -v shellcheck >/dev/null; then
	sources | grep -E '\.sh$|^(quickstart|\.ci/run)$' | tr '\n' '\0' |
		xargs -0 shellcheck --severity=warning >"$work/out" 2>"$work/err"
	ok $? "shellcheck has nothing against the shell scripts"
else
	skip "shellcheck has nothing against the shell scripts" "no shellcheck"
fi

# What automake's test driver leaves of tests that failed, crashed and went well.
mkdir -p "$work/tests"
printf ':test-result: %s\n' PASS FAIL FAIL ERROR >"$work/tests/a.trs"
printf ':test-result: %s\n:global-test-result: ERROR\n' PASS ERROR >"$work/tests/b.trs"
printf ':test-result: %s\n' PASS SKIP >"$work/tests/c.trs"
eval "$(sed -n '/^counts() {$/,/^}$/p' quickstart)"
same "quickstart counts each failure once" "3 3 1" "$(cd "$work" && counts)"

finish
