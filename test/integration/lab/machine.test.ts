import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { eventually, runs } from '../../unit/adapters/processes.ts';
import { temporaryFolders } from '../../unit/adapters/temporary-folders.ts';
import { Machine, type MachineOptions } from './machine.ts';
import { reasonOf } from './reason-of.ts';

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

  it('exits when the process that started it is killed', async () => {
    const start = `import('${import.meta.dirname}/machine.ts').then(({ Machine }) => Machine.start()).then(() => console.log('up'))`;
    const owner = spawn(process.execPath, ['--eval', start], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface({ input: owner.stdout }), 'line');
    const machine = Number(readFileSync(`/proc/${owner.pid}/task/${owner.pid}/children`, 'utf8'));
    expect(runs(machine)).to.equal(true);
    owner.kill('SIGKILL');
    await eventually('the machine has ended', () => !runs(machine));
  });
});
