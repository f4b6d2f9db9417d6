/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stream: blocks into lines, lines that were hard-wrapped back into one, colours out.
 */
#include "boot/log.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/input.h"
#include "base/xalloc.h"
#include "boot/logboot.h"

#define BLOCK (8 * 1024)
#define LONGEST_LINE (64 * 1024)        /* longer ones are no log lines: skipped and counted */
#define ENDLESS_LINE (256ull << 20)     /* a line that goes on for so long: refused */
#define ENDLESS_BINARY (64ull << 20)    /* so much, zero bytes, and not one initcall: refused */
#define LONGEST_JOINED 1024
#define MOST_JOINED 4                   /* lines into which one message is wrapped */

struct reader {
	struct log_builder builder;
	struct log_stats *stats;
	const char *name;
	unsigned int line;       /* number of the line at hand */
	bool returns;            /* lines end with a carriage return alone */
	uint64_t skipping;       /* bytes of an over-long line so far; 0: in none */
	/* a message whose end has not come */
	char part[LONGEST_JOINED];
	size_t part_n, part_words;   /* of it, how many bytes are before its words */
	unsigned int part_line, part_joined;
	double part_stamp_us;        /* of a line before it that held nothing else */
	double lone_stamp_us;    /* of a line that holds nothing else: the message is on the next */
	unsigned int lone_line;
	char *clean;             /* LONGEST_LINE: the line without its colours */
};

static void count_unplaced(struct reader *reader, const char *line, size_t n, unsigned int number,
			   const char *wanted)
{
	struct log_stats *stats = reader->stats;
	size_t at = stats->unplaced++;

	if (at >= LOG_N_UNPLACED)
		return;
	if (n >= sizeof(stats->first_unplaced[at].text))
		n = sizeof(stats->first_unplaced[at].text) - 1;
	memcpy(stats->first_unplaced[at].text, line, n);
	stats->first_unplaced[at].line = number;
	stats->first_unplaced[at].wanted = wanted;
}

/*
 * Takes every message of the line.  Returns where the words of the last one begin when it is only a
 * part, and where what belongs to it begins in *from; or NULL.  A message without a stamp gets @stamp_us.
 */
static const char *take_messages(struct reader *reader, const char **from, const char *end,
				 unsigned int number, double stamp_us, bool last)
{
	const char *line = *from, *next;
	struct log_event event;

	for (;;) {
		enum log_found found = log_line_parse(line, *from, end, last, &event, &next);

		if (found == FOUND_PART)
			return event.at;
		if (found == FOUND_BAD)
			count_unplaced(reader, line, (size_t)(end - line), number, event.wanted);
		if (found != FOUND_EVENT)
			return NULL;
		if (isnan(event.stamp_us))
			event.stamp_us = stamp_us;
		log_builder_event(&reader->builder, &event, number, reader->stats);
		*from = next;
	}
}

static void take_last(struct reader *reader, const char *line, const char *end)
{
	take_messages(reader, &line, end, reader->part_line, reader->part_stamp_us, true);
}

/* Nothing more will come to complete the part: it is what it is. */
static void flush_part(struct reader *reader)
{
	size_t n = reader->part_n;

	if (n == 0)
		return;
	reader->part_n = 0;
	take_last(reader, reader->part, reader->part + n);
}

static void keep_part(struct reader *reader, const char *line, const char *words, const char *end,
		      double stamp_us)
{
	size_t n = (size_t)(end - line);

	reader->part_line = reader->line;
	reader->part_stamp_us = stamp_us;
	reader->part_joined = 0;

	while (n && (line[n - 1] == ' ' || line[n - 1] == '\t'))
		n--;
	if (n > sizeof(reader->part)) {
		take_last(reader, line, end);
		return;
	}
	memcpy(reader->part, line, n);
	reader->part_n = n;
	reader->part_words = (size_t)(words - line);
}

/*
 * Is @line the rest of the part?  Most wraps are at a blank; a terminal's are anywhere.  Returns
 * true when the line went into it.
 */
static bool join(struct reader *reader, const char *line, const char *end)
{
	size_t n = (size_t)(end - line);
	char both[LONGEST_JOINED];

	if (reader->part_joined >= MOST_JOINED || reader->part_n + 1 + n > sizeof(both))
		return false;
	memcpy(both, reader->part, reader->part_n);
	for (int blank = 1; blank >= 0; blank--) {
		size_t whole = reader->part_n + (size_t)blank + n;
		enum log_found found;
		struct log_event event;
		const char *next;

		both[reader->part_n] = ' ';
		memcpy(both + reader->part_n + blank, line, n);
		found = log_line_parse(both, both, both + whole, false, &event, &next);
		if ((found != FOUND_EVENT && found != FOUND_PART) ||
		    event.at != both + reader->part_words)
			continue;
		reader->stats->joined++;
		if (found == FOUND_PART) {
			memcpy(reader->part, both, whole);
			reader->part_n = whole;
			reader->part_joined++;
			return true;
		}
		reader->part_n = 0;
		take_last(reader, both, both + whole);
		return true;
	}
	return false;
}

static void take_whole(struct reader *reader, const char *line, const char *end)
{
	bool lone = reader->lone_line && reader->lone_line + 1 == reader->line;
	double stamp_us = lone ? reader->lone_stamp_us : NAN;
	const char *words = take_messages(reader, &line, end, reader->line, stamp_us, false);

	if (words)
		keep_part(reader, line, words, end, stamp_us);
}

static void take_line(struct reader *reader, const char *line, const char *end)
{
	const char *message;
	double stamp_us;
	bool prefixed;

	reader->line++;
	if (end > line && memchr(line, '\033', (size_t)(end - line))) {
		end = log_line_without_colours(line, end, reader->clean);
		line = reader->clean;
	}
	while (end > line && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	reader->stats->text += (uint64_t)(end - line);
	if (reader->part_n == 0 && reader->lone_line == 0 && !(end > line && end[-1] == ']')) {
		take_whole(reader, line, end);
		return;
	}
	prefixed = log_line_prefix(line, end, &stamp_us, &message);
	if (message == end && !prefixed) { /* blank lines between do no harm */
		reader->lone_line += reader->lone_line != 0;
		return;
	}
	if (reader->part_n) {
		if (!prefixed && join(reader, log_line_unquote(line, end), end))
			return;
		flush_part(reader);
	}
	if (message == end) {
		reader->lone_stamp_us = stamp_us;
		reader->lone_line = isnan(stamp_us) ? 0 : reader->line;
		return;
	}
	take_whole(reader, line, end);
	reader->lone_line = 0;
}

/*
 * A log whose first line is the whole of it, or longer than any, but has carriage returns: a serial
 * console wrote it, or an old Mac.  Elsewhere they stay what they are, part of a line: progress that
 * overwrites itself.
 */
static bool ends_with_returns(const struct reader *reader, const char *text, size_t n)
{
	return reader->line == 0 && !reader->skipping && !reader->returns && memchr(text, '\r', n) &&
	       !memchr(text, '\n', n);
}

static const char *line_end(const struct reader *reader, const char *p, const char *end)
{
	const char *newline = memchr(p, '\n', (size_t)(end - p));
	const char *at = newline ? newline : end;

	if (!reader->returns)
		return newline;
	at = memchr(p, '\r', (size_t)(at - p));
	return at ? at : newline;
}

/* The lines of [p, end) that are whole; returns where the last, unfinished one begins. */
static const char *take_lines(struct reader *reader, const char *p, const char *end)
{
	const char *newline;

	while (p < end && (newline = line_end(reader, p, end))) {
		if (newline - p > LONGEST_LINE &&
		    ends_with_returns(reader, p, (size_t)(newline - p))) {
			reader->returns = true;
			continue;
		}
		if (reader->skipping || newline - p > LONGEST_LINE) {
			flush_part(reader);
			reader->stats->long_lines++;
			reader->skipping = 0;
			reader->line++;
		} else {
			take_line(reader, p, newline);
		}
		p = newline + 1;
	}
	return p;
}

static int refuse_endless(const struct reader *reader, const char *block, size_t n)
{
	if (reader->skipping > ENDLESS_LINE) {
		complain("%s:%u: a line of more than %llu MiB: this is no log", reader->name,
			 reader->line + 1, ENDLESS_LINE >> 20);
		return -1;
	}
	if (reader->stats->bytes > ENDLESS_BINARY && reader->builder.now->boot->n_calls == 0 &&
	    !reader->builder.held && memchr(block, '\0', n)) {
		complain("%s: no initcall_debug line in the first %llu MiB, but zero bytes: this is "
			 "no log", reader->name, ENDLESS_BINARY >> 20);
		return -1;
	}
	return 0;
}

static int finish(struct reader *reader, struct boot **out)
{
	flush_part(reader);
	reader->stats->lines = reader->line;
	*out = log_builder_finish(&reader->builder, reader->stats);
	if (*out)
		return 0;
	if (reader->stats->bytes == 0)
		complain("%s: empty; expected a boot log with initcall_debug", reader->name);
	else if (reader->stats->unplaced)
		complain("%s:%u: '%s': expected %s; no initcall of this log can be read",
			 reader->name, reader->stats->first_unplaced[0].line,
			 reader->stats->first_unplaced[0].text,
			 reader->stats->first_unplaced[0].wanted);
	else
		complain("%s: no initcall_debug lines in %u line%s; boot with the parameter "
			 "initcall_debug", reader->name, reader->line, plural(reader->line));
	return -1;
}

static int stream(struct reader *reader, int fd, char *buffer)
{
	size_t kept = 0;

	for (;;) {
		ssize_t n = read(fd, buffer + kept, BLOCK);
		const char *rest, *end;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			complain("%s: cannot read: %s", reader->name, strerror(errno));
			return -1;
		}
		end = buffer + kept + n;
		if (n == 0 && (kept || reader->skipping)) {
			reader->returns |= ends_with_returns(reader, buffer, kept);
			buffer[kept] = '\n'; /* the last line may lack it */
			take_lines(reader, buffer,
				   end + !(reader->returns && kept && buffer[kept - 1] == '\r'));
		}
		if (n == 0)
			return 0;
		reader->stats->bytes += (uint64_t)n;
		rest = take_lines(reader, buffer, end);
		kept = (size_t)(end - rest);
		if (kept > LONGEST_LINE && ends_with_returns(reader, rest, kept)) {
			reader->returns = true;
			rest = take_lines(reader, rest, end);
			kept = (size_t)(end - rest);
		}
		if (reader->skipping || kept > LONGEST_LINE) {
			reader->skipping += kept;
			kept = 0;
		}
		if (refuse_endless(reader, buffer, (size_t)(end - buffer)))
			return -1;
		memmove(buffer, rest, kept);
	}
}

static struct reader *reader_new(const char *name, struct log_stats *stats)
{
	const char *slash = strrchr(name, '/');
	struct reader *reader = xcalloc(1, sizeof(*reader));

	*stats = (struct log_stats){ 0 };
	reader->stats = stats;
	reader->name = name;
	reader->clean = xmalloc(LONGEST_LINE);
	log_builder_init(&reader->builder, slash && slash[1] ? slash + 1 : name);
	return reader;
}

static void reader_free(struct reader *reader)
{
	log_builder_free(&reader->builder);
	free(reader->clean);
	free(reader);
}

int log_read(const char *path, struct boot **out, struct log_stats *stats)
{
	int fd = input_open(path, 0), status;
	struct reader *reader;
	char *buffer;

	*out = NULL;
	*stats = (struct log_stats){ 0 };
	if (fd < 0)
		return -1;
	reader = reader_new(input_name(path), stats);
	buffer = xmalloc(LONGEST_LINE + BLOCK + 1);
	status = stream(reader, fd, buffer);
	if (status == 0)
		status = finish(reader, out);
	free(buffer);
	reader_free(reader);
	close(fd);
	return status;
}

int log_read_memory(const void *text, size_t n, const char *name, struct boot **out,
		    struct log_stats *stats)
{
	struct reader *reader = reader_new(name, stats);
	const char *rest, *end = (const char *)text + n;
	int status;

	stats->bytes = n;
	reader->returns = ends_with_returns(reader, text, n);
	rest = take_lines(reader, text, end);
	if (end - rest > LONGEST_LINE)
		stats->long_lines++;
	else if (end > rest)
		take_line(reader, rest, end);
	status = finish(reader, out);
	reader_free(reader);
	return status;
}
