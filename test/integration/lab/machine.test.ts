import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { eventually, runs } from '../../unit/adapters/processes.ts';
import { temporaryFolders } from '../../unit/adapters/temporary-folders.ts';
import { Machine, type MachineOptions } from './machine.ts';
import { reasonOf } from './reason-of.ts';
import { endUnansweringMachines } from './running-machines.ts';
import { sharedMachine } from './shared-machine.ts';

describe('a lab machine', () => {
  const newFolder = temporaryFolders();

  /** A kernel that is none: a shell script. */
  function kernel(script: string): string {
    const file = join(newFolder(), 'kernel');
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  function bootFailure(options: MachineOptions): Promise<string> {
    return reasonOf(Machine.start(options));
  }

  it('that does not start reports its console, without what every boot prints', async () => {
    const script = 'echo "mmapper_init - find_iomem failed"; echo "Kernel panic - not syncing: no init"; exit 134';
    expect(await bootFailure({ kernel: kernel(script) })).to.equal(
      'the lab machine exited with 134; its console shows:\nKernel panic - not syncing: no init',
    );
  });

  it('that prints nothing reports that', async () => {
    expect(await bootFailure({ kernel: kernel('kill -KILL $$') })).to.equal(
      'the lab machine was killed by SIGKILL; its console shows nothing',
    );
  });

  it('without its kernel reports which one is missing', async () => {
    expect(await bootFailure({ kernel: '/nowhere/linux' })).to.include('/nowhere/linux: No such file or directory');
  });

  it('that hangs while it boots is killed', async () => {
    const file = join(newFolder(), 'pid');
    const hanging = kernel(`echo $$ > '${file}'; echo booting; exec sleep 1000`);
    expect(await bootFailure({ kernel: hanging, bootDeadline: 1 })).to.equal(
      'the lab machine did not come up within 1 s; its console shows:\nbooting',
    );
    expect(runs(Number(readFileSync(file, 'utf8')))).to.equal(false);
  });

  it('that crashes answers every request with its console', async () => {
    const machine = await Machine.start();
    try {
      const node = await machine.node('worker-a', { openVSwitch: false });
      const pending = reasonOf(node.run(['sleep', '1000']));
      const fatal = reasonOf(node.run(['/bin/busybox', 'ash', '-c', 'echo c > /proc/sysrq-trigger']));
      for (const reason of [await pending, await fatal, await reasonOf(node.run(['true']))]) {
        expect(reason).to.match(/^the lab machine was killed by SIG[A-Z]+; its console shows:\n/);
        expect(reason).to.include('Kernel panic - not syncing: sysrq triggered crash');
      }
    } finally {
      await machine.stop();
    }
  });

  describe('whose process is killed', () => {
    const started: { readonly owner: ChildProcess; readonly group: number }[] = [];
    afterEach(() => {
      for (const { owner, group } of started.splice(0)) {
        owner.kill('SIGKILL');
        for (const pid of membersOf(group)) process.kill(pid, 'SIGKILL');
      }
    });

    /** Starts a machine in another process. Returns the process, and the number of the machine's process group. */
    async function startedElsewhere() {
      const start = `import('${import.meta.dirname}/machine.ts').then(({ Machine }) => Machine.start()).then(() => console.log('up'))`;
      const owner = spawn(process.execPath, ['--eval', start], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(createInterface({ input: owner.stdout }), 'line');
      const group = Number(readFileSync(`/proc/${owner.pid}/task/${owner.pid}/children`, 'utf8'));
      started.push({ owner, group });
      expect(membersOf(group)).to.include(group);
      return { owner, group };
    }

    it('ends with all its processes', async () => {
      const { owner, group } = await startedElsewhere();
      owner.kill('SIGKILL');
      await eventually('the machine has ended', () => membersOf(group).length === 0);
    });

    it('ends with all its processes when it does not answer any more', async () => {
      const { owner, group } = await startedElsewhere();
      // Its kernel, whose process leads the group.
      process.kill(group, 'SIGSTOP');
      owner.kill('SIGKILL');
      await eventually('the machine has ended', () => membersOf(group).length === 0);
    });
  });

  it('that has not answered all requests is ended where nobody waits for them any more, and others go on', async () => {
    const [machine, other] = await Promise.all([Machine.start(), sharedMachine()]);
    const [node, otherNode] = [
      await machine.node('worker-a', { openVSwitch: false }),
      await other.node('other', { openVSwitch: false }),
    ];
    const pending = reasonOf(node.run(['sleep', '1000']));
    await endUnansweringMachines('nobody waits');
    expect(await pending).to.equal('nobody waits');
    expect(await otherNode.does(['hostname'])).to.equal('other\n');
    await otherNode.end();
  });
});

/** The processes of a process group that run (proc_pid_stat(5)). */
function membersOf(group: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => runs(pid) && groupOf(pid) === group);
}

function groupOf(pid: number): number | undefined {
  try {
    const [, group] = /^.*\) \S+ \d+ (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(group);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
