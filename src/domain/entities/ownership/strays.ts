/**
 * Default routes that another program adds to the main table though their interface is in a VRF: DHCP clients and daemons that read router
 * advertisements know nothing of the VRF. What the node sends itself would leave by the uplink of a tenant, whose network would have no gateway.
 */
import { MAIN_TABLE } from '../../basics/conventions.ts';
import { isPutBack } from '../displaceable.ts';
import { routeContentKey, routeEntity } from '../kernel/route.ts';
import type { RouteEntity } from '../kernel/route.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { replaceRoute } from '../../node-model/route.ts';
import { type DisplacedEntity, entriesOf, entryOf, type Membership } from '../../snapshot/ledger.ts';
import type { NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { type NodeView, viewNode } from '../../snapshot/node-view.ts';
import { isDefaultRoute } from '../../snapshot/route-key.ts';
import { isPlaced, placeIn } from './displaced-entities.ts';

/** A default route of the main table out of an interface that ovn-uplinks enslaved. */
export interface Stray {
  readonly device: string;
  readonly vrf: string;
  /** The route as it is. */
  readonly origin: RouteEntity;
  /** The route in the table of the VRF. */
  readonly entity: RouteEntity;
  /** The route that has its key there. */
  readonly found?: Route;
  /** Whether it cannot be moved: it could not be added again, or the other route is not one that was moved before. */
  readonly stays: boolean;
  /** Why the kernel would not accept it in the table of the VRF. */
  readonly refusal?: string;
}

/** Whether a route is recorded as restored, or moved before. */
function isRecorded(route: Route, { device, table }: Membership, node: NodeSnapshot): boolean {
  const key = routeContentKey(route);
  return entriesOf(node.ledger, 'displaced').some((entry) => {
    if (!isPlaced(entry) || entry.device !== device) return false;
    const place = placeIn(entry.entity, device, table);
    return place.kind === 'route' && routeContentKey(place.route) === key;
  });
}

function strayOf(route: Route, membership: Membership, view: NodeView): Stray {
  const { device, vrf, table } = membership;
  const moved: Route = { ...route, table };
  const [found] = view.routesLike(moved);
  const isInTheWay = found !== undefined && !isRecorded(found, membership, view.snapshot);
  const change = replaceRoute(view.snapshot, moved);
  const isSame = found !== undefined && routeContentKey(found) === routeContentKey(moved);
  return {
    device,
    vrf,
    origin: routeEntity(route),
    entity: routeEntity(moved),
    ...(found && { found }),
    stays: route.unknownAttributes !== undefined || (isInTheWay && !isSame) || !change.done,
    ...(!change.done && { refusal: change.reason }),
  };
}

function straysOut(membership: Membership, view: NodeView): readonly Stray[] {
  const { device, vrf } = membership;
  if (view.link(device)?.master !== vrf) return [];
  return view
    .routesOutOf(device)
    .filter(
      (route) =>
        route.table === MAIN_TABLE &&
        isDefaultRoute(route) &&
        route.nextHops.every((hop) => hop.device === device) &&
        isPutBack(routeEntity(route), view.snapshot),
    )
    .map((route) => strayOf(route, membership, view));
}

/** The strays on a node whose ledger is settled. */
export const straysOn = lazyByObject((node: NodeSnapshot): readonly Stray[] => {
  const view = viewNode(node);
  return entriesOf(node.ledger, 'membership').flatMap((membership) => straysOut(membership, view));
});

/** Tells which routes in the table of a device's VRF a stray takes the place of: they were moved before, and are not to be restored. */
export function replacedByStrays(device: string, node: NodeSnapshot): (entity: DisplacedEntity) => boolean {
  const membership = entryOf(node.ledger, 'membership', device);
  const strays = membership === undefined ? [] : straysOut(membership, viewNode(node));
  const replaced = new Set(
    strays.flatMap(({ stays, found, entity }) =>
      stays || found === undefined || routeContentKey(found) === routeContentKey(entity.route)
        ? []
        : [routeContentKey(found)],
    ),
  );
  return (entity) => entity.kind === 'route' && replaced.has(routeContentKey(entity.route));
}

/** Whether a stray says what the route in the table of the VRF says already: not if it was added with a longer lifetime. */
export function isPlacedAlready({ entity: { route }, found }: Stray): boolean {
  if (found === undefined || routeContentKey(found) !== routeContentKey(route)) return false;
  return (found.expiresSeconds ?? Infinity) >= (route.expiresSeconds ?? Infinity);
}

/**
 * The node once strays are in the tables of their VRFs.
 *
 * @param left the interfaces on which nothing is changed
 */
export function withoutStrays(node: NodeSnapshot, left: ReadonlySet<string> = new Set()): NodeSnapshot {
  const moving = straysOn(node).filter(({ device, stays }) => !stays && !left.has(device));
  if (moving.length === 0) return node;
  const gone = new Set<Route | undefined>(moving.flatMap(({ origin, found }) => [origin.route, found]));
  const routes = node.routes.filter((route) => !gone.has(route));
  return { ...node, routes: [...routes, ...moving.map(({ entity }) => entity.route)] };
}
