import {
  isNamed,
  type NorthboundTable,
  northboundTables,
  unsignedTables,
} from '../../domain/snapshot/northbound-row.ts';

/** The type of a column: one value; at most one; any number of strings; strings by strings; at most one reference. */
export type ColumnForm = 'value' | 'optional' | 'set' | 'map' | 'reference';

/** The columns of each table by which rows are compared or named (ovn-nb(5)). */
export const tableColumns: Readonly<Record<NorthboundTable, Readonly<Record<string, ColumnForm>>>> = {
  Logical_Router: { options: 'map' },
  Logical_Switch: { other_config: 'map' },
  Logical_Router_Port: { mac: 'value', networks: 'set', options: 'map', peer: 'optional', enabled: 'optional' },
  Logical_Switch_Port: { type: 'value', addresses: 'set', options: 'map', tag_request: 'optional' },
  Address_Set: { addresses: 'set' },
  Logical_Router_Static_Route: {
    ip_prefix: 'value',
    nexthop: 'value',
    output_port: 'optional',
    policy: 'optional',
    route_table: 'value',
  },
  Logical_Router_Policy: { priority: 'value', match: 'value', action: 'value', nexthops: 'set' },
  NAT: { type: 'value', logical_ip: 'value', external_ip: 'value', allowed_ext_ips: 'reference' },
  Static_MAC_Binding: { logical_port: 'value', ip: 'value', mac: 'value', override_dynamic_mac: 'value' },
};

/** The columns by which rows of a table refer to others, with the tables of those. */
export const referenceColumns: Readonly<Partial<Record<NorthboundTable, readonly string[]>>> = {
  Logical_Router: ['ports', 'static_routes', 'policies', 'nat'],
  Logical_Switch: ['ports'],
};

/** The columns of a table that are read. */
function columnsOf(table: NorthboundTable): readonly string[] {
  return [
    ...(isNamed(table) ? ['name'] : []),
    ...Object.keys(tableColumns[table]),
    ...(unsignedTables.has(table) ? [] : ['external_ids']),
    ...(referenceColumns[table] ?? []),
  ];
}

/** The columns that are read, by table. */
export const NORTHBOUND_COLUMNS: Readonly<Record<NorthboundTable, readonly string[]>> = Object.fromEntries(
  northboundTables.map((table) => [table, columnsOf(table)]),
) as Record<NorthboundTable, readonly string[]>;
