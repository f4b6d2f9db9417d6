/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the program's own files are: in a build tree, or installed. */
#ifndef SLUBBENCH_FOLDER_H
#define SLUBBENCH_FOLDER_H

/*
 * The folder that has @file: what the environment's @variable says, whether or not it is there; else
 * the first of @beside (ends with NULL), seen from the folder of the running program; else @installed.
 *
 * What is found beside the program counts only when it has the program's owner: somebody else's file
 * in a folder that all may write to must not become code of ours.  Free the answer.
 */
char *find_folder(const char *variable, const char *const *beside, const char *file,
		  const char *installed);

#endif /* SLUBBENCH_FOLDER_H */
