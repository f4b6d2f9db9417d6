/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/printable.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

void printable(char *to, const char *text)
{
	mbstate_t state = { 0 };

	while (*text) {
		wchar_t wide;
		size_t used;

		if (*text >= ' ' && *text <= '~') { /* nearly all of it, in every locale */
			*to++ = *text++;
			continue;
		}
		use_locale();
		used = mbrtowc(&wide, text, strnlen(text, MB_CUR_MAX), &state);
		if (used > MB_CUR_MAX || !iswprint((wint_t)wide)) { /* an error is more than any */
			memset(&state, 0, sizeof(state));
			to += sprintf(to, "\\x%02x", (unsigned char)*text++);
		} else {
			to = mempcpy(to, text, used);
			text += used;
		}
	}
	*to = '\0';
}
