/** What every ResourceStore has to do, whatever stands behind it. */
import { expect } from 'chai';
import type { UplinkState } from '../../src/domain/api/uplink-state.ts';
import { UPLINK_FINALIZER } from '../../src/domain/conventions.ts';
import { changedObjects } from '../../src/domain/snapshot/object-changes.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { ClusterReading } from '../../src/ports/cluster-source.ts';
import type { ObjectStatus, ResourceStore, StoredCondition } from '../../src/ports/resource-store.ts';
import { network, uplink, uplinkState } from '../unit/adapters/manifests/example-objects.ts';
import { eventually } from '../unit/adapters/processes.ts';

/** A store and everybody else who has to do with it. */
export interface StoreStage {
  readonly store: ResourceStore;
  /** A person puts an object, in the place of the one of its name. */
  put(object: object): void;
  /** A person removes an object. */
  remove(kind: string, name: string): void;
  /** Another agent writes a state. */
  otherWrites(state: UplinkState): void;
  otherDeletes(state: string): void;
  /** From now on nothing can be read. */
  fail(): void;
  heal(): void;
}

const degraded: StoredCondition = {
  type: 'Degraded',
  status: 'False',
  reason: 'AllReady',
  message: 'all nodes are ready: "yes"',
  lastTransitionTime: '2026-11-20T08:00:00Z',
};
const foreign: StoredCondition = { ...degraded, type: 'Foreign', status: 'True' };
const ofBlue: ObjectStatus = { kind: 'Uplink', name: 'blue', conditions: [degraded] };

/** A state of an uplink on a node; its other fields do not matter here. */
export function stateOf(name: string, macAddress = '02:42:c0:00:02:06'): UplinkState {
  return uplinkState(name, { macAddress }) as unknown as UplinkState;
}

/** Why something was not applied. */
export function refusalOf(outcome: ApplyResult): string {
  if (outcome.done) throw new Error('expected a refusal, but it was done');
  return outcome.error;
}

async function valueOf(store: ResourceStore): Promise<ClusterReading> {
  const reading = await store.read();
  if (!reading.read) throw new Error(JSON.stringify(reading.problems));
  return reading.value;
}

/** Declares the tests of the contract. */
export function describeResourceStore(name: string, start: () => StoreStage): void {
  describe(`a ResourceStore: ${name}`, () => {
    let others: StoreStage;
    let store: ResourceStore;
    let told = 0;

    beforeEach(() => {
      others = start();
      ({ store } = others);
      told = 0;
      store.onChange(() => (told += 1));
    });
    afterEach(() => store.close());

    async function uplinks() {
      return (await valueOf(store)).snapshot.uplinks;
    }

    async function states() {
      return (await valueOf(store)).snapshot.uplinkStates;
    }

    /** Does something, and from then on reads whenever the store tells that it may be worth it, until a condition holds. */
    async function isNotified(what: string, act: () => void, holds: () => Promise<boolean>): Promise<void> {
      await store.read();
      let seen = told;
      act();
      await eventually(`it is told that ${what}`, async () => {
        if (seen === told) return false;
        seen = told;
        return await holds();
      });
    }

    it('it reads objects', async () => {
      others.put(uplink('blue'));
      others.put(network('blue'));
      const { snapshot, origins } = await valueOf(store);
      expect(snapshot.uplinks).to.deep.equal([uplink('blue')]);
      expect(snapshot.clusterUserDefinedNetworks).to.deep.equal([network('blue')]);
      expect([...origins.keys()].sort()).to.deep.equal(['ClusterUserDefinedNetwork/blue', 'Uplink/blue']);
    });

    it('it returns the same snapshot while nothing changes', async () => {
      others.put(uplink('blue'));
      await store.writeStatus(ofBlue);
      expect((await valueOf(store)).snapshot).to.equal((await valueOf(store)).snapshot);
    });

    it('it shares unchanged objects between snapshots', async () => {
      others.put(uplink('blue'));
      others.put(uplink('red'));
      others.put(network('blue'));
      const before = (await valueOf(store)).snapshot;
      others.put(uplink('red', { hostInterfaceName: 'br-other' }));
      others.put(uplink('green'));
      others.otherWrites(stateOf('blue.worker-b'));
      let after = before;
      await eventually('everything is read', async () => {
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

    it('it reports created, changed and removed objects', async () => {
      expect(await uplinks()).to.deep.equal([]);
      await isNotified(
        'the object is there',
        () => others.put(uplink('blue')),
        async () => (await uplinks()).length === 1,
      );
      await isNotified(
        'the object is changed',
        () => others.put(uplink('blue', { hostInterfaceName: 'br-other' })),
        async () => (await uplinks()).some(({ spec }) => spec.nodeConfigs[0]!.hostInterfaceName === 'br-other'),
      );
      await isNotified(
        'the object is gone',
        () => others.remove('Uplink', 'blue'),
        async () => (await uplinks()).length === 0,
      );
    });

    it('it reports states that other agents write and delete', async () => {
      expect(await states()).to.deep.equal([]);
      await isNotified(
        'the state is there',
        () => others.otherWrites(stateOf('blue.worker-b')),
        async () => (await states()).length === 1,
      );
      await isNotified(
        'the state is changed',
        () => others.otherWrites(stateOf('blue.worker-b', '02:00:00:00:00:09')),
        async () => (await states())[0]!.status?.macAddress === '02:00:00:00:00:09',
      );
      await isNotified(
        'the state is gone',
        () => others.otherDeletes('blue.worker-b'),
        async () => (await states()).length === 0,
      );
    });

    it('it replaces a whole state', async () => {
      expect(await store.writeState(stateOf('blue.worker-a'))).to.deep.equal({ done: true });
      expect(await states()).to.deep.equal([stateOf('blue.worker-a')]);
      expect(await store.writeState(stateOf('blue.worker-a', '02:00:00:00:00:01'))).to.deep.equal({ done: true });
      expect(await states()).to.deep.equal([stateOf('blue.worker-a', '02:00:00:00:00:01')]);
    });

    it('it deletes a state, and accepts that it does not exist', async () => {
      await store.writeState(stateOf('blue.worker-a'));
      expect(await store.deleteState('blue.worker-a')).to.deep.equal({ done: true });
      expect(await states()).to.deep.equal([]);
      expect(await store.deleteState('blue.worker-a')).to.deep.equal({ done: true });
    });

    it('the last of several concurrent writes wins', async () => {
      const names = Array.from({ length: 20 }, (_, index) => `02:00:00:00:00:${String(index + 10)}`);
      await Promise.all(names.map((mac) => store.writeState(stateOf('blue.worker-a', mac))));
      expect(await states()).to.deep.equal([stateOf('blue.worker-a', names.at(-1))]);
    });

    it('it returns the written status, with times, together with the spec', async () => {
      const put = { ...uplink('blue'), metadata: { name: 'blue', finalizers: ['example.org/mine'] } };
      others.put(put);
      await store.read();
      const finalizers = ['example.org/mine', UPLINK_FINALIZER];
      expect(await store.writeStatus({ ...ofBlue, finalizers })).to.deep.equal({ done: true });
      expect(await uplinks()).to.deep.equal([
        { ...put, metadata: { name: 'blue', finalizers }, status: { conditions: [degraded] } },
      ]);
      await store.writeStatus({ ...ofBlue, finalizers: ['example.org/mine'] });
      expect((await uplinks())[0]!.metadata.finalizers).to.deep.equal(['example.org/mine']);
    });

    it('it keeps conditions of others', async () => {
      others.put(uplink('blue'));
      await store.read();
      await store.writeStatus({ ...ofBlue, conditions: [foreign] });
      await store.writeStatus(ofBlue);
      await store.writeStatus({ ...ofBlue, conditions: [{ ...degraded, status: 'True' }] });
      const conditions = (await uplinks())[0]!.status?.conditions ?? [];
      expect(conditions.map(({ type, status }) => `${type} ${status}`).sort()).to.deep.equal([
        'Degraded True',
        'Foreign True',
      ]);
    });

    it('it refuses to write the status of a missing object, in one line', async () => {
      await store.read();
      const outcome = await store.writeStatus(ofBlue);
      expect(refusalOf(outcome)).to.match(/^.*Uplink\/blue.*$/);
    });

    it('an object that is removed and created again has no status', async () => {
      others.put(uplink('blue'));
      await store.read();
      await store.writeStatus(ofBlue);
      expect((await uplinks())[0]!.status).to.not.equal(undefined);
      await isNotified(
        'the object is gone',
        () => others.remove('Uplink', 'blue'),
        async () => (await uplinks()).length === 0,
      );
      await isNotified(
        'the object is there again',
        () => others.put(uplink('blue')),
        async () => (await uplinks()).length === 1,
      );
      expect(await uplinks()).to.deep.equal([uplink('blue')]);
    });

    for (const name of ['', '.', '..', '../blue', 'a/b', 'Blue', 'a b', 'x'.repeat(254), 'a\nb', '-']) {
      it(`it refuses to write or delete a state called ${JSON.stringify(name).slice(0, 20)}, in one line`, async () => {
        for (const outcome of [await store.writeState(stateOf(name)), await store.deleteState(name)])
          expect(refusalOf(outcome)).to.match(/^.+$/);
        expect(await states()).to.deep.equal([]);
      });
    }

    it('it accepts a state with a name of maximum length', async () => {
      const name = 'x'.repeat(253);
      expect(await store.writeState(stateOf(name))).to.deep.equal({ done: true });
      expect(await states()).to.deep.equal([stateOf(name)]);
      await store.deleteState(name);
      expect(await states()).to.deep.equal([]);
    });

    it('it reports that it cannot be read, and when it may be read again', async () => {
      others.put(uplink('blue'));
      const before = (await valueOf(store)).snapshot;
      others.fail();
      expect((await store.read()).read).to.equal(false);
      const failed = await store.read();
      expect(failed.read ? [] : failed.problems).to.have.length(1);
      await isNotified(
        'it is read again',
        () => others.heal(),
        async () => (await store.read()).read,
      );
      expect((await valueOf(store)).snapshot).to.deep.equal(before);
    });

    it('it neither reads, writes nor reports anything once it is closed', async () => {
      await store.read();
      const underWay = store.read();
      await store.close();
      await store.close();
      told = 0;
      expect((await underWay).read).to.equal(false);
      expect((await store.read()).read).to.equal(false);
      expect((await store.writeState(stateOf('blue.worker-a'))).done).to.equal(false);
      expect((await store.deleteState('blue.worker-a')).done).to.equal(false);
      expect((await store.writeStatus(ofBlue)).done).to.equal(false);
      others.put(uplink('blue'));
      expect(told).to.equal(0);
    });
  });
}
