/** The status of a process as the kernel reports it (proc_pid_status(5)), by name. */
export function processStatus(text: string): ReadonlyMap<string, string> {
  return new Map(text.split('\n').map((line) => [line.split(':')[0] ?? '', line.replace(/^\w+:\s*/, '')]));
}

/** The bits of capabilities (capabilities(7), linux/capability.h). */
const BITS: Readonly<Record<string, number>> = { DAC_OVERRIDE: 1, NET_ADMIN: 12, NET_RAW: 13 };

/** The privileges of a process: user and group, capabilities, new privileges, and whether system calls are filtered. */
export function privileges(status: ReadonlyMap<string, string>): Readonly<Record<string, string | undefined>> {
  const names = ['Uid', 'Gid', 'CapPrm', 'CapEff', 'CapBnd', 'NoNewPrivs', 'Seccomp'];
  return Object.fromEntries(names.map((name) => [name, status.get(name)?.split('\t')[0]]));
}

/** Those of a process without new privileges and with filtered system calls. */
export function privilegesOf(user: number, capabilities: readonly string[]): ReturnType<typeof privileges> {
  const set = capabilities.reduce((sum, name) => {
    const bit = BITS[name];
    if (bit === undefined) throw new Error(`the bit of ${name} is not known`);
    return sum | (1n << BigInt(bit));
  }, 0n);
  const mask = set.toString(16).padStart(16, '0');
  return { Uid: `${user}`, Gid: `${user}`, CapPrm: mask, CapEff: mask, CapBnd: mask, NoNewPrivs: '1', Seccomp: '2' };
}

/** MiB of memory that a process has. */
export function residentMemory(status: ReadonlyMap<string, string>): number {
  return Math.round(Number.parseInt(status.get('VmRSS') ?? '', 10) / 1024);
}
