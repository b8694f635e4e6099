import type { EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import type { Service } from '../../../domain/api/service.ts';
import { MIRRORED_SERVICE_LABEL } from '../../../domain/basics/conventions.ts';
import { canonicalAddress } from '../../../domain/basics/addresses/ip-address.ts';
import { by } from '../../../domain/basics/names/ordering.ts';
import { isMirror, serviceOfSource } from '../../../domain/services/slices.ts';
import type { ServedObjects } from '../../../domain/services/services-on-node.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { type Choose, chooser } from '../../shuffle.ts';
import type { CaseLabels } from '../labels.ts';
import { assertLaw, assertSame } from '../violation.ts';
import { BalancedNode, keyOf, servedObjects } from './balanced-node.ts';

const law = 'local cost';

/** Number of changes, one after the other. */
const EVENTS = 12;

/** Objects after a change, with the key of the Service that has changed. */
interface Changed {
  readonly objects: ServedObjects;
  readonly service: string;
}

/** The key of the Service that a slice is of. */
function serviceOf(slice: EndpointSlice): string {
  const name = isMirror(slice) ? slice.metadata.labels?.[MIRRORED_SERVICE_LABEL] : serviceOfSource(slice);
  return `${slice.metadata.namespace ?? ''}/${name ?? ''}`;
}

/** A Service that was changed by its user. */
function edited({ spec, ...service }: Service, choose: Choose): Service {
  const isLocal = spec.internalTrafficPolicy === 'Local';
  return choose(2) > 0
    ? { ...service, spec: { ...spec, internalTrafficPolicy: isLocal ? 'Cluster' : 'Local' } }
    : { ...service, spec: { ...spec, clusterIPs: [`10.96.7.${String(choose(200) + 1)}`] } };
}

/** A list in which one of its former objects is changed, goes, or comes again. */
function withOther<Item extends Service | EndpointSlice>(
  present: readonly Item[],
  former: readonly Item[],
  choose: Choose,
  change: (item: Item) => Item,
): { readonly list: readonly Item[]; readonly item: Item } | undefined {
  const item = former[choose(former.length)];
  if (item === undefined) return undefined;
  const others = present.filter((each) => keyOf(each) !== keyOf(item));
  return { item, list: choose(3) > 0 ? [...others, change(item)] : others };
}

/** A slice with fewer endpoints, or with some that are not ready. */
const shrunk =
  (choose: Choose) =>
  (slice: EndpointSlice): EndpointSlice => ({
    ...slice,
    endpoints: (slice.endpoints ?? [])
      .filter(() => choose(3) > 0)
      .map((endpoint) => (choose(2) > 0 ? endpoint : { ...endpoint, conditions: { ready: false } })),
  });

function changed(present: ServedObjects, former: ServedObjects, choose: Choose): Changed | undefined {
  if (choose(2) > 0) {
    const other = withOther(present.services, former.services, choose, (service) => edited(service, choose));
    return other && { service: keyOf(other.item), objects: { ...present, services: other.list } };
  }
  const other = withOther(present.slices, former.slices, choose, shrunk(choose));
  return other && { service: serviceOf(other.item), objects: { ...present, slices: other.list } };
}

/** The stored load balancers without what a database gives them, and without connections that have to end. */
const contents = ({ stored }: BalancedNode) =>
  stored.list.map(({ uuid: _uuid, ended: _ended, ...balancer }) => balancer).toSorted(by(({ name }) => name));

/** The keys of the Services in a namespace that have an address of one of them, as only restored ones have. */
function sharing(key: string, ...lists: readonly (readonly Service[])[]): ReadonlySet<string> {
  const all = lists.flat();
  const addresses = (service: Service) => (service.spec.clusterIPs ?? []).map((address) => canonicalAddress(address));
  const own = new Set(all.filter((service) => keyOf(service) === key).flatMap(addresses));
  const [namespace = ''] = key.split('/');
  const others = all.filter((service) => addresses(service).some((address) => own.has(address)));
  return new Set(others.map(keyOf).filter((other) => other.startsWith(`${namespace}/`)));
}

/** Checks that an address is in the load balancers of one Service of a network. */
function assertUnshared({ stored }: BalancedNode): void {
  const owners = new Map<string, string>();
  for (const { networkName, owner, vips } of stored.list)
    for (const vip of Object.keys(vips)) {
      const place = `${networkName} ${vip.slice(0, vip.lastIndexOf(':'))}`;
      const other = owners.get(place) ?? owner;
      owners.set(place, owner);
      assertLaw(law, other === owner, () => `Services ${other} and ${owner} are both served at ${place}`);
    }
}

/**
 * Law: a Service that changes is judged alone, and only its own load balancers are written, which are then those of a node that begins with it, whatever the order of Services. Of several with
 * one address none is served there.
 */
export function checkLocalCost(engine: Engine, subject: Case, seed: number): CaseLabels {
  const choose = chooser(seed);
  const node = new BalancedNode(engine, subject);
  const former = servedObjects(engine, subject);
  let objects = former;
  node.update(objects);
  let [isChanged, isShared] = [false, false];
  for (let event = 0; event < EVENTS; event += 1) {
    const next = changed(objects, former, choose);
    if (next === undefined) return [];
    const together = sharing(next.service, objects.services, next.objects.services);
    isShared ||= together.size > 1;
    objects = next.objects;
    const { judged, changes } = node.update(objects);
    const others = [...judged, ...changes.map(({ owner }) => owner)].filter(
      (key) => key !== next.service && !together.has(key),
    );
    assertLaw(law, others.length === 0, () => `Service ${next.service} changes, and ${others.join()} with it`);
    isChanged ||= changes.length > 0;
    assertUnshared(node);
  }
  const anew = new BalancedNode(engine, subject);
  anew.update({ ...objects, services: objects.services.toReversed() });
  assertSame(law, 'load balancers, and those of a node that begins,', contents(node), contents(anew));
  return [...(isChanged ? ['change'] : []), ...(isShared ? ['shared address'] : [])];
}
