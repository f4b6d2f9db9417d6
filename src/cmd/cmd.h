/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A subcommand, and the options of all of them. */
#ifndef SLUBBENCH_CMD_H
#define SLUBBENCH_CMD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/output.h"
#include "report/rows.h"

struct cmd {
	const char *name;
	const char *summary; /* one line */
	int (*run)(const struct cmd *cmd, int argc, char **argv); /* an enum status */
};

extern const struct cmd cmd_check_bytes;
extern const struct cmd cmd_initcalls;
extern const struct cmd cmd_objects;
extern const struct cmd cmd_plot;
extern const struct cmd cmd_sysfs;

/*
 * One option, in the order of --help.  @set stores @text (NULL when the option has no argument or
 * the optional one is not given) in @to: 0, or -1 after a complaint that starts with @what
 * ("--size").
 */
typedef int opt_set(const char *what, const char *text, void *to);

struct opt {
	const char *name;  /* without dashes */
	char letter;       /* 0: no short form */
	const char *arg;   /* "LIST"; "[=FILE]" when it may be left out; NULL: takes none */
	const char *help;  /* line ends are kept */
	opt_set *set;
	void *to;
};

/* Setters for what many options hold.  What @to points to is named behind each. */
opt_set opt_true;         /* bool */
opt_set opt_quiet;        /* bool or NULL: no notes from here on */
opt_set opt_text;         /* const char * */
opt_set opt_input;        /* const char *: a file to read, or a name that may be one */
opt_set opt_size_list;    /* struct number_list: replaces */
opt_set opt_duration;     /* double, ns */
opt_set opt_count;        /* uint64_t >= 1 */
opt_set opt_number;       /* uint64_t */
opt_set opt_cpu;          /* int: a CPU that this process may run on */
opt_set opt_repetitions;  /* uint64_t: samples of a timing */
opt_set opt_sample_time;  /* double, ns: long enough to be timed */
opt_set opt_file;         /* struct file_option */
opt_set opt_color;        /* nothing: the tables of this process */

/*
 * opt_input() for a setter whose option must not be given twice: of other options the last one
 * counts, but who names two files wants both.  @rule tells what to do instead.
 */
int opt_input_once(const char *what, const char *text, const char **to, const char *rule);

/* Options that are the same in each command with a table. */
#define OPT_COLOR \
	{ "color", 0, "WHEN", "auto, always or never emphasise in tables (auto: on a terminal, unless\n" \
	  "NO_COLOR is set)", opt_color, NULL }
#define OPT_COLUMNS(report) \
	{ "columns", 'o', "LIST", "columns of the table by their CSV names, +NAME to add", opt_text, \
	  &(report).select }

/* And in each that measures; @command has the two switches. */
#define OPT_CPU(to) \
	{ "cpu", 0, "N", "the CPU to run on (the current one)", opt_cpu, &(to) }
#define OPT_PROGRESS(command) \
	{ "no-progress", 0, NULL, "do not show how far it is", opt_true, &(command).no_progress }, \
	{ "quiet", 'q', NULL, "no progress and no notes", opt_quiet, &(command).quiet }
#define OPT_JSON_ROWS(report) \
	{ "json", 0, "[=FILE]", "the rows and the machine as JSON, in place of the table\n" \
	  "when no FILE is given", opt_file, &(report).json }

/* --csv[=FILE] and its kind: wanted or not, and where to. */
struct file_option {
	bool wanted;
	const char *path; /* NULL or "-": standard output */
};

/*
 * Read @argv by @opts (ends with a NULL name), --help and --version besides.  The operands are
 * left at argv[*first] and on (@usage names them: "OLD NEW"; NULL: there are none, and one is an
 * error).  STATUS_OK to go on; else *@status is what to exit with, and -1 is returned.
 */
int opts_parse(const struct cmd *cmd, const char *usage, const struct opt *opts, int argc,
	       char **argv, int *first, int *status);

/* Was the option at this place of the table among them?  A table has 64 places at most. */
bool opts_given(size_t place);

/*
 * The end of the road: the rows as CSV to @csv and as JSON to @json where wanted, the samples behind
 * them as CSV to @samples, and the rows as a table on stdout unless one of these went there.  @select
 * is the text of -o, NULL when it is not given; @usual names the columns shown then, NULL: those of
 * @columns that say so.
 */
struct report {
	const struct column *columns;
	struct file_option csv, json, samples;
	const char *select, *usual;
	int *shown;
	struct output out, json_out, samples_out;
};

/*
 * Before the work of @command (its name): find unwritable files and unknown columns.  0, or -1 after
 * a complaint.
 */
int report_open(struct report *report, const char *command);
/* Does stdout carry a file, and so nothing else? */
bool report_on_stdout(const struct report *report);
/*
 * After it: first the table, @group as in rows_write_table(), then every file, though one before
 * failed.  @samples is NULL in a command without --samples.  0, or -1 after a complaint.
 */
int report_write(struct report *report, const struct rows *rows, int group,
		 const struct rows *samples);
/*
 * Its parts, for a command that shows more than the table, or whose JSON is more than the rows: that
 * goes to @json_out last of all.
 */
void report_show(const struct report *report, const struct rows *rows, int group);
int report_write_csv(struct report *report, const struct rows *rows, const struct rows *samples);
void report_close(struct report *report);

#endif /* SLUBBENCH_CMD_H */
