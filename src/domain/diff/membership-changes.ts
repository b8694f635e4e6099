/**
 * VRF devices that come and go, and interfaces that enter and leave them.
 */
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { occupants } from '../network-readiness/occupants.ts';
import { irreplaceableOn } from '../network-readiness/irreplaceable.ts';
import { viewNode } from '../discovery/node-view.ts';
import type { Operation } from '../operations/operation-kinds.ts';
import { by } from '../ordering.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { Membership } from '../ownership/ledger.ts';
import { entryKey } from '../ownership/settle.ts';
import { vrfSignature } from '../ownership/vrf-signature.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { Difference } from './difference.ts';

/** The VRFs and memberships that are wanted, by name of the VRF and of the device. */
interface WantedMemberships {
  readonly vrfs: ReadonlyMap<string, NetworkDataplane>;
  readonly memberships: ReadonlyMap<string, NetworkDataplane>;
}

function wantedMemberships(programmed: readonly NetworkDataplane[]): WantedMemberships {
  return {
    vrfs: new Map(programmed.filter(({ vrf }) => vrf.own).map((network) => [network.vrf.name, network])),
    memberships: new Map(programmed.filter(({ enslaved }) => enslaved).map((network) => [network.device, network])),
  };
}

/** Whether a VRF of ours stays: somebody wants it with the table that it has, or it is kept. */
function stays(link: Link, { kept }: Difference, { vrfs }: WantedMemberships): boolean {
  return kept.hasVrf(link.name) || vrfs.get(link.name)?.vrf.table === link.vrfTable;
}

function releases(
  difference: Difference,
  wanted: WantedMemberships,
  leaving: ReadonlySet<string>,
): readonly Operation[] {
  const { before, kept, networksOf } = difference;
  const view = viewNode(before);
  return (
    before.ledger.entries
      .filter((entry): entry is Membership => entry.kind === 'membership')
      .filter((membership) => !kept.hasMembership(membership))
      .filter(({ device, vrf }) => wanted.memberships.get(device)?.vrf.name !== vrf || leaving.has(vrf))
      // What would be lost for good is not lost by our hand, even if the network is gone.
      .filter(({ device }) => irreplaceableOn(device, wanted.memberships.get(device)?.vrf.table, view) === undefined)
      .sort(by(entryKey))
      .map(({ device, vrf, network }) => ({
        kind: 'release',
        networks: networksOf.ofNetworkName(network),
        device,
        vrf,
      }))
  );
}

function deletions(
  { before, networksOf }: Difference,
  leaving: readonly Link[],
  released: ReadonlySet<string>,
): readonly Operation[] {
  const inside = new Set(
    before.links.flatMap(({ name, master }) => (master === undefined || released.has(name) ? [] : [master])),
  );
  return leaving
    .filter((vrf) => !inside.has(vrf.name) && occupants(vrf, before).length === 0)
    .map(({ name }) => ({ kind: 'delete-vrf', networks: networksOf.ofVrf(name), vrf: name }));
}

function creations(
  { before }: Difference,
  { network, networkName, vrf }: NetworkDataplane,
  link: Link | undefined,
): readonly Operation[] {
  const networks = [network];
  const sign: Operation = { kind: 'sign-vrf', networks, vrf: vrf.name, alias: vrfSignature(networkName) };
  if (link === undefined) {
    return [{ kind: 'add-vrf', networks, vrf: vrf.name, table: vrf.table, networkName }, sign];
  }
  // Somebody else's VRF that is right serves as it is.
  if (!isOurs({ kind: 'link', link }, before.ledger)) return [];
  return [
    ...(link.alias === sign.alias ? [] : [sign]),
    ...(link.up ? [] : [{ kind: 'bring-up-vrf', networks, vrf: vrf.name } as const]),
  ];
}

/** Changes of VRFs and memberships, in an order in which they can be made. */
export interface MembershipChanges {
  /** Interfaces leave, VRFs go. */
  readonly leaving: readonly Operation[];
  /** VRFs come. */
  readonly coming: readonly Operation[];
  /** Interfaces enter. */
  readonly entering: readonly Operation[];
  /** Names of the VRFs that go, also of those that come again. */
  readonly deletedVrfs: ReadonlySet<string>;
}

/** The changes of VRFs and memberships. */
export function membershipChanges(difference: Difference): MembershipChanges {
  const { before, programmed } = difference;
  const wanted = wantedMemberships(programmed);
  const own = before.links.filter((link) => isOurs({ kind: 'link', link }, before.ledger)).sort(by(({ name }) => name));
  const leaving = own.filter((link) => !stays(link, difference, wanted));
  const released = releases(difference, wanted, new Set(leaving.map(({ name }) => name)));
  const releasedDevices = new Set(
    released.flatMap((operation) => (operation.kind === 'release' ? [operation.device] : [])),
  );
  const deleted = deletions(difference, leaving, releasedDevices);
  const gone = new Set(deleted.flatMap((operation) => (operation.kind === 'delete-vrf' ? [operation.vrf] : [])));
  const links = new Map(before.links.map((link) => [link.name, link]));
  const created = [...wanted.vrfs.values()].flatMap((network) =>
    creations(difference, network, gone.has(network.vrf.name) ? undefined : links.get(network.vrf.name)),
  );
  const entered = [...wanted.memberships.values()]
    .filter(({ device, vrf }) => releasedDevices.has(device) || links.get(device)?.master !== vrf.name)
    .map(({ network, networkName, device, vrf }): Operation => ({
      kind: 'enslave',
      networks: [network],
      device,
      vrf: vrf.name,
      table: vrf.table,
      networkName,
    }));
  return { leaving: [...released, ...deleted], coming: created, entering: entered, deletedVrfs: gone };
}
