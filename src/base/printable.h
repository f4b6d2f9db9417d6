/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text of a file on a terminal: it may be anything, and must not move the cursor. */
#ifndef SLUBBENCH_PRINTABLE_H
#define SLUBBENCH_PRINTABLE_H

/*
 * From now on characters are those of the user's locale; numbers stay as in C.  Not at the start of
 * the program: the locale's files take longer to load than a log to read, and few texts need them.
 */
void use_locale(void);

/* Room that printable() needs for @n bytes of text. */
#define PRINTABLE_ROOM(n) (4 * (n) + 1)

/* Copy @text to @to, what does not print in this locale as "\x1b". */
void printable(char *to, const char *text);

#endif /* SLUBBENCH_PRINTABLE_H */
