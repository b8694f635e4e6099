
/*
 * Appended to arch/um/kernel/time.c: CLOCK_MONOTONIC starts at 20 s. In the first ten, Open vSwitch 3.1 counts no processors, and starts no thread
 * that handles packets (lib/ovs-thread.c, count_cpu_cores).
 */
void __init read_persistent_wall_and_boot_offset(struct timespec64 *wall_time, struct timespec64 *boot_offset)
{
	read_persistent_clock64(wall_time);
	*boot_offset = (struct timespec64){ .tv_sec = 20 };
}
