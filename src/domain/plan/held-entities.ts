import type { KeptNetwork } from '../dataplane/kept-network.ts';
import type { Anchor } from '../entities/entity-kind.ts';
import { type Entity, kindOf } from '../entities/entity-kinds.ts';
import type { MembershipEntity } from '../entities/membership.ts';
import { isOwnRoute } from '../entities/route.ts';
import { entriesOf } from '../snapshot/ledger.ts';
import type { NodeSnapshot, Table } from '../snapshot/node-snapshot.ts';

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

/** Returns whether a managed entity belongs to a network that is kept as it is. */
export function heldEntities(kept: readonly KeptNetwork[], node: NodeSnapshot): (entity: Entity) => boolean {
  const vrfs = new Set(kept.flatMap((network) => network.vrfs));
  const tables = new Set<Table | undefined>(kept.flatMap((network) => network.tables));
  const names = new Set(kept.map(({ networkName }) => networkName));
  const isHeldMembership = (membership: Placement) => kept.some((network) => keepsMembership(network, membership));
  // Routes of an interface that leaves such a VRF with another network move with it.
  const leaving = new Set(
    entriesOf(node.ledger, 'membership').flatMap((entry) => (isHeldMembership(entry) ? [] : [entry.device])),
  );
  const behind = devicesBehind(tables, node).filter((device) => !leaving.has(device));
  const devices = new Set([...kept.flatMap((network) => network.devices), ...behind]);
  const bridges = new Set(kept.flatMap((network) => network.bridges));
  const patchPorts = new Set(kept.flatMap((network) => network.patchPorts));
  const isHeld = (anchor: Anchor): boolean => {
    if ('vrf' in anchor) return vrfs.has(anchor.vrf);
    if ('table' in anchor) return tables.has(anchor.table);
    if ('device' in anchor) return devices.has(anchor.device);
    if ('bridge' in anchor) {
      return anchor.patchPort === undefined ? bridges.has(anchor.bridge) : patchPorts.has(anchor.patchPort);
    }
    return names.has(anchor.networkName);
  };
  return (entity) =>
    entity.kind === 'membership' ? isHeldMembership(entity) : isHeld(kindOf<Entity>(entity).anchor(entity));
}
