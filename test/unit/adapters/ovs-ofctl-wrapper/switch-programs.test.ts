import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { errorOf, SwitchPrograms } from '../../../../src/adapters/ovs-ofctl-wrapper/switch-programs.ts';
import type { Programs } from '../../../../src/ports/programs.ts';

describe('ovs-ofctl', () => {
  it('has more time for more changes of flows: a switch may be busy with those of ovn-controller', async () => {
    const deadlines: (number | undefined)[] = [];
    const programs: Programs = {
      run: (_program, _words, { deadline }) => {
        deadlines.push(deadline);
        return Promise.resolve({ outcome: 'finished', stdout: new Uint8Array(), stderr: '' });
      },
    };
    const wrapper = new SwitchPrograms(programs, '/run/openvswitch', 1000);
    await wrapper.dumpFlows('br-blue');
    for (const count of [1, 6000])
      await wrapper.changeFlows('br-blue', Array<string>(count).fill('add actions=drop\n'));
    expect(deadlines).to.deep.equal([1000, 1010, 61_000]);
  });
});

describe('ovs-appctl', () => {
  let folder: string;
  let commands: string[][];
  const programs = {
    run: (program: string, words: readonly string[]) => {
      commands.push([program, ...words]);
      return Promise.resolve({ outcome: 'finished', stdout: new Uint8Array(), stderr: '' });
    },
  } as unknown as Programs;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-switch-'));
    commands = [];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is given the control socket of ovs-vswitchd: in a container it cannot lock the pid file', async () => {
    const target = (pid: string) => `--target=${join(folder, `ovs-vswitchd.${pid}.ctl`)}`;
    const wrapper = new SwitchPrograms(programs, folder, 1000);
    // Another process after a restart.
    for (const pid of ['123', '45678']) {
      writeFileSync(join(folder, 'ovs-vswitchd.pid'), `${pid}\n`);
      await wrapper.showFdb('br-blue');
    }
    expect(commands).to.deep.equal([
      ['ovs-appctl', target('123'), 'fdb/show', 'br-blue'],
      ['ovs-appctl', target('45678'), 'fdb/show', 'br-blue'],
    ]);
  });

  it('has errors without the line that it adds itself', () => {
    const stderr = 'no such bridge\novs-appctl: /run/openvswitch/ovs-vswitchd.123.ctl: server returned an error\n';
    expect(errorOf('ovs-appctl', { outcome: 'failed', exitCode: 2, stdout: new Uint8Array(), stderr })).to.equal(
      'no such bridge',
    );
  });

  it('reports what is missing while ovs-vswitchd does not run', async () => {
    await new SwitchPrograms(programs, folder, 1000).showFdb('br-blue');
    expect(commands).to.deep.equal([['ovs-appctl', 'fdb/show', 'br-blue']]);
  });
});
