/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "base/machine.h"
#include "base/output.h"
#include "report/progress.h"

#define EVERY_S 0.2
#define WIDTH   30

void progress_open(struct progress *p, bool wanted)
{
	p->on = wanted && output_is_terminal(stderr);
	p->shown_s = 0;
}

void progress_show(struct progress *p, double share)
{
	int full = (int)(share * WIDTH);

	if (!p->on || machine_now_ns() * 1e-9 - p->shown_s < EVERY_S)
		return;
	fprintf(stderr, "\r[%.*s%*s] %3.0f %%", full, "##############################",
		WIDTH - full, "", share * 100);
	p->shown_s = machine_now_ns() * 1e-9;
}

void progress_close(struct progress *p)
{
	if (p->on && p->shown_s > 0)
		fprintf(stderr, "\r%*s\r", WIDTH + 8, "");
	p->on = false;
}
