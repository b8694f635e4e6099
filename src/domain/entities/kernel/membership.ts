import { isManagementPortIn } from '../../network/names/numbers.ts';
import { enslave, release, withoutMaster } from '../../node-model/membership.ts';
import { entriesOf, entryOf, type Ledger, type Membership } from '../../snapshot/ledger.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { ip } from '../command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { Discrepancy, Disruption, EntityKind } from '../entity-kind.ts';
import { withLinks } from '../parts.ts';

/** The membership of an interface in a VRF. */
export interface MembershipEntity {
  readonly kind: 'membership';
  readonly device: string;
  readonly vrf: string;
  /** Table of the VRF. */
  readonly table: number;
  /** Name in OVN of the network that needs it; empty if unknown. */
  readonly network: string;
}

/** Whether ovn-uplinks enslaved a device to its master. */
export function isOwnMembership(device: string, master: string, ledger: Ledger): boolean {
  return entryOf(ledger, 'membership', device, ({ vrf }) => vrf === master) !== undefined;
}

/** Whether it is the membership of a management port, which is in the VRF of its network. */
export function isOfManagementPort({ table, device }: Pick<MembershipEntity, 'table' | 'device'>): boolean {
  return isManagementPortIn(table, device);
}

/** A management port in a VRF is managed with all that is on it: nothing there is restored. */
function displacedDevices(entity: MembershipEntity): readonly string[] {
  return isOfManagementPort(entity) ? [] : [entity.device];
}

/** A management port is enslaved before it is up, and released before it is deleted: no connection pauses. */
function disruptionOf(entity: MembershipEntity): Disruption {
  return isOfManagementPort(entity) ? 'none' : 'link-cycle';
}

function masterOf(device: string, { links }: NodeSnapshot): string | undefined {
  return links.find(({ name }) => name === device)?.master;
}

function membershipsIn({ links }: NodeSnapshot): readonly MembershipEntity[] {
  const tables = new Map(links.map(({ name, vrfTable }) => [name, vrfTable]));
  return links.flatMap(({ name: device, master }) => {
    const table = master === undefined ? undefined : tables.get(master);
    return master === undefined || table === undefined
      ? []
      : [{ kind: 'membership', device, vrf: master, table, network: '' } as const];
  });
}

function discrepancy(device: string, node: NodeSnapshot, wanted: string): Discrepancy {
  return { path: `master of ${device}`, found: masterOf(device, node) ?? 'none', wanted };
}

/** The membership that a ledger entry is about. */
export function membershipEntity({ device, vrf, table, network }: Membership): MembershipEntity {
  return { kind: 'membership', device, vrf, table, network };
}

export const membership: EntityKind<MembershipEntity, 'hostNetwork'> = {
  kind: 'membership',
  parts: ['links'],
  identity: ({ device, vrf }) => `${device} ${vrf}`,
  satisfies: (found, desired) => found.table === desired.table,
  // The VRF is recreated with another table.
  isReplaceable: () => false,
  linkCycleDevices: ({ device, vrf }) => [device, vrf],
  all: membershipsIn,
  put: (node, entities) => {
    const masters = new Map(entities.map(({ device, vrf }) => [device, vrf]));
    return withLinks(node, (link) => ({
      ...link,
      ...(masters.has(link.name) && { master: masters.get(link.name) ?? '' }),
    }));
  },
  take: (node, entities) => {
    const members = new Set(entities.map(({ device }) => device));
    return withLinks(node, (link) => (members.has(link.name) ? withoutMaster(link) : link));
  },
  comparable: ({ device, vrf }) => ({ device, vrf }),
  // A group with next hops out of several interfaces is not restored with one of them.
  undoneByOthers: ({ device }, node) => {
    const change = node.nextHopObjects.some(({ group }) => group !== undefined) ? undefined : release(node, device);
    return change?.done === true ? change.node : node;
  },
  isOurs: ({ device, vrf }, ledger) => isOwnMembership(device, vrf, ledger),
  // A deleted device is in no VRF; the ledger may keep its entry until it is created again.
  own: ({ ledger, links }) => {
    const names = new Set(links.map(({ name }) => name));
    return entriesOf(ledger, 'membership')
      .filter(({ device }) => names.has(device))
      .map(membershipEntity);
  },
  anchor: (entity) => ({ networkName: entity.network, part: isOfManagementPort(entity) ? 'network' : 'uplink' }),
  basis: ({ device }) => [`management-port ${device}`],
  ledger: {
    entry: ({ device, vrf, table, network }) => ({ kind: 'membership', device, vrf, table, network }),
    isAbout: (entry, { device }) => entry.kind === 'membership' && entry.device === device,
    until: ['remove'],
  },
  port: 'hostNetwork',
  capturedIn: () => [capturedFiles.links],
  text: ({ device, vrf }) => `${device} in VRF ${vrf}`,
  add: {
    name: 'enslave',
    mark: '+',
    dependencies: ({ device, vrf }, networks) => ({
      makes: [dependency('after-cycle', device), ...dependencies('network', networks)],
      needs: [
        dependency('link', device),
        dependency('link', vrf),
        dependency('up', vrf),
        dependency('free', device),
        dependency('keep-addresses', device),
      ],
      ends: [dependency('before-cycle', device)],
    }),
    refusal: ({ device }, node) => {
      const master = masterOf(device, node);
      return master && `${device} is already enslaved to ${master}`;
    },
    displacesFrom: displacedDevices,
    effect: ({ device, vrf }, node) => enslave(node, device, vrf),
    disruption: disruptionOf,
    command: ({ device, vrf }) => ip('link', 'set', 'dev', device, 'master', vrf),
    summary: ({ device, vrf }) => `${device} into VRF ${vrf}`,
    discrepancy: ({ device, vrf }, node) => discrepancy(device, node, vrf),
  },
  remove: {
    name: 'release',
    mark: '-',
    dependencies: ({ device, vrf }, networks) => ({
      makes: [dependency('after-cycle', device), dependency('free', device)],
      // If another program has changed the setting before the interface moves to another VRF: addresses are kept by both changes.
      needs: [dependency('keep-addresses', device)],
      uses: [dependency('link', vrf), dependency('link', device)],
      ends: [dependency('before-cycle', device), ...dependencies('traffic', networks)],
    }),
    refusal: ({ device, vrf }, node) => {
      if (masterOf(device, node) !== vrf) return `${device} is not in VRF ${vrf}`;
      return isOwnMembership(device, vrf, node.ledger)
        ? undefined
        : `${device} in VRF ${vrf} is not managed by ovn-uplinks`;
    },
    displacesFrom: displacedDevices,
    effect: ({ device }, node) => release(node, device),
    disruption: disruptionOf,
    command: ({ device }) => ip('link', 'set', 'dev', device, 'nomaster'),
    summary: ({ device, vrf }) => `${device} out of VRF ${vrf}`,
    discrepancy: ({ device }, node) => discrepancy(device, node, 'none'),
  },
};
