/**
 * Repairs of what has changed over generated sequences of events: after each they lead to the same node as repairs of everything, and leave nothing to do
 * for one of everything.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { POD_NETWORKS_ANNOTATION } from '../../../src/domain/basics/conventions.ts';
import type { CniCall } from '../../../src/domain/pods/cni/call.ts';
import type { Pod } from '../../../src/domain/index.ts';
import { namespace, pod } from '../../unit/domain/brief-objects.ts';
import { add, blue, del, nothing, PodScene } from '../../unit/control/pods/pod-scene.ts';
import { Coverage } from '../../coverage.ts';
import { caseCount } from '../../case-count.ts';

const names = ['web', 'next'] as const;
type Name = (typeof names)[number];

const containers = { web: 'c0ffee', next: 'decaf' } as const;

const devices = names.map((name, place) => ({ name: `veth-${name}`, index: 101 + place }));

const netnsOf = (name: Name) => `/run/netns/${name}`;

/** Pods without all objects are refused at once. */
const brief = { objects: 1, flows: 1, gateway: 1, annotation: 1000 };

const which = fc.constantFrom(...names);

const uidOf = (name: Name, uid: number): string => `${name}-${uid}`;

/** A pod that is created with a uid, and a port that is probed. */
const podOf = (name: Name, uid: number, port: number): Pod => ({
  ...pod(name, 'demo', 'worker-a', { metadata: { name, namespace: 'demo', uid: uidOf(name, uid) } }),
  spec: { nodeName: 'worker-a', containers: port === 0 ? [] : [{ readinessProbe: { httpGet: { port } } }] },
});

const events = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('add' as const), name: which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), name: which }) },
  fc.record({
    kind: fc.constant('object' as const),
    name: which,
    uid: fc.integer({ min: 1, max: 2 }),
    port: fc.constantFrom(0, 80, 81),
  }),
  fc.record({ kind: fc.constant('no-object' as const), name: which }),
  fc.record({ kind: fc.constant('no-annotation' as const), name: which }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unlock' as const), names: fc.subarray([...names]) }) },
  fc.record({ kind: fc.constant('no-logical-port' as const), name: which }),
  fc.record({ kind: fc.constant('no-switch-port' as const), name: which }),
  fc.record({ kind: fc.constant('no-interface' as const), name: which }),
  fc.record({ kind: fc.constant('no-device' as const), name: which }),
  fc.record({
    kind: fc.constant('surround' as const),
    address: fc.constantFrom(undefined, '10.1.0.1', '10.1.0.2', '10.1.0.1'),
  }),
  fc.record({ kind: fc.constant('namespace' as const), tenant: fc.constantFrom('blue', 'blue', 'red') }),
  fc.record({ kind: fc.constant('networks' as const), isThere: fc.constantFrom(true, true, false) }),
  fc.record({ kind: fc.constant('failure' as const), at: fc.nat(6) }),
  fc.record({ kind: fc.constant('restart' as const) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('prepare' as const) }) },
);

type Event = typeof events extends fc.Arbitrary<infer Value> ? Value : never;

const withName = ({ metadata }: Pod, name: Name) => metadata.name === name;

function withoutAnnotation(each: Pod): Pod {
  const { annotations: _, ...metadata } = each.metadata;
  return { ...each, metadata };
}

/** Lets events of each kind happen. */
const happenings: {
  readonly [Kind in Event['kind']]: (scene: PodScene, event: Extract<Event, { readonly kind: Kind }>) => unknown;
} = {
  add: (scene, { name }) => {
    const { locks, facts } = scene.node;
    locks.devices = [...new Set([...locks.devices, ...devices.filter((each) => each.name === `veth-${name}`)])];
    const uid = facts.pods.find((each) => withName(each, name))?.metadata.uid ?? uidOf(name, 1);
    const call = { ...add(containers[name], netnsOf(name)), pod: { namespace: 'demo', name, uid } } as CniCall;
    return scene.run(call, netnsOf(name));
  },
  delete: (scene, { name }) => scene.run(del(containers[name]), netnsOf(name)),
  object: ({ node }, { name, uid, port }) => {
    const isOther = (each: Pod) => !withName(each, name);
    const former = node.facts.pods.find((each) => each.metadata.uid === uidOf(name, uid));
    const created = podOf(name, uid, port);
    const changed = former === undefined ? created : { ...created, metadata: former.metadata };
    node.change({ pods: [...node.facts.pods.filter(isOther), changed] });
  },
  'no-object': ({ node }, { name }) => {
    node.change({ pods: node.facts.pods.filter((each) => !withName(each, name)) });
  },
  'no-annotation': ({ node }, { name }) => {
    node.change({ pods: node.facts.pods.map((each) => (withName(each, name) ? withoutAnnotation(each) : each)) });
  },
  unlock: ({ node }, event) => {
    node.locks.lose(event.names.map((name) => devices[names.indexOf(name)]?.index ?? 0));
  },
  'no-logical-port': ({ node }, { name }) => {
    node.logicalPorts = node.logicalPorts.filter((port) => port.pod.name !== name);
  },
  'no-switch-port': ({ node }, { name }) => {
    node.switchPorts = node.switchPorts.filter((port) => port.pod.name !== name);
  },
  'no-interface': ({ node }, { name }) => {
    node.links.delete(`${netnsOf(name)} net1`);
  },
  'no-device': ({ node }, { name }) => {
    node.locks.devices = node.locks.devices.filter((each) => each.name !== `veth-${name}`);
  },
  surround: ({ node }, { address }) => {
    node.surround(address === undefined ? undefined : { nodeAddresses: [address], services: [] });
  },
  namespace: ({ node }, { tenant }) => {
    node.change({ namespace: namespace('demo', { ...node.facts.namespace?.metadata.labels, tenant }) });
  },
  networks: ({ node }, { isThere }) => {
    node.change({ networks: isThere ? [blue] : [] });
  },
  // Of a call of the repair that follows.
  failure: () => undefined,
  restart: (scene) => {
    scene.restartAgent();
  },
  prepare: (scene) => scene.prepare(),
};

async function happen(scene: PodScene, event: Event): Promise<void> {
  await (happenings[event.kind] as (scene: PodScene, event: Event) => unknown)(scene, event);
}

/** Everything that repairs change. */
function stateOf({ node }: PodScene) {
  const annotations = node.facts.pods.map(({ metadata }) => metadata.annotations?.[POD_NETWORKS_ANNOTATION]);
  const locks = node.locks.all.toSorted((left, right) => left.interface.index - right.interface.index);
  return { ...node.remains(), locks, annotations, switchPorts: node.switchPorts };
}

const writes = ['lock', 'unlock', 'clear locks', 'annotate'];
const isWrite = (call: string) => writes.includes(call) || /^(?:put|add|remove) /.test(call);

/** Repairs as Repairs does: everything at the start, and after failures. */
async function repaired(scene: PodScene, isFirst: boolean): Promise<void> {
  const attempt = await scene.repair(isFirst ? 'everything' : 'changed');
  if (!attempt.ok) await scene.repair('everything');
}

/** Runs a story on two nodes. @returns what was reached */
async function run(story: readonly Event[]): Promise<Readonly<Record<string, boolean>>> {
  const done = new Set<string>();
  let isSettled = false;
  let isPrepared = false;
  const [changed, whole] = [new PodScene(brief), new PodScene(brief)];
  for (const scene of [changed, whole]) scene.node.change({ pods: names.map((name) => podOf(name, 1, 80)) });
  let isFirst = true;
  for (const event of story) {
    for (const scene of [changed, whole]) await happen(scene, event);
    isFirst ||= event.kind === 'restart';
    const before = changed.node.calls.length;
    if (event.kind === 'failure') changed.node.disturb(event.at, 'fails');
    await repaired(changed, isFirst);
    changed.node.disturb(-1, 'fails');
    isFirst = false;
    // What one removes may be what the next one no longer looks at.
    for (let time = 0; time < 2; time++) await whole.repair('everything');
    const calls = changed.node.calls.slice(before).filter(isWrite);
    isSettled ||= calls.length === 0 && changed.node.switchPorts.length > 0;
    for (const call of calls) done.add(call);
    expect(stateOf(changed), event.kind).to.deep.equal(stateOf(whole));
    const given = changed.node.logicalPorts.flatMap(({ addresses }) => addresses);
    expect(given, 'an address twice').to.deep.equal([...new Set(given)]);
    isPrepared ||= event.kind === 'prepare' && calls.length === 0 && given.length > 0;
  }
  const before = changed.node.calls.length;
  // Of another agent: it does not know what was in order.
  changed.restartAgent();
  await changed.repair('everything');
  const left = changed.node.calls.slice(before).filter(isWrite);
  // The annotation is compared before it is written.
  expect(left.filter((call) => call !== 'annotate')).to.deep.equal([]);
  expect(stateOf(changed)).to.deep.equal(stateOf(whole));
  changed.node.change({ pods: [] });
  changed.node.links.clear();
  changed.node.locks.devices = [];
  await changed.repair('changed');
  expect(changed.node.remains()).to.deep.equal(nothing);
  return {
    locked: done.has('lock'),
    unlocked: done.has('unlock'),
    annotated: done.has('annotate'),
    restored: done.has('put logical port'),
    collected: done.has('remove logical port') || done.has('remove switch port'),
    settled: isSettled,
    prepared: isPrepared,
  };
}

describe('repairs of what has changed', () => {
  it('lead to the same as repairs of everything, after any sequence of events', async function () {
    this.timeout(60_000);
    const coverage = new Coverage();
    await fc.assert(
      fc.asyncProperty(fc.array(events, { maxLength: 25, size: 'max' }), async (story) => {
        coverage.count(await run(story));
      }),
      { numRuns: caseCount(200) },
    );
    coverage.expect({
      locked: 0.1,
      unlocked: 0.005,
      annotated: 0.1,
      restored: 0.03,
      collected: 0.1,
      settled: 0.2,
      prepared: 0.1,
    });
  });
});
