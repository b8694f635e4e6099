import { type Chassis, CHASSIS_OWNER_KEY, type RemotePort } from '../../domain/snapshot/chassis.ts';
import { LOGICAL_NETWORK_ROW_OWNER_KEY } from '../../domain/datapath/northbound/row.ts';
import type { SouthboundSnapshot } from '../../ports/node/southbound.ts';
import { lastByObject, lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { by, byName } from '../../domain/basics/names/ordering.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import { readValue } from '../ovsdb/values.ts';

/** The tables and columns of the Southbound database that are read (ovn-sb(5)). */
export const SOUTHBOUND_COLUMNS = {
  Chassis: ['name', 'hostname', 'encaps', 'other_config', 'external_ids'],
  Encap: ['type', 'ip'],
  Port_Binding: ['logical_port', 'type', 'chassis', 'external_ids'],
} as const;

/** The rows that are read: of ports those of other nodes. A node has thousands of its own, and each changes when a pod comes or goes. */
export const SOUTHBOUND_CONDITIONS = { Port_Binding: [['type', '==', 'remote']] } as const;

/** The text in a column; empty for anything else. */
export function textOf({ columns }: Row, column: string): string {
  const value = columns[column];
  return typeof value === 'string' ? value : '';
}

/** The pairs in a column. */
export function mapOf({ columns }: Row, column: string): ReadonlyMap<unknown, unknown> {
  const value = readValue(columns[column]);
  return new Map(value?.kind === 'map' ? value.pairs : []);
}

/** The UUIDs of the rows that a column refers to. */
export function referencesOf({ columns }: Row, column: string): readonly string[] {
  const value = readValue(columns[column]);
  if (value?.kind !== 'set') return [];
  return value.atoms.flatMap((atom) => (typeof atom === 'object' ? [atom.uuid] : []));
}

/** The last content of each chassis, by its row: the same object if neither the row nor its tunnels have changed. */
const lastChassis = lastByObject<Chassis>();

function chassisOf(row: Row, tunnels: ReadonlyMap<string, Row>): Chassis {
  const own = referencesOf(row, 'encaps').flatMap((uuid) => tunnels.get(uuid) ?? []);
  return lastChassis(row, own, () => {
    const node = mapOf(row, 'external_ids').get(CHASSIS_OWNER_KEY);
    return {
      name: textOf(row, 'name'),
      hostname: textOf(row, 'hostname'),
      addresses: own
        .filter((tunnel) => textOf(tunnel, 'type') === 'geneve')
        .map((tunnel) => textOf(tunnel, 'ip'))
        .sort(byName),
      isRemote: mapOf(row, 'other_config').get('is-remote') === 'true',
      ...(typeof node === 'string' && { node }),
    };
  });
}

/** The chassis in tables of the Southbound database, by name; the same list for the same tables. */
const chassisIn = lazyByObject((tables: Tables): readonly Chassis[] => {
  const tunnels = new Map((tables.get('Encap') ?? []).map((row) => [row.uuid, row]));
  return (tables.get('Chassis') ?? []).map((row) => chassisOf(row, tunnels)).sort(by(({ name }) => name));
});

/** The last content of each port, likewise. */
const lastPort = lastByObject<RemotePort>();

/** The ports of other nodes that are bound to a chassis, by name; the same list for the same tables. */
const remotePortsIn = lazyByObject((tables: Tables): readonly RemotePort[] => {
  const chassis = new Map((tables.get('Chassis') ?? []).map((row) => [row.uuid, row]));
  return (tables.get('Port_Binding') ?? [])
    .flatMap((row): readonly RemotePort[] => {
      const [bound] = referencesOf(row, 'chassis').flatMap((uuid) => chassis.get(uuid) ?? []);
      if (bound === undefined || textOf(row, 'type') !== 'remote') return [];
      return [lastPort(row, [bound], () => remotePortOf(row, textOf(bound, 'name')))];
    })
    .sort(by(({ port }) => port));
});

/** ovn-northd copies the external_ids of a port from the Northbound database. */
function remotePortOf(row: Row, chassis: string): RemotePort {
  const network = mapOf(row, 'external_ids').get(LOGICAL_NETWORK_ROW_OWNER_KEY);
  return { port: textOf(row, 'logical_port'), chassis, ...(typeof network === 'string' && { network }) };
}

/** The part of the Southbound database that is read. */
export function southboundIn(tables: Tables): SouthboundSnapshot {
  return { chassis: chassisIn(tables), remotePorts: remotePortsIn(tables) };
}
