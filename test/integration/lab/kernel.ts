import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import type { NetworkCard } from './lab-network.ts';

const MEBIBYTE = 1024 * 1024;

/** MiB of memory of a machine by default. The host gives only what is used. */
export const USUAL_MEMORY = 1024;

/** Lines that the kernel prints though nothing is wrong. */
const EVERY_BOOT = /SELinux|mmapper_init|ubd device|is not on tmpfs|reboot: System halted|^\s*$/;

/** The message of User Mode Linux where it cannot give a process its registers, or take them, with the errno(3) of ptrace(2). */
const REFUSAL = /^userspace - +(ptrace set (fp )?regs|get_fp_registers) failed, errno = \d+$/;

/** A kernel that runs as a process of this machine (User Mode Linux). */
export interface Kernel {
  /** The leader of the process group that holds everything of the machine. */
  readonly process: ChildProcess;
  /** Its first serial line, both directions. */
  readonly serialLine: { readonly input: Duplex; readonly output: Duplex };
  /** The output on the console, without what is printed on every boot. */
  console(): string;
  /** Which registers this machine refuses, if the console says so: then the kernel does not run on this processor. */
  refusal(): string | undefined;
  /** Lets this process end though the kernel runs. */
  unref(): void;
}

/** Where the console goes: it is kept, or printed as well, or it is the terminal of this process. */
export type ConsolePlace = 'kept' | 'printed' | 'terminal';

/** The options that a kernel is started with. */
export interface KernelOptions {
  readonly place: ConsolePlace;
  /** MiB. */
  readonly memory: number;
  /** Path of a tree whose programs take the place of those of this machine. */
  readonly tree: string | undefined;
  readonly card: NetworkCard | undefined;
}

/**
 * Starts a kernel on the root file system of this machine, read-only, with a program of ours as its first process.
 *
 * @param kernel program, looked up in PATH, or path
 */
export function startKernel(kernel: string, { place, memory, tree, card }: KernelOptions): Kernel {
  const folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-lab-'));
  const words = [
    // Ends the machine when this process is killed, even if the kernel does not answer any more.
    ...['setpriv', '--pdeathsig', 'KILL'],
    // On one processor: its many switches between processes take a third of the time when none of them goes to another processor.
    ...['taskset', '--cpu-list', String(processor(card?.number ?? 0))],
    kernel,
    ...[`mem=${memory}M`, `uml_dir=${folder}`, 'root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'ro'],
    // A person need not see what is printed on every boot; a test may have to know.
    place === 'terminal' ? 'quiet loglevel=2' : 'quiet',
    `init="${import.meta.dirname}/inside/machine-init"`,
    // The kernel gives its first process what it does not know itself as variables.
    ...(tree === undefined ? [] : [`userland="${tree}"`]),
    ...['con=null', 'con0=fd:0,fd:1', 'ssl=null', 'ssl0=fd:3,fd:4'],
    ...(card === undefined ? [] : [`vec0:transport=tap,ifname=${card.device},depth=64,gro=1`]),
  ];
  const [program = '', ...rest] = card === undefined ? words : card.network.command(words);
  const console =
    place === 'terminal' ? (['inherit', 'inherit', 'inherit'] as const) : (['ignore', 'pipe', 'pipe'] as const);
  const child = spawn(program, rest, {
    // Ended by its group: each program in the machine is a process here.
    detached: true,
    env: { ...process.env, TMPDIR: memoryFolder(memory) },
    stdio: [...console, 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (text) => {
      const line = text.replaceAll('\r', '');
      if (EVERY_BOOT.test(line)) return;
      lines.push(line);
      if (place === 'printed') process.stdout.write(`${line}\n`);
    });
  }
  // Pipes of Node.js are sockets.
  const [input, output] = [child.stdio[3] as Duplex, child.stdio[4] as Duplex];
  const removeFolder = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  // Once the kernel has come up nobody asks for its folder any more, and nobody may be there to remove it later.
  output.once('data', removeFolder);
  child.once('close', removeFolder);
  return {
    process: child,
    serialLine: { input, output },
    console: () => lines.join('\n'),
    refusal: () => lines.find((line) => REFUSAL.test(line)),
    unref: () => {
      child.unref();
      for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
    },
  };
}

/**
 * A processor that this process may run on; another one for most other processes, so that several machines share what there is.
 *
 * @param place of the machine among those of this process that run at the same time
 */
function processor(place: number): number {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const processors = list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  // Of processes that Mocha tests in side by side each has its own number, from 0 on; process ids may be all even.
  const number = Number(process.env['MOCHA_WORKER_ID'] ?? process.pid);
  return processors[(number + place) % processors.length] ?? 0;
}

/**
 * The folder for the file that is the machine's memory. One that is itself in memory is quicker; the one of a container is often too small,
 * or nothing in it may be executed, which the memory of a machine is.
 */
function memoryFolder(memory: number): string {
  const folder = '/dev/shm';
  const mount = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, place]) => place === folder);
  if (mount === undefined || mount[3]?.split(',').includes('noexec') === true) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= memory * MEBIBYTE ? folder : tmpdir();
}
