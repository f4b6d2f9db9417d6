#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is loaded only when it is needed: who starts without, who loads it, and what is said when it is
# not there.
# shellcheck source=tests/cli/tap.sh
. "${srcdir:?}/tests/cli/tap.sh"

built=${builddir:?}/.libs
[ -f "$built/gbench.so" ] || skip_all "no modules in this build tree"
log=$srcdir/tests/data/logs/x86-6.1.192.txt
quick='--size 8 --variant byte --repetitions 1 --min-time 1us --warmup 0 --quiet'

# without MODULE: a folder that has all of the others.
without() {
	rm -rf some
	mkdir some
	cp "$built"/*.so some/
	rm "some/$1"
}

# one_line WORDS: stderr is one line that has them.
one_line() {
	[ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$1" err
}

# The program and the C library's own are all that it names.
if command -v objdump >/dev/null && objdump -p "$SLUBBENCH" 2>/dev/null | grep -q NEEDED; then
	same "the program itself needs no library that only some commands use" "" \
		"$(objdump -p "$SLUBBENCH" | awk '$1 == "NEEDED"' |
			grep -E 'benchmark|stdc\+\+|elf|isal|libz')"
	# Compilers differ in what else they call it for.
	same "nor what of libm can be had in place" "" \
		"$(objdump -T "$SLUBBENCH" | grep -owE 'log2|fmin|fmax|round|ldexp')"
else
	skip "the program itself needs no library that only some commands use" "no objdump for it"
	skip "nor what of libm can be had in place" "no objdump for it"
fi

# shellcheck disable=SC2086 # a list of options
{
	export SLUBBENCH_MODULES="$PWD/none"
	runs "a log is read without any module" 0 initcalls --log "$log"
	runs "and --version" 0 --version

	export SLUBBENCH_MODULES="$PWD/some"
	if [ -f "$built/elf.so" ]; then
		without elf.so
		run 0 check-bytes ${quick% --quiet} --no-progress --csv && grep -v noise: err >notes
		mv notes err
		one_line some/elf.so && one_line SLUBBENCH_MODULES && one_line 'without the sizes of code'
		ok $? "without elf.so there is one line for all of the variants"
		[ "$(wc -l <out)" -gt 1 ] && same "and no size of any code" "" \
			"$(field out code_bytes | grep .)"
		cp "$SLUBBENCH" elf
		run 1 initcalls --log "$log" --symbols elf && one_line some/elf.so
		ok $? "symbols of an ELF file without elf.so end with one line that names it"
	else
		skip "without elf.so there is one line for all of the variants" "no libelf"
	fi

	rm -f some/*
	run 1 check-bytes --size 8 && one_line some/gbench.so && one_line SLUBBENCH_MODULES
	ok $? "with neither there is one line, of the one that cannot be done without"
	without gbench.so
	run 1 check-bytes $quick && one_line some/gbench.so && [ ! -s out ]
	ok $? "timing without gbench.so ends with one line that names it"
	echo 'no shared object' >some/gbench.so
	run 1 check-bytes $quick && one_line some/gbench.so
	ok $? "what is no shared object is named as well"
	: | ${CC:-cc} -shared -o some/gbench.so -x c - 2>/dev/null &&
		run 1 check-bytes $quick && one_line gb_library
	ok $? "and what a shared object lacks"
	unset SLUBBENCH_MODULES

	# What `make install` puts there, and that `make uninstall` takes all of it away again.
	if command -v make >/dev/null; then
		MAKEFLAGS='' make -s -C "$builddir" install-exec DESTDIR="$work/root" >out 2>err
		ok $? "the modules are installed"
		same "and nothing else beside them" "$(cd "$built" && echo *.so)" \
			"$(find root -path '*/slubbench/*' -type f -exec basename {} \; | sort | xargs)"
		MAKEFLAGS='' make -s -C "$builddir" uninstall DESTDIR="$work/root" >out 2>err
		same "uninstall leaves no file" "" "$(find root -type f)"
	else
		skip "the modules are installed" "no make"
	fi

	# In a build tree they are beside the program, and below it for the unit tests.
	mkdir -p tree/.libs tree/tests/unit
	cp "$SLUBBENCH" tree/slubbench
	cp "$SLUBBENCH" tree/tests/unit/slubbench
	cp "$built"/*.so tree/.libs/
	for program in tree/slubbench tree/tests/unit/slubbench; do
		loaded=$(LD_DEBUG=files "$program" check-bytes $quick 2>&1 >/dev/null |
			grep -c 'calling init:.*tree/.*libs/gbench.so')
		same "$program loads its own" 1 "$loaded"
	done
	if [ "$(id -u)" -eq 0 ] && chown 12345 tree/.libs/gbench.so 2>/dev/null; then
		same "what belongs to somebody else is not loaded" 0 "$(LD_DEBUG=files tree/slubbench \
			check-bytes $quick 2>&1 >/dev/null | grep -c 'calling init:.*tree/.libs/gbench.so')"
	else
		skip "what belongs to somebody else is not loaded" "not root"
	fi
}

finish
