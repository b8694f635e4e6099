import Type from 'typebox';
import { partOf, stringMap } from '../../domain/api/schema.ts';
import { by, byName } from '../../domain/basics/names/ordering.ts';
import type { Bridge, SwitchInterface, SwitchPort } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { SwitchSnapshot } from '../../ports/node/switch-database.ts';
import { fieldPlace, type Place, problemAt } from '../json/conforming.ts';
import { allOf, mapReading, thenRead } from '../../ports/readings.ts';
import { readDump } from '../ovsdb/dump.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import { rowReader } from '../ovsdb/rows.ts';
import type { Reference } from '../ovsdb/values.ts';

const references = Type.Array(partOf({ uuid: Type.String() }));
const externalIds = Type.Optional(stringMap());

const rootSchema = partOf({
  bridges: Type.Optional(references),
  external_ids: externalIds,
  ovs_version: Type.Optional(Type.String()),
});
const bridgeSchema = partOf({ name: Type.String(), ports: references, external_ids: externalIds });
const portSchema = partOf({
  name: Type.String(),
  interfaces: references,
  tag: Type.Optional(Type.Integer()),
  vlan_mode: Type.Optional(Type.String()),
  trunks: Type.Optional(Type.Array(Type.Integer())),
  external_ids: externalIds,
});
const interfaceSchema = partOf({
  name: Type.String(),
  type: Type.Optional(Type.String()),
  ofport: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.String()),
  link_state: Type.Optional(Type.String()),
  mtu: Type.Optional(Type.Integer()),
  mac: Type.Optional(Type.String()),
  mtu_request: Type.Optional(Type.Integer()),
  external_ids: externalIds,
});

const rootRow = rowReader(rootSchema);
export const bridgeRow = rowReader(bridgeSchema);
const portRow = rowReader(portSchema);
const interfaceRow = rowReader(interfaceSchema);

/** The columns that are read, by table; without statistics, which change all the time. */
export const SWITCH_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Open_vSwitch: Object.keys(rootSchema.properties),
  Bridge: Object.keys(bridgeSchema.properties),
  Port: Object.keys(portSchema.properties),
  Interface: Object.keys(interfaceSchema.properties),
};

/** The external_ids of the Open_vSwitch row. */
export type SwitchExternalIds = SwitchSnapshot['switchExternalIds'];

/** The rows of a table, by uuid. Problems of a row are reported through the rows that refer to it. */
type Records<Value> = ReadonlyMap<string, Reading<Value>>;

function recordsOf<Value>(tables: Tables, name: string, read: (row: Row) => Reading<Value>): Records<Value> {
  return new Map((tables.get(name) ?? []).map((row) => [row.uuid, read(row)]));
}

/** The rows that a column refers to, in an order independent of the references. */
function referred<Value extends { readonly name: string }>(
  column: readonly Reference[],
  place: Place,
  table: string,
  records: Records<Value>,
): Reading<readonly Value[]> {
  const readings = column
    .map(({ uuid }) => uuid)
    .sort(byName)
    .map((uuid) => records.get(uuid) ?? dangling<Value>(place, table, uuid));
  return mapReading(allOf(readings), (values) => values.toSorted(by(({ name }) => name)));
}

function dangling<Value>(place: Place, table: string, uuid: string): Reading<Value> {
  return {
    read: false,
    problems: [problemAt(place, `refers to row ${uuid} of table ${table}, which does not exist`)],
  };
}

function readInterface(row: Row): Reading<SwitchInterface> {
  return mapReading(interfaceRow(row), (fields) => {
    const { name, type = '', ofport, error, link_state, mtu, mac, mtu_request, external_ids = {} } = fields;
    return {
      name,
      type,
      // -1 if Open vSwitch could not add the interface (ovs-vswitchd.conf.db(5), Interface, ofport).
      ...(ofport === undefined || ofport < 0 ? {} : { openFlowPort: ofport }),
      ...(error === undefined ? {} : { error }),
      ...(link_state === undefined ? {} : { linkState: link_state }),
      ...(mtu === undefined ? {} : { mtu }),
      ...(mac === undefined ? {} : { macAddress: mac }),
      ...(mtu_request === undefined ? {} : { requestedMtu: mtu_request }),
      externalIds: external_ids,
    };
  });
}

function readPort(row: Row, interfaces: Records<SwitchInterface>): Reading<SwitchPort> {
  return thenRead(portRow(row), (fields) => {
    const { name, tag, vlan_mode, trunks = [], external_ids = {} } = fields;
    const members = referred(fields.interfaces, fieldPlace(row.place, 'interfaces'), 'Interface', interfaces);
    return mapReading(members, (found) => ({
      name,
      ...(tag === undefined ? {} : { tag }),
      ...(vlan_mode === undefined ? {} : { vlanMode: vlan_mode }),
      ...(trunks.length === 0 ? {} : { trunks: trunks.toSorted((left, right) => left - right) }),
      externalIds: external_ids,
      interfaces: found,
    }));
  });
}

function readBridge(row: Row, ports: Records<SwitchPort>): Reading<Bridge> {
  return thenRead(bridgeRow(row), ({ name, external_ids = {}, ...fields }) => {
    const members = referred(fields.ports, fieldPlace(row.place, 'ports'), 'Port', ports);
    return mapReading(members, (found) => ({ name, externalIds: external_ids, ports: found }));
  });
}

/** The external_ids of the switch; absent if the database is not initialized. */
export function externalIdsOf(tables: Tables): Reading<SwitchExternalIds | undefined> {
  const [root] = tables.get('Open_vSwitch') ?? [];
  return root === undefined
    ? { read: true, value: undefined }
    : mapReading(rootRow(root), ({ external_ids = {} }) => external_ids);
}

function readRoot(row: Row, bridges: Records<Bridge>): Reading<SwitchSnapshot> {
  return thenRead(rootRow(row), ({ bridges: column, external_ids = {}, ovs_version }) => {
    const everyRow = [...bridges.keys()].map((uuid) => ({ uuid }));
    const found = referred(column ?? everyRow, fieldPlace(row.place, 'bridges'), 'Bridge', bridges);
    return mapReading(found, (values) => ({
      switchExternalIds: external_ids,
      bridges: values,
      ...(ovs_version === undefined ? {} : { openVSwitchVersion: ovs_version }),
    }));
  });
}

/**
 * Reads bridges, ports and interfaces from the tables of the database Open_vSwitch (ovs-vswitchd.conf.db(5)), each list in name order. An
 * uninitialized database has no bridge.
 */
export function switchOf(tables: Tables): Reading<SwitchSnapshot> {
  const interfaces = recordsOf(tables, 'Interface', readInterface);
  const ports = recordsOf(tables, 'Port', (row) => readPort(row, interfaces));
  const bridges = recordsOf(tables, 'Bridge', (row) => readBridge(row, ports));
  const [root] = tables.get('Open_vSwitch') ?? [];
  return root === undefined ? { read: true, value: { switchExternalIds: {}, bridges: [] } } : readRoot(root, bridges);
}

/** The identifier of the port that has an interface; undefined if none has. */
export function portWithInterface(tables: Tables, name: string): string | undefined {
  const found = (tables.get('Interface') ?? []).find((row) => {
    const fields = interfaceRow(row);
    return fields.read && fields.value.name === name;
  });
  if (found === undefined) return undefined;
  const port = (tables.get('Port') ?? []).find((row) => {
    const fields = portRow(row);
    return fields.read && fields.value.interfaces.some(({ uuid }) => uuid === found.uuid);
  });
  return port?.uuid;
}

/**
 * Reads the same from `ovsdb-client --format=json dump Open_vSwitch`. Other tables and columns are ignored.
 *
 * @param file named in problems
 */
export function readSwitch(text: string, file: string): Reading<SwitchSnapshot> {
  return thenRead(readDump(text, file, Object.keys(SWITCH_COLUMNS)), ({ tables }) => switchOf(tables));
}
