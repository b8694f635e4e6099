import type { KeptNetwork } from '../dataplane/kept-network.ts';
import type { Anchor } from '../entities/entity-kind.ts';
import { type Entity, kindOf } from '../entities/entity-kinds.ts';
import { isLearned } from '../entities/flow.ts';
import type { MembershipEntity } from '../entities/membership.ts';
import { isOwnRoute } from '../entities/route.ts';
import { isManagementPortName } from '../snapshot/management-port-name.ts';
import type { BridgeFlow } from '../snapshot/datapath.ts';
import { lazy } from '../incremental/lazy.ts';
import { distinct } from '../names/ordering.ts';
import { entriesOf } from '../snapshot/ledger.ts';
import type { NodeSnapshot, Table } from '../snapshot/node-snapshot.ts';
import { patchPortsIn } from '../snapshot/patch-ports.ts';
import { flowsOfNetworks, serving } from './held-flows.ts';

/** Interfaces of managed routes in some tables: a network that selects another interface now was on this one before. */
function devicesBehind(tables: ReadonlySet<Table | undefined>, { routes }: NodeSnapshot): readonly string[] {
  return routes
    .filter((route) => tables.has(route.table) && isOwnRoute(route))
    .flatMap(({ nextHops }) => nextHops.flatMap(({ device }) => device ?? []));
}

type Placement = Pick<MembershipEntity, 'network' | 'device' | 'vrf'>;

/** Whether a membership is kept for a network: it was made for it, or the network has taken it over from another. */
export function keepsMembership(
  { networkName, devices, vrfs }: KeptNetwork,
  { network, device, vrf }: Placement,
): boolean {
  return networkName === network || (devices.includes(device) && vrfs.includes(vrf));
}

/** Returns whether a flow that names no patch port serves held networks of its bridge. */
function heldFlows(kept: readonly KeptNetwork[], node: NodeSnapshot): (flow: BridgeFlow) => boolean {
  const flowsOf = flowsOfNetworks(kept, node);
  const bridges = distinct(kept.flatMap((network) => network.bridges));
  const isServing = new Map(bridges.map((bridge) => [bridge, serving(flowsOf(bridge))]));
  return (flow) => isServing.get(flow.bridge)?.(flow) === true;
}

/** Whether an entity is a route by the management port of a network: it is for the network as a whole. */
function leadsToManagementPort(entity: Entity): boolean {
  if (entity.kind !== 'route') return false;
  const { nextHops } = entity.route;
  return nextHops.length > 0 && nextHops.every(({ device = '' }) => isManagementPortName(device));
}

/** Returns whether a managed entity belongs to a network that is kept as it is. */
export function heldEntities(kept: readonly KeptNetwork[], node: NodeSnapshot): (entity: Entity) => boolean {
  const vrfs = new Set(kept.flatMap((network) => network.vrfs));
  const tables = new Set<Table | undefined>(kept.flatMap((network) => network.tables));
  const names = new Set(kept.map(({ networkName }) => networkName));
  const isHeldMembership = (membership: Placement) => kept.some((network) => keepsMembership(network, membership));
  // Routes of an interface that leaves such a VRF with another network move with it.
  const leaving = new Set(
    entriesOf(node.ledger, 'membership').flatMap((entry) =>
      isHeldMembership(entry) && !isManagementPortName(entry.device) ? [] : [entry.device],
    ),
  );
  const behind = devicesBehind(tables, node).filter((device) => !leaving.has(device));
  const devices = new Set([...kept.flatMap((network) => network.devices), ...behind]);
  const bridges = new Set(kept.flatMap((network) => network.bridges));
  const patchPorts = new Set(kept.flatMap((network) => network.patchPorts));
  const isHeldFlow = lazy(() => heldFlows(kept, node));
  const isHeld = (anchor: Anchor): boolean => {
    if ('vrf' in anchor) return vrfs.has(anchor.vrf);
    if ('table' in anchor) return tables.has(anchor.table);
    if ('device' in anchor) return devices.has(anchor.device);
    if ('bridge' in anchor) {
      return anchor.patchPort === undefined ? bridges.has(anchor.bridge) : patchPorts.has(anchor.patchPort);
    }
    if ('zone' in anchor || 'node' in anchor) return false;
    return names.has(anchor.networkName);
  };
  return (entity) => {
    const anchor = kindOf<Entity>(entity).anchor(entity);
    // The uplink of a network is held, not the network itself.
    if ('zone' in anchor || leadsToManagementPort(entity)) return false;
    if (entity.kind === 'membership') return isHeldMembership(entity);
    if (!isHeld(anchor)) return false;
    if (entity.kind !== 'flow') return true;
    // What flows have learned goes with the last network of the bridge.
    return isLearned(entity) || patchPortsIn(entity.flow).length > 0 || isHeldFlow()(entity.flow);
  };
}
