import type { Network } from '../../../../src/domain/network/network.ts';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { PodAgent } from '../../../../src/control/pods/pod-agent.ts';
import type { CniAnswer } from '../../../../src/domain/pods/cni/answer.ts';
import type { CniCall } from '../../../../src/domain/pods/cni/call.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import type { CniPlugin } from '../../../../src/ports/pods/cni-agent.ts';
import { namespace, pod } from '../../domain/brief-objects.ts';
import { add, agentWith, attachment, blue, check, del, errorOf, nothing, PodScene, timing, web } from './pod-scene.ts';

/** The switch of the network. */
const onNode = { name: 'cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue', networkId: 1 };

describe('an agent that is asked to attach a pod', () => {
  let scene: PodScene;
  beforeEach(() => {
    scene = new PodScene();
  });

  it('creates everything, and answers once packets can flow', async () => {
    const answer = await scene.run(add());
    expect(answer)
      .to.have.nested.property('attached.podInterface.addresses')
      .deep.equal(['10.20.1.3/24', 'fd20:0:0:1::3/64']);
    expect(scene.node.calls).to.deep.equal([
      'read logical ports',
      'plugin: observe',
      'read switch ports',
      'read logical ports',
      'read switch ports',
      'put logical port',
      'annotate',
      'plugin: attach',
      'add switch port',
      'lock',
      'wait for flows',
      'plugin: probe',
    ]);
    expect(scene.node.logicalPorts).to.deep.equal([
      {
        name: 'demo.blue_demo_web',
        switchName: 'cluster_udn_blue_worker-a',
        networkName: 'cluster_udn_blue',
        definition: 'demo/blue',
        pod: { namespace: 'demo', name: 'web', uid: '1' },
        addresses: ['10.20.1.3', 'fd20:0:0:1::3'],
        mac: '0a:58:0a:14:01:03',
      },
    ]);
    const defaultServices = ['10.96.0.1', '10.96.0.10'];
    expect(scene.node.switchPorts[0]).to.deep.include({ portName: 'demo.blue_demo_web', attachment, defaultServices });
    expect(await scene.run(check)).to.deep.equal({ kind: 'done' });
  });

  it('is idle once all calls are answered, or after half a second', async () => {
    const scene = new PodScene({ ...timing, objects: 1_000_000 });
    await scene.idle();
    const facts = scene.node.facts;
    scene.node.change({ pods: [] });
    const first = scene.run(add());
    const begin = performance.now();
    await scene.idle();
    expect(performance.now() - begin).to.be.within(450, 5000);
    let isIdle = false;
    const idle = scene.idle().then(() => (isIdle = true));
    expect(isIdle).to.equal(false);
    scene.node.change(facts);
    await Promise.all([first, idle]);
  });

  it('reports how long each step of an attachment takes', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const { steps } = scene.node;
    const beforeInterface = ['objects', 'turn', 'namespace', 'addresses', 'annotation'];
    const all = [...beforeInterface, 'interface', 'port', 'lock', 'flows', 'answer'];
    expect(steps.map(({ step }) => step)).to.have.members(all);
    expect(steps.every(({ pod: { name }, milliseconds }) => name === 'web' && milliseconds >= 0)).to.equal(true);
  });

  it('attaches some of many pods at once, and the others after them', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `pod-${index}`);
    scene.node.change({
      pods: names.map((name, index) =>
        pod(name, 'demo', 'worker-a', { metadata: { name, namespace: 'demo', uid: String(index + 2) } }),
      ),
    });
    for (const name of names) scene.node.namespaces.add(`/run/netns/${name}`);
    scene.node.locks.devices = names.map((name, index) => ({ name: `veth-${name}`, index: 200 + index }));
    const calls = names.map((name): [CniCall, string] => [
      { ...add(`${name}-container`, `/run/netns/${name}`), pod: { namespace: 'demo', name } } as CniCall,
      `/run/netns/${name}`,
    ]);
    const answers = await Promise.all(calls.map(([call, netns]) => scene.run(call, netns)));
    expect(answers.map(({ kind }) => kind)).to.deep.equal(names.map(() => 'attached'));
    const attaching = scene.node.calls.filter((call) => /^plugin: (observe|probe)$/.test(call));
    let most = 0;
    let now = 0;
    for (const call of attaching) most = Math.max(most, (now += call === 'plugin: observe' ? 1 : -1));
    expect(most).to.equal(8);
  });

  it('gives two pods at once different addresses', async () => {
    const other = pod('other', 'demo', 'worker-a', { metadata: { name: 'other', namespace: 'demo', uid: '2' } });
    scene.node.change({ pods: [web(), other] });
    const second: CniCall = {
      ...add('decaf', '/run/netns/next'),
      pod: { namespace: 'demo', name: 'other' },
    } as CniCall;
    await Promise.all([scene.run(add()), scene.run(second, '/run/netns/next')]);
    expect(scene.node.logicalPorts.map(({ addresses }) => addresses[0]).sort()).to.deep.equal([
      '10.20.1.3',
      '10.20.1.4',
    ]);
  });

  it('waits for what is missing', async () => {
    scene.node.change({ pods: [], networks: [] });
    const answer = scene.run(add());
    scene.node.change({ pods: [web()] });
    scene.node.change({ networks: [blue] });
    expect((await answer).kind).to.equal('attached');
  });

  it('says what was missing when the time is over', async () => {
    scene.node.change({ networks: [] });
    const error = errorOf(await scene.run(add()));
    expect(error?.code).to.equal(11);
    expect(error?.details).to.include('no primary network selects Namespace/demo yet');
    scene.node.change({ pods: [web('2')] });
    expect(errorOf(await scene.run(add()))?.details).to.equal(
      'Pod/demo/web has been replaced: the agent knows the one with uid 2',
    );
    expect(new Set(scene.node.calls)).to.deep.equal(new Set(['read logical ports']));
  });

  it('waits until its network is programmed on the node, and says so when the time is over', async () => {
    scene.node.switches = [];
    const error = errorOf(await scene.run(add()));
    expect(error?.code).to.equal(11);
    expect(error?.details).to.include(
      'network cluster_udn_blue is not programmed on this node yet: OVN has no Logical_Switch cluster_udn_blue_worker-a',
    );
    const agent = new PodAgent(scene.node.ports, defaultSettings, { ...timing, objects: 60_000 });
    const answer = agent.answer(add(), scene.node.plugin('/run/netns/web', 'net1'));
    scene.node.program([onNode]);
    expect((await answer).kind).to.equal('attached');
  });

  it('attaches no pod to the switch of another network with an equal name, nor to that of the former network of the name', async () => {
    for (const other of [
      { ...onNode, networkName: 'cluster-udn_blue' },
      { ...onNode, networkId: 2 },
    ]) {
      scene.node.switches = [other];
      const error = errorOf(await scene.run(add()));
      expect(error?.details).to.include('network cluster_udn_blue is not programmed on this node yet');
      expect(scene.node.logicalPorts).to.deep.equal([]);
    }
  });

  it('does not wait for what someone has to change', async () => {
    scene.node.change({ namespace: namespace('demo', { tenant: 'blue' }) });
    const error = errorOf(await scene.run(add()));
    expect(error?.code).to.equal(100);
    expect(error?.details).to.include('has no label k8s.ovn.org/primary-user-defined-network');
  });

  it('ends the wait when the plugin was killed', async () => {
    scene.node.change({ networks: [] });
    const ended = new AbortController();
    const agent = new PodAgent(scene.node.ports, defaultSettings, { ...timing, objects: 600_000 });
    const answer = agent.answer(add(), scene.node.plugin('/run/netns/web', 'net1', ended.signal));
    ended.abort();
    expect(errorOf(await answer)?.code).to.equal(11);
  });

  it('refuses an interface that exists, and leaves it', async () => {
    await scene.run(add());
    const before = scene.node.remains();
    expect(errorOf(await scene.run(add()))).to.include({ code: 4 });
    expect(scene.node.remains()).to.deep.equal(before);
  });

  it('says that the namespace is gone, so that there is nothing to clean up', async () => {
    scene.node.namespaces.clear();
    expect(errorOf(await scene.run(add()))?.code).to.equal(3);
    expect(scene.node.remains()).to.deep.equal(nothing);
  });

  it('gives up where the router does not answer, and leaves nothing', async () => {
    scene.node.hasAnswer = false;
    expect(errorOf(await scene.run(add()))).to.include({
      code: 11,
      details: '10.20.1.1, fd20:0:0:1::1: no answer within 0.01 s',
    });
    expect(scene.node.remains()).to.deep.equal(nothing);
  });

  it('gives up where OVN does not serve the port, and leaves nothing', async () => {
    scene.node.isOvnRunning = false;
    expect(errorOf(await scene.run(add()))?.details).to.include(
      'ovn-controller has not installed the flows of demo.blue',
    );
    expect(scene.node.remains()).to.deep.equal(nothing);
  });

  it('refuses a second interface in the same network, and leaves the first one', async () => {
    await scene.run(add());
    const before = scene.node.remains();
    const second = { ...add(), attachment: { ...attachment, ifname: 'net2' } } as CniCall;
    const error = errorOf(await scene.answer(second, scene.node.plugin('/run/netns/web', 'net2')));
    expect(error?.details).to.include('interface net1 of the pod is in that network already');
    expect(scene.node.remains()).to.deep.equal(before);
  });

  it('says that no address is left', async () => {
    const other = pod('other', 'demo', 'worker-a', { metadata: { name: 'other', namespace: 'demo', uid: '2' } });
    const networks: readonly Network[] = [
      { ...blue, topology: 'Layer3', subnets: [{ cidr: 'fd20::/124', hostSubnet: 126 }] },
    ];
    scene.node.change({ networks, pods: [web(), other] });
    const second = { ...add('decaf', '/run/netns/next'), pod: { namespace: 'demo', name: 'other' } } as CniCall;
    expect(await scene.run(add())).to.have.property('kind', 'attached');
    expect(errorOf(await scene.run(second, '/run/netns/next'))).to.include({
      code: 100,
      details:
        'network cluster_udn_blue has no free address on this node in fd20::4/126; delete pods of the network on this node, or recreate it with a shorter hostSubnet',
    });
  });

  it('does not wait for an API server that does not answer', async () => {
    const { ports } = scene.node;
    const cluster = { ...ports.cluster, annotate: () => Promise.withResolvers<ApplyResult>().promise };
    const agent = new PodAgent({ ...ports, cluster }, defaultSettings, { ...timing, annotation: 10 });
    expect((await agent.answer(add(), scene.node.plugin('/run/netns/web', 'net1'))).kind).to.equal('attached');
  });

  it('writes nothing for a pod any more once a failure is answered', async () => {
    scene.node.hasAnswer = false;
    const { ports } = scene.node;
    let isAnnotated = false;
    const annotate = async (): Promise<ApplyResult> => {
      await setTimeout(50);
      isAnnotated = true;
      return { done: true };
    };
    const agent = new PodAgent({ ...ports, cluster: { ...ports.cluster, annotate } }, defaultSettings, timing);
    expect((await agent.answer(add(), scene.node.plugin('/run/netns/web', 'net1'))).kind).to.equal('failed');
    expect(isAnnotated).to.equal(true);
  });

  it('undoes nothing before everything has ended, also after an exception', async () => {
    const { ports } = scene.node;
    const annotate = () => Promise.reject(new Error('a defect'));
    const agent = new PodAgent({ ...ports, cluster: { ...ports.cluster, annotate } }, defaultSettings, timing);
    const real = scene.node.plugin('/run/netns/web', 'net1');
    const taken: string[] = [];
    const plugin: CniPlugin = {
      ended: real.ended,
      take: async (step) => {
        if (step.step === 'attach') await setTimeout(50);
        taken.push(step.step);
        return await real.take(step);
      },
    };
    const answer = await agent.answer(add(), plugin).catch(String);
    expect(answer).to.equal('Error: a defect');
    expect(taken).to.deep.equal(['observe', 'attach', 'probe', 'detach']);
    expect(scene.node.remains()).to.deep.equal(nothing);
  });

  it('attaches a pod while the API server is away, and annotates it later', async () => {
    scene.node.disturb(6, 'fails');
    expect((await scene.run(add())).kind).to.equal('attached');
    expect(scene.node.facts.pods[0]?.metadata.annotations).to.equal(undefined);
    expect((await scene.repair()).ok).to.equal(true);
    expect(scene.node.facts.pods[0]?.metadata.annotations)
      .to.have.property('k8s.ovn.org/pod-networks')
      .include('10.20.1.3/24');
  });

  it('takes the place of a former container of the pod', async () => {
    await scene.run(add());
    await scene.run(add('decaf', '/run/netns/next'), '/run/netns/next');
    expect(scene.node.switchPorts.map((port) => port.attachment.containerId)).to.deep.equal(['decaf']);
    // The runtime deletes the former one late.
    expect(await scene.run(del())).to.deep.equal({ kind: 'done' });
    expect(scene.node.logicalPorts.map(({ addresses }) => addresses[0])).to.deep.equal(['10.20.1.3']);
    expect(scene.node.remains().links).to.deep.equal(['/run/netns/next net1']);
  });
});

describe('an agent that is asked to detach a pod', () => {
  it('removes everything, and lets the addresses rest', async () => {
    const scene = new PodScene();
    await scene.run(add());
    expect(await scene.run(del())).to.deep.equal({ kind: 'done' });
    expect(scene.node.remains()).to.deep.equal(nothing);
    scene.node.change({ pods: [web('2')] });
    await scene.run(add('decaf', '/run/netns/web', '2'));
    expect(scene.node.logicalPorts[0]?.addresses[0]).to.equal('10.20.1.4');
  });

  it('succeeds where nothing is there', async () => {
    const scene = new PodScene();
    expect(await scene.run(del())).to.deep.equal({ kind: 'done' });
    scene.node.namespaces.clear();
    scene.node.change({ pods: [], networks: [], namespace: undefined, node: undefined });
    expect(await scene.run(del())).to.deep.equal({ kind: 'done' });
  });

  it('succeeds while a database cannot be read, once the interface is deleted, and a repair removes the rest', async () => {
    // The first call is the plugin's.
    for (const step of [1, 2]) {
      const scene = new PodScene();
      await scene.run(add());
      scene.node.disturb(step, 'fails');
      expect(await scene.run(del()), String(step)).to.deep.equal({ kind: 'done' });
      expect(scene.node.remains().links).to.deep.equal([]);
      expect(scene.node.switchPorts).to.have.length(1);
      scene.node.locks.devices = [];
      scene.node.change({ pods: [] });
      expect((await scene.repair()).ok).to.equal(true);
      expect(scene.node.remains()).to.deep.equal(nothing);
    }
  });

  it('keeps the logical switch port where the next container of the pod has it already', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const added = scene.run(add('decaf', '/run/netns/next'), '/run/netns/next');
    const deleted = scene.run(del());
    expect((await added).kind).to.equal('attached');
    expect(await deleted).to.deep.equal({ kind: 'done' });
    expect(scene.node.logicalPorts).to.have.length(1);
  });

  it('succeeds after the objects are gone', async () => {
    const scene = new PodScene();
    await scene.run(add());
    scene.node.change({ pods: [], networks: [], namespace: undefined });
    expect(await scene.run(del())).to.deep.equal({ kind: 'done' });
    expect(scene.node.remains()).to.deep.equal(nothing);
  });
});

describe('an agent that is asked for more', () => {
  it('collects attachments that are not valid, of the network only', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const collect = (networkName: string, ...valid: readonly (typeof attachment)[]) =>
      scene.run({ command: 'GC', cniVersion: '1.1.0', network: networkName, valid });
    await collect('other');
    await collect('cluster_udn_blue', attachment);
    expect(scene.node.switchPorts).to.have.length(1);
    await collect('cluster_udn_blue', { containerId: 'c0ffee', ifname: 'net2' });
    expect([scene.node.switchPorts, scene.node.logicalPorts]).to.deep.equal([[], []]);
  });

  it('collects no logical switch port that the next container of the pod has already', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const { ports } = scene.node;
    const valid = [{ containerId: 'decaf', ifname: 'net1' }];
    let collected: Promise<CniAnswer> | undefined;
    const agent = agentWith(scene, {
      remove: async (name) => {
        const call: CniCall = { command: 'GC', cniVersion: '1.1.0', network: 'cluster_udn_blue', valid };
        collected ??= agent.answer(call, scene.node.plugin('', ''));
        // It looks for what is not valid meanwhile.
        await setImmediate();
        return await ports.switchPorts.remove(name);
      },
    });
    const plugin = scene.node.plugin('/run/netns/next', 'net1');
    expect((await agent.answer(add('decaf', '/run/netns/next'), plugin)).kind).to.equal('attached');
    expect(await collected).to.deep.equal({ kind: 'done' });
    expect(scene.node.logicalPorts).to.have.length(1);
  });

  it('reports by STATUS whether the databases can be read', async () => {
    const scene = new PodScene();
    const status: CniCall = { command: 'STATUS', cniVersion: '1.1.0' };
    expect(await scene.run(status)).to.deep.equal({ kind: 'done' });
    scene.node.disturb(1, 'fails');
    expect(errorOf(await scene.run(status))).to.include({ code: 50, details: 'ovnnb_db.sock: cannot be read' });
  });
});
