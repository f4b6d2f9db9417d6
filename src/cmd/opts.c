/* SPDX-License-Identifier: GPL-2.0-or-later */
/* getopt_long() driven by one table per command, which --help, the man page test and completion read too. */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/machine.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "cmd/cmd.h"

int opt_true(const char *what, const char *text, void *to)
{
	(void)what, (void)text;
	*(bool *)to = true;
	return 0;
}

int opt_quiet(const char *what, const char *text, void *to)
{
	notes_off();
	return to ? opt_true(what, text, to) : 0;
}

int opt_text(const char *what, const char *text, void *to)
{
	if (!*text) {
		complain("%s: '' is empty", what);
		return -1;
	}
	*(const char **)to = text;
	return 0;
}

int opt_input(const char *what, const char *text, void *to)
{
	if (opt_text(what, text, to))
		return -1;
	output_protect(text);
	return 0;
}

int opt_input_once(const char *what, const char *text, const char **to, const char *rule)
{
	if (*to) {
		complain("%s: is there twice; %s", what, rule);
		return -1;
	}
	return opt_input(what, text, to);
}

int opt_size_list(const char *what, const char *text, void *to)
{
	number_list_free(to);
	return parse_size_list(what, text, to);
}

int opt_duration(const char *what, const char *text, void *to)
{
	return parse_duration_ns(what, text, to);
}

int opt_count(const char *what, const char *text, void *to)
{
	return parse_number(what, text, 1, UINT32_MAX, to);
}

int opt_number(const char *what, const char *text, void *to)
{
	return parse_number(what, text, 0, UINT64_MAX, to);
}

int opt_cpu(const char *what, const char *text, void *to)
{
	uint64_t cpu;

	/* Now, not when it is time to measure: what comes before that may take long. */
	if (parse_number(what, text, 0, INT_MAX, &cpu) || machine_try_cpu(what, (int)cpu))
		return -1;
	*(int *)to = (int)cpu;
	return 0;
}

int opt_repetitions(const char *what, const char *text, void *to)
{
	return parse_number(what, text, 1, 100000, to);
}

int opt_sample_time(const char *what, const char *text, void *to)
{
	double ns;

	if (parse_duration_ns(what, text, &ns) != 0)
		return -1;
	if (ns < 1000) {
		complain("%s: '%s' is too short to time anything; at least 1us", what, text);
		return -1;
	}
	*(double *)to = ns;
	return 0;
}

int opt_file(const char *what, const char *text, void *to)
{
	struct file_option *file = to;

	file->wanted = true;
	file->path = NULL;
	return text ? opt_text(what, text, &file->path) : 0;
}

int opt_color(const char *what, const char *text, void *to)
{
	static const char *const words[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL,
	};
	int when = parse_word(what, text, words);

	(void)to;
	if (when < 0)
		return -1;
	rows_color((enum color)when);
	return 0;
}

static int takes(const struct opt *opt)
{
	return !opt->arg ? no_argument : *opt->arg == '[' ? optional_argument : required_argument;
}

static void print_one(const char *left, const char *help)
{
	int width = printf("  %s", left);

	for (const char *line = help; line;) {
		const char *end = strchr(line, '\n');
		int n = end ? (int)(end - line) : (int)strlen(line);

		if (width > 28) {
			putchar('\n');
			width = 0;
		}
		printf("%*s%.*s\n", 30 - width, "", n, line);
		width = 0;
		line = end ? end + 1 : NULL;
	}
}

static void print_help(const struct cmd *cmd, const char *usage, const struct opt *opts)
{
	printf("Usage: slubbench %s [OPTIONS]%s%s\n\n%s\n\nOptions:\n", cmd->name,
	       usage ? " " : "", usage ? usage : "", cmd->summary);
	for (const struct opt *opt = opts; opt->name; opt++) {
		char letter[8] = "    ", left[80];

		if (opt->letter)
			snprintf(letter, sizeof(letter), "-%c, ", opt->letter);
		snprintf(left, sizeof(left), "%s--%s%s%s", letter, opt->name,
			 takes(opt) == required_argument ? " " : "", opt->arg ? opt->arg : "");
		print_one(left, opt->help);
	}
	print_one("-h, --help", "show this and exit");
	print_one("-V, --version", "show the version and exit");
	printf("\nsee slubbench(1) for the whole story\n");
}

/* getopt's own arrays, made from ours. */
struct getopt_tables {
	struct option *longs;
	char *shorts;
};

static struct getopt_tables make_tables(const struct opt *opts)
{
	struct getopt_tables tables;
	size_t n = 0;
	char *s;

	while (opts[n].name)
		n++;
	tables.longs = xcalloc(n + 3, sizeof(*tables.longs));
	s = tables.shorts = xcalloc(1, 3 * n + 8);
	s = stpcpy(s, ":hV"); /* the colon: errors are ours to word */
	for (size_t i = 0; i < n; i++) {
		tables.longs[i] = (struct option){ opts[i].name, takes(&opts[i]), NULL,
						   UCHAR_MAX + 1 + (int)i };
		if (!opts[i].letter)
			continue;
		*s++ = opts[i].letter;
		s = stpcpy(s, takes(&opts[i]) == required_argument ? ":" :
			      takes(&opts[i]) == optional_argument ? "::" : "");
	}
	tables.longs[n] = (struct option){ "help", no_argument, NULL, 'h' };
	tables.longs[n + 1] = (struct option){ "version", no_argument, NULL, 'V' };
	return tables;
}

static const struct opt *opt_of(const struct opt *opts, int code)
{
	for (size_t i = 0; opts[i].name; i++) {
		if (code == UCHAR_MAX + 1 + (int)i || (opts[i].letter && code == opts[i].letter))
			return &opts[i];
	}
	return NULL;
}

/* getopt said '?': an unknown option, an ambiguous one, or an argument where none belongs. */
static void explain(const struct cmd *cmd, const struct option *longs, const char *given)
{
	const char *names[64], *near;
	size_t n = 0, matches = 0, length = strcspn(given, "=");
	char *typed;

	if (strncmp(given, "--", 2)) {
		complain("%s: unknown option '-%c'; see slubbench %s --help", cmd->name, optopt,
			 cmd->name);
		return;
	}
	for (; longs[n].name && n + 1 < sizeof(names) / sizeof(*names); n++) {
		names[n] = longs[n].name;
		matches += !strncmp(longs[n].name, given + 2, length - 2);
	}
	names[n] = NULL;
	typed = xasprintf("%.*s", (int)(length - 2), given + 2);
	if (optopt && given[length] == '=') {
		complain("%s: option '--%s' takes no argument", cmd->name, typed);
	} else if (matches > 1) {
		complain("%s: option '--%s' is short for several; write it out", cmd->name, typed);
	} else {
		near = nearest(typed, names);
		complain("%s: unknown option '--%s'; %s%s%s", cmd->name, typed,
			 near ? "did you mean '--" : "see slubbench ", near ? near : cmd->name,
			 near ? "'?" : " --help");
	}
	free(typed);
}

/* getopt said ':'.  Operands may stand before the option, so argv[optind] as it was need not be it. */
static void tell_lacking(const struct cmd *cmd, const struct opt *opts)
{
	const struct opt *opt = opt_of(opts, optopt);

	if (optopt > UCHAR_MAX)
		complain("%s: option '--%s' needs an argument", cmd->name, opt->name);
	else
		complain("%s: option '-%c' needs an argument", cmd->name, optopt);
}

/* Which options opts_parse() read, by their place in the table. */
static uint64_t given_options;

bool opts_given(size_t place)
{
	return given_options >> place & 1;
}

static int set_one(const struct cmd *cmd, const struct opt *opt)
{
	char *what = xasprintf("%s: --%s", cmd->name, opt->name);
	int rc = opt->set(what, optarg, opt->to);

	free(what);
	return rc;
}

static int read_options(const struct cmd *cmd, const char *usage, const struct opt *opts,
			const struct getopt_tables *tables, int argc, char **argv, int *status)
{
	const struct opt *opt;
	int code;

	*status = STATUS_INPUT;
	opterr = 0;
	optind = 1;
	for (;;) {
		const char *given = argv[optind < argc ? optind : argc - 1];

		code = getopt_long(argc, argv, tables->shorts, tables->longs, NULL);
		if (code == -1)
			return 0;
		if (code == 'h' || code == 'V') {
			if (code == 'h')
				print_help(cmd, usage, opts);
			else
				printf("slubbench %s\n", PACKAGE_VERSION);
			*status = STATUS_OK;
			return -1;
		}
		if (code == ':') {
			tell_lacking(cmd, opts);
			return -1;
		}
		if (code == '?') {
			explain(cmd, tables->longs, given);
			return -1;
		}
		opt = opt_of(opts, code);
		given_options |= UINT64_C(1) << (opt - opts);
		if (set_one(cmd, opt))
			return -1;
	}
}

int opts_parse(const struct cmd *cmd, const char *usage, const struct opt *opts, int argc,
	       char **argv, int *first, int *status)
{
	struct getopt_tables tables = make_tables(opts);
	int rc = read_options(cmd, usage, opts, &tables, argc, argv, status);

	free(tables.longs);
	free(tables.shorts);
	if (rc)
		return rc;
	if (!usage && optind < argc) {
		complain("%s: takes no operand: '%s'; see slubbench %s --help", cmd->name,
			 argv[optind], cmd->name);
		return -1;
	}
	*first = optind;
	*status = STATUS_OK;
	return 0;
}
