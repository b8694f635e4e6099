import type { KeptNetwork } from '../dataplane/kept-network.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { Membership } from '../ownership/ledger.ts';
import type { NodeSnapshot, Table } from '../snapshot/node-snapshot.ts';

/** What is left as it is, whatever the plan says of others: everything of the networks that are kept. */
export interface KeptThings {
  hasVrf(vrf: string): boolean;
  hasTable(table: Table | undefined): boolean;
  hasDevice(device: string): boolean;
  hasNetworkName(networkName: string): boolean;
  /** Whether a membership stays: it was made for a network that is kept, or one that is kept has taken it over from another. */
  hasMembership(membership: Membership): boolean;
  /** Whether a device is a slave for a network that is kept; others on it do not mind what becomes of that. */
  hasMembershipOf(device: string): boolean;
}

/** Interfaces that our routes in some tables lead out of: whoever selects another interface now was on this one before. */
function devicesBehind(tables: ReadonlySet<Table | undefined>, { routes, ledger }: NodeSnapshot): readonly string[] {
  return routes
    .filter((route) => tables.has(route.table) && isOurs({ kind: 'route', route }, ledger))
    .flatMap(({ nextHops }) => nextHops.flatMap(({ device }) => device ?? []));
}

/** Gathers what belongs to the networks that are kept. */
export function keptThings(kept: readonly KeptNetwork[], node: NodeSnapshot): KeptThings {
  const vrfs = new Set(kept.flatMap((network) => network.vrfs));
  const tables = new Set<Table | undefined>(kept.flatMap((network) => network.tables));
  const names = new Set(kept.map(({ networkName }) => networkName));
  const places = new Set(
    kept.flatMap((each) => each.devices.flatMap((device) => each.vrfs.map((vrf) => `${device} ${vrf}`))),
  );
  const hasMembership = ({ network, device, vrf }: Membership) => names.has(network) || places.has(`${device} ${vrf}`);
  const memberships = node.ledger.entries.filter((entry): entry is Membership => entry.kind === 'membership');
  const members = new Set(memberships.filter(hasMembership).map(({ device }) => device));
  // An interface that leaves such a VRF with another network takes its routes along.
  const leaving = new Set(memberships.map(({ device }) => device).filter((device) => !members.has(device)));
  const behind = devicesBehind(tables, node).filter((device) => !leaving.has(device));
  const devices = new Set([...kept.flatMap((network) => network.devices), ...behind]);
  return {
    hasVrf: (vrf) => vrfs.has(vrf),
    hasTable: (table) => tables.has(table),
    hasDevice: (device) => devices.has(device),
    hasNetworkName: (networkName) => names.has(networkName),
    hasMembership,
    hasMembershipOf: (device) => members.has(device),
  };
}
