/** The locks of nftables, on the kernel of this machine in a network namespace of their own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ExecaPrograms } from '../../src/adapters/execa/execa-programs.ts';
import { NFT_ENVIRONMENT } from '../../src/adapters/nftables/interactive-nft.ts';
import { NftLocks } from '../../src/adapters/nftables/nft-locks.ts';
import { putRuleset } from '../../src/domain/datapath/nftables/ruleset.ts';
import { interfaceLock } from '../../src/domain/pods/interface-lock.ts';
import { LOCK_TABLE, lockChains } from '../../src/domain/pods/lock-chains.ts';
import type { LongLivedPrograms, RunningProgram } from '../../src/ports/node/long-lived-programs.ts';
import { describeInterfaceLocks, type LocksUnderTest } from '../contract/interface-locks.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import { PodHost } from './cni/pod-host.ts';

/** A host with two pairs of interfaces. */
class LockHost {
  readonly host: PodHost;
  readonly locks: NftLocks;
  readonly interfaces: LocksUnderTest['interfaces'];
  /** The programs that locks have started. */
  readonly started: { readonly words: readonly string[]; readonly running: RunningProgram }[] = [];
  readonly #folder: string;

  private constructor(host: PodHost, interfaces: LocksUnderTest['interfaces']) {
    this.host = host;
    this.interfaces = interfaces;
    this.#folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-test-'));
    for (const { name, index } of interfaces) {
      mkdirSync(join(this.#folder, name));
      writeFileSync(join(this.#folder, name, 'ifindex'), `${index}\n`);
    }
    // The image knows no terminal.
    const programs = new ExecaPrograms({ ...NFT_ENVIRONMENT, TERM: 'unknown' });
    const onHost: LongLivedPrograms = {
      start: (program, words, listener) => {
        const running = programs.start('nsenter', host.entering(program, words), listener);
        this.started.push({ words, running });
        return running;
      },
    };
    this.locks = new NftLocks(onHost, this.#folder);
  }

  static async start(): Promise<LockHost> {
    const host = await PodHost.start('/nowhere');
    await host.does('ip link add name veth0 type veth peer name eth0; ip link add name veth1 type veth peer name eth1');
    const found = ['veth0', 'veth1'].map(async (name) => {
      const [link] = JSON.parse(await host.does(`ip -json link show dev ${name}`)) as [{ readonly ifindex: number }];
      return { name, index: link.ifindex };
    });
    const [first, second] = await Promise.all(found);
    return new LockHost(host, [first!, second!]);
  }

  async end(): Promise<void> {
    this.locks.close();
    await this.host.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

describeInterfaceLocks('nftables', async () => {
  const lockHost = await LockHost.start();
  const { host, locks, interfaces } = lockHost;
  return {
    locks,
    interfaces,
    loseAll: async () => {
      await host.does('nft flush ruleset');
    },
    end: () => lockHost.end(),
  };
});

describe('the locks of nftables', () => {
  let lockHost: LockHost;
  beforeEach(async () => {
    lockHost = await LockHost.start();
  });
  afterEach(async () => {
    await lockHost.end();
  });

  const surroundings = { nodeAddresses: ['10.1.0.1'], services: [] };

  it('are not as they were once a rule is changed by hand, and are again after they are put', async () => {
    const { host, locks, interfaces } = lockHost;
    const wanted = interfaces.map((each) => ({ interface: each, lock: interfaceLock([8080], surroundings) }));
    const [{ index }] = interfaces;
    const chain = `netdev ovn-uplinks to-pod-${index}`;
    for (const change of [
      `insert rule ${chain} accept`,
      `add rule ${chain} accept`,
      `flush chain ${chain}`,
      `add chain ${chain} { policy accept; }`,
      `flush chain ${chain}; delete chain ${chain}`,
    ]) {
      await locks.put(wanted);
      await host.does(`nft '${change}'`);
      const { different, missing } = await valueOf(await locks.read()).differences(wanted);
      expect([different, missing], change).to.deep.equal([wanted.slice(0, 1), []]);
    }
  });

  it('leave tables of others alone', async () => {
    const { host, locks, interfaces } = lockHost;
    await host.does(
      'nft add table netdev other; nft add chain netdev other from-pod-4711; nft add table inet ovn-uplinks; nft add chain inet ovn-uplinks from-pod-4712',
    );
    const before = await host.does('nft list ruleset');
    const wanted = interfaces.map((each) => ({ interface: each, lock: interfaceLock([], surroundings) }));
    await locks.put(wanted);
    // Of interfaces that are gone there are only those chains.
    expect(await valueOf(await locks.read()).differences([])).to.deep.include({ gone: [] });
    await locks.clear();
    expect(await host.does('nft list ruleset')).to.equal(before);
  });

  it('are put, read and removed by one program, however long they are', async () => {
    const { locks, interfaces, started } = lockHost;
    const many = Array.from({ length: 700 }, (_, number) => `10.2.${number >> 8}.${number & 255}`);
    const large = interfaceLock([8080], { nodeAddresses: many, services: [] });
    const wanted = Array.from({ length: 12 }, (_, copy) => ({ interface: interfaces[copy % 2]!, lock: large }));
    expect(putRuleset(LOCK_TABLE, wanted.flatMap(lockChains)).length).to.be.above(200_000);
    expect(await locks.put(wanted)).to.deep.equal({ done: true });
    expect(await valueOf(await locks.read()).differences(wanted.slice(0, 2))).to.deep.equal({
      missing: [],
      different: [],
      absent: [],
      gone: [],
    });
    expect(await locks.remove(interfaces.map(({ index }) => index))).to.deep.equal({ done: true });
    expect(await valueOf(await locks.read()).differences(wanted.slice(0, 2))).to.deep.include({
      missing: wanted.slice(0, 2),
    });
    expect(started.map(({ words }) => words)).to.deep.equal([['--json', '--interactive']]);
  });

  it('are refused by the kernel with its reason, and put by the same program after that', async () => {
    const { locks, interfaces, started } = lockHost;
    const lock = interfaceLock([], surroundings);
    const unnameable = { interface: { name: 'longer-than-16-bytes', index: 4711 }, lock };
    const result = await locks.put([unnameable]);
    expect(result).to.include({ done: false, isRefused: true });
    const reason =
      'the program nft printed: internal:0:0-0: Error: Could not process rule: Numerical result out of range';
    expect(result)
      .to.have.property('error')
      .match(new RegExp(`^${reason}`));
    const wanted = interfaces.map((each) => ({ interface: each, lock }));
    expect(await locks.put(wanted)).to.deep.equal({ done: true });
    expect(await valueOf(await locks.read()).differences(wanted)).to.deep.include({ missing: [], different: [] });
    expect(started).to.have.length(1);
  });

  it('are not listed for own changes, of which nft monitor says nothing to listeners', async () => {
    const { host, locks, interfaces, started } = lockHost;
    const wanted = interfaces.map((each) => ({ interface: each, lock: interfaceLock([8080], surroundings) }));
    const all = wanted.map(({ interface: { index } }) => index);
    let changes = 0;
    const monitored = Promise.withResolvers<undefined>();
    locks.onChange(() => {
      changes += 1;
      monitored.resolve(undefined);
    });
    // It may have missed changes until then.
    await monitored.promise;
    await locks.known();
    for (let time = 0; time < 20; time++) {
      await locks.put(time % 3 === 0 ? wanted : wanted.slice(0, 1));
      await locks.remove(time % 2 === 0 ? all : all.slice(1));
    }
    await locks.put(wanted);
    expect(await valueOf(await locks.known()).differences(wanted)).to.deep.include({ missing: [], different: [] });
    const told = new Promise<undefined>((resolve) => void locks.onChange(() => resolve(undefined)));
    await host.does(`nft flush chain netdev ovn-uplinks to-pod-${all[0]}`);
    await told;
    expect(changes).to.equal(2);
    expect(await valueOf(await locks.known()).differences(wanted)).to.deep.include({ different: wanted.slice(0, 1) });
    expect(started).to.have.length(2);
  });

  it('are put by another program once nft was killed, also while it had a command', async () => {
    const { locks, interfaces, started } = lockHost;
    const wanted = interfaces.map((each) => ({ interface: each, lock: interfaceLock([], surroundings) }));
    expect(await locks.put(wanted)).to.deep.equal({ done: true });
    const reading = locks.read();
    await Promise.resolve();
    started[0]?.running.end();
    expect(await reading).to.have.nested.property('problems[0].message', 'the program nft was killed by SIGKILL');
    expect(await valueOf(await locks.read()).differences(wanted)).to.deep.include({ missing: [], different: [] });
    expect(started).to.have.length(2);
  });
});
