/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/rules.h"

#include <string.h>

#include "boot/levels.h"
#include "boot/probes.h"

/* Words in initcall names of drivers that others need before their own probes succeed. */
static const struct {
	const char *word, *provides;
} providers[] = {
	{ "clk", "clocks" },          { "clock", "clocks" },        { "clocksource", "clocks" },
	{ "pll", "clocks" },          { "cpg", "clocks" },          { "ccm", "clocks" },
	{ "pinctrl", "pins" },        { "pinmux", "pins" },         { "gpio", "GPIOs" },
	{ "gpiolib", "GPIOs" },       { "regulator", "regulators" }, { "pmic", "regulators" },
	{ "reset", "reset lines" },   { "genpd", "power domains" }, { "gpc", "power domains" },
	{ "pd", "power domains" },    { "rpm", "power domains" },   { "irqchip", "interrupts" },
	{ "gic", "interrupts" },      { "irq", "interrupts" },      { "intc", "interrupts" },
	{ "iommu", "an IOMMU" },      { "smmu", "an IOMMU" },       { "dma", "DMA channels" },
	{ "dmac", "DMA channels" },   { "sdma", "DMA channels" },   { "edma", "DMA channels" },
	{ "i2c", "a bus" },           { "spi", "a bus" },           { "spmi", "a bus" },
	{ "mdio", "a bus" },          { "amba", "a bus" },          { "bus", "a bus" },
	{ "pci", "a bus" },           { "pcie", "a bus" },          { "usb", "a bus" },
	{ "phy", "PHYs" },            { "mailbox", "mailboxes" },   { "syscon", "register maps" },
	{ "regmap", "register maps" }, { "nvmem", "fuses" },        { "ocotp", "fuses" },
	{ "firmware", "firmware calls" }, { "scmi", "firmware calls" }, { "of", "devices" },
	{ "acpi", "devices" },        { "platform", "devices" },
};

/* Initcalls that wait until others are done: moving them moves what they wait for. */
static const char *const waits[] = {
	"deferred_probe_initcall", "trace_eval_sync", "wait_for_initramfs", "populate_rootfs",
	"async_synchronize_full", "driver_probe_done", "wait_for_device_probe",
	"sync_state_resume_initcall", "clocksource_done_booting", "percpu_enable_async",
	"regulator_init_complete", "clk_disable_unused", "genpd_power_off_unused",
};

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[MOVE_FREE] = "candidate",
		[MOVE_CHECK] = "check",
		[MOVE_IDLE] = "no use",
		[MOVE_REFUSED] = "no",
	};

	return names[verdict];
}

/* "clock", "bus", "regulator": what the name says it provides to other drivers; NULL: nothing. */
static const char *provides(const char *name)
{
	for (const char *word = name; *word;) {
		size_t n = strcspn(word, "_");

		for (size_t i = 0; i < sizeof(providers) / sizeof(*providers); i++)
			if (strlen(providers[i].word) == n && !memcmp(word, providers[i].word, n))
				return providers[i].provides;
		word += n;
		word += strspn(word, "_");
	}
	return NULL;
}

/* Does it wait for others by its name ("deferred_probe_initcall", "..._sync")? */
static bool is_wait(const struct initcall *call)
{
	size_t n = strlen(call->name);

	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		if (!strcmp(call->name, waits[i]))
			return true;
	return n > 5 && !strcmp(call->name + n - 5, "_sync");
}

static struct ruling no(const char *reason)
{
	return (struct ruling){ MOVE_REFUSED, reason };
}

static struct ruling check(const char *reason)
{
	return (struct ruling){ MOVE_CHECK, reason };
}

static size_t devices_bound(const struct boot *boot, size_t index)
{
	size_t n = 0;

	for (size_t i = 0; i < boot->n_probes; i++)
		n += boot->probes[i].initcall == (ptrdiff_t)index &&
		     probe_succeeded(&boot->probes[i]);
	return n;
}

/* What forbids any move, whatever it is for. */
static bool cannot_move(const struct initcall *call, struct ruling *ruling)
{
	if (call->module) {
		*ruling = no("a module: user space loads it, levels do not apply");
	} else if (call->pid == 0 || call->level == LEVEL_CONSOLE) {
		*ruling = no("a console initcall: runs before all levels");
	} else if (call->pid != 1) {
		*ruling = no("not on pid 1: the boot does not wait for it");
	} else if (call->blacklisted) {
		*ruling = no("blacklisted: it does not run");
	} else if (!call->returned && call->duration_from != SOURCE_DESCRIPTION) {
		*ruling = no("did not return");
	} else if (is_wait(call)) {
		*ruling = no("waits for others: what it waits for would move with it");
	} else {
		return false;
	}
	return true;
}

struct ruling rule_defer(const struct boot *boot, size_t index, const struct goal *goal)
{
	const struct initcall *call = &boot->calls[index];
	enum initcall_level base = level_base(call->level);
	struct ruling ruling;

	if (goal && goal->call == (ptrdiff_t)index)
		return no(goal->kind == GOAL_PROBE ? "the milestone's probe runs in it"
						   : "the milestone itself");
	if (cannot_move(call, &ruling))
		return ruling;
	if (goal && index >= goal->n_before)
		return (struct ruling){ MOVE_IDLE, "runs after the milestone: nothing to win" };
	if (base == LEVEL_LATE)
		return (struct ruling){ MOVE_IDLE, "late already" };
	if (base != LEVEL_UNKNOWN && base != LEVEL_DEVICE)
		return no("below device level: later levels build on it");
	if (call->wait_us > 0)
		return no("an async point: it waited for asynchronous work");
	if (call->level == LEVEL_DEVICE_SYNC)
		return no("a sync level: it closes what the level began");
	if (goal && goal->kind != GOAL_INIT && provides(call->name))
		return check("a provider by its name: the milestone's device may need it");
	if (base == LEVEL_UNKNOWN)
		return check("level unknown: --symbols would tell");
	if (devices_bound(boot, index))
		return check("devices were bound in it: what uses them waits");
	if (call->result < 0)
		return (struct ruling){ MOVE_FREE, "failed: is it needed at all?" };
	return (struct ruling){ MOVE_FREE, "device level, no device was bound in it" };
}

struct ruling rule_promote(const struct boot *boot, size_t index, size_t *to)
{
	const struct initcall *call = &boot->calls[index];
	struct ruling ruling = { MOVE_FREE, "to the start of its level" };
	size_t at = index;

	*to = index;
	if (cannot_move(call, &ruling))
		return ruling;
	if (call->level == LEVEL_UNKNOWN)
		return no("level unknown: where its level starts cannot be told; give --symbols");
	while (at > 0) {
		const struct initcall *before = &boot->calls[at - 1];

		if (before->level != call->level && level_applies(before))
			break;
		if (level_applies(before) && (provides(before->name) || is_wait(before))) {
			ruling = (struct ruling){ MOVE_CHECK, provides(before->name)
				? "behind the last provider of its level, which it may need"
				: "behind a wait of its level" };
			break;
		}
		at--;
	}
	if (at == index)
		return no("is as early as its level and its providers allow");
	*to = at;
	return ruling;
}
