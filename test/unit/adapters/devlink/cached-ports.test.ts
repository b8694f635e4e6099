import { expect } from 'chai';
import { CachedDevlinkPorts } from '../../../../src/adapters/devlink/cached-ports.ts';
import type { ProgramResult } from '../../../../src/ports/node/programs.ts';
import { valueOf } from '../readings.ts';

const ports = { 'pci/0000:03:00.0/1': { netdev: 'pf0vf0', flavour: 'pcivf' } };
const answer: ProgramResult = {
  outcome: 'finished',
  stdout: new TextEncoder().encode(JSON.stringify({ port: ports })),
};
const expected = [{ device: 'pf0vf0', flavour: 'pcivf' }];

const eth0 = { index: 2, name: 'eth0' };
const representor = { index: 3, name: 'pf0vf0' };

describe('the devlink ports of a machine', () => {
  let runs = 0;
  let now = 0;
  let result: ProgramResult = answer;
  let problems: string[] = [];
  let cachedPorts: CachedDevlinkPorts;
  beforeEach(() => {
    [runs, now, result] = [0, 0, answer];
    const run = () => {
      runs += 1;
      return Promise.resolve(result);
    };
    problems = [];
    const report = (problem: string): void => void problems.push(problem);
    cachedPorts = new CachedDevlinkPorts({ run }, 1000, report, () => now);
  });

  it('are read once while no device of a driver changes', async () => {
    expect(valueOf(await cachedPorts.read([eth0, representor]))).to.deep.equal(expected);
    now = 1e9;
    const vrf = { index: 9, name: 'blue', kind: 'vrf' };
    expect(valueOf(await cachedPorts.read([eth0, representor, vrf]))).to.deep.equal(expected);
    expect(runs).to.equal(1);
  });

  const changes = {
    'is added': [eth0, representor, { index: 4, name: 'pf0vf1' }],
    'is removed': [eth0],
    'is renamed': [eth0, { index: 3, name: 'pf0vf9' }],
    'is deleted and created again': [eth0, { index: 5, name: 'pf0vf0' }],
  };
  for (const [what, devices] of Object.entries(changes)) {
    it(`are read again if one ${what}`, async () => {
      await cachedPorts.read([eth0, representor]);
      await cachedPorts.read(devices);
      expect(runs).to.equal(2);
    });
  }

  const failures: Readonly<Record<string, ProgramResult>> = {
    'devlink is not installed': { outcome: 'not-found' },
    'the kernel has no devlink': {
      outcome: 'failed',
      exitCode: 1,
      stdout: new Uint8Array(),
      stderr: 'Failed to connect',
    },
    'devlink hangs': { outcome: 'deadline-passed', deadline: 1000 },
    'devlink is killed': { outcome: 'interrupted', reason: 'was killed by SIGKILL' },
  };
  for (const [why, failure] of Object.entries(failures)) {
    it(`are empty if ${why}, and are read again a minute later`, async () => {
      result = failure;
      expect(valueOf(await cachedPorts.read([eth0]))).to.deep.equal([]);
      result = answer;
      now = 59_999;
      expect(valueOf(await cachedPorts.read([eth0]))).to.deep.equal([]);
      expect(runs).to.equal(1);
      now = 60_000;
      expect(valueOf(await cachedPorts.read([eth0]))).to.deep.equal(expected);
    });
  }

  it('are empty without a report on machines without devlink, and if it fails otherwise with one for each reason', async () => {
    for (const failure of [...Object.values(failures), ...Object.values(failures)]) {
      result = failure;
      now += 60_000;
      await cachedPorts.read([eth0]);
    }
    const consequence = 'ports of SmartNICs are taken for absent; it is run again every minute';
    expect(problems).to.deep.equal([
      `the program devlink port show -j did not finish within 1 s and was killed: ${consequence}`,
      `the program devlink port show -j was killed by SIGKILL: ${consequence}`,
    ]);
  });

  it('are a problem if the output of devlink is invalid, and are then read again', async () => {
    result = { outcome: 'finished', stdout: new TextEncoder().encode('{"port":') };
    expect((await cachedPorts.read([eth0])).read).to.equal(false);
    result = answer;
    expect(valueOf(await cachedPorts.read([eth0]))).to.deep.equal(expected);
  });
});
