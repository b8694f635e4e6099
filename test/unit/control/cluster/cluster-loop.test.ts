import { expect } from 'chai';
import { ClusterLoop } from '../../../../src/control/cluster/cluster-loop.ts';
import { clusterStep, initialClusterState } from '../../../../src/control/cluster/step.ts';
import { defaultSettings, emptyCluster, nodeStatus, planNode } from '../../../../src/domain/index.ts';
import type { ResourceStore } from '../../../../src/ports/cluster/resource-store.ts';
import type { ClusterReport } from '../../../../src/ports/cluster/cluster-report.ts';
import { FakeResourceStore } from '../../../fakes/resource-store.ts';
import { network } from '../../domain/brief-objects.ts';
import { objectText } from '../../../../src/domain/objects/object-write.ts';
import { eventually } from '../../adapters/processes.ts';
import { capturedSituation } from '../../cmd/captured-situation.ts';
import { inFile } from '../../../../src/ports/input-problem.ts';

describe('the loop of the cluster', () => {
  const options = { settings: defaultSettings, once: false };

  async function filled(): Promise<FakeResourceStore> {
    const {
      unreadable: _,
      formerActivity: __,
      apiServers: ___,
      servedNetworks: ____,
      ...lists
    } = (await capturedSituation()).cluster;
    const store = new FakeResourceStore();
    for (const object of Object.values({ ...lists, uplinkStates: [] }).flat()) store.put(object);
    return store;
  }

  async function conditions(store: FakeResourceStore) {
    const reading = await store.read();
    if (!reading.read) throw new Error('cannot be read');
    const { uplinks, clusterUserDefinedNetworks } = reading.value.snapshot;
    return [...uplinks, ...clusterUserDefinedNetworks].map(
      ({ metadata, status }) =>
        `${metadata.name} ${status?.conditions?.map(({ reason }) => reason).join() ?? 'nothing'}`,
    );
  }

  async function once(store: FakeResourceStore): Promise<readonly ClusterReport[]> {
    const reports: ClusterReport[] = [];
    const loop = new ClusterLoop(store, { ...options, once: true }, (report) => reports.push(report));
    expect(await loop.run()).to.equal(!reports.some((report) => report.kind === 'unreadable'));
    return reports;
  }

  it('writes conditions of Uplinks and networks from the states of nodes', async () => {
    const store = await filled();
    await once(store);
    expect(await conditions(store)).to.deep.equal([
      'blue-underlay UplinkStateMissing',
      'red-underlay UplinkStateMissing',
      'blue UplinkNotReadyForNode',
      'red UplinkNotReadyForNode',
    ]);
  });

  it('writes eight statuses at once, each object once', async () => {
    const store = await filled();
    for (let index = 0; index < 20; index += 1) store.put(network(`further-${index}`));
    const begun: string[] = [];
    let [now, most] = [0, 0];
    const slow: ResourceStore = {
      read: () => store.read(),
      onChange: (listener) => store.onChange(listener),
      close: () => store.close(),
      write: async (write) => {
        begun.push(objectText(write));
        now += 1;
        most = Math.max(most, now);
        const result = await store.write(write);
        // The others have begun by then.
        await new Promise(setImmediate);
        now -= 1;
        return result;
      },
    };
    await new ClusterLoop(slow, { ...options, once: true }, () => undefined).run();
    expect(most).to.equal(8);
    expect(begun).to.have.length(24);
    expect(new Set(begun).size).to.equal(24);
  });

  it('keeps the times of transitions', async () => {
    const store = await filled();
    await once(store);
    const before = await store.read();
    await once(store);
    expect(await store.read()).to.deep.equal(before);
  });

  it('writes conditions again as soon as a node has written its state', async () => {
    const store = await filled();
    const loop = new ClusterLoop(store, options, () => undefined);
    const running = loop.run();
    await eventually(
      'conditions are written',
      async () => (await conditions(store))[2] === 'blue UplinkNotReadyForNode',
    );
    const { cluster, nodes } = await capturedSituation('worker-a-blue-enslaved');
    for (const state of nodeStatus(planNode({ ...cluster, uplinkStates: [] }, nodes[0]!, defaultSettings))) {
      store.writeOtherState(state);
    }
    await eventually('only the other node is missing', async () => {
      const reading = await store.read();
      const [uplink] = reading.read ? reading.value.snapshot.uplinks : [];
      return uplink?.status?.conditions?.[0]?.message?.startsWith('1 of 2') === true;
    });
    loop.stop();
    expect(await running).to.be.true;
  });

  it('deletes obsolete states', async () => {
    const store = await filled();
    const { cluster, nodes } = await capturedSituation();
    const [state] = nodeStatus(planNode({ ...cluster, uplinkStates: [] }, nodes[0]!, defaultSettings));
    store.writeOtherState(state!);
    store.remove('Uplink', state!.status.uplinkName);
    const reports = await once(store);
    expect(reports).to.deep.include({ kind: 'deleted', state: state!.metadata.name });
    const reading = await store.read();
    expect(reading.read && reading.value.snapshot.uplinkStates).to.deep.equal([]);
  });

  it('ends a single pass as not done if nothing can be read', async () => {
    const store = await filled();
    store.fail('the disk is gone');
    const reports = await once(store);
    expect(reports.map(({ kind }) => kind)).to.deep.equal(['unreadable']);
  });

  describe('as a function', () => {
    const refused = new Map([['Uplink/blue', 'disk is full']]);

    it('retries after 1 s, doubling up to 60 s, if something cannot be written', () => {
      let state = { ...initialClusterState(options), activity: 'writing' as const };
      let at = 1000;
      const pauses = Array.from({ length: 8 }, () => {
        const [next] = clusterStep(state, { kind: 'written', refused, at });
        const pause = next.observeAgainAt - at;
        state = { ...next, activity: 'writing' };
        at = next.observeAgainAt;
        return pause;
      });
      expect(pauses).to.deep.equal([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    });

    it('retries sooner by a jitter, so that many do not retry at once', () => {
      const state = { ...initialClusterState(options), activity: 'writing' as const };
      const [next] = clusterStep(state, { kind: 'written', refused, random: 1, at: 1000 });
      expect(next.observeAgainAt).to.equal(1500);
    });

    it('observes every 60 s while nothing happens', () => {
      const state = { ...initialClusterState(options), activity: 'writing' as const };
      const [, effects] = clusterStep(state, { kind: 'written', refused: new Map(), at: 1000 });
      expect(effects).to.deep.include({ do: 'set-alarm', at: 61_000 });
    });

    it('rests after a plan for as long as it took, while everything changes all the time', () => {
      const observing = { ...initialClusterState(options), activity: 'observing' as const };
      const reading = { read: true, value: { snapshot: emptyCluster, warnings: [], origins: new Map() } } as const;
      const [writing] = clusterStep(observing, { kind: 'observed', reading, at: 1000 });
      const [resting] = clusterStep(writing, { kind: 'written', refused: new Map(), began: 1400, at: 1500 });
      const [, effects] = clusterStep(resting, { kind: 'changed', at: 1510 });
      expect(effects).to.deep.equal([{ do: 'set-alarm', at: 1900 }]);
      const [, later] = clusterStep(resting, { kind: 'changed', at: 2500 });
      expect(later).to.deep.equal([{ do: 'set-alarm', at: 2520 }]);
    });

    it('reports once what cannot be read', () => {
      const reading = { read: false, problems: [{ origin: inFile('m'), message: 'is gone' }] } as const;
      const observing = { ...initialClusterState(options), activity: 'observing' as const };
      const [state, effects] = clusterStep(observing, { kind: 'observed', reading, at: 1 });
      expect(effects.map((effect) => effect.do)).to.deep.equal(['report', 'set-alarm']);
      const [, again] = clusterStep({ ...state, activity: 'observing' }, { kind: 'observed', reading, at: 2 });
      expect(again.map((effect) => effect.do)).to.deep.equal(['set-alarm']);
    });

    for (const activity of ['resting', 'observing'] as const) {
      it(`ends a single pass as not done if it is stopped while it is ${activity}`, () => {
        const state = { ...initialClusterState({ ...options, once: true }), activity };
        const [stopping, effects] = clusterStep(state, { kind: 'stop', at: 1 });
        const reading = { read: false, problems: [] } as const;
        const [, later] = clusterStep(stopping, { kind: 'observed', reading, at: 2 });
        expect([...effects, ...later]).to.deep.equal([{ do: 'finish', isDone: false }]);
      });
    }

    it('ends after the current write', () => {
      const writing = { ...initialClusterState(options), activity: 'writing' as const };
      const [stopping, none] = clusterStep(writing, { kind: 'stop', at: 1 });
      expect(none).to.deep.equal([]);
      const [ended, effects] = clusterStep(stopping, { kind: 'written', refused: new Map(), at: 2 });
      expect(ended.activity).to.equal('ended');
      expect(effects).to.deep.include({ do: 'finish', isDone: true });
      expect(clusterStep(ended, { kind: 'changed', at: 3 })[1]).to.deep.equal([]);
    });
  });
});
