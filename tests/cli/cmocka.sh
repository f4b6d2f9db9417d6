#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What automake's driver counts of a unit test: what cmocka skipped is no failure.
. "${srcdir:?}/tests/cli/tap.sh"

# counted STATUS LINE...: the results of a test that prints these lines and exits with STATUS.
counted() {
	counted_status=$1
	shift
	printf '%s\n' "$@" >lines
	printf 'cat lines; exit %s\n' "$counted_status" >fake
	AM_TAP_AWK="awk" $shell "$srcdir/build-aux/tap-driver.sh" --test-name fake --log-file fake.log \
		--trs-file fake.trs -- $shell "$srcdir/tests/cmocka.sh" sh fake >/dev/null 2>&1
	sed -n 's/^:test-result: //p' fake.trs | cut -d' ' -f1 | xargs
}

for shell in sh dash bash; do # make's is one of them
	command -v $shell >/dev/null || continue
	same "$shell: what is skipped is a skip" "SKIP PASS" \
		"$(counted 0 1..2 'not ok 1 # SKIP a' 'ok 2 - b')"
	same "$shell: what fails is a failure" "FAIL ERROR" "$(counted 1 1..1 'not ok 1 - SKIP a')"
	same "$shell: an exit status is kept" "PASS ERROR" "$(counted 3 1..1 'ok 1 - a')"
	same "$shell: and so is a test that ends too soon" "PASS ERROR" "$(counted 0 1..2 'ok 1 - a')"
done

finish
