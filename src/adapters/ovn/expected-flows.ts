/**
 * The flows that ovn-controller must have on the integration bridge once it has processed a change. Their cookie is the first 32 bits of the UUID of a row of
 * the Southbound database: of the Logical_Flow, or of the Port_Binding for flows to and from a port (ovn-controller/lflow.c and physical.c; tried on OVN
 * 23.03 and 25.03). Only what has flows whatever else there is counts: what depends on address sets, or on other nodes, may have none.
 */
import { rowsByKey } from '../../domain/datapath/ovsdb/row-transaction.ts';
import { rowChange } from '../../domain/entities/ovn/open-router-port.ts';
import { by } from '../../domain/basics/names/ordering.ts';
import {
  type NorthboundRow,
  GATEWAY_ROW_OWNER_KEY,
  rowKey,
  LOGICAL_NETWORK_ROW_OWNER_KEY,
} from '../../domain/datapath/northbound/row.ts';
import { type NorthboundOperation, operationsIn } from '../../domain/entities/operations/northbound-changes.ts';
import type { Row } from '../ovsdb/row.ts';
import { mapOf, referencesOf, textOf } from './southbound-rows.ts';

/** A change whose flows are looked for. */
export interface FlowsOfChange {
  /** The network's name in OVN. */
  readonly network: string;
  /** A row that the change adds, changes or opens, if one of them always has logical flows. */
  readonly row?: NorthboundRow;
}

/** A query of the Southbound database. */
export interface SouthboundQuery {
  readonly table: 'Logical_Flow' | 'Port_Binding';
  /** Conditions (RFC 7047, 5.1). */
  readonly where: readonly unknown[];
  readonly columns: readonly string[];
}

/** Flows, for people, and their cookie as ovs-ofctl(8) has it. */
export interface ExpectedFlows {
  readonly of: string;
  readonly cookie: string;
}

/** The tables whose rows always have logical flows: the beginning of the name of their stage (ovn-northd(8)), and what a row is, for people. */
const always: Readonly<Partial<Record<NorthboundRow['table'], readonly [stage: string, text: string]>>> = {
  Logical_Router_Port: ['lr_in_admission', 'port'],
  Logical_Router_Static_Route: ['lr_in_ip_routing', 'route'],
};

/** The rows that an operation adds or changes, or that are ports that it opens. */
function rowsOf(operation: NorthboundOperation): readonly NorthboundRow[] {
  return operationsIn(operation).flatMap(({ verb, entity }) => {
    if (verb === 'remove') return [];
    return [entity.kind === 'open-router-port' ? rowChange(entity, true).row : entity.row];
  });
}

/** Whether a row always has logical flows: ports of routers that are opened, and routes. */
function hasFlows({ table, columns }: NorthboundRow): boolean {
  return table === 'Logical_Router_Static_Route' || (table === 'Logical_Router_Port' && columns['enabled'] === true);
}

/** The change that an operation makes, as flows of it are looked for; undefined if it only removes rows or closes ports. @param northbound the rows after it */
export function flowsOfChange(
  operation: NorthboundOperation,
  northbound: readonly NorthboundRow[],
): FlowsOfChange | undefined {
  const rows = rowsOf(operation);
  const network = rows.find((row) => row.network !== undefined)?.network;
  if (network === undefined) return undefined;
  const known = rowsByKey(northbound);
  const [row] = rows
    .filter((each) => each.network === network && hasFlows(each))
    .flatMap((each) => known.get(rowKey(each)) ?? []);
  return { network, ...(row && { row }) };
}

/** The beginning of a UUID that a cookie is, and a stage-hint (ovn-sb(5), Logical_Flow). */
const beginningOf = (uuid: string) => uuid.slice(0, 8);

const havingIds = (ids: Readonly<Record<string, string>>) => ['external_ids', 'includes', ['map', Object.entries(ids)]];

/** The ports of a network that ovn-controller binds to the chassis: those of its gateway router, and its management port (ovn-sb(5), Port_Binding). */
function portQuery(owner: string, network: string, type: string): SouthboundQuery {
  return {
    table: 'Port_Binding',
    where: [havingIds({ [owner]: network }), ['type', '==', type]],
    columns: ['_uuid', 'logical_port', 'chassis'],
  };
}

/** The queries whose results tell what is expected. */
export function queriesOf({ network, row }: FlowsOfChange): readonly SouthboundQuery[] {
  return [
    portQuery(GATEWAY_ROW_OWNER_KEY, network, 'l3gateway'),
    portQuery(LOGICAL_NETWORK_ROW_OWNER_KEY, network, ''),
    ...(row?.uuid === undefined
      ? []
      : [
          {
            table: 'Logical_Flow',
            where: [havingIds({ 'stage-hint': beginningOf(row.uuid) })],
            columns: ['_uuid', 'external_ids'],
          } as const,
        ]),
  ];
}

const isBound = (port: Row) => referencesOf(port, 'chassis').length > 0;

const cookieOf = ({ uuid }: Row) => `0x${beginningOf(uuid)}`;

/** The logical flow of a row in the stage where it always has one. */
function logicalFlowOf({ table }: NorthboundRow, logicalFlows: readonly Row[]): Row | undefined {
  const [stage] = always[table] ?? [];
  const isOfStage = (flow: Row) => {
    const name = mapOf(flow, 'external_ids').get('stage-name');
    return stage !== undefined && typeof name === 'string' && name.startsWith(stage);
  };
  return logicalFlows.filter(isOfStage).toSorted(by(({ uuid }) => uuid))[0];
}

/**
 * The flows that must be on the bridge; undefined if nothing need be there: as long as no port of a network is bound to the chassis, ovn-controller has no flows
 * of it.
 *
 * @param results of `queriesOf`
 */
export function expectedFlows({ row }: FlowsOfChange, results: readonly (readonly Row[])[]): ExpectedFlows | undefined {
  const [gatewayPorts = [], managementPorts = [], logicalFlows = []] = results;
  const bound = [...gatewayPorts, ...managementPorts].filter(isBound);
  const [port] = bound;
  if (port === undefined) return undefined;
  // A gateway router may be on no chassis.
  const isHere = row?.isOfZone === true || gatewayPorts.some(isBound);
  const logicalFlow = row !== undefined && isHere ? logicalFlowOf(row, logicalFlows) : undefined;
  if (row === undefined || logicalFlow === undefined) {
    return { of: `port ${textOf(port, 'logical_port')}`, cookie: cookieOf(port) };
  }
  const [, text = row.table] = always[row.table] ?? [];
  return { of: `${text} ${row.name}`, cookie: cookieOf(logicalFlow) };
}
