/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every form in which initcall_debug logs are kept, each as a small log with the exact rows that it
 * must give, and whole logs of real boots against what is known of them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "boot/log.h"

/* The rows of @text as one string: "level name module pid start duration source result;..." */
static char *rows_of(const char *text, struct log_stats *stats)
{
	struct boot *boot;
	char *rows = NULL;
	size_t n;
	FILE *to = open_memstream(&rows, &n);

	assert_non_null(to);
	if (log_read_memory(text, strlen(text), "t", &boot, stats)) {
		fclose(to);
		free(rows);
		return NULL;
	}
	for (size_t i = 0; i < boot->n_calls; i++) {
		const struct initcall *call = &boot->calls[i];

		fprintf(to, "%s%s %s%s%s @%d ", i ? "; " : "", level_name(call->level), call->name,
			call->module ? " " : "", call->module ? call->module : "", call->pid);
		fprintf(to, "%g+%g %s", call->start_us, call->duration_us,
			fact_source_name(call->duration_from));
		if (call->returned)
			fprintf(to, " =%d", call->result);
		if (call->blacklisted)
			fprintf(to, " blacklisted");
	}
	for (size_t i = 0; i < boot->n_asyncs; i++) {
		const struct initcall *call = &boot->asyncs[i];

		fprintf(to, "; async %s @%d %g+%g %s", call->name, call->pid, call->start_us,
			call->duration_us, fact_source_name(call->duration_from));
	}
	for (size_t i = 0; i < boot->n_probes; i++) {
		const struct probe *probe = &boot->probes[i];

		fprintf(to, "; probe %s %g+%g =%d in %s", probe->device, probe->end_us,
			probe->duration_us, probe->result,
			probe->initcall < 0 ? "none" : boot->calls[probe->initcall].name);
	}
	fclose(to);
	boot_free(boot);
	return rows;
}

#define BANNER "[    0.000000] Linux version 6.1.0\n"
#define SWITCH  "[    0.100000] clocksource: Switched to clocksource tsc\n"

/* What a log is, and the rows that it must give. */
static const struct {
	const char *form, *text, *rows;
} forms[] = {
	{ "plain, by stamps before the switch",
	  BANNER "[    0.213360] calling  pktsched_init+0x0/0x115 @ 1\n"
		  "[    0.213380] initcall pktsched_init+0x0/0x115 returned 0 after 4000 usecs\n" SWITCH,
	  "unknown pktsched_init @1 213360+20 stamps =0" },
	{ "as reported after the switch",
	  BANNER SWITCH "[    0.213360] calling  pktsched_init+0x0/0x115 @ 1\n"
			 "[    0.213380] initcall pktsched_init+0x0/0x115 returned 0 after 18 usecs\n",
	  "unknown pktsched_init @1 213360+18 reported =0" },
	{ "CRLF and priority",
	  "<5>[    0.000000] Linux version 6.1.0\r\n"
	  "<7>[    0.949016] calling  slab_sysfs_init+0x0/0xef @ 1\r\n"
	  "<7>[    0.960016] initcall slab_sysfs_init+0x0/0xef returned 0 after 8000 usecs\r\n",
	  "unknown slab_sysfs_init @1 949016+11000 stamps =0" },
	{ "caller id",
	  BANNER "[   18.397784][    T1] calling  maple_tree_seed+0x0/0x15d0 @ 1\n"
		  "[   18.400000][   C0] initcall maple_tree_seed+0x0/0x15d0 returned 0 after 7 usecs\n",
	  "unknown maple_tree_seed @1 1.83978e+07+2216 stamps =0" },
	{ "priority, no stamps",
	  "<5>Linux version 6.1.0\n<7>calling  slab_sysfs_init+0x0/0xef @ 1\n"
	  "<7>initcall slab_sysfs_init+0x0/0xef returned 0 after 8000 usecs\n",
	  "unknown slab_sysfs_init @1 nan+8000 reported =0" },
	{ "neither stamps nor priority",
	  "Linux version 6.1.0\ncalling  aio_setup+0x0/0xa0 @ 1\n"
	  "initcall aio_setup+0x0/0xa0 returned 0 after 16 usecs\n",
	  "unknown aio_setup @1 nan+16 reported =0" },
	{ "journal in another language",
	  "mar 06 13:18:23 kepler kernel: Linux version 6.1.0\n"
	  "mar 06 13:18:23 kepler kernel: calling  umwait_init+0x0/0x72 @ 1\n"
	  "m\303\244r 06 13:18:23 kepler kernel: initcall umwait_init+0x0/0x72 returned -19 after 3 usecs\n",
	  "unknown umwait_init @1 nan+3 reported =-19" },
	{ "syslog with stamps",
	  "Mar  6 13:18:23 host kernel: [    0.100000] calling  a_init+0x0/0x72 @ 1\n"
	  "Mar  6 13:18:23 host kernel: [    0.100020] initcall a_init+0x0/0x72 returned 0 after 3 usecs\n",
	  "unknown a_init @1 100000+20 stamps =0" },
	{ "journalctl -o short-monotonic",
	  "[    0.100000] host kernel: calling  a_init+0x0/0x72 @ 1\n"
	  "[    0.100020] host kernel: initcall a_init+0x0/0x72 returned 0 after 3 usecs\n",
	  "unknown a_init @1 100000+20 stamps =0" },
	{ "records of /dev/kmsg",
	  "7,300,100000,-;calling  a_init+0x0/0x72 @ 1\n"
	  "7,301,100020,-,caller=T1;initcall a_init+0x0/0x72 returned 0 after 3 usecs\n",
	  "unknown a_init @1 100000+20 stamps =0" },
	{ "dmesg -x and dmesg -d",
	  "kern  :debug : [    0.100000] calling  a_init+0x0/0x72 @ 1\n"
	  "[    0.100020 <    0.000020>] initcall a_init+0x0/0x72 returned 0 after 3 usecs\n",
	  "unknown a_init @1 100000+20 stamps =0" },
	{ "vendor prefix",
	  "  <7>[    8.500000] .(5)[1:swapper/0]calling  mag_init+0x0/0x674 @ 1\n"
	  "  <7>[    8.571708] .(5)[1:swapper/0]initcall mag_init+0x0/0x674 returned 0 after 57408 usecs\n",
	  "unknown mag_init @1 8.5e+06+71708 stamps =0" },
	{ "vendor stamps with a CPU",
	  "[    8.571708@0] calling  a_init+0x0/0x674 @ 1\n"
	  "[    8.571710,1] initcall a_init+0x0/0x674 returned 0 after 1 usecs\n",
	  "unknown a_init @1 8.57171e+06+2 stamps =0" },
	{ "quoted and hard-wrapped mail",
	  "> [    0.080000] calling  slab_sysfs_init+0x0/0x128 @ 1\n"
	  "> [    0.088769] initcall slab_sysfs_init+0x0/0x128 returned 0 after 2583\n> usecs\n",
	  "unknown slab_sysfs_init @1 80000+8769 stamps =0" },
	{ "wrapped at every blank",
	  "[    0.1][    T1]\ncalling\nreserve_memblock_regions+0x0/0x374\n@ 1\n"
	  "[    0.2][    T1] initcall\nreserve_memblock_regions+0x0/0x374 returned 0 after 7812\nusecs\n",
	  "unknown reserve_memblock_regions @1 100000+100000 stamps =0" },
	{ "wrapped anywhere by a terminal",
	  "[    0.100000] calling  reserve_mem\nblock+0x0/0x374 @ 1\n"
	  "[    0.200000] initcall reserve_memblock+0x0/0x374 returned 0 af\nter 78\n12 usecs\n",
	  "unknown reserve_memblock @1 100000+100000 stamps =0" },
	{ "blank line after each line",
	  "[    0.100000] calling  a_init+0x0/0x7 @ 1\n\n"
	  "[    0.100020] initcall a_init+0x0/0x7 returned 0 after 3\n\nusecs\n\n",
	  "unknown a_init @1 100000+20 stamps =0" },
	{ "message in the middle of a line",
	  "[    1.357760]  sdc1 sdc2 <calling  cdrom_init+0x0/0x6a [cdrom] @ 363\n"
	  "[    1.358000] initcall cdrom_init+0x0/0x6a [cdrom] returned 0 after 3 usecs\n",
	  "unknown cdrom_init cdrom @363 1.35776e+06+240 stamps =0" },
	{ "two messages in a line",
	  "[    0.100000] calling  a_init+0x0/0x7 @ 1\n"
	  "[    0.100020] initcall a_init+0x0/0x7 returned 0 after 3 usecs<7>[    0.100030] calling  b_init+0x0/0x7 @ 1\n",
	  "unknown a_init @1 100000+20 stamps =0; unknown b_init @1 100030+nan unknown" },
	{ "older stamps and fragments between",
	  BANNER "[    1.480000] calling  a_init+0x0/0x7 @ 1\n[    0.119986] smpboot: CPU 11 ...\n"
		  "[    1.470332]  #11\n[    1.500000] initcall a_init+0x0/0x7 returned 0 after 3 usecs\n",
	  "unknown a_init @1 1.48e+06+20000 stamps =0" },
	{ "stamps that go back",
	  "[    1.480000] calling  a_init+0x0/0x7 @ 1\n"
	  "[    1.470000] initcall a_init+0x0/0x7 returned 0 after 3 usecs\n",
	  "unknown a_init @1 1.48e+06+3 reported =0" },
	{ "msecs, no pid",
	  "calling  acpi_event_init+0x0/0x57\n"
	  "initcall acpi_event_init+0x0/0x57 returned 0 after 38 msecs\n",
	  "unknown acpi_event_init @1 nan+39845.9 reported =0" },
	{ "with ()",
	  "[    0.100000] calling  net_ns_init+0x0/0x12a()\n"
	  "[    0.100010] initcall net_ns_init+0x0/0x12a() returned 0 after 0 msecs\n",
	  "unknown net_ns_init @1 100000+10 stamps =0" },
	{ "one blank",
	  "[    0.100000] calling agp_init+0x0/0x30\n"
	  "[    0.100010] initcall agp_init+0x0/0x30 returned 0 after 2 usecs\n",
	  "unknown agp_init @1 100000+10 stamps =0" },
	{ "2.6.20: only the start",
	  "Calling initcall 0xc03fe890: reboot_init+0x0/0x10()\n"
	  "Calling initcall 0xc03fe8a0: foo_init+0x0/0x10()\n",
	  "unknown reboot_init @1 nan+nan unknown; unknown foo_init @1 nan+nan unknown" },
	{ "2.6.22: three lines",
	  "Calling initcall 0xc03fe890: reboot_init+0x0/0x10()\n"
	  "initcall 0xc03fe890: reboot_init+0x0/0x10() returned 0.\n"
	  "initcall 0xc03fe890 ran for 5 msecs: reboot_init+0x0/0x10()\n"
	  "calling initcall 0xc03fe8a0: foo_init+0x0/0x10()\n",
	  "unknown reboot_init @1 nan+5242.88 reported =0; unknown foo_init @1 nan+nan unknown" },
	{ "duration first, sorted",
	  "673 msecs [ 5.098052] initcall uhci_hcd_init+0x0/0xc1 returned 0 \n"
	  "12 msecs [ 1.000000] initcall pci_init+0x0/0xc1 returned -19 \n",
	  "unknown pci_init @1 987417+12582.9 reported =-19; "
	  "unknown uhci_hcd_init @1 4.39236e+06+705692 reported =0" },
	{ "head cut off",
	  "[    0.050000] initcall lost+0x0/0x5 returned 0 after 30 usecs\n"
	  "[    0.051384] calling  proc_schedstat_init+0x0/0x25 @ 1\n"
	  "[    0.051390] initcall proc_schedstat_init+0x0/0x25 returned 0 after 5 usecs\n",
	  "unknown lost @1 49970+30 reported =0; unknown proc_schedstat_init @1 51384+6 stamps =0" },
	{ "level lines",
	  "[    0.010000] entering initcall level: fs\n[    0.050000] calling  a+0x0/0x5 @ 1\n"
	  "[    0.050001] initcall a+0x0/0x5 returned 0 after 1 usecs\n"
	  "[    0.050002] entering initcall level:\ndevice\n[    0.050003] calling  b+0x0/0x5 @ 1\n"
	  "[    0.050004] initcall b+0x0/0x5 returned 0 after 1 usecs\n",
	  "fs a @1 50000+1 stamps =0; device b @1 50003+1 stamps =0" },
	{ "the same name twice, and one called init",
	  "calling  msr_init+0x0/0x5 @ 1\ninitcall msr_init+0x0/0x5 returned 0 after 7 usecs\n"
	  "calling  init+0x0/0x5 @ 1\ncalling  msr_init+0x0/0x9 @ 1\n"
	  "initcall msr_init+0x0/0x9 returned 0 after 8 usecs\n"
	  "initcall init+0x0/0x5 returned 0 after 9 usecs\n",
	  "unknown msr_init @1 nan+7 reported =0; unknown init @1 nan+9 reported =0; "
	  "unknown msr_init @1 nan+8 reported =0" },
	{ "module of another process",
	  "calling  mei_gsc_driver_init+0x0/0xff0 [mei_gsc] @ 121074\n"
	  "initcall mei_gsc_driver_init+0x0/0xff0 [mei_gsc] returned 0 after 7 usecs\n",
	  "unknown mei_gsc_driver_init mei_gsc @121074 nan+7 reported =0" },
	{ "console initcall",
	  "calling  con_init+0x0/0x260 @ 0\ninitcall con_init+0x0/0x260 returned 0 after 0 usecs\n",
	  "console con_init @0 nan+0 reported =0" },
	{ "what is no initcall",
	  "[    0.1] pci 0000:00:01.3: calling  acpi_pm_check_blacklist+0x0/0x30 @ 1\n"
	  "[    0.1] pci 0000:00:01.3: acpi_pm_check_blacklist+0x0/0x30 took 0 usecs\n"
	  "[    0.1] usb 1-1: calling usb_dev_suspend+0x0/0x10 @ 9, parent: usb1\n"
	  "[    0.1] calling usb_dev_suspend+0x0/0x10 @ 9, parent: usb1\n"
	  "[    0.1] PM: Calling mce_syscore_suspend+0x0/0x20\n"
	  "mar 06 13:18:23 kepler kernel: pci 0000:00:00.0: calling  quirk+0x0/0x30 @ 1\n"
	  "Kernel command line: initcall_debug initcall_blacklist=a,b\n"
	  "blacklisting initcall a\nThe initcall returned -19 after all, calling foo\n"
	  "initcall a+0x0/0x5 returned 0 after 1 usecs\n",
	  "unknown a @1 nan+1 reported =0" },
	{ "blacklisted",
	  "[    0.9] initcall slab_sysfs_init blacklisted\n",
	  "unknown slab_sysfs_init @1 900000+0 unknown blacklisted" },
	{ "quantised before the switch, shifted by its version",
	  "[    0.0] Linux version 5.10.0\n[    0.100000] calling  a+0x0/0x5 @ 1\n"
	  "[    0.100064] initcall a+0x0/0x5 returned 0 after 3906 usecs\n" SWITCH
	  "[    0.200000] calling  b+0x0/0x5 @ 1\n[    0.201010] initcall b+0x0/0x5 returned 0 after 1000 usecs\n",
	  "unknown a @1 100000+64 stamps =0; unknown b @1 200000+1024 reported =0" },
	{ "no version, but ticks that are shifted",
	  "calling  a+0x0/0x5 @ 1\ninitcall a+0x0/0x5 returned 0 after 3906 usecs\n"
	  "calling  b+0x0/0x5 @ 1\ninitcall b+0x0/0x5 returned 0 after 7812 usecs\n"
	  "calling  c+0x0/0x5 @ 1\ninitcall c+0x0/0x5 returned 0 after 1953 usecs\n",
	  "unknown a @1 nan+3999.74 reported =0; unknown b @1 nan+7999.49 reported =0; "
	  "unknown c @1 nan+1999.87 reported =0" },
	{ "stamps that stand still",
	  BANNER SWITCH "[    1.329104] calling  a+0x0/0x5 @ 1\n"
			 "[    1.329104] initcall a+0x0/0x5 returned 0 after 57 usecs\n",
	  "unknown a @1 1.3291e+06+57 reported =0" },
	{ "more than 32 bits",
	  BANNER SWITCH "[    1.329104] calling  a+0x0/0x5 @ 1\n"
			 "[    1.329104] initcall a+0x0/0x5 returned 0 after 12480531160 usecs\n",
	  "unknown a @1 1.3291e+06+1.24805e+10 reported =0" },
	{ "asynchronous calls are beside the others, their waits are known",
	  BANNER SWITCH "[    0.2] calling  a+0x0/0x5 @ 1\n[    0.2] calling  7_f+0x0/0x50 @ 33\n"
			 "[    0.2] async_waiting @ 1\n[    0.2] initcall 7_f+0x0/0x50 returned after 30 usecs\n"
			 "[    0.2] async_continuing @ 1 after 31 usec\n"
			 "[    0.2] initcall 8_f+0x0/0x50 returned 0 after 30 usecs\n"
			 "[    0.2] initcall a+0x0/0x5 returned 0 after 40 usecs\n",
	  "unknown a @1 200000+40 reported =0; async f @33 200000+30 reported; "
	  "async f @-1 199970+30 reported" },
	{ "asynchronous calls of one name, by their cookies",
	  BANNER SWITCH "[    0.2] calling  a+0x0/0x5 @ 1\n[    0.3] calling  7_f+0x0/0x50 @ 33\n"
			 "[    0.3] calling  4103_f+0x0/0x50 @ 34\n[    0.3] calling  8_f+0x0/0x50 @ 35\n"
			 "[    0.4] initcall 8_f+0x0/0x50 returned after 80 usecs\n"
			 "[    0.4] initcall 4103_f+0x0/0x50 returned after 90 usecs\n"
			 "[    0.4] initcall 4103_f+0x0/0x50 returned after 91 usecs\n",
	  "unknown a @1 200000+nan unknown; async f @33 300000+nan unknown; "
	  "async f @34 300000+90 reported; async f @35 300000+80 reported; "
	  "async f @-1 399909+91 reported" },
	{ "a call that never returns, and a dangling wait",
	  "[    0.2] calling  a+0x0/0x5 @ 1\n[    0.2] async_waiting @ 1\n",
	  "unknown a @1 200000+nan unknown" },
	{ "wrapper file",
	  "CONFIG_X=y\n  PID COMMAND\n    1 init\n== KERNEL MESSAGES ==\n"
	  "[    0.1] calling  a+0x0/0x5 @ 1\n[    0.2] initcall a+0x0/0x5 returned 0 after 1 usecs\n"
	  "== CMDLINE ==\nquiet initcall_debug\n",
	  "unknown a @1 100000+100000 stamps =0" },
	{ "firmware garbage, colours and CRLF",
	  "\033c\033[?7l\033[2J\200\377U-Boot\r\n\033[32m[    0.100000] \033[0m\033[33mcalling  \033[0ma+0x0/0x5 @ 1\r\n"
	  "\033]0;title\a[    0.200000] initcall a+0x0/0x5 returned 0 after 1 usecs\033[0m\r\r\n",
	  "unknown a @1 100000+100000 stamps =0" },
	{ "probes nest in the call that holds them, with either sign of error",
	  BANNER SWITCH "[    0.200000] calling  a+0x0/0x5 @ 1\n"
			 "[    0.200100] probe of ocp returned -517 after 14 usecs\n"
			 "[    0.200200] probe of Fixed MDIO bus.0 returned 0 after 50 usecs\n"
			 "[    0.200300] initcall a+0x0/0x5 returned 0 after 290 usecs\n"
			 "[    0.300000] probe of ocp returned 1 after 20 usecs\n"
			 "[    0.300100] probe of target-module@4b000000 returned 517 after 168\n",
	  "unknown a @1 200000+290 reported =0; probe ocp 200100+14 =-517 in a; "
	  "probe Fixed MDIO bus.0 200200+50 =0 in a; probe ocp 300000+20 =1 in none; "
	  "probe target-module@4b000000 300100+168 =517 in none" },
	{ "a probe that began before the call runs beside it",
	  BANNER SWITCH "[    0.200000] calling  a+0x0/0x5 @ 1\n"
			 "[    0.200100] probe of slow returned 0 after 9000 usecs\n"
			 "[    0.200300] initcall a+0x0/0x5 returned 0 after 290 usecs\n",
	  "unknown a @1 200000+290 reported =0; probe slow 200100+9000 =0 in none" },
	{ "hostile names are data",
	  "calling  <script>alert(1)</script>+0x0/0x5 @ 1\ncalling  `rm`\"'$(x)+0x0/0x5 @ 1\n"
	  "calling  =cmd|x+0x0/0x5 @ 1\ncalling  \377\300\200f+0x0/0x5 @ 1\n"
	  "initcall `rm`\"'$(x)+0x0/0x5 returned 0 after 1 usecs\n",
	  "unknown <script>alert(1)</script> @1 nan+nan unknown; "
	  "unknown `rm`\"'$(x) @1 nan+1 reported =0; unknown =cmd|x @1 nan+nan unknown; "
	  "unknown \\xff\\xc0\\x80f @1 nan+nan unknown" },
};

static void each_form(void **state)
{
	size_t wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct log_stats stats;
		char *rows = rows_of(forms[i].text, &stats);

		if (!rows || strcmp(rows, forms[i].rows)) {
			print_error("%s:\n got %s\nwant %s\n", forms[i].form,
				    rows ? rows : "nothing", forms[i].rows);
			wrong++;
		}
		free(rows);
	}
	assert_int_equal(wrong, 0);
}

/* The reader's rows of a log of Linux 6.1.192 against what grep counts in it. */
static void real_log(void **state)
{
	const char *srcdir = getenv("srcdir");
	struct log_stats stats;
	struct boot *boot;
	char path[4096];
	ptrdiff_t slab;

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/data/logs/x86-6.1.192.txt", srcdir ? srcdir : ".");
	assert_int_equal(log_read(path, &boot, &stats), 0);
	assert_int_equal(boot->n_calls, 354);
	assert_int_equal(stats.lookalikes, 5);
	assert_int_equal(stats.unmatched_starts + stats.unmatched_returns + stats.unplaced, 0);
	assert_string_equal(boot->kernel, "6.1.192");
	assert_string_equal(boot->calls[0].name, "init_hw_perf_events");
	slab = boot_find(boot, "slab_sysfs_init");
	assert_true(slab > 0);
	assert_true(boot->calls[slab].start_us + boot->calls[slab].duration_us < boot->run_init_us);
	boot_free(boot);
}

/* Every one of them is under way before the first ends. */
static void many_asynchronous_calls(void **state)
{
	const unsigned int n = 10000;
	struct log_stats stats;
	struct boot *boot;
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	fputs(BANNER SWITCH "[    0.2] calling  a+0x0/0x5 @ 1\n", to);
	for (unsigned int i = 0; i < n; i++)
		fprintf(to, "[    0.3] calling  %u_f+0x0/0x50 @ 33\n", i);
	for (unsigned int i = 0; i < n; i++)
		fprintf(to, "[    0.4] initcall %u_f+0x0/0x50 returned after 80 usecs\n", i);
	fclose(to);
	assert_int_equal(log_read_memory(text, size, "many", &boot, &stats), 0);
	assert_int_equal(boot->n_asyncs, n);
	for (unsigned int i = 0; i < n; i++)
		assert_true(boot->asyncs[i].returned);
	boot_free(boot);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_asynchronous_calls),
		cmocka_unit_test(each_form),
		cmocka_unit_test(real_log),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
