/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Feeds the files of a corpus to a fuzzer, without libFuzzer: TAP, one claim a file.  The folder is
 * $srcdir/tests/fuzz/corpus/ and what stands in FUZZ_CORPUS at build time.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

#define LARGEST (1 << 20)

static int replay(const char *path)
{
	static uint8_t data[LARGEST];
	FILE *file = fopen(path, "r");
	uint8_t *exact;
	size_t n;

	if (!file)
		return -1;
	n = fread(data, 1, sizeof(data), file);
	fclose(file);
	exact = malloc(n ? n : 1); /* so that a sanitizer sees a read behind the end */
	if (!exact)
		return -1;
	memcpy(exact, data, n);
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
	return 0;
}

int main(void)
{
	const char *srcdir = getenv("srcdir");
	struct dirent **names;
	char folder[4096];
	int n, count = 0, failed = 0;

	snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/%s", srcdir ? srcdir : ".",
		 FUZZ_CORPUS);
	n = scandir(folder, &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		char path[8192];
		int bad;

		if (names[i]->d_name[0] != '.') {
			snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
			bad = replay(path);
			failed += bad != 0;
			printf("%sok %d - %s\n", bad ? "not " : "", ++count, names[i]->d_name);
			fflush(stdout);
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	printf("1..%d\n", count);
	return failed || count == 0;
}
