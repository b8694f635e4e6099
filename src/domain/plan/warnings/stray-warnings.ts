/**
 * Warnings about default routes of the main table that lead out of an interface in a VRF, and that this plan does not move: packets of the node itself
 * leave by the uplink of a tenant.
 */
import { isOwnMembership, membership } from '../../entities/kernel/membership.ts';
import { isOwnRoute } from '../../entities/kernel/route.ts';
import { routeText } from '../../entities/kernel/route-command.ts';
import { MAIN_TABLE } from '../../basics/conventions.ts';
import { distinct } from '../../basics/names/ordering.ts';
import { withSettledLedger } from '../../entities/ownership/restored.ts';
import { type Stray, straysOn } from '../../entities/ownership/strays.ts';
import { entriesOf } from '../../snapshot/ledger.ts';
import type { NodeSnapshot, Route } from '../../snapshot/node-snapshot.ts';
import { type NodeView, viewNode } from '../../snapshot/node-view.ts';
import { isDefaultRoute } from '../../snapshot/route-key.ts';
import { isWayOut } from '../../snapshot/ways-out.ts';
import { desiredOf } from '../desired-entities.ts';
import { type NodeDataplane, stayingMembersOf } from '../node-dataplane.ts';

/** An interface that is in a VRF, and stays there. */
interface Member {
  readonly device: string;
  readonly vrf: string;
  readonly table: number;
  /** Why nothing on it is changed; undefined if default routes are moved. */
  readonly why: string | undefined;
}

type Dataplane = Pick<NodeDataplane, 'programmed' | 'kept' | 'desired' | 'stays'>;

/** The interfaces of networks, and those that ovn-uplinks has enslaved. */
function interfacesOf({ programmed, kept }: Dataplane, { ledger }: NodeSnapshot): readonly string[] {
  return distinct([
    ...programmed.map(({ device }) => device),
    ...kept.flatMap(({ devices }) => devices),
    ...entriesOf(ledger, 'membership').map(({ device }) => device),
  ]);
}

function membersOf(dataplane: Dataplane, view: NodeView): readonly Member[] {
  const staying = stayingMembersOf(dataplane);
  const wanted = new Map(
    desiredOf(membership, dataplane.desired).list.map(({ entity: { device, vrf } }) => [device, vrf] as const),
  );
  return interfacesOf(dataplane, view.snapshot).flatMap((device): readonly Member[] => {
    const { master = '' } = view.link(device) ?? {};
    const table = view.link(master)?.vrfTable;
    if (table === undefined) return [];
    const member = { device, vrf: master, table };
    if (!isOwnMembership(device, master, view.snapshot.ledger)) {
      return [{ ...member, why: `${device} was not enslaved by ovn-uplinks` }];
    }
    if (staying.has(device)) return [{ ...member, why: `${device} is kept as it is` }];
    return wanted.get(device) === master ? [{ ...member, why: undefined }] : [];
  });
}

/** Whether a route of the main table is a default route, or half of one, that leads out of a VRF alone: others are reported as split. */
function leadsOutOf(vrf: string, route: Route, view: NodeView): boolean {
  return (
    route.table === MAIN_TABLE &&
    (isDefaultRoute(route) || isWayOut(route)) &&
    !isOwnRoute(route) &&
    route.nextHops.every(({ device = '' }) => view.link(device)?.master === vrf)
  );
}

/** Why a route is not moved; undefined if it is. */
function whyNotMoved(route: Route, stray: Stray | undefined, { why }: Member): string | undefined {
  if (why !== undefined) return why;
  if (stray?.stays === false) return undefined;
  if (stray?.found !== undefined) return `${routeText(stray.found)} has its place`;
  if (stray !== undefined) return stray.refusal ?? 'this version cannot add it again';
  return isDefaultRoute(route)
    ? `it is left to the program that adds routes of protocol ${route.protocol}`
    : 'only whole default routes are moved';
}

/** The messages, one for each route. */
export function strayMessages(found: NodeSnapshot, dataplane: Dataplane): readonly string[] {
  const node = withSettledLedger(found);
  const view = viewNode(node);
  const strays = new Map(straysOn(node).map((stray) => [stray.origin.route, stray]));
  return membersOf(dataplane, view).flatMap((member) => {
    const { device, vrf, table } = member;
    return view
      .routesOutOf(device)
      .filter((route) => leadsOutOf(vrf, route, view))
      .flatMap((route) => {
        const why = whyNotMoved(route, strays.get(route), member);
        if (why === undefined) return [];
        return `${routeText(route)} leads out of ${device}, which is in VRF ${vrf}, so that packets of the node itself may leave by it, and gives networks no gateway; it is not moved to table ${table}: ${why}; delete it, or add it there`;
      });
  });
}
