/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of the program that are loaded when they are needed, because the libraries behind them take
 * longer to load than most commands take to run.
 */
#ifndef SLUBBENCH_MODULE_H
#define SLUBBENCH_MODULE_H

/*
 * module_symbol - @symbol of the module @file, "NAME.so", which is loaded and stays.
 *
 * The folder is $SLUBBENCH_MODULES, that of the build tree that the program runs in, or where it is
 * installed.  NULL when there is none, after a complaint; where the program goes on, @lost says in
 * words without what, and it is a note.  Keep the answer: each call asks the
 * loader anew.
 */
void *module_symbol(const char *file, const char *symbol, const char *lost);

#endif /* SLUBBENCH_MODULE_H */
