#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check-bytes --plugin: the example of the documentation, and objects that misbehave.
. "${srcdir:?}/tests/cli/tap.sh"

cc=${CC:-cc}
mkdir -p include/slubbench
cp "$srcdir/src/check/check.h" include/slubbench/

# build NAME FILE: NAME.so of a C file.
build() {
	# shellcheck disable=SC2086 # $cc may be a command with options
	$cc -O1 -shared -fPIC -Iinclude -o "$1.so" "$2" 2>"$work/err"
}

# body NAME TEXT: NAME.so whose check is TEXT, with calls counted in `calls`.
body() {
	cat >"$1.c" <<-END
		#include <stdlib.h>
		#include <unistd.h>
		#include <slubbench/check.h>
		static volatile unsigned long calls;
		size_t slubbench_check(const void *buf, uint8_t value, size_t n);
		size_t slubbench_check(const void *buf, uint8_t value, size_t n)
		{
			const uint8_t *p = buf;
			size_t i = 0;
			calls++;
			$2
			while (i < n && p[i] == value)
				i++;
			return i;
		}
	END
	build "$1" "$1.c"
}

quick() {
	quick_status=$1
	shift
	run "$quick_status" check-bytes --size 64 --variant byte --repetitions 3 --min-time 50us \
		--warmup 0 --csv=sum.csv "$@"
}

# kept NAME: what the others measured is all there.
kept() {
	same "$1" "empty load byte memchr_inv" "$(field sum.csv variant | tr '\n' ' ' | sed 's/ $//')"
}

build mine "$srcdir/doc/plugin-example.c" || skip_all "cannot build a shared object"
nm -D mine.so >/dev/null 2>&1 && ! nm -D mine.so | grep -q slubbench_check &&
	skip_all "the compiler does not export symbols"

# shellcheck disable=SC2086 # $cc may be a command with options
$cc -O2 -shared -fPIC -o fresh.so "$srcdir/doc/plugin-example.c" 2>"$work/err"
ok $? "the example of the documentation builds as it says, in a tree that is not installed"

quick 0 --plugin mine.so --samples=all.csv
ok $? "the example of the documentation"
same "is verified" ok "$(field sum.csv verdict variant=plugin:mine)"
[ -n "$(field sum.csv speedup variant=plugin:mine)" ]
ok $? "and compared"
same "its samples are there" 3 "$(field all.csv variant variant=plugin:mine | wc -l)"
quick 0 --plugin ./mine.so:slubbench_check --value 0xcc,0 --mismatch last
ok $? "a symbol by its name, in other cases"
same "one row each" 2 "$(field sum.csv variant variant=plugin:mine | wc -l)"
quick 0 --plugin mine.so --workload dentry
ok $? "in a workload"

quick 0 --plugin mine.so --reference plugin:mine
ok $? "it may be what the others are held against"
same "then it is as fast as itself" 1 "$(field sum.csv speedup variant=plugin:mine)"
ratio=$(field sum.csv speedup variant=byte)
[ -n "$ratio" ] && [ "$ratio" != 1 ]
ok $? "and the others are not"
for name in mine plugin:mien plugin:yours min mien; do
	refuses "$name: the plugin is called otherwise" \
		"--reference: there is no variant '$name'; did you mean 'plugin:mine'?" \
		check-bytes --plugin mine.so --reference "$name"
	refuses "$name: as a variant, too" \
		"--variant: there is no variant '$name'; did you mean 'plugin:mine'?" \
		check-bytes --plugin mine.so --variant "byte,$name"
done
for option in --reference --variant; do
	refuses "$option: no plugin without --plugin" \
		"$option: there is no variant 'plugin:mine'; a plugin comes with --plugin FILE.so" \
		check-bytes $option plugin:mine
done
refuses "nor where no plugin is timed" \
	"objects: --variant: there is no variant 'plugin:mine'; see check-bytes --list" \
	objects --variant plugin:mine

run 0 check-bytes --list --plugin mine.so --csv=list.csv
ok $? "it is in the list"
same "after all others" plugin:mine "$(field list.csv variant | tail -1)"
size=$(nm -DS mine.so 2>/dev/null | awk '$4 == "slubbench_check" { print $2 }')
same "with the size of its code" "$((0x${size:-0}))" \
	"$(field list.csv code_bytes variant=plugin:mine)"
same "which stands in the summary too" "$((0x${size:-0}))" \
	"$(field sum.csv code_bytes variant=plugin:mine)"
refuses "what is no shared object is not listed" "nowhere.so" check-bytes --list --plugin nowhere.so

refuses "two plugins are refused" "--plugin: is there twice; one plugin is timed at a time" \
	check-bytes --plugin mine.so --plugin mine.so

# chosen VARIANTS OPTION...: which run beside the baselines and the reference.
chosen() {
	chosen_want=$1
	shift
	run 0 check-bytes --size 64 --repetitions 3 --min-time 50us --warmup 0 --csv=sum.csv --plugin mine.so "$@"
	same "chosen: $*" "empty load $chosen_want" "$(field sum.csv variant | xargs)"
}
chosen "memchr_inv plugin:mine" --variant plugin:mine
chosen "byte memchr_inv plugin:mine" --variant plugin:mine,byte
chosen "memchr_inv plugin:mine" --filter '^plugin:'
chosen "byte memchr_inv plugin:mine" --filter 'min|^byte$'
chosen "byte memchr_inv plugin:mine" --filter '^byte$'
refuses "a filter that neither it nor another matches" "--filter: 'zzz' matches no variant" \
	check-bytes --plugin mine.so --filter zzz

echo 'int slubbench_check = 1;' >data.c
build data data.c
refuses "data is no function" "--plugin: ./data.so: 'slubbench_check' is no function" \
	check-bytes --plugin data.so

body crash 'if (n == 64) i = *(volatile size_t *)8;'
quick 2 --plugin crash.so
ok $? "one that crashes is exit 2"
grep -q 'plugin:crash is wrong and will not be timed' err
ok $? "and named"
kept "the others are kept"

body wrong 'if (n > 40 && value == 0x6b) return n;'
quick 2 --plugin wrong.so
ok $? "one that answers wrongly is exit 2"
grep -q 'plugin:wrong is wrong and will not be timed: n=41 ' err
ok $? "with the smallest failing case"
kept "the others are kept"

body writes 'if (n) *(volatile uint8_t *)buf = *p;'
quick 2 --plugin writes.so
ok $? "one that writes into the buffer, even what was there, is exit 2"
grep -q 'plugin:writes is wrong and will not be timed: writes into the buffer' err
ok $? "and told so"
kept "the others are kept"

body late 'if (calls > 400000) abort();'
quick 2 --plugin late.so --min-time 20ms
ok $? "one that dies while it is timed is exit 2"
grep -q 'plugin:late is wrong and will not be timed: died of signal 6' err
ok $? "and named"
kept "the others are kept"

body quit 'if (calls > 400000) _exit(0);'
quick 2 --plugin quit.so --min-time 20ms
ok $? "one that ends the process is exit 2"
grep -q 'plugin:quit is wrong and will not be timed: ended the process' err
ok $? "and named"

body loop 'while (n == 64) ;'
quick 2 --plugin loop.so
ok $? "one that never comes back is exit 2"
grep -q 'plugin:loop is wrong and will not be timed: did not come back within' err
ok $? "and named"
kept "the others are kept"

refuses "no result takes the place of the object" "mine.so: is read by this command" \
	check-bytes --plugin mine.so --csv=mine.so

echo 'not an object' >text.so
refuses "what is no shared object is refused" "text.so" check-bytes --plugin text.so
refuses "a file that is not there is refused" "nowhere.so" check-bytes --plugin nowhere.so
refuses "an object without the symbol is refused" "undefined symbol: other" check-bytes --plugin mine.so:other
printf '#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { abort(); }\n' >init.c
build init init.c
refuses "one that dies while it is loaded is refused" "died of signal 6, Aborted while it was loaded" \
	check-bytes --plugin init.so

finish
