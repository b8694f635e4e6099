import { conditionsWrite, stateDeletion, stateWrite } from '../../src/domain/objects/writes.ts';
import { expect } from 'chai';
import type { UplinkState } from '../../src/domain/api/uplink-state.ts';
import { UPLINK_FINALIZER } from '../../src/domain/basics/conventions.ts';
import { changedObjects } from '../../src/domain/snapshot/object-changes.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { ClusterReading } from '../../src/ports/cluster/cluster-source.ts';
import { describeProblem } from '../../src/ports/input-problem.ts';
import type { TimedCondition } from '../../src/domain/status/transition-times.ts';
import type { ResourceStore } from '../../src/ports/cluster/resource-store.ts';
import { network, uplink, uplinkState } from '../unit/adapters/manifests/example-objects.ts';
import { eventually } from '../unit/adapters/processes.ts';

/** A store, and the means to change its objects as users and other agents would. */
export interface ResourceStoreUnderTest {
  readonly store: ResourceStore;
  /** Creates or replaces an object, as a user. */
  put(object: object): void | Promise<void>;
  /** Deletes an object, as a user. */
  remove(kind: string, name: string): void | Promise<void>;
  /** Writes a state, as another agent. */
  writeOtherState(state: UplinkState): void | Promise<void>;
  /** Deletes a state, as another agent. */
  deleteOtherState(state: string): void | Promise<void>;
  /** Writes conditions of an Uplink that another program sets. */
  writeOtherConditions(name: string, conditions: readonly TimedCondition[]): unknown;
}

/** A store that can be read only while what holds its objects is there. */
export interface FailingResourceStore extends ResourceStoreUnderTest {
  /** Makes reads fail until `recover`. */
  fail(): void;
  recover(): void;
}

const degraded: TimedCondition = {
  type: 'Degraded',
  status: 'False',
  reason: 'AllReady',
  message: 'all nodes are ready: "yes"',
  lastTransitionTime: '2026-11-20T08:00:00Z',
};
const foreign: TimedCondition = { ...degraded, type: 'Foreign', status: 'True' };
const ofBlue = { kind: 'Uplink', name: 'blue', conditions: [degraded] } as const;

/** A state of an uplink on a node. */
export function stateOf(name: string, macAddress = '02:42:c0:00:02:06'): UplinkState {
  return uplinkState(name, { macAddress }) as unknown as UplinkState;
}

/** The reason of a refusal. */
export function refusalOf(outcome: ApplyResult): string {
  if (outcome.done) throw new Error('expected a refusal');
  return outcome.error;
}

async function valueOf(store: ResourceStore): Promise<ClusterReading> {
  const reading = await store.read();
  if (!reading.read) throw new Error(JSON.stringify(reading.problems));
  return reading.value;
}

/** An object without what an API server adds. */
function plain<Value extends { readonly metadata: object }>(object: Value): Value {
  const {
    uid: _,
    generation: __,
    creationTimestamp: ___,
    ...metadata
  } = object.metadata as Readonly<Record<string, unknown>>;
  return { ...object, metadata };
}

/** Tests an implementation of ResourceStore. */
export function describeResourceStore(
  name: string,
  start: () => ResourceStoreUnderTest | Promise<ResourceStoreUnderTest>,
): void {
  describe(`ResourceStore: ${name}`, () => {
    let fixture: ResourceStoreUnderTest;
    let store: ResourceStore;
    let calls = 0;

    beforeEach(async () => {
      fixture = await start();
      ({ store } = fixture);
      calls = 0;
      store.onChange(() => (calls += 1));
    });
    afterEach(() => store.close());

    async function uplinks() {
      return (await valueOf(store)).snapshot.uplinks.map(plain);
    }

    async function states() {
      return (await valueOf(store)).snapshot.uplinkStates.map(plain);
    }

    /** Makes a change, and reads after each call of the listener until a condition holds. */
    async function expectNotified(
      what: string,
      change: () => void | Promise<void>,
      condition: () => Promise<boolean>,
    ): Promise<void> {
      await store.read();
      let seen = calls;
      await change();
      await eventually(`the listener is called and ${what}`, async () => {
        if (seen === calls) return false;
        seen = calls;
        return await condition();
      });
    }

    it('reads objects', async () => {
      await fixture.put(uplink('blue'));
      await fixture.put(network('blue'));
      await eventually(
        'both are read',
        async () => (await valueOf(store)).snapshot.clusterUserDefinedNetworks.length === 1,
      );
      const { snapshot } = await valueOf(store);
      expect(snapshot.uplinks.map(plain)).to.deep.equal([uplink('blue')]);
      expect(snapshot.clusterUserDefinedNetworks.map(plain)).to.deep.equal([network('blue')]);
    });

    it('returns the same snapshot while nothing changes', async () => {
      await fixture.put(uplink('blue'));
      await store.write(conditionsWrite(ofBlue));
      expect((await valueOf(store)).snapshot).to.equal((await valueOf(store)).snapshot);
    });

    it('shares unchanged objects between snapshots', async () => {
      await fixture.put(uplink('blue'));
      await fixture.put(uplink('red'));
      await fixture.put(network('blue'));
      const before = (await valueOf(store)).snapshot;
      await fixture.put(uplink('red', { hostInterfaceName: 'br-other' }));
      await fixture.put(uplink('green'));
      await fixture.writeOtherState(stateOf('blue.worker-b'));
      let after = before;
      await eventually('all changes are read', async () => {
        ({ snapshot: after } = await valueOf(store));
        return after.uplinks.length === 3 && changedObjects('uplinks', before, after).length === 2;
      });
      const shared = (Object.keys(after) as (keyof typeof after)[]).filter((kind) => before[kind] === after[kind]);
      expect(shared).to.have.members(
        Object.keys(after).filter((kind) => kind !== 'uplinks' && kind !== 'uplinkStates'),
      );
      const uplinkKeys = changedObjects('uplinks', before, after).map(({ key }) => key);
      expect(uplinkKeys).to.have.members(['green', 'red']);
      expect(changedObjects('uplinkStates', before, after).map(({ key }) => key)).to.deep.equal(['blue.worker-b']);
    });

    it('calls its listener for created, changed and deleted objects', async () => {
      expect(await uplinks()).to.deep.equal([]);
      await expectNotified(
        'the object exists',
        () => fixture.put(uplink('blue')),
        async () => (await uplinks()).length === 1,
      );
      await expectNotified(
        'the object has changed',
        () => fixture.put(uplink('blue', { hostInterfaceName: 'br-other' })),
        async () => (await uplinks()).some(({ spec }) => spec.nodeConfigs[0]!.hostInterfaceName === 'br-other'),
      );
      await expectNotified(
        'the object is gone',
        () => fixture.remove('Uplink', 'blue'),
        async () => (await uplinks()).length === 0,
      );
    });

    it('calls its listener for states that other agents write and delete', async () => {
      expect(await states()).to.deep.equal([]);
      await expectNotified(
        'the state exists',
        () => fixture.writeOtherState(stateOf('blue.worker-b')),
        async () => (await states()).length === 1,
      );
      await expectNotified(
        'the state has changed',
        () => fixture.writeOtherState(stateOf('blue.worker-b', '02:00:00:00:00:09')),
        async () => (await states())[0]!.status?.macAddress === '02:00:00:00:00:09',
      );
      await expectNotified(
        'the state is gone',
        () => fixture.deleteOtherState('blue.worker-b'),
        async () => (await states()).length === 0,
      );
    });

    it('replaces a state as a whole', async () => {
      expect(await store.write(stateWrite(stateOf('blue.worker-a')))).to.deep.equal({ done: true });
      expect(await states()).to.deep.equal([stateOf('blue.worker-a')]);
      expect(await store.write(stateWrite(stateOf('blue.worker-a', '02:00:00:00:00:01')))).to.deep.equal({
        done: true,
      });
      expect(await states()).to.deep.equal([stateOf('blue.worker-a', '02:00:00:00:00:01')]);
    });

    it('deletes a state, also if there is none', async () => {
      await store.write(stateWrite(stateOf('blue.worker-a')));
      expect(await store.write(stateDeletion('blue.worker-a'))).to.deep.equal({ done: true });
      expect(await states()).to.deep.equal([]);
      expect(await store.write(stateDeletion('blue.worker-a'))).to.deep.equal({ done: true });
    });

    it('keeps the last of several concurrent writes', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `02:00:00:00:00:${String(index + 10)}`);
      await Promise.all(names.map((mac) => store.write(stateWrite(stateOf('blue.worker-a', mac)))));
      expect(await states()).to.deep.equal([stateOf('blue.worker-a', names.at(-1))]);
    });

    it('returns an object with its status as written, with times', async () => {
      const put = { ...uplink('blue'), metadata: { name: 'blue', finalizers: ['example.org/mine'] } };
      await fixture.put(put);
      await store.read();
      const finalizers = ['example.org/mine', UPLINK_FINALIZER];
      expect(await store.write(conditionsWrite({ ...ofBlue, finalizers }))).to.deep.equal({ done: true });
      expect(await uplinks()).to.deep.equal([
        { ...put, metadata: { name: 'blue', finalizers }, status: { conditions: [degraded] } },
      ]);
      await store.write(conditionsWrite({ ...ofBlue, finalizers: ['example.org/mine'] }));
      expect((await uplinks())[0]!.metadata.finalizers).to.deep.equal(['example.org/mine']);
    });

    it('keeps conditions of other types', async () => {
      await fixture.put(uplink('blue'));
      await store.read();
      await fixture.writeOtherConditions('blue', [foreign]);
      await store.write(conditionsWrite(ofBlue));
      await store.write(conditionsWrite({ ...ofBlue, conditions: [{ ...degraded, status: 'True' }] }));
      const conditions = (await uplinks())[0]!.status?.conditions ?? [];
      expect(conditions.map(({ type, status }) => `${type} ${status}`).sort()).to.deep.equal([
        'Degraded True',
        'Foreign True',
      ]);
    });

    it('refuses to write the status of an object that does not exist, with a reason in one line', async () => {
      await store.read();
      const outcome = await store.write(conditionsWrite(ofBlue));
      expect(refusalOf(outcome)).to.match(/^.*Uplink\/blue.*$/);
    });

    it('drops the status of a deleted object', async () => {
      await fixture.put(uplink('blue'));
      await store.read();
      await store.write(conditionsWrite(ofBlue));
      expect((await uplinks())[0]!.status).to.not.equal(undefined);
      await expectNotified(
        'the object is gone',
        () => fixture.remove('Uplink', 'blue'),
        async () => (await uplinks()).length === 0,
      );
      await expectNotified(
        'the object exists again',
        () => fixture.put(uplink('blue')),
        async () => (await uplinks()).length === 1,
      );
      expect(await uplinks()).to.deep.equal([uplink('blue')]);
    });

    for (const name of ['', '.', '..', '../blue', 'a/b', 'Blue', 'a b', 'x'.repeat(254), 'a\nb', '-']) {
      it(`refuses to write or delete a state with the name ${JSON.stringify(name).slice(0, 20)}, with a reason in one line`, async () => {
        for (const outcome of [await store.write(stateWrite(stateOf(name))), await store.write(stateDeletion(name))])
          expect(refusalOf(outcome)).to.match(/^.+$/);
        expect(await states()).to.deep.equal([]);
      });
    }

    it('accepts a state with a name of maximum length', async () => {
      const name = 'x'.repeat(253);
      expect(await store.write(stateWrite(stateOf(name)))).to.deep.equal({ done: true });
      expect(await states()).to.deep.equal([stateOf(name)]);
      await store.write(stateDeletion(name));
      expect(await states()).to.deep.equal([]);
    });

    it('neither reads, writes nor calls its listener once it is closed', async () => {
      await store.read();
      const interrupted = store.read();
      await store.close();
      await store.close();
      calls = 0;
      expect((await interrupted).read).to.equal(false);
      expect((await store.read()).read).to.equal(false);
      expect((await store.write(stateWrite(stateOf('blue.worker-a')))).done).to.equal(false);
      expect((await store.write(stateDeletion('blue.worker-a'))).done).to.equal(false);
      expect((await store.write(conditionsWrite(ofBlue))).done).to.equal(false);
      await fixture.put(uplink('blue'));
      expect(calls).to.equal(0);
    });
  });
}

/** Tests an implementation of which the objects are not known while what holds them is away. */
export function describeUnreadableStore(name: string, start: () => FailingResourceStore): void {
  it(`ResourceStore: ${name} reports that it cannot be read, and calls its listener when it can be read again`, async () => {
    const fixture = start();
    const { store } = fixture;
    let calls = 0;
    store.onChange(() => (calls += 1));
    try {
      await fixture.put(uplink('blue'));
      const before = (await valueOf(store)).snapshot;
      fixture.fail();
      expect((await store.read()).read).to.equal(false);
      const failed = await store.read();
      expect(failed.read ? [] : failed.problems).to.have.length(1);
      const seen = calls;
      fixture.recover();
      await eventually(
        'the listener is called and it can be read',
        async () => calls > seen && (await store.read()).read,
      );
      expect((await valueOf(store)).snapshot).to.deep.equal(before);
    } finally {
      await store.close();
    }
  });
}

/**
 * Tests that an object does not count as absent that is invalid when a store starts: it may have been valid before.
 *
 * @param start starts a store that has the object already
 */
export function describeUnreadableObjects(
  name: string,
  start: (stored: object) => ResourceStoreUnderTest | Promise<ResourceStoreUnderTest>,
): void {
  it(`ResourceStore: ${name} does not say that an object is absent that is invalid from the start`, async () => {
    const fixture = await start(uplink('blue', { hostInterfaceName: 'a-bridge-of-seventeen' }));
    const { store } = fixture;
    try {
      const reading = await store.read();
      const named = (reading.read && reading.value.snapshot.unreadable) || [];
      if (reading.read) expect(named).to.deep.equal([{ kind: 'uplinks', name: 'blue' }]);
      const said = (reading.read ? reading.value.warnings : reading.problems).map(describeProblem);
      expect(said.join()).to.match(/Uplink\/blue: spec\.nodeConfigs\[0\]\.hostInterfaceName: expected 1 to 15 bytes/);
      await fixture.put(uplink('blue'));
      await eventually('it is read once it is valid', async () => (await store.read()).read);
      const { snapshot } = await valueOf(store);
      expect(snapshot.uplinks.map(plain)).to.deep.equal([uplink('blue')]);
      expect(snapshot.unreadable).to.equal(undefined);
    } finally {
      await store.close();
    }
  });
}
