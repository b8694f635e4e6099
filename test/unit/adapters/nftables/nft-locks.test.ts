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
      'the program nft monitor exited with status 1: changes by other programs are noticed up to 1.5 s late until it runs again',
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

describe('locks where nft monitor prints rules of iptables whose extensions it does not have', () => {
  it('are not read again for that, in the words of nft 1.0 and of nft 1.1', () => {
    const { locks, monitor, events } = monitoredLocks();
    for (const message of ['XT target MASQUERADE not found', '# Warning: XT match recent not found'])
      monitor.onMessage(message);
    expect(events).to.deep.equal([]);
    locks.close();
  });
});

describe('locks that are known', () => {
  const wanted = { interface: { name: 'veth0', index: 7 }, lock: { 'from-pod': [], 'to-pod': [] } };
  const [own, other] = ['from-pod-7', 'from-pod-8'];
  const OWN = [
    `add chain netdev ovn-uplinks ${own}`,
    'delete rule netdev ovn-uplinks to-pod-7 handle 2',
    'delete set netdev ovn-uplinks __set0',
  ];

  /** Locks with a monitor, and how often they were listed. */
  function knownLocks() {
    const nft = new FakeNft();
    nft.answer = (command, listener) => {
      if (command.includes('"list"')) listener.onOutput('{"nftables": []}');
      else if (isRefused) listener.onMessage('Error: refused');
    };
    let isRefused = false;
    const locks = new NftLocks(nft);
    let changes = 0;
    locks.onChange(() => (changes += 1));
    return {
      locks,
      refuse: () => (isRefused = true),
      say: (...lines: readonly string[]) => {
        for (const line of [...lines, '# new generation 7 by process 42 (nft)']) nft.monitors[0]?.onOutput(line);
      },
      miss: () => nft.monitors[0]?.onOutput('# ERROR: We lost some netlink events!'),
      counts: () => [nft.commands.filter((command) => command.includes('"list"')).length, changes],
    };
  }

  it('are listed once, whatever is put and removed', async () => {
    const { locks, say, counts } = knownLocks();
    await locks.known();
    for (let time = 0; time < 2; time++) await locks.put([wanted]);
    say('add table netdev ovn-uplinks', ...OWN);
    say(...OWN);
    await locks.remove([7]);
    say(...OWN);
    await locks.known();
    expect(counts()).to.deep.equal([1, 0]);
    locks.close();
  });

  it('are listed again after another program has changed them', async () => {
    for (const lines of [
      OWN,
      ['delete table netdev ovn-uplinks'],
      [`add rule netdev ovn-uplinks ${own} accept`],
      [...OWN, `add rule netdev ovn-uplinks ${other} accept`],
      ['add table netdev ovn-uplinks'],
    ]) {
      const { locks, say, counts } = knownLocks();
      await locks.known();
      await locks.put([wanted]);
      say(...OWN);
      say(...lines);
      await locks.known();
      await locks.known();
      expect(counts(), lines.join()).to.deep.equal([2, 1]);
      locks.close();
    }
  });

  it('are listed again where another program changes the same chains before own changes are reported', async () => {
    const { locks, say, counts } = knownLocks();
    await locks.known();
    await locks.put([wanted]);
    say(`delete rule netdev ovn-uplinks ${own} handle 3`);
    say(...OWN);
    await locks.known();
    expect(counts()).to.deep.equal([2, 1]);
    locks.close();
  });

  it('are listed again after a failure, or once events were lost, and own ones are not expected any more', async () => {
    for (const isLost of [true, false]) {
      const { locks, say, miss, refuse, counts } = knownLocks();
      await locks.known();
      if (!isLost) refuse();
      await locks.put([wanted]);
      if (isLost) miss();
      await locks.known();
      expect(counts()).to.deep.equal(isLost ? [2, 1] : [2, 0]);
      say(...OWN);
      await locks.known();
      expect(counts()).to.deep.equal(isLost ? [3, 2] : [3, 1]);
      locks.close();
    }
  });

  it('are listed each time where no monitor says what other programs change', async () => {
    const nft = new FakeNft();
    nft.answer = (_command, listener) => listener.onOutput('{"nftables": []}');
    const locks = new NftLocks(nft);
    for (let time = 0; time < 2; time++) await locks.known();
    expect(nft.commands).to.have.length(2);
    locks.close();
  });

  it('are listed again where another program has changed them while they were listed', async () => {
    const { locks, say, counts } = knownLocks();
    const reading = locks.known();
    await Promise.resolve();
    say('delete table netdev ovn-uplinks');
    await reading;
    await locks.known();
    expect(counts()).to.deep.equal([2, 1]);
    locks.close();
  });
});
