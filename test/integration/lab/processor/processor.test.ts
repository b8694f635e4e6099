import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { execaSync } from 'execa';
import { temporaryFolders } from '../../../unit/adapters/temporary-folders.ts';
import { ip } from '../commands.ts';
import { LabNetwork } from '../lab-network.ts';
import { Machine, usualKernel } from '../machine.ts';
import { reasonOf } from '../reason-of.ts';
import { sharedMachine } from '../shared-machine.ts';
import { compiled } from './compiled.ts';

/** The extended state of a process on processors with AMX, and the most that User Mode Linux 6.1 asks for by itself, in bytes. */
const LARGER = 11_008;
const FORMER = 2696;

describe('the kernel of lab machines', () => {
  const newFolder = temporaryFolders();
  let largerState: string;
  let lateEvents: string;
  let giveBack: string;
  let signalRegisters: string;
  before(() => {
    largerState = compiled('larger-state.c', '-shared', '-fPIC');
    lateEvents = compiled('late-events.c', '-shared', '-fPIC');
    giveBack = compiled('give-back.c');
    signalRegisters = compiled('signal-registers.c');
  });

  /** The kernel with a library that is loaded before others. */
  function kernelWith(library: string): string {
    const file = join(newFolder(), 'kernel');
    writeFileSync(file, `#!/bin/sh\nLD_PRELOAD='${library}' exec '${usualKernel()}' "$@"\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** Has a signal come on a node while registers have a value. Returns which ones lose it, and whether the signal has the stack that it needs. */
  async function signalOn(machine: Machine): Promise<string> {
    const node = await machine.node('signalled', { openVSwitch: false });
    const printed = await node.does([signalRegisters]);
    await node.end();
    return printed.trimEnd();
  }

  it('keeps all registers while a process handles a signal, and says how much stack that takes', async () => {
    // Only the registers of AVX-512 were lost once.
    expect(await signalOn(await sharedMachine())).to.match(
      /^(SSE|AVX|AVX-512); within its stack; (a smaller one is refused|none is smaller)$/,
    );
  });

  describe('on a processor whose extended state is larger than the kernel was written for, as with AMX', () => {
    it('is refused the size that it used to ask for', () => {
      const answerTo = (size: number) =>
        execaSync(giveBack, [String(size)], { env: { LD_PRELOAD: largerState } }).stdout;
      expect(answerTo(FORMER)).to.equal(`${FORMER}: Bad address`);
      expect(answerTo(2 * LARGER)).to.equal(String(LARGER));
    });

    it('runs programs of the lab, and keeps registers', async () => {
      const machine = await Machine.start({ kernel: kernelWith(largerState) });
      try {
        const node = await machine.node('worker-a');
        expect(await node.does(['ovs-vsctl', 'add-br', 'br-blue'], ['ovs-vsctl', 'list-br'])).to.equal('br-blue\n');
        expect(await signalOn(machine)).to.equal(await signalOn(await sharedMachine()));
      } finally {
        await machine.stop();
      }
    });
  });

  it('takes packets at once whose event comes after their signal, though no other packet comes', async () => {
    const network = await LabNetwork.start();
    const machines = await Promise.all([1, 2].map(() => Machine.start({ network, kernel: kernelWith(lateEvents) })));
    try {
      const addresses = ['198.51.100.10', '198.51.100.11'] as const;
      const nodes = await Promise.all(
        machines.map((machine, index) => machine.node(`worker-${index}`, { networkCard: true, openVSwitch: false })),
      );
      for (const [index, node] of nodes.entries())
        await node.does(ip`link set vec0 up`, ip`address add ${`${addresses[index]!}/24`} dev vec0`);
      // It sends the next one at once after an answer, and after a second without one.
      const printed = await nodes[0]!.does(['ping', '-i', '1', '-c', '40', '-W', '8', addresses[1]]);
      const times = [...printed.matchAll(/ time=([\d.]+) ms/g)].map(([, time]) => Number(time));
      expect(times.length).to.equal(40);
      expect(times.filter((time) => time > 900).length, printed).to.be.at.most(4);
    } finally {
      await Promise.all(machines.map((machine) => machine.stop()));
      await network.stop();
    }
  });

  it('is reported in one line, with the processor, where it cannot run a process', async () => {
    const file = join(newFolder(), 'kernel');
    const console = [
      'Core dump limits :',
      'userspace - ptrace set fp regs failed, errno = 14',
      'Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b',
    ];
    writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' ${console.map((line) => `'${line}'`).join(' ')}\nkill -ABRT $$\n`);
    chmodSync(file, 0o755);
    const line = new RegExp(
      `^the kernel of lab machines, ${file}, does not run on this processor \\(.+\\): ` +
        'userspace - ptrace set fp regs failed, errno = 14; OVN_UPLINKS_LAB_KERNEL=PATH selects another one$',
    );
    expect(await reasonOf(Machine.start({ kernel: file }))).to.match(line);
    const check = join(import.meta.dirname, '../check-kernel.ts');
    const { exitCode, stderr, stdout } = execaSync(process.execPath, [check, file], { reject: false });
    expect([exitCode, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(line);
  });
});
