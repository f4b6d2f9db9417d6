#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the compiler made of the variants, read from their object code: byte-wise is byte-wise, and what
# a kernel may run touches no SIMD or FPU register.
. "${srcdir:?}/tests/cli/tap.sh"

objdump=${OBJDUMP:-objdump}
objects=${builddir:?}/src/check
table=$srcdir/src/check/variants.c

command -v "$objdump" >/dev/null || skip_all "no objdump (binutils)"
"$objdump" -f "$objects/libcheck_scalar_la-byte.o" 2>/dev/null | grep -q 'x86-64' ||
	skip_all "the object code is not for x86-64, or not readable here"

# code FILE: its instructions, one a line, without addresses.
code() {
	"$objdump" -d --no-show-raw-insn "$objects/$1" | sed -n 's/^ *[0-9a-f]*:[[:space:]]*//p'
}

# The file of a variant: its name with _ for -, compiled into the library of scalar variants.
object() {
	echo "libcheck_scalar_la-$(echo "$1" | tr - _).o"
}

# byte: one comparison of a byte in memory, one step of one, and nothing from outside.
code "$(object byte)" >text
! grep -qE '%[xyz]?mm[0-9]' text
ok $? "byte has no vector register"
! "$objdump" -dr "$objects/$(object byte)" | grep -q 'R_X86_64'
ok $? "byte calls and refers to nothing"
same "byte compares memory once in its code" 1 "$(grep -cE '(cmp|test|sub|xor|scas).*\(' text)"
same "and a byte of it" 1 "$(grep -cE '(cmpb|cmp +%(sil|dil|[abcd]l|r[0-9]+b),|cmp +\(.*,%(sil|dil|[abcd]l|r[0-9]+b)$).*' text)"
same "and goes on by one" 1 "$(grep -cE '(add|sub) +[$]0x[0-9a-f]+,|lea +0x|inc +%' text)"
grep -qE 'add +[$]0x1,|inc +%' text
ok $? "by adding 1"

# Every row that says kernel_usable.
awk '/^\t\.name = |^\t\t\.name = / { name = $3; gsub(/[",]/, "", name) }
	/\.kernel_usable = true/ { print name }' "$table" >names
grep -qx gpr names && grep -qx memchr_inv names
ok $? "the table names its kernel_usable variants"
while read -r name; do
	code "$(object "$name")" >text
	[ -s text ] && ! grep -qE '%([xyz]?mm[0-9]|st|k[0-7])' text
	ok $? "$name has code, and no SIMD or FPU register in it"
done <names

# The test itself can see such registers.
code libcheck_sse2_la-sse2.o | grep -q '%xmm'
ok $? "sse2 has xmm registers"
code libcheck_avx2_la-avx2.o | grep -q '%ymm'
ok $? "avx2 has ymm registers"
code libcheck_avx512_la-avx512.o | grep -q '%zmm'
ok $? "avx512 has zmm registers"

finish
