import { expect } from 'chai';
import { CHASSIS_ID_ANNOTATION } from '../../../../src/domain/basics/conventions.ts';
import { isIntentChanged } from '../../../../src/control/node/relevant-changes.ts';
import { type ClusterSnapshot, defaultSettings, planNode } from '../../../../src/domain/index.ts';
import { completeNode } from '../../../../src/testing/index.ts';
import {
  attachment,
  cluster,
  frrConfiguration,
  namespace,
  network,
  node,
  nodeConfig,
  pod,
  routeAdvertisements,
  serviceCidr,
  uplink,
  uplinkState,
} from '../../domain/brief-objects.ts';
import { capturedWorld, Simulation, type World } from './simulation.ts';

type Change = (before: ClusterSnapshot) => Partial<ClusterSnapshot>;

describe('a change of the cluster', () => {
  const settings = { ...defaultSettings, dynamicNetworks: true };
  const before = cluster({
    nodes: [node('a'), node('b')],
    namespaces: [namespace('blue'), namespace('other')],
    pods: [pod('p', 'blue', 'a'), pod('q', 'blue', 'a'), pod('r', 'other', 'b')],
    uplinks: [uplink('blue', [nodeConfig('br-blue')])],
    clusterUserDefinedNetworks: [network('blue')],
    networkAttachmentDefinitions: [attachment('blue', '7')],
    routeAdvertisements: [routeAdvertisements('ra')],
    frrConfigurations: [frrConfiguration('frr')],
  });
  const snapshot = completeNode({ nodeName: 'a', links: [{ name: 'br-blue' }] });
  const conditions = [{ type: 'T', status: 'True', reason: 'R', message: '' }] as const;

  const irrelevant: Readonly<Record<string, Change>> = {
    'a pod on another node': ({ pods }) => ({ pods: [...pods, pod('s', 'blue', 'b')] }),
    'the end of a pod whose networks stay': ({ pods }) => ({
      pods: pods.slice(2),
      formerActivity: [{ namespace: 'blue', node: 'a' }],
    }),
    'a second pod of a namespace': ({ pods }) => ({ pods: [...pods, pod('s', 'blue', 'a')] }),
    'one of two pods that goes': ({ pods }) => ({ pods: pods.slice(1) }),
    'a pod of the host network': ({ pods }) => ({
      pods: [...pods, pod('s', 'other', 'a', { spec: { nodeName: 'a', hostNetwork: true } })],
    }),
    'another phase of a pod': ({ pods }) => ({
      pods: pods.map((each, index) => (index === 0 ? { ...each, status: { phase: 'Succeeded' } } : each)),
    }),
    'another node': ({ nodes }) => ({ nodes: [...nodes, node('c')] }),
    'a condition of an Uplink': ({ uplinks }) => ({
      uplinks: uplinks.map((each) => ({ ...each, status: { conditions } })),
    }),
    'a finalizer of an Uplink': ({ uplinks }) => ({
      uplinks: uplinks.map((each) => ({ ...each, metadata: { ...each.metadata, finalizers: ['f'] } })),
    }),
    'a condition of a network': ({ clusterUserDefinedNetworks: networks }) => ({
      clusterUserDefinedNetworks: networks.map((each) => ({ ...each, status: { conditions } })),
    }),
    'the state of another node': () => ({ uplinkStates: [uplinkState('blue', 'b')] }),
  };
  for (const [what, change] of Object.entries(irrelevant)) {
    it(`is not relevant to a node if it is ${what}`, () => {
      const after = { ...before, ...change(before) };
      expect(isIntentChanged(before, after, 'a', { settings, once: false })).to.equal(false);
      expect(planNode(after, snapshot, settings)).to.deep.equal(planNode(before, snapshot, settings));
    });
  }

  const relevant: Readonly<Record<string, Change>> = {
    'the first pod of a namespace': ({ pods }) => ({ pods: [...pods, pod('s', 'other', 'a')] }),
    'the last pod of a namespace that goes': ({ pods }) => ({ pods: pods.slice(2) }),
    'the end of a grace period': () => ({ formerActivity: [{ namespace: 'other', node: 'a' }] }),
    'pods that finish': ({ pods }) => ({ pods: pods.map((each) => ({ ...each, status: { phase: 'Failed' } })) }),
    'the node itself': ({ nodes }) => ({ nodes: [node('a', { labels: { rack: 'r' } }), ...nodes.slice(1)] }),
    'the interface of an Uplink': () => ({ uplinks: [uplink('blue', 'br-red')] }),
    'an Uplink more': ({ uplinks }) => ({ uplinks: [...uplinks, uplink('red', 'br-red')] }),
    'an Uplink that was made again': () => ({ uplinks: [uplink('blue', 'br-blue', { uid: 'new' })] }),
    'a label of a network': () => ({
      clusterUserDefinedNetworks: [network('blue', { metadata: { labels: { advertise: 'yes' } } })],
    }),
    'a network that goes': () => ({ clusterUserDefinedNetworks: [] }),
    'the id of a network': () => ({ networkAttachmentDefinitions: [attachment('blue', '8')] }),
    'a label of a namespace': () => ({ namespaces: [namespace('blue', {})] }),
    RouteAdvertisements: () => ({ routeAdvertisements: [] }),
    'a ServiceCIDR': () => ({ serviceCidrs: [serviceCidr('more', '10.112.0.0/16')] }),
    'an FRRConfiguration': () => ({ frrConfigurations: [] }),
  };
  for (const [what, change] of Object.entries(relevant)) {
    it(`is relevant to a node if it is ${what}`, () => {
      const after = { ...before, ...change(before) };
      expect(isIntentChanged(before, after, 'a', { settings, once: false })).to.equal(true);
    });
  }

  const userDefinedNetwork = {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'UserDefinedNetwork',
    metadata: { namespace: 'blue', name: 'blue' },
    spec: { topology: 'Layer3' },
  };
  const whole = { ...settings, providedNetworks: 'all' } as const;
  const relevantForWhole: Readonly<Record<string, Change>> = {
    'another node': ({ nodes }) => ({ nodes: [...nodes, node('c')] }),
    'the chassis of another node': ({ nodes }) => ({
      nodes: [nodes[0]!, node('b', { annotations: { [CHASSIS_ID_ANNOTATION]: 'b' } })],
    }),
    'the first pod of a namespace on another node': ({ pods }) => ({ pods: [...pods, pod('s', 'blue', 'b')] }),
    'a claim of an id': () => ({
      configMaps: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ids' }, data: { 'node-2': 'a' } }],
    }),
    'a UserDefinedNetwork': () => ({ userDefinedNetworks: [userDefinedNetwork] }),
  };
  for (const [what, change] of Object.entries(relevantForWhole)) {
    it(`is relevant to a node that provided networks are provided on if it is ${what}`, () => {
      const after = { ...before, ...change(before) };
      expect(isIntentChanged(before, after, 'a', { settings: whole, once: false })).to.equal(true);
      expect(isIntentChanged(before, after, 'a', { settings, once: false })).to.equal(false);
    });
  }

  it('is not relevant to provided networks if it is another pod of a namespace on another node', () => {
    const after = { ...before, pods: [...before.pods, pod('s', 'other', 'b')] };
    expect(isIntentChanged(before, after, 'a', { settings: whole, once: false })).to.equal(false);
  });

  it('is found without making text of what has not changed', () => {
    const failing = (): never => {
      throw new Error('something that has not changed was read');
    };
    const unlisted = <Item extends object>(item: Item): Item => new Proxy(item, { ownKeys: failing });
    const unread = new Proxy<readonly never[]>([], { get: failing });
    const added: Partial<ClusterSnapshot> = {
      pods: [pod('s', 'blue', 'b')],
      nodes: [node('c')],
      uplinks: [uplink('red', 'br-red')],
      clusterUserDefinedNetworks: [network('red')],
      networkAttachmentDefinitions: [attachment('red', '8')],
    };
    const rest = cluster(Object.fromEntries(Object.keys(before).map((kind) => [kind, unread])));
    const isRelevant = Object.entries(added).map(([kind, objects]) => {
      const list = before[kind as 'pods'].map(unlisted);
      const [former, present] = [list, [...list, ...objects]].map((each) => ({ ...rest, [kind]: each }));
      return isIntentChanged(former!, present!, 'a', { settings, once: false });
    });
    expect(isRelevant).to.deep.equal([false, false, true, true, true]);
  });

  it('of pods is not relevant if networks are active on every node', () => {
    const after = { ...before, pods: [] };
    expect(isIntentChanged(before, after, 'a', { settings: defaultSettings, once: false })).to.equal(false);
  });
});

describe('the node loop that applies a plan', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  /** A loop in a cluster that changes after each operation. */
  function disturbed(change: (before: ClusterSnapshot, count: number) => Partial<ClusterSnapshot>): Simulation {
    const simulation = new Simulation(world);
    simulation.afterwards = (effect) => {
      if (effect.do !== 'apply') return;
      const objects = simulation.cluster;
      simulation.cluster = { ...objects, ...change(objects, simulation.operations.length) };
      simulation.change('cluster');
    };
    return simulation;
  }

  const undisturbed = () => new Simulation(world).start();

  const irrelevant: Readonly<Record<string, (before: ClusterSnapshot, count: number) => Partial<ClusterSnapshot>>> = {
    'pods of other nodes come and go': ({ pods }, count) => ({
      pods: [...pods.slice(count % 2), pod(`p${count}`, 'other', 'worker-b')],
    }),
    'states of other nodes change': ({ uplinkStates }, count) => ({
      uplinkStates: [...uplinkStates, uplinkState(`u${count}`, 'worker-b')],
    }),
    'conditions of networks change': ({ clusterUserDefinedNetworks: networks }, count) => ({
      clusterUserDefinedNetworks: networks.map((each) => ({
        ...each,
        status: { conditions: [{ type: 'UplinksReady', status: 'False', reason: 'R', message: `${count} nodes` }] },
      })),
    }),
    'its own states are observed': ({ uplinkStates }) => ({ uplinkStates: [...uplinkStates] }),
  };
  for (const [what, change] of Object.entries(irrelevant)) {
    it(`plans as often as without changes while ${what}`, () => {
      const { state, operations } = undisturbed();
      const simulation = disturbed(change).start();
      expect(simulation.operations).to.deep.equal(operations);
      expect(operations.length).to.be.above(20);
      // Once more for what changed with the last operation.
      expect(simulation.state.plans).to.equal(state.plans + 1);
    });
  }

  it('plans after each operation while its desired state changes', () => {
    const simulation = disturbed(({ nodes }, count) => ({
      nodes: nodes.map((each) => ({
        ...each,
        metadata: { ...each.metadata, annotations: { ...each.metadata.annotations, count: `${count}` } },
      })),
    })).start();
    // With each plan all flows of a bridge whose ports are there come together.
    expect(simulation.state.plans).to.be.at.least(undisturbed().operations.length - 1);
  });

  it('plans again before the next operation if another program changes one of its states', () => {
    /** The number of the plan that each operation is of, in a loop whose states change after some of them. */
    function plansOf(isChanged: (count: number) => boolean): readonly number[] {
      const plans: number[] = [];
      const simulation = disturbed(({ uplinkStates }) => {
        plans.push(simulation.state.plans);
        if (!isChanged(plans.length)) return {};
        return {
          uplinkStates: uplinkStates.map((each) => ({ ...each, status: { ...each.status, macAddress: 'odd' } })),
        };
      });
      simulation.start();
      return plans;
    }
    // The loop is told of a change while it applies the next operation.
    const usual = plansOf(() => false);
    const next = usual.findIndex((plan, index) => index > 1 && plan === usual[index - 1] && plan === usual[index - 2]);
    expect(plansOf((count) => count === next - 1)[next]).to.equal(usual[next]! + 1);
  });
});
