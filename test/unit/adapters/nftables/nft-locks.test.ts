import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { NftLocks } from '../../../../src/adapters/nftables/nft-locks.ts';
import { valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { endingNft, FakeNft } from './fake-nft.ts';

describe('locks where nft fails', () => {
  it('are removed where there can be none, and not put', async () => {
    for (const nft of [
      endingNft('is not installed, or not in PATH'),
      endingNft('exited with status 1', 'Unable to initialize Netlink socket: Protocol not supported'),
      endingNft('exited with status 1', 'Error: Could not process rule: Operation not supported'),
    ]) {
      const locks = new NftLocks(nft);
      expect(await locks.clear()).to.deep.equal({ done: true });
      expect(await locks.remove([7])).to.include({ done: false });
    }
  });

  it('are not removed, and cannot be read, for another reason, which is told', async () => {
    const locks = new NftLocks(endingNft('exited with status 1', 'netlink: Error: Operation not permitted'));
    const said = 'the program nft exited with status 1 and printed: netlink: Error: Operation not permitted';
    expect(await locks.clear()).to.deep.equal({ done: false, error: said, isRefused: true });
    expect(await locks.read()).to.deep.equal({
      read: false,
      problems: [{ origin: { kind: 'file', file: 'nft --json list ruleset netdev' }, message: said }],
    });
  });
});

describe('locks of interfaces that are gone', () => {
  const newFolder = temporaryFolders();

  it('are found by the indexes of those that are there, whichever names they have', async () => {
    const chain = (index: number) => ({
      chain: { family: 'netdev', table: 'ovn-uplinks', name: `from-pod-${index}`, handle: index },
    });
    const output = JSON.stringify({ nftables: [chain(7), chain(9), chain(12)] });
    const devices = newFolder();
    for (const [name, index] of [
      ['veth0', 7],
      ['renamed', 9],
    ] as const) {
      mkdirSync(join(devices, name));
      writeFileSync(join(devices, name, 'ifindex'), `${index}\n`);
    }
    const nft = new FakeNft();
    nft.answer = (_command, listener) => listener.onOutput(output);
    const locks = new NftLocks(nft, devices);
    const wanted = { interface: { name: 'veth1', index: 13 }, lock: { 'from-pod': [], 'to-pod': [] } };
    for (const [each, gone] of [
      [[], [12]],
      [[{ ...wanted, interface: { name: 'veth0', index: 12 } }], []],
    ] as const) {
      expect(await valueOf(await locks.read()).differences(each)).to.deep.include({ gone });
    }
  });
});

/** Locks, what nft monitor tells them, and what they tell a listener. */
function monitoredLocks() {
  const nft = new FakeNft();
  const locks = new NftLocks(nft);
  const events: string[] = [];
  const stop = locks.onChange(
    () => events.push('changed'),
    (problem) => events.push(problem),
  );
  return { locks, monitor: nft.monitors[0]!, events, stop };
}

describe('locks where nft monitor ends', () => {
  it('may have changed, and whoever listens learns why changes are noticed late', () => {
    const { locks, monitor, events, stop } = monitoredLocks();
    locks.onChange(() => undefined);
    monitor.onEnd('exited with status 1');
    expect(events).to.deep.equal([
      'the program nft monitor exited with status 1: changes by other programs are noticed up to 5 s late until it runs again',
      'changed',
    ]);
    stop();
    monitor.onMessage('no memory');
    expect(events).to.have.length(2);
    locks.close();
  });
});

describe('locks where nft monitor has lost events', () => {
  it('may have changed, and whoever listens learns that, from its standard output', () => {
    const { locks, monitor, events } = monitoredLocks();
    monitor.onOutput('add rule ip other chain accept');
    monitor.onOutput('# new generation 7 by process 42 (nft)');
    expect(events).to.deep.equal([]);
    monitor.onOutput('# ERROR: We lost some netlink events!');
    expect(events).to.deep.equal([
      'the program nft monitor printed: # ERROR: We lost some netlink events!: changes by other programs may have been missed, and everything is read again',
      'changed',
    ]);
    locks.close();
  });
});
