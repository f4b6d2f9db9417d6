/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * do_initcalls() walks tables of function pointers, one entry an initcall.  Each entry is a symbol
 * whose name ends with the level (include/linux/init.h, ___define_initcall), and the linker lays the
 * entries out level by level in link order: the addresses are the order.
 */
#include "boot/symbols.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/input.h"
#include "base/xalloc.h"
#include "boot/symbols_elf.h"

#define LARGEST_FILE ((size_t)128 << 20) /* a kallsyms of 200,000 symbols has 12 MiB */

static const struct {
	const char *suffix;
	enum initcall_level level;
} suffixes[] = { /* the longer ones first: "4s" is no function that ends in s */
	{ "rootfs", LEVEL_ROOTFS }, { "early", LEVEL_EARLY },     { "con", LEVEL_CONSOLE },
	{ "0s", LEVEL_PURE_SYNC },  { "1s", LEVEL_CORE_SYNC },    { "2s", LEVEL_POSTCORE_SYNC },
	{ "3s", LEVEL_ARCH_SYNC },  { "4s", LEVEL_SUBSYS_SYNC },  { "5s", LEVEL_FS_SYNC },
	{ "6s", LEVEL_DEVICE_SYNC }, { "7s", LEVEL_LATE_SYNC },   { "0", LEVEL_PURE },
	{ "1", LEVEL_CORE },        { "2", LEVEL_POSTCORE },      { "3", LEVEL_ARCH },
	{ "4", LEVEL_SUBSYS },      { "5", LEVEL_FS },            { "6", LEVEL_DEVICE },
	{ "7", LEVEL_LATE },
};

/* "MOD__COUNTER_LINE_" ends with two numbers: where the function's name begins, or NULL. */
static const char *behind_object(const char *text, size_t *object_n)
{
	for (const char *p = strstr(text, "__"); p; p = strstr(p + 1, "__")) {
		const char *q = p + 2;
		int numbers = 0;

		while (numbers < 2 && isdigit((unsigned char)*q)) {
			while (isdigit((unsigned char)*q))
				q++;
			if (*q++ != '_')
				break;
			numbers++;
		}
		if (numbers == 2) {
			*object_n = (size_t)(p - text);
			return q;
		}
	}
	return NULL;
}

static size_t strip_level(const char *name, size_t n, enum initcall_level *level)
{
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t m = strlen(suffixes[i].suffix);

		if (n <= m || memcmp(name + n - m, suffixes[i].suffix, m))
			continue;
		*level = suffixes[i].level;
		return n - m;
	}
	return 0;
}

bool symbol_parse(const char *text, uint64_t address, uint64_t console_start,
		  struct symbol *symbol)
{
	static const char prefix[] = "__initcall_", kmod[] = "_kmod_";
	const char *name = text + sizeof(prefix) - 1, *object = NULL;
	enum initcall_level level = LEVEL_UNKNOWN;
	size_t object_n = 0, n;

	if (strncmp(text, prefix, sizeof(prefix) - 1))
		return false;
	if (!strncmp(name, kmod, sizeof(kmod) - 1)) {
		object = name + sizeof(kmod) - 1;
		name = behind_object(object, &object_n);
		if (!name)
			return false;
	}
	n = strip_level(name, strlen(name), &level);
	if (n == 0 && !object && console_start && (address == 0 || address >= console_start)) {
		n = strlen(name);
		level = LEVEL_CONSOLE;
	}
	/* "__initcall_start", "__initcall_end" are the bounds */
	if (n == 0 || !strcmp(name, "start") || !strcmp(name, "end"))
		return false;
	symbol->name = xstrndup(name, n);
	symbol->object = object ? xstrndup(object, object_n) : NULL;
	symbol->level = level;
	symbol->address = address;
	return true;
}

static void add(struct symbols *symbols, const struct symbol *symbol)
{
	symbols->entries = xgrow(symbols->entries, symbols->n, sizeof(*symbols->entries));
	symbols->entries[symbols->n++] = *symbol;
}

void symbols_add_text(struct symbols *symbols, const char *name, uint64_t address,
		      uint64_t console_start)
{
	struct symbol symbol;

	if (symbol_parse(name, address, console_start, &symbol))
		add(symbols, &symbol);
}

/* "ffffffff821a64e0 d NAME [module]": the name, terminated, or NULL; the line is cut up. */
static char *split_line(char *line, uint64_t *address)
{
	char *end, *name;

	errno = 0;
	*address = strtoull(line, &end, 16);
	if (end == line) { /* nm shows no address for an undefined symbol */
		*address = 0;
		end = line;
	}
	while (*end == ' ' || *end == '\t')
		end++;
	if (!isalpha((unsigned char)*end) && *end != '?')
		return NULL;
	if (end[1] != ' ' && end[1] != '\t')
		return NULL;
	name = end + 1 + strspn(end + 1, " \t");
	end = name + strcspn(name, " \t\r");
	if (strchr(end, '[')) /* of a module: it has no entry in the kernel's tables */
		return NULL;
	*end = '\0';
	return *name ? name : NULL;
}

static uint64_t find_console_start(const char *text)
{
	const char *at = strstr(text, " __con_initcall_start");

	if (!at)
		return 0;
	while (at > text && at[-1] != '\n')
		at--;
	return strtoull(at, NULL, 16);
}

static void read_text(struct symbols *symbols, char *text)
{
	uint64_t console_start = find_console_start(text);

	for (char *line = text, *next; *line; line = next) {
		uint64_t address;
		char *name;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (!strstr(line, "__initcall_"))
			continue;
		name = split_line(line, &address);
		if (name)
			symbols_add_text(symbols, name, address, console_start);
	}
}

/* The whole file, terminated; NULL after complain(). */
static char *slurp(const char *path, int fd, size_t *n)
{
	size_t room = 1 << 16;
	char *text = xmalloc(room);

	for (*n = 0;;) {
		ssize_t got;

		if (*n + 1 == room)
			text = xreallocarray(text, room *= 2, 1);
		got = read(fd, text + *n, room - *n - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			complain("%s: cannot read: %s", path, strerror(errno));
		else if (*n + (size_t)got > LARGEST_FILE)
			complain("%s: more than %zu MiB: no symbol table is so large", path,
				 LARGEST_FILE >> 20);
		else if (got == 0) {
			text[*n] = '\0';
			return text;
		} else {
			*n += (size_t)got;
			continue;
		}
		free(text);
		return NULL;
	}
}

/* As they run: by level, then by address; the sort keeps the file's order where that is hidden. */
static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return 0;
}

/* Insertion keeps equals in order, and symbol tables come sorted but for the consoles. */
static void sort(struct symbols *symbols)
{
	struct symbol *e = symbols->entries;
	size_t moves = 0;

	for (size_t i = 1; i < symbols->n; i++) {
		struct symbol it = e[i];
		size_t at = i;

		while (at && compare(&e[at - 1], &it) > 0) {
			e[at] = e[at - 1];
			at--;
			moves++;
		}
		e[at] = it;
		if (moves > 16 * symbols->n + 65536) { /* plain nm sorts by name */
			qsort(e, symbols->n, sizeof(*e), compare);
			return;
		}
	}
}

int symbols_read(const char *path, struct symbols **out)
{
	int fd = input_open(path, 0), status = 0;
	struct symbols *symbols;
	size_t n = 0;
	char magic[4];
	char *text;

	*out = NULL;
	if (fd < 0)
		return -1;
	path = input_name(path);
	symbols = xcalloc(1, sizeof(*symbols));
	if (pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && !memcmp(magic, "\177ELF", 4)) {
		status = symbols_read_elf(path, fd, symbols);
	} else {
		text = slurp(path, fd, &n);
		status = text ? 0 : -1;
		if (text && memchr(text, '\0', n)) {
			complain("%s: %s; expected System.map, /proc/kallsyms, nm output or a vmlinux",
				 path, n > 4 && !memcmp(text, "\177ELF", 4)
					       ? "an ELF file can be read from a file only"
					       : "neither text nor ELF");
			status = -1;
		} else if (text) {
			read_text(symbols, text);
		}
		free(text);
	}
	close(fd);
	if (status == 0 && symbols->n == 0) {
		complain("%s: no __initcall symbols; expected System.map, /proc/kallsyms, nm output "
			 "or a vmlinux of a kernel with kallsyms", path);
		status = -1;
	}
	if (status) {
		symbols_free(symbols);
		return -1;
	}
	sort(symbols);
	*out = symbols;
	return 0;
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->n; i++) {
		free(symbols->entries[i].name);
		free(symbols->entries[i].object);
	}
	free(symbols->entries);
	free(symbols);
}
