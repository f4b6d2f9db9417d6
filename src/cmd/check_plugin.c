/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/output.h"
#include "base/xalloc.h"
#include "bench/jail.h"
#include "cmd/check_plugin.h"

struct trial { /* shared with the child that does it */
	uint64_t beat;
	const struct plugin *plugin;
	char error[512]; /* the loader's; "" when all is well */
	size_t code_bytes;
	uint8_t value;
	int wrong;
	struct verify_failure failure;
};

static bool always(void)
{
	return true;
}

/* FILE:SYMBOL, unless there is a file of that whole name. */
static void split(struct plugin *p, const char *text)
{
	const char *colon = access(text, F_OK) == 0 ? NULL : strrchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : strlen(text);
	const char *slash;

	/* Without a slash the loader would look in the system's folders instead. */
	p->path = xasprintf("%s%.*s", memchr(text, '/', n) ? "" : "./", (int)n, text);
	p->symbol = xstrdup(colon && colon[1] ? colon + 1 : PLUGIN_SYMBOL);
	slash = strrchr(p->path, '/');
	p->name = xasprintf(PLUGIN_PREFIX "%.*s", (int)strcspn(slash + 1, "."), slash + 1);
}

/* The symbol table's entry of what dlsym() found; NULL when it has none. */
static const ElfW(Sym) *entry_of(const void *symbol)
{
	void *entry = NULL;
	Dl_info info;

	return dladdr1(symbol, &info, &entry, RTLD_DL_SYMENT) ? entry : NULL;
}

/* Data would be called as well, and crash or worse.  A symbol without a type may be assembler's. */
static bool is_data(const void *symbol)
{
	const ElfW(Sym) *entry = entry_of(symbol);

	return entry && ELF64_ST_TYPE(entry->st_info) == STT_OBJECT;
}

static check_fn *load(const struct plugin *p, char *error, size_t size)
{
	void *object = dlopen(p->path, RTLD_NOW | RTLD_LOCAL);
	void *symbol = object ? dlsym(object, p->symbol) : NULL;

	if (!symbol)
		snprintf(error, size, "%s", dlerror());
	else if (is_data(symbol))
		snprintf(error, size, "%s: '%s' is no function", p->path, p->symbol);
	else
		return (check_fn *)(uintptr_t)symbol;
	return NULL;
}

check_fn *plugin_load(const struct plugin *p)
{
	char error[512];

	return load(p, error, sizeof(error));
}

static int try_to_load(void *arg)
{
	struct trial *trial = arg;
	check_fn *fn = load(trial->plugin, trial->error, sizeof(trial->error));
	const ElfW(Sym) *entry = fn ? entry_of((const void *)(uintptr_t)fn) : NULL;

	if (entry)
		trial->code_bytes = entry->st_size;
	return 0;
}

int plugin_open(struct plugin *p, const char *text)
{
	struct trial *trial = jail_share(sizeof(*trial));
	enum jail_end end;
	int status, ret = -1;

	split(p, text);
	output_protect(p->path);
	p->v = (struct check_variant){
		.name = p->name, .description = "the user's own", .origin = p->path,
		.isa = "plugin", .needs = "the shared object", .kind = CHECK_OFFSET,
		.usable = always,
	};
	if (!trial)
		return -1;
	trial->plugin = p;
	end = jail_run(try_to_load, trial, &trial->beat, PLUGIN_PATIENCE_S, &status);
	if (end != JAIL_DONE && end != JAIL_FAILED)
		complain("check-bytes: --plugin: %s: %s while it was loaded", p->path,
			 jail_words(end, status, PLUGIN_PATIENCE_S));
	else if (end == JAIL_DONE && trial->error[0])
		complain("check-bytes: --plugin: %s", trial->error);
	else if (end == JAIL_DONE)
		ret = 0;
	p->code_bytes = trial->code_bytes;
	jail_unshare(trial, sizeof(*trial));
	return ret;
}

void plugin_close(struct plugin *p)
{
	free(p->path);
	free(p->symbol);
	free(p->name);
}

static int try_to_answer(void *arg)
{
	struct trial *trial = arg;
	check_fn *fn = plugin_load(trial->plugin);

	if (!fn)
		_exit(1);
	trial->wrong = check_verify(&trial->plugin->v, fn, VERIFY_FAST, &trial->value, 1,
				    &trial->failure);
	return 0;
}

int plugin_verify(const struct plugin *p, uint8_t value, struct verify_failure *failure,
		  const char **words)
{
	struct trial *trial = jail_share(sizeof(*trial));
	enum jail_end end = JAIL_FAILED;
	int status = 0, ret = -1;

	if (trial) {
		trial->plugin = p;
		trial->value = value;
		end = jail_run(try_to_answer, trial, &trial->beat, PLUGIN_PATIENCE_S, &status);
	}
	if (end == JAIL_DONE) {
		*failure = trial->failure;
		ret = trial->wrong;
	} else if (end != JAIL_FAILED) {
		*words = jail_words(end, status, PLUGIN_PATIENCE_S);
		ret = 2;
	}
	jail_unshare(trial, sizeof(*trial));
	return ret;
}
