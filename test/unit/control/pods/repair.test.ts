import { expect } from 'chai';
import { POD_NETWORKS_ANNOTATION } from '../../../../src/domain/basics/conventions.ts';
import { PodAgent } from '../../../../src/control/pods/pod-agent.ts';
import { hostInterfaceName } from '../../../../src/domain/pods/pod-key.ts';
import type { CniCall } from '../../../../src/domain/pods/cni/call.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import type { PodCluster } from '../../../../src/ports/pods/pod-cluster.ts';
import { namespace, pod } from '../../domain/brief-objects.ts';
import { add, agentWith, blue, check, del, nothing, PodScene, timing, web } from './pod-scene.ts';

describe('an agent that repairs', () => {
  it('restores the logical switch port of a running pod after the Northbound database was lost', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const { logicalPorts } = scene.node;
    scene.node.logicalPorts = [];
    scene.restartAgent();
    expect((await scene.repair()).ok).to.equal(true);
    expect(scene.node.logicalPorts).to.deep.equal(logicalPorts);
  });

  for (const [when, change] of Object.entries<Partial<PodScene['node']['facts']>>({
    'while its network is being deleted': {
      networks: [{ ...blue, metadata: { ...blue.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }],
    },
    'where two networks select its namespace': {
      networks: [blue, { ...blue, metadata: { name: 'red' }, networkName: 'cluster_udn_red' }],
    },
    'where no network selects its namespace any more': { namespace: namespace('demo', {}) },
    'without its annotation': { pods: [web()] },
  })) {
    it(`restores the logical switch port of a running pod ${when}, whose addresses nobody else gets`, async () => {
      const scene = new PodScene();
      await scene.run(add());
      const { logicalPorts } = scene.node;
      scene.node.logicalPorts = [];
      const { facts } = scene.node;
      const other = pod('other', 'shop', 'worker-a', { metadata: { name: 'other', namespace: 'shop', uid: '2' } });
      scene.node.change({ pods: [other], namespace: namespace('shop', facts.namespace?.metadata.labels) });
      const second = { ...add('decaf', '/run/netns/next'), pod: { namespace: 'shop', name: 'other' } } as CniCall;
      await scene.run(second, '/run/netns/next');
      expect(scene.node.logicalPorts.map(({ addresses }) => addresses[0])).to.deep.equal(['10.20.1.4']);
      scene.node.change({ ...facts, ...change });
      expect((await scene.repair()).ok).to.equal(true);
      expect(scene.node.logicalPorts).to.deep.include.members(logicalPorts);
      expect(await scene.run(check)).to.deep.equal({ kind: 'done' });
    });
  }

  it('restores no logical switch port without addresses, from which OVN would take any, and says so', async () => {
    const scene = new PodScene();
    await scene.run(add());
    scene.node.logicalPorts = [];
    scene.node.switchPorts = scene.node.switchPorts.map((port) => ({ ...port, addresses: [] }));
    const attempt = await scene.repair();
    expect(attempt).to.have.nested.property('error.details').include('Pod/demo/web in Open vSwitch does not say');
    expect(scene.node.logicalPorts).to.deep.equal([]);
  });

  it('restores a lost annotation', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const annotated = scene.node.facts.pods;
    scene.node.change({ pods: [web()] });
    await scene.repair();
    expect(scene.node.facts.pods).to.deep.equal(annotated);
  });

  it('reports what it restores and removes, and how many pods are attached', async () => {
    const scene = new PodScene();
    await scene.run(add());
    scene.node.logicalPorts = [];
    await scene.repair();
    scene.node.links.clear();
    await scene.repair();
    const pod = { namespace: 'demo', name: 'web', uid: '1' };
    const port = hostInterfaceName('c0ffee', 'net1');
    expect(scene.node.reports).to.deep.equal([
      { kind: 'attached', pods: 1 },
      { kind: 'port-restored', port: 'demo.blue_demo_web', pod },
      { kind: 'leftover-removed', port, pod },
      { kind: 'attached', pods: 0 },
    ]);
  });

  it('attaches pods while the API server does not answer it', async () => {
    const scene = new PodScene();
    await scene.run(add());
    scene.node.change({ pods: [web()] });
    const { ports } = scene.node;
    const asked = Promise.withResolvers<undefined>();
    const cluster: PodCluster = {
      ...ports.cluster,
      annotate: () => {
        asked.resolve(undefined);
        return Promise.withResolvers<ApplyResult>().promise;
      },
    };
    const agent = new PodAgent({ ...ports, cluster }, defaultSettings, { ...timing, annotation: 10 });
    void agent.repair();
    await asked.promise;
    const plugin = scene.node.plugin('/run/netns/next', 'net1');
    expect((await agent.answer(add('decaf', '/run/netns/next'), plugin)).kind).to.equal('attached');
  });

  it('asks an API server that is away once, not for each pod', async () => {
    const scene = new PodScene();
    const other = pod('other', 'demo', 'worker-a', { metadata: { name: 'other', namespace: 'demo', uid: '2' } });
    scene.node.change({ pods: [web(), other] });
    await scene.run(add());
    const second = { ...add('decaf', '/run/netns/next'), pod: { namespace: 'demo', name: 'other' } } as CniCall;
    await scene.run(second, '/run/netns/next');
    scene.node.change({ pods: [web(), other] });
    for (const [result, count] of [
      [{ done: false, error: 'away' }, 1],
      [{ done: false, error: 'forbidden', isRefused: true }, 2],
    ] as const) {
      let asked = 0;
      const { ports } = scene.node;
      const cluster: PodCluster = { ...ports.cluster, annotate: () => Promise.resolve((asked++, result)) };
      const agent = new PodAgent({ ...ports, cluster }, defaultSettings, timing);
      expect(await agent.repair()).to.have.nested.property('error.details', result.error);
      expect(asked).to.equal(count);
    }
  });

  it('removes what a plugin has left that ran without an agent', async () => {
    const scene = new PodScene();
    await scene.run(add());
    scene.node.links.clear();
    scene.node.locks.devices = [];
    await scene.repair();
    expect(scene.node.remains()).to.deep.equal(nothing);
  });

  it('unlocks no pod that has deleted its interface in the primary network, or whose ports were lost', async () => {
    for (const lose of [
      (node: PodScene['node']) => node.links.clear(),
      (node: PodScene['node']) => (node.switchPorts = []),
    ]) {
      const scene = new PodScene();
      await scene.run(add());
      const locks = scene.node.locks.all;
      expect(locks).to.have.length(1);
      lose(scene.node);
      expect((await scene.repair()).ok).to.equal(true);
      expect(scene.node.switchPorts).to.deep.equal([]);
      expect(scene.node.locks.all).to.deep.equal(locks);
    }
  });

  it('leaves attached pods alone, whether their objects are there or not', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const before = scene.node.remains();
    await scene.repair();
    scene.node.change({ pods: [] });
    await scene.repair();
    expect(scene.node.remains()).to.deep.equal(before);
  });

  it('changes nothing of a pod that an older agent has attached, with routes to all Services, nor does CHECK', async () => {
    const scene = new PodScene();
    await scene.run(add());
    scene.node.switchPorts = scene.node.switchPorts.map(({ defaultServices: _, ...port }) => port);
    scene.node.change({
      pods: scene.node.facts.pods.map(({ metadata, ...others }) => {
        const text = metadata.annotations?.[POD_NETWORKS_ANNOTATION] ?? '';
        const older = text.replace(/,"default_services":\[[^\]]*\]/, '');
        expect(older).not.to.equal(text);
        return { ...others, metadata: { ...metadata, annotations: { [POD_NETWORKS_ANNOTATION]: older } } };
      }),
    });
    const before = { ...scene.node.remains(), pods: scene.node.facts.pods };
    expect(await scene.repair()).to.include({ ok: true });
    expect({ ...scene.node.remains(), pods: scene.node.facts.pods }).to.deep.equal(before);
    expect(await scene.run(check)).to.deep.equal({ kind: 'done' });
  });

  it('leaves a pod alone that is being attached', async () => {
    const scene = new PodScene();
    const { ports } = scene.node;
    const waiting = Promise.withResolvers<undefined>();
    const go = Promise.withResolvers<undefined>();
    const agent = agentWith(scene, {
      installed: async (name, milliseconds, signal) => {
        waiting.resolve(undefined);
        await go.promise;
        return await ports.switchPorts.installed(name, milliseconds, signal);
      },
    });
    const answer = agent.answer(add(), scene.node.plugin('/run/netns/web', 'net1'));
    await waiting.promise;
    // As if Open vSwitch had not seen the device yet.
    const { links } = scene.node;
    const saved = [...links];
    links.clear();
    await agent.repair();
    for (const [key, link] of saved) links.set(key, link);
    go.resolve(undefined);
    expect((await answer).kind).to.equal('attached');
  });

  it('does not restore what is being removed', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const { ports } = scene.node;
    let repaired: Promise<unknown> = Promise.resolve();
    const agent = agentWith(scene, {
      remove: async (name) => {
        repaired = agent.repair();
        return await ports.switchPorts.remove(name);
      },
    });
    expect(await agent.answer(del(), scene.node.plugin('/run/netns/web', 'net1'))).to.deep.equal({ kind: 'done' });
    await repaired;
    expect(scene.node.remains()).to.deep.equal(nothing);
  });

  it('leaves a pod alone that is being attached again, whose former container is gone', async () => {
    const scene = new PodScene();
    await scene.run(add());
    scene.node.links.clear();
    const { ports } = scene.node;
    const agent = agentWith(scene, {
      add: async (port) => {
        await agent.repair();
        return await ports.switchPorts.add(port);
      },
    });
    const plugin = scene.node.plugin('/run/netns/next', 'net1');
    expect((await agent.answer(add('decaf', '/run/netns/next'), plugin)).kind).to.equal('attached');
    expect(scene.node.logicalPorts).to.have.length(1);
  });

  it('leaves the ports of pods alone as long as pods are not known', async () => {
    const scene = new PodScene();
    await scene.run(add());
    scene.node.switchPorts = [];
    const { ports } = scene.node;
    const agent = new PodAgent(
      { ...ports, cluster: { ...ports.cluster, pods: () => undefined } },
      defaultSettings,
      timing,
    );
    await agent.repair();
    expect(scene.node.logicalPorts).to.have.length(1);
    scene.node.change({ pods: [] });
    await scene.repair();
    expect(scene.node.logicalPorts).to.deep.equal([]);
  });
});

describe('a repair of what has changed', () => {
  let scene: PodScene;
  beforeEach(async () => {
    scene = new PodScene();
    await scene.run(add());
    await scene.repair();
  });

  it('reads ports, and nothing else of what is in order', async () => {
    await scene.repair('changed');
    const before = scene.node.calls.length;
    await scene.repair('changed');
    expect(scene.node.calls.slice(before)).to.deep.equal(['read locks', 'read switch ports', 'read logical ports']);
  });

  for (const [what, change] of Object.entries<Partial<PodScene['node']['facts']>>({
    'its namespace': { namespace: namespace('demo', {}) },
    'its network': { networks: [] },
    'the node': { node: undefined },
    'the id of the node': { nodeId: undefined },
  })) {
    it(`annotates a pod once ${what} is there again`, async () => {
      const { facts } = scene.node;
      scene.node.change({ ...change, pods: [web()] });
      await scene.repair('changed');
      expect(scene.node.facts.pods).to.deep.equal([web()]);
      scene.node.change({ ...facts, pods: scene.node.facts.pods });
      await scene.repair('changed');
      expect(scene.node.facts.pods).to.deep.equal(facts.pods);
    });
  }

  it('locks an interface once it is there again', async () => {
    const { devices, all } = scene.node.locks;
    scene.node.locks.devices = [];
    scene.node.locks.lose();
    await scene.repair('changed');
    expect(scene.node.locks.all).to.deep.equal([]);
    scene.node.locks.devices = devices;
    await scene.repair('changed');
    expect(scene.node.locks.all).to.deep.equal(all);
  });
});
