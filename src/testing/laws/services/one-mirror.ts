import type { EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import { SOURCE_SLICE_ANNOTATION } from '../../../domain/basics/conventions.ts';
import { isManaged, isMirror, placeOfName } from '../../../domain/services/slices.ts';
import type { ClusterSnapshot } from '../../../domain/snapshot/cluster-snapshot.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { type Choose, chooser } from '../../shuffle.ts';
import { type StoredWrite, StoredSlices, writesOfServices } from '../../stored-slices.ts';
import type { CaseLabels } from '../labels.ts';
import { assertLaw, assertSame } from '../violation.ts';

const law = 'one mirror';

/** Number of things that happen before all are left to come to an end. */
const EVENTS = 24;

/** Number of plans after which nothing should be left to do. */
const MOST_PLANS = 4;

/** A cluster that changes, with two cluster managers. */
class Managed {
  readonly slices: StoredSlices;
  readonly #engine: Engine;
  readonly #case: Case;
  readonly #pending: [StoredWrite[], StoredWrite[]] = [[], []];
  #pods: ClusterSnapshot['pods'];

  constructor(engine: Engine, subject: Case) {
    this.#engine = engine;
    this.#case = subject;
    this.slices = new StoredSlices(subject.cluster.endpointSlices);
    this.#pods = subject.cluster.pods;
  }

  /** The sources and mirrors as they are. */
  get cluster(): ClusterSnapshot {
    return { ...this.#case.cluster, pods: this.#pods, endpointSlices: this.slices.list };
  }

  plan(): readonly StoredWrite[] {
    const { provision } = this.#engine.planCluster(this.cluster, { ...this.#case.settings });
    return provision === undefined ? [] : writesOfServices(provision.services);
  }

  /** A cluster manager plans, writes the next thing that it has planned, or stops and starts again. */
  act(choose: Choose): void {
    const pending = this.#pending[choose(2)] ?? [];
    const what = choose(5);
    if (what === 4) pending.length = 0;
    else if (pending.length === 0) pending.push(...this.plan());
    const next = what < 3 ? pending.shift() : undefined;
    if (next !== undefined) this.slices.write(next);
  }

  /** A user, a pod or the garbage collector changes something. */
  change(choose: Choose): void {
    const { endpointSlices, pods } = this.#case.cluster;
    const source = endpointSlices[choose(endpointSlices.length)];
    const written = this.slices.list.filter(isManaged);
    const ours = written[choose(Math.max(1, written.length))];
    switch (choose(5)) {
      case 0:
        this.#pods = pods.filter(() => choose(4) > 0);
        break;
      case 1:
        if (source !== undefined) this.slices.put({ ...source, endpoints: (source.endpoints ?? []).slice(choose(2)) });
        break;
      case 2:
        if (source !== undefined) this.slices.remove(source);
        break;
      case 3:
        if (ours !== undefined) this.slices.put({ ...ours, endpoints: [{ addresses: ['192.0.2.99'] }] });
        break;
      default:
        if (ours !== undefined) this.slices.remove(ours);
    }
  }

  /** Both cluster managers finish what they have begun, and then plan until nothing is left to do. */
  settle(): void {
    for (const pending of this.#pending) for (const write of pending.splice(0)) this.slices.write(write);
    for (let plans = 0; plans < MOST_PLANS; plans += 1) for (const write of this.plan()) this.slices.write(write);
  }
}

const sourceOf = ({ metadata: { namespace = '', annotations } }: EndpointSlice) =>
  `${namespace}/${annotations?.[SOURCE_SLICE_ANNOTATION] ?? ''}`;

function assertOne(slices: readonly EndpointSlice[]): void {
  const sources = slices.filter(isMirror).map(sourceOf);
  const twice = sources.find((source, at) => sources.indexOf(source) !== at);
  assertLaw(law, twice === undefined, () => `EndpointSlice ${twice} has two mirrors`);
}

/** Law: names lead to a pod by one slice, once all is written. */
function assertNamedOnce(slices: readonly EndpointSlice[]): void {
  const pods = slices
    .filter((slice) => isManaged(slice) && !isMirror(slice))
    .flatMap(({ metadata: { namespace = '', name }, addressType = '', endpoints }) => {
      const { service = '' } = placeOfName(name) ?? {};
      return (endpoints ?? []).map(
        ({ targetRef }) => `${namespace}/${service} ${addressType} ${targetRef?.name ?? ''}`,
      );
    });
  const twice = pods.find((pod, at) => pods.indexOf(pod) !== at);
  assertLaw(law, twice === undefined, () => `names lead twice to ${twice}`);
}

/** The slices of ours without what an API server gives them. */
const contents = (slices: readonly EndpointSlice[]) =>
  slices.filter(isManaged).map(({ metadata: { uid: _uid, ...metadata }, ...slice }) => ({ ...slice, metadata }));

/**
 * Law: an EndpointSlice has one mirror at most, whatever two cluster managers do at once and others do meanwhile; in the end mirrors, and slices of names, are those of
 * a cluster manager that finds none, each pod is in one slice of names, and a mirror that is there is not replaced by another.
 */
export function checkOneMirror(engine: Engine, subject: Case, seed: number): CaseLabels {
  if (subject.cluster.endpointSlices.length === 0) return [];
  const choose = chooser(seed);
  const managed = new Managed(engine, subject);
  for (let event = 0; event < EVENTS; event += 1) {
    if (choose(4) === 0) managed.change(choose);
    else managed.act(choose);
    assertOne(managed.slices.list);
  }
  managed.settle();
  const { list } = managed.slices;
  assertOne(list);
  assertNamedOnce(list);
  assertLaw(law, managed.plan().length === 0, () => 'something is left to do');
  const sources = list.filter((slice) => !isManaged(slice));
  const anew = new Managed(engine, { ...subject, cluster: { ...managed.cluster, endpointSlices: sources } });
  anew.settle();
  assertSame(law, 'slices, and those that are made anew,', contents(list), contents(anew.slices.list));
  return list.some(isMirror) ? ['mirror'] : [];
}
