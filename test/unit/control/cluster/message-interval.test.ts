import { expect } from 'chai';
import { clusterStep, type ClusterEvent, initialClusterState } from '../../../../src/control/cluster/step.ts';
import { objectText } from '../../../../src/domain/objects/object-write.ts';
import type { Writes } from '../../../../src/control/cluster/writes.ts';
import {
  type ClusterSettings,
  type ClusterSnapshot,
  defaultSettings,
  type UplinkState,
} from '../../../../src/domain/index.ts';
import { attachment, cluster, network, node, notReady, pod, uplink, uplinkState } from '../../domain/brief-objects.ts';
import { provided, withNetwork } from '../../domain/explanation/provided-cluster.ts';

/** A loop of the cluster with a simulated clock, and everything that it writes. */
class Simulation {
  cluster: ClusterSnapshot;
  now = 1000;
  /** Why an object cannot be written; absent where it can. */
  refusal: string | undefined;
  finished: boolean | undefined;
  readonly writes: { readonly at: number; readonly object: string; readonly text: string; readonly pods?: number }[] =
    [];
  /** Objects whose conditions were reported. */
  readonly reported: string[] = [];
  #state;
  #alarm = Number.POSITIVE_INFINITY;

  constructor(objects: ClusterSnapshot, settings: ClusterSettings = defaultSettings) {
    this.cluster = objects;
    this.#state = initialClusterState({ settings, once: false });
    this.change();
  }

  change(): void {
    this.#dispatch({ kind: 'changed' });
  }

  stop(): void {
    this.#dispatch({ kind: 'stop' });
  }

  /** A pod gets an address in network `blue` of namespace `demo`. */
  attach(name: string): void {
    const annotations = { 'k8s.ovn.org/pod-networks': '{"demo/blue":{"ip_addresses":["10.20.0.3/24"]}}' };
    const attached = pod(name, 'demo', 'a', { metadata: { namespace: 'demo', name, annotations } });
    this.cluster = { ...this.cluster, pods: [...this.cluster.pods, attached] };
    this.change();
  }

  /** A node writes its state. */
  report(state: UplinkState): void {
    const others = this.cluster.uplinkStates.filter(({ metadata }) => metadata.name !== state.metadata.name);
    this.cluster = { ...this.cluster, uplinkStates: [...others, state] };
    this.change();
  }

  pass(milliseconds: number): void {
    const end = this.now + milliseconds;
    while (this.#alarm <= end) {
      this.now = Math.max(this.now, this.#alarm);
      this.#alarm = Number.POSITIVE_INFINITY;
      this.#dispatch({ kind: 'alarm' });
    }
    this.now = end;
  }

  #dispatch(event: ClusterEvent): void {
    const [state, effects] = clusterStep(this.#state, { ...event, at: this.now });
    this.#state = state;
    for (const effect of effects) {
      if (effect.do === 'observe') {
        const value = { snapshot: this.cluster, origins: new Map(), warnings: [] };
        this.#dispatch({ kind: 'observed', reading: { read: true, value } });
      } else if (effect.do === 'write') this.#write(effect.writes);
      else if (effect.do === 'set-alarm') this.#alarm = effect.at;
      else if (effect.do === 'finish') this.finished = effect.isDone;
      else if (effect.report.kind === 'condition') this.reported.push(effect.report.object);
    }
  }

  #write({ statuses }: Writes): void {
    const { refusal } = this;
    if (refusal === undefined) {
      for (const status of statuses) {
        const { kind, name, status: { conditions = [], attachedPods } = {} } = status.write;
        const [condition] = conditions;
        this.writes.push({
          at: this.now,
          object: objectText(status.write),
          text: `${condition!.reason}: ${condition!.message}`,
          ...(attachedPods !== undefined && { pods: attachedPods as number }),
        });
        const withCondition = <Item extends { metadata: { name: string } }>(object: Item): Item =>
          object.metadata.name === name ? { ...object, status: { conditions, attachedPods } } : object;
        const { uplinks, clusterUserDefinedNetworks: networks } = this.cluster;
        this.cluster =
          kind === 'Uplink'
            ? { ...this.cluster, uplinks: uplinks.map(withCondition) }
            : { ...this.cluster, clusterUserDefinedNetworks: networks.map(withCondition) };
      }
    }
    const refused = new Map(refusal === undefined ? [] : statuses.map((status) => [objectText(status.write), refusal]));
    this.#dispatch({ kind: 'written', refused });
  }
}

const BLUE = 'ClusterUserDefinedNetwork/blue';
const entry = { name: 'blue', ready: 'True', reason: 'Ready', message: '' } as const;
const ready = (name: string) => uplinkState('blue', name, { networks: [entry] });

function withNodes(count: number): ClusterSnapshot {
  return cluster({
    nodes: Array.from({ length: count }, (_, index) => node(`n${index}`)),
    uplinks: [uplink('blue', 'br-blue', { finalizers: ['k8s.ovn.org/uplink-protection'] })],
    clusterUserDefinedNetworks: [network('blue')],
    networkAttachmentDefinitions: [attachment('blue', '7')],
  });
}

describe('the conditions of a network', () => {
  /** A network that is written at 1.02 s, and has a message to write again from 1.12 s on. */
  function withOtherMessage(): Simulation {
    const simulation = new Simulation(withNodes(9));
    simulation.pass(100);
    simulation.report(ready('n0'));
    simulation.pass(100);
    return simulation;
  }
  const ofBlue = ({ writes }: Simulation) =>
    writes.filter(({ object }) => object === BLUE).map(({ at, text }) => `${at} ${text.replace(/ nodes.*/, '')}`);

  it('get another message five seconds after the last write, and always the last message', () => {
    const simulation = withOtherMessage();
    expect(ofBlue(simulation)).to.deep.equal(['1020 UplinkNotReadyForNode: 9 of 9 active']);
    expect(simulation.reported.filter((object) => object === BLUE)).to.have.length(1);
    for (const name of ['n1', 'n2']) {
      simulation.pass(1000);
      simulation.report(ready(name));
    }
    simulation.pass(60_000);
    expect(ofBlue(simulation).slice(1)).to.deep.equal(['6020 UplinkNotReadyForNode: 6 of 9 active']);
    expect(simulation.reported.filter((object) => object === BLUE)).to.have.length(2);
  });

  it('get another message at once if the last write was five seconds ago', () => {
    const simulation = withOtherMessage();
    simulation.pass(20_000);
    const { now } = simulation;
    simulation.report(ready('n1'));
    simulation.pass(1000);
    expect(ofBlue(simulation).at(-1)).to.equal(`${now + 20} UplinkNotReadyForNode: 7 of 9 active`);
  });

  it('get another reason at once', () => {
    const simulation = withOtherMessage();
    const { now } = simulation;
    const failed = { ...entry, ready: 'False', reason: 'UplinkVRFAttachmentFailed' } as const;
    simulation.report(uplinkState('blue', 'n1', { networks: [failed] }));
    for (const name of Array.from({ length: 7 }, (_, index) => `n${index + 2}`)) simulation.report(ready(name));
    simulation.pass(1000);
    expect(ofBlue(simulation).slice(1)).to.deep.equal([`${now + 20} UplinkVRFAttachmentFailed: 1 of 9 active`]);
  });

  it('get the outstanding message when the loop is stopped', () => {
    const simulation = withOtherMessage();
    simulation.stop();
    expect(ofBlue(simulation).at(-1)).to.match(/ UplinkNotReadyForNode: 8 of 9 active$/);
    expect(simulation.finished).to.equal(true);
  });

  it('get a message that could not be written with the retry, not five seconds later', () => {
    const simulation = withOtherMessage();
    simulation.refusal = 'disk is full';
    simulation.pass(5000);
    simulation.refusal = undefined;
    simulation.pass(1500);
    expect(ofBlue(simulation).slice(1)).to.deep.equal(['7020 UplinkNotReadyForNode: 8 of 9 active']);
  });

  it('are written some dozen times while 1,000 nodes become ready one by one', function () {
    this.timeout(60_000);
    const COUNT = 1000;
    const simulation = new Simulation(withNodes(COUNT));
    for (let index = 0; index < COUNT; index += 1)
      simulation.report(uplinkState('blue', `n${index}`, notReady('MTUInvalid')));
    simulation.pass(10_000);
    const before = simulation.writes.length;
    const begin = simulation.now;
    for (let index = 0; index < COUNT; index += 1) {
      simulation.report(ready(`n${index}`));
      simulation.pass(100);
    }
    const took = simulation.now - begin;
    simulation.pass(10_000);
    const writes = simulation.writes.slice(before).filter(({ object }) => object === BLUE);
    // One each five seconds, one at the start and one with the last reason.
    expect(writes.length).to.be.at.most(took / 5000 + 2);
    expect(writes.at(-1)?.text).to.equal(`UplinksReady: ready on ${COUNT} of ${COUNT} active nodes`);
  });
});

describe('the number of pods in a network', () => {
  it('is written every five seconds at most, and always the last one', () => {
    const COUNT = 100;
    const simulation = new Simulation(withNetwork(), provided);
    simulation.pass(10_000);
    expect(simulation.writes.map(({ pods }) => pods)).to.deep.equal([0]);
    const begin = simulation.now;
    for (let index = 0; index < COUNT; index += 1) {
      simulation.attach(`pod-${index}`);
      simulation.pass(200);
    }
    simulation.pass(60_000);
    const counts = simulation.writes.slice(1).map(({ at, pods }) => `${pods} pods after ${at - begin} ms`);
    expect(counts).to.deep.equal([
      '1 pods after 20 ms',
      '26 pods after 5020 ms',
      '51 pods after 10020 ms',
      '76 pods after 15020 ms',
      '100 pods after 20020 ms',
    ]);
  });
});
