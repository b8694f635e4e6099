import { expect } from 'chai';
import { LastingDevlinkPorts } from '../../../../src/adapters/devlink/lasting-ports.ts';
import type { ProgramResult } from '../../../../src/ports/programs.ts';
import { valueOf } from '../readings.ts';

const ports = { 'pci/0000:03:00.0/1': { netdev: 'pf0vf0', flavour: 'pcivf' } };
const answer: ProgramResult = {
  outcome: 'finished',
  stdout: new TextEncoder().encode(JSON.stringify({ port: ports })),
};
const found = [{ device: 'pf0vf0', flavour: 'pcivf' }];

const eth0 = { index: 2, name: 'eth0' };
const representor = { index: 3, name: 'pf0vf0' };

describe('the devlink ports of a machine', () => {
  let asked = 0;
  let now = 0;
  let result: ProgramResult = answer;
  let lasting: LastingDevlinkPorts;
  beforeEach(() => {
    [asked, now, result] = [0, 0, answer];
    const run = () => {
      asked += 1;
      return Promise.resolve(result);
    };
    lasting = new LastingDevlinkPorts({ run }, 1000, () => now);
  });

  it('are asked for once, while no device of a driver comes or goes', async () => {
    expect(valueOf(await lasting.read([eth0, representor]))).to.deep.equal(found);
    now = 1e9;
    const vrf = { index: 9, name: 'blue', kind: 'vrf' };
    expect(valueOf(await lasting.read([eth0, representor, vrf]))).to.deep.equal(found);
    expect(asked).to.equal(1);
  });

  const changes = {
    'has come': [eth0, representor, { index: 4, name: 'pf0vf1' }],
    'has gone': [eth0],
    'has another name': [eth0, { index: 3, name: 'pf0vf9' }],
    'was made again': [eth0, { index: 5, name: 'pf0vf0' }],
  };
  for (const [what, devices] of Object.entries(changes)) {
    it(`are asked for again where one ${what}`, async () => {
      await lasting.read([eth0, representor]);
      await lasting.read(devices);
      expect(asked).to.equal(2);
    });
  }

  const failures: Readonly<Record<string, ProgramResult>> = {
    'there is no devlink': { outcome: 'not-found' },
    'the kernel has none': { outcome: 'failed', exitCode: 1, stdout: new Uint8Array(), stderr: 'Failed to connect' },
    'devlink hangs': { outcome: 'deadline-passed', deadline: 1000 },
    'devlink is killed': { outcome: 'broken-off', reason: 'was ended by SIGKILL' },
  };
  for (const [why, failure] of Object.entries(failures)) {
    it(`are none where ${why}, and are asked for again a minute later`, async () => {
      result = failure;
      expect(valueOf(await lasting.read([eth0]))).to.deep.equal([]);
      result = answer;
      now = 59_999;
      expect(valueOf(await lasting.read([eth0]))).to.deep.equal([]);
      expect(asked).to.equal(1);
      now = 60_000;
      expect(valueOf(await lasting.read([eth0]))).to.deep.equal(found);
    });
  }

  it('are a problem where what devlink says cannot be read, and are asked for again then', async () => {
    result = { outcome: 'finished', stdout: new TextEncoder().encode('{"port":') };
    expect((await lasting.read([eth0])).read).to.equal(false);
    result = answer;
    expect(valueOf(await lasting.read([eth0]))).to.deep.equal(found);
  });
});
