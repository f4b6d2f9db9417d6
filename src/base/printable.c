/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/printable.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

void use_locale(void)
{
	static bool used;

	if (!used)
		setlocale(LC_CTYPE, "");
	used = true;
}

size_t printable(char *to, const char *text, size_t n)
{
	mbstate_t state = { 0 };
	size_t columns = 0;

	for (size_t used, i = 0; i < n; i += used) {
		wchar_t wide;

		used = 1;
		if (text[i] >= ' ' && text[i] <= '~') { /* nearly all of it, in every locale */
			*to++ = text[i];
			columns++;
			continue;
		}
		use_locale();
		used = mbrtowc(&wide, text + i, n - i, &state);
		if (used == 0 || used > n - i || !iswprint((wint_t)wide)) {
			memset(&state, 0, sizeof(state));
			used = 1;
			to += sprintf(to, "\\x%02x", (unsigned char)text[i]);
			columns += 4;
		} else {
			int width = wcwidth(wide);

			to = mempcpy(to, text + i, used);
			columns += width > 0 ? (size_t)width : 0;
		}
	}
	*to = '\0';
	return columns;
}
