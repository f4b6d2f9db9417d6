/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shipped knowledge of link order: initcalls of the device and the late level by the part of
 * the kernel that they are linked with.  From the source of Linux 5.10 to 6.12; the names were
 * found in logs of Debian and of self-built kernels on x86-64 and arm64.
 */
#include <string.h>

#include "boot/schedule.h"

struct known {
	enum link_rank rank;
	const char *names; /* between blanks */
};

static const struct known known_device[] = {
	{ LINK_ARCH, " add_rtc_cmos umwait_init ioapic_init_ops i8259A_init_ops init_tsc_clocksource "
		     "register_kernel_offset_dumper cpuinfo_regs_init arm64_init_emulation " },
	{ LINK_KERNEL, " proc_execdomains_init register_warn_debugfs cpuhp_sysfs_init ioresources_init "
		       "timer_sysctl_init timekeeping_init_ops init_clocksource_sysfs "
		       "init_timer_list_procfs alarmtimer_init init_posix_timers "
		       "clockevents_init_sysfs sched_clock_syscore_init kallsyms_init klp_init "
		       "proc_modules_init pid_namespaces_init audit_watch_init audit_fsnotify_init "
		       "audit_tree_init seccomp_sysctl_init utsname_sysctl_init init_tracepoints "
		       "stack_trace_init init_mmio_trace init_blk_tracer perf_event_sysfs_init "
		       "system_trusted_keyring_init blacklist_init " },
	{ LINK_MM, " kswapd_init extfrag_debug_init mm_compute_batch_init slab_proc_init "
		   "workingset_init proc_vmalloc_init memblock_init_debugfs procswaps_init "
		   "init_frontswap " },
	{ LINK_SLUB, " slab_sysfs_init slab_late_init slab_debugfs_init " },
	{ LINK_MM_REST, " init_zbud zs_init kfence_debugfs_init pagetypeinfo_init " },
	{ LINK_FS, " fcntl_init proc_filesystems_init start_dirtytime_writeback blkdev_init dio_init "
		   "dnotify_init fanotify_user_setup userfaultfd_init aio_setup mbcache_init init_grace "
		   "init_devpts_fs ext4_init_fs journal_init init_squashfs_fs init_fat_fs init_vfat_fs "
		   "init_iso9660_fs init_nfs_fs init_jffs2_fs fuse_init ovl_init init_xfs_fs "
		   "init_f2fs_fs init_pstore_fs efivarfs_init " },
	{ LINK_SECURITY, " ipc_init ipc_sysctl_init init_mqueue_fs key_proc_init jent_mod_init "
			 "selinux_nf_ip_init apparmor_nf_ip_init crypto_ccm_module_init " },
	{ LINK_BLOCK, " proc_genhd_init bsg_init io_uring_init deadline_init crc_t10dif_mod_init "
		      "percpu_counter_startup audit_classes_init " },
	{ LINK_DRIVERS, " pcie_portdrv_init pci_proc_init acpi_button_driver_init n_null_init pty_init "
			"serial8250_init brd_init init_sd i8042_init esb_driver_init softdog_init "
			"dm_init virtio_pci_driver_init topology_sysfs_init cacheinfo_sysfs_init " },
	{ LINK_NET, " sock_diag_init blackhole_init gre_offload_init inet6_init packet_init br_init "
		    "can_init cubictcp_register init_dns_resolver " },
	{ LINK_UNKNOWN, NULL },
};

static const struct known known_late[] = {
	{ LINK_ARCH, " kernel_do_mounts_initrd_sysctls_init tboot_late_init sld_mitigate_sysctl_init "
		     "resctrl_late_init hpet_insert_resource start_sync_check_timer update_mp_table "
		     "lapic_insert_resource print_ipi_mode print_ICs setup_efi_kvm_sev_migration "
		     "create_tlb_single_page_flush_ceiling pat_memtype_list_init "
		     "create_init_pkru_value xen_late_init init_machine_late " },
	{ LINK_KERNEL, " kernel_panic_sysctls_init kernel_panic_sysfs_init init_oops_id "
		       "kernel_exit_sysctls_init kernel_exit_sysfs_init reboot_ksysfs_init "
		       "sched_core_sysctl_init sched_fair_sysctl_init sched_rt_sysctl_init "
		       "sched_dl_sysctl_init sched_clock_init_late sched_init_debug "
		       "sched_energy_aware_sysctl_init cpu_latency_qos_init pm_debugfs_init "
		       "printk_late_init init_srcu_module_notifier swiotlb_create_debugfs "
		       "swiotlb_create_default_debugfs tk_debug_sleep_time_init "
		       "bpf_ksym_iter_register kernel_acct_sysctls_init kexec_core_sysctl_init "
		       "bpf_rstat_kfunc_init debugfs_kprobe_init kernel_delayacct_sysctls_init "
		       "taskstats_init ftrace_sysctl_init bpf_key_sig_kfuncs_init "
		       "bpf_syscall_sysctl_init kfunc_init bpf_map_iter_init task_iter_init "
		       "bpf_prog_iter_init bpf_link_iter_init init_trampolines "
		       "bpf_cgroup_iter_init load_system_certificate_list " },
	{ LINK_MM, " init_lru_gen fault_around_debugfs max_swapfiles_check init_zswap "
		   "hugetlb_vmemmap_init " },
	{ LINK_SLUB, " slab_sysfs_init slab_late_init " },
	{ LINK_MM_REST, " split_huge_pages_debugfs kmemleak_late_init pageowner_init "
			"check_early_ioremap_leak set_hardened_usercopy " },
	{ LINK_FS, " ubifs_init init_btrfs_fs fscrypt_init fsverity_init pstore_init " },
	{ LINK_SECURITY, " init_root_keyring init_encrypted init_profile_hash integrity_fs_init "
			 "load_uefi_certs init_ima init_evm crypto_algapi_init " },
	{ LINK_BLOCK, " blk_timeout_init prandom_init_late " },
	{ LINK_DRIVERS, " pci_resource_alignment_sysfs_init pci_sysfs_init bert_init clk_debug_init "
			"setup_vcpu_hotplug_event boot_wait_for_devices dmar_free_unused_resources "
			"sync_state_resume_initcall deferred_probe_initcall genpd_debug_init "
			"hmem_init firmware_memmap_init register_update_efi_random_seed "
			"efi_shutdown_init efi_earlycon_unmap_fb psci_debugfs_init of_fdt_raw_init "
			"ubi_init " },
	{ LINK_NET, " bpf_sockmap_iter_init bpf_sk_storage_map_iter_init sch_default_qdisc "
		    "bpf_prog_test_run_init tcp_congestion_default inet_blackhole_dev_init "
		    "tcp_bpf_v4_build_proto udp_bpf_v4_build_proto bpf_tcp_ca_kfunc_init "
		    "pci_mmcfg_late_insert_resources " },
	{ LINK_UNKNOWN, NULL },
};

enum link_rank link_rank(enum initcall_level level, const char *name)
{
	const struct known *known = level == LEVEL_DEVICE ? known_device : known_late;
	size_t length = strlen(name);

	if (level != LEVEL_DEVICE && level != LEVEL_LATE)
		return LINK_UNKNOWN;
	for (; known->names; known++)
		for (const char *at = known->names; (at = strstr(at, name)); at++)
			if (at[-1] == ' ' && at[length] == ' ')
				return known->rank;
	return LINK_UNKNOWN;
}
