import { INTERCONNECTION_KEY } from '../conventions.ts';
import { lazyByObject } from '../incremental/by-identity.ts';
import type { NorthboundRow } from '../northbound/row.ts';
import { dependency } from './dependencies.ts';
import type { EntityChange, SetKind } from './entity-kind.ts';
import { counted } from '../names/counted.ts';
import { comparableRow, rowKind } from './row-kind.ts';

/**
 * A row of OVN's Northbound database that is part of a network that ovn-uplinks provides as a whole: switches, routers and routes between pods, on
 * this node and others. The rows by which the network leaves by an uplink are of kind `northbound-row`, and may be held while these change.
 */
export interface ZoneRowEntity {
  readonly kind: 'zone-row';
  readonly row: NorthboundRow;
}

/** A row as an entity. */
export const zoneRowEntity = lazyByObject((row: NorthboundRow): ZoneRowEntity => ({ kind: 'zone-row', row }));

const ofNetwork = ({ row: { network } }: ZoneRowEntity) => (network === undefined ? [] : [dependency('zone', network)]);

/** The chassis that ovn-northd binds the port of another node to (ovn-nb(5), Logical_Switch_Port, requested-chassis); undefined for other rows. */
export function requestedChassis({ columns: { options } }: NorthboundRow): string | undefined {
  return typeof options === 'object' && 'requested-chassis' in options ? options['requested-chassis'] : undefined;
}

/** The setting by which there are tunnels to other nodes. */
const tunnels = dependency('interconnection', INTERCONNECTION_KEY);

/** The port may outlive the chassis: then it is bound to none. */
function chassisOf({ row }: ZoneRowEntity) {
  const requested = requestedChassis(row) ?? '';
  return requested === '' ? [] : [dependency('chassis', requested)];
}

const addition: Pick<EntityChange<ZoneRowEntity>, 'dependencies'> = {
  dependencies: (entity) => ({ makes: ofNetwork(entity), needs: [tunnels, ...chassisOf(entity)] }),
};

const ofRows = rowKind(zoneRowEntity);

export const zoneRow: SetKind<ZoneRowEntity, 'northbound'> = {
  ...ofRows.common,
  kind: 'zone-row',
  // An unmanaged row may have the name of one that a network needs.
  all: ({ northbound }) =>
    northbound.filter(({ network, isOfZone }) => isOfZone === true || network === undefined).map(zoneRowEntity),
  comparable: ({ row }) => comparableRow(row),
  anchor: ({ row: { network = '' } }) => ({ networkName: network, part: 'network' }),
  failureReason: 'LogicalNetworkFailed',
  set: {
    ...ofRows.set,
    name: 'change-zone',
    summary: ({ length }, network) => `network ${network} in OVN: ${counted(length, 'row')}`,
  },
  add: { ...ofRows.addition, ...addition, name: 'insert-zone-row', mark: '+' },
  replace: { ...ofRows.replacement, ...addition, name: 'update-zone-row', mark: '~' },
  remove: {
    ...ofRows.removal,
    name: 'delete-zone-row',
    mark: '-',
    dependencies: (entity) => ({ ends: ofNetwork(entity), uses: [tunnels] }),
  },
};
