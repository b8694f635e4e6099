/** Requirements that an implementation of InterfaceLocks has to meet. */
import { expect } from 'chai';
import { isSameList } from '../../src/domain/basics/incremental/list-changes.ts';
import type { HostInterface } from '../../src/domain/pods/default-interfaces.ts';
import { interfaceLock } from '../../src/domain/pods/interface-lock.ts';
import type { LockedInterface } from '../../src/domain/pods/lock-chains.ts';
import type { InterfaceLocks, LockDifferences } from '../../src/ports/node/interface-locks.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { valueOf } from '../unit/adapters/readings.ts';

/** The locks of a host with two interfaces. */
export interface LocksUnderTest {
  readonly locks: InterfaceLocks;
  readonly interfaces: readonly [HostInterface, HostInterface];
  /** Has another program remove all locks. */
  loseAll(): void | Promise<void>;
  end(): void | Promise<void>;
}

const lock = interfaceLock(
  [8080, 9090],
  {
    nodeAddresses: ['10.1.0.1', '10.1.0.2', 'fd01::1'],
    services: [
      { protocol: 'tcp', address: '10.96.0.1', port: 443 },
      { protocol: 'udp', address: 'fd96::a', port: 53 },
    ],
  },
  { tcp: [80, 443], sctp: [5000] },
);

const otherLock = interfaceLock([], { nodeAddresses: ['10.1.0.1'], services: [] });

const none: LockDifferences = { missing: [], different: [], absent: [], gone: [] };

/** Tests an implementation of InterfaceLocks. */
export function describeInterfaceLocks(name: string, start: () => LocksUnderTest | Promise<LocksUnderTest>): void {
  describe(`InterfaceLocks: ${name}`, () => {
    let fixture: LocksUnderTest;
    let first: LockedInterface;
    let second: LockedInterface;
    beforeEach(async () => {
      fixture = await start();
      [first, second] = [
        { interface: fixture.interfaces[0], lock },
        { interface: fixture.interfaces[1], lock },
      ];
    });
    afterEach(async () => {
      await fixture.end();
    });
    const differences = async (...wanted: readonly LockedInterface[]) =>
      await valueOf(await fixture.locks.read()).differences(wanted);

    const known = async (...wanted: readonly LockedInterface[]) =>
      await valueOf(await fixture.locks.known()).differences(wanted);

    it('has no locks at first', async () => {
      expect(await differences(first, second)).to.deep.equal({ ...none, missing: [first, second] });
      expect(await differences()).to.deep.equal(none);
    });

    it('has what was put, once, and does not count an interface as gone that is there', async () => {
      for (let time = 0; time < 2; time++) expect(await fixture.locks.put([first])).to.deep.equal({ done: true });
      expect(await differences(first, second)).to.deep.equal({ ...none, missing: [second] });
      expect(await differences(second)).to.deep.equal({ ...none, missing: [second] });
    });

    it('has another lock in the place of the former one', async () => {
      await fixture.locks.put([first]);
      const changed = { ...first, lock: otherLock };
      expect(await differences(changed)).to.deep.equal({ ...none, different: [changed] });
      await fixture.locks.put([changed, second]);
      expect(await differences(changed, second)).to.deep.equal(none);
    });

    it('removes what is there, and succeeds for the rest', async () => {
      await fixture.locks.put([first, second]);
      expect(await fixture.locks.remove([first.interface.index, 4711])).to.deep.equal({ done: true });
      expect(await differences(first, second)).to.deep.equal({ ...none, missing: [first] });
    });

    it('removes all', async () => {
      for (let time = 0; time < 2; time++) expect(await fixture.locks.clear()).to.deep.equal({ done: true });
      await fixture.locks.put([first, second]);
      expect(await fixture.locks.clear()).to.deep.equal({ done: true });
      expect(await differences()).to.deep.equal(none);
    });

    it('does not miss locks of an interface that is not there', async () => {
      const gone = { interface: { name: 'gone0', index: 4711 }, lock };
      const replaced = { interface: { ...first.interface, index: 4711 }, lock };
      expect(await differences(gone, replaced)).to.deep.equal({ ...none, absent: [gone, replaced] });
    });

    it('has the same parts of a lock as long as it is not changed', async () => {
      const partsOf = async ({ index }: HostInterface) => valueOf(await fixture.locks.known()).partsOf(index);
      fixture.locks.onChange(() => undefined);
      const isChanged = async (index: 0 | 1, change: () => Promise<unknown>) => {
        const before = await partsOf(fixture.interfaces[index]);
        await change();
        return !isSameList(before, await partsOf(fixture.interfaces[index]));
      };
      await fixture.locks.known();
      expect(await isChanged(0, () => fixture.locks.put([first]))).to.equal(true);
      expect(await isChanged(0, () => fixture.locks.put([second]))).to.equal(false);
      expect(await isChanged(0, () => fixture.locks.put([{ ...first, lock: otherLock }]))).to.equal(true);
      expect(await isChanged(1, () => fixture.locks.remove([first.interface.index]))).to.equal(false);
      expect(await isChanged(1, () => fixture.locks.remove([second.interface.index]))).to.equal(true);
    });

    it('does not count locks of further interfaces as gone', async () => {
      const gone = { interface: { name: first.interface.name, index: 4711 }, lock };
      await fixture.locks.put([gone, second]);
      const reading = valueOf(await fixture.locks.read());
      expect(await reading.differences([second])).to.deep.equal({ ...none, gone: [4711] });
      expect(await reading.differences([second], [4711])).to.deep.equal(none);
    });

    it('reports changes by others, after which it knows what is missing', async () => {
      await fixture.locks.put([first]);
      let isLost = false;
      const told = Promise.withResolvers<undefined>();
      fixture.locks.onChange(() => {
        if (isLost) told.resolve(undefined);
      });
      isLost = true;
      await fixture.loseAll();
      await told.promise;
      await eventually('it is missing', async () => (await differences(first)).missing.length === 1);
      expect(await known(first)).to.deep.equal({ ...none, missing: [first] });
    });

    it('knows what was put and removed', async () => {
      fixture.locks.onChange(() => undefined);
      expect(await known(first, second)).to.deep.equal({ ...none, missing: [first, second] });
      await fixture.locks.put([first, second]);
      expect(await known(first, second)).to.deep.equal(none);
      const changed = { ...first, lock: otherLock };
      expect(await known(changed)).to.deep.equal({ ...none, different: [changed] });
      await fixture.locks.put([changed]);
      await fixture.locks.remove([second.interface.index]);
      expect(await known(changed, second)).to.deep.equal({ ...none, missing: [second] });
      await fixture.locks.clear();
      expect(await known(changed)).to.deep.equal({ ...none, missing: [changed] });
    });
  });
}
