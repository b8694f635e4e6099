import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { Command } from '../command.ts';
import { mappingsInForce } from '../../snapshot/bridge-mappings.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { SetKind } from '../entity-kind.ts';
import { counted } from '../../basics/names/counted.ts';
import { northboundProgram } from './northbound-command.ts';
import type { RowChange } from '../../datapath/ovsdb/row-transaction.ts';

/**
 * The open port of a network's gateway router to the bridge. The port is inserted closed, and opened once the bridge has its flows: before, packets
 * would leave untranslated (docs/design/flows.md, "Neighbours").
 */
export interface OpenRouterPortEntity {
  readonly kind: 'open-router-port';
  /** Name of the router port. */
  readonly routerPort: string;
  /** The network's name in OVN. */
  readonly network: string;
  /** The bridge that the network is mapped to; empty for none. */
  readonly bridge: string;
  /** Present if OVN has not confirmed that the port is open. */
  readonly isUnconfirmed?: true;
}

function portOf(
  { name, isOpeningUnconfirmed: isUnconfirmed }: NorthboundRow,
  network: string,
  bridge: string,
): OpenRouterPortEntity {
  return { kind: 'open-router-port', routerPort: name, network, bridge, ...(isUnconfirmed && { isUnconfirmed }) };
}

function withEnabled(node: NodeSnapshot, ports: ReadonlySet<string>, enabled: boolean): NodeSnapshot {
  const isMeant = ({ table, name }: NorthboundRow) => table === 'Logical_Router_Port' && ports.has(name);
  const changed = ({ isOpeningUnconfirmed: _, ...row }: NorthboundRow) => ({
    ...row,
    columns: { ...row.columns, enabled },
  });
  return { ...node, northbound: node.northbound.map((row) => (isMeant(row) ? changed(row) : row)) };
}

/** The change of the row that opens the port, or closes it. */
export function rowChange({ routerPort, network }: OpenRouterPortEntity, enabled: boolean): RowChange {
  return {
    verb: 'replace',
    row: { table: 'Logical_Router_Port', name: routerPort, network, columns: { enabled } },
  };
}

/** The command that opens or closes ports by name: their rows may have been inserted since the database was read. */
function command(changes: readonly (readonly [OpenRouterPortEntity, boolean])[]): Command {
  const updates = changes.map(([{ routerPort }, enabled]) => ({
    op: 'update',
    table: 'Logical_Router_Port',
    where: [['name', '==', routerPort]],
    row: { enabled },
  }));
  return northboundProgram(updates);
}

const names = (entities: readonly OpenRouterPortEntity[]) => new Set(entities.map(({ routerPort }) => routerPort));

export const openRouterPort: SetKind<OpenRouterPortEntity, 'northbound'> = {
  kind: 'open-router-port',
  parts: ['northbound', 'switchExternalIds'],
  identity: ({ routerPort }) => routerPort,
  satisfies: ({ isUnconfirmed }) => isUnconfirmed !== true,
  all: ({ northbound, switchExternalIds }) => {
    const bridges = new Map(mappingsInForce(switchExternalIds));
    return northbound.flatMap((row) => {
      const { table, network, columns } = row;
      const isOpen = table === 'Logical_Router_Port' && network !== undefined && columns['enabled'] === true;
      return isOpen ? [portOf(row, network, bridges.get(network) ?? '')] : [];
    });
  },
  put: (node, entities) => withEnabled(node, names(entities), true),
  take: (node, entities) => withEnabled(node, names(entities), false),
  comparable: ({ routerPort, network }) => ({ routerPort, network }),
  isOurs: () => true,
  anchor: ({ network }) => ({ networkName: network, part: 'uplink' }),
  // ovn-northd and ovn-controller take as long for one port as for all of a bridge.
  set: {
    of: ({ bridge }) => bridge,
    names: ['change-router-ports'],
    nameOf: () => 'change-router-ports',
    summary: (changes, bridge) => {
      const isClosed = changes.some(({ verb }) => verb === 'remove');
      const [first] = changes;
      const routers =
        changes.length === 1 && first !== undefined
          ? `gateway router of ${first.entity.network}`
          : counted(changes.length, 'gateway router');
      return `${routers}: ${isClosed ? 'closed' : 'open'} to ${bridge === '' ? 'the bridge' : bridge}`;
    },
    command: (changes) => command(changes.map(({ verb, entity }) => [entity, verb !== 'remove'])),
  },
  port: 'northbound',
  capturedIn: () => [capturedFiles.northbound],
  text: ({ routerPort }) => `router port ${routerPort} is open`,
  add: {
    name: 'open-router-port',
    mark: '~',
    dependencies: ({ network }, networks) => ({
      needs: [dependency('rows', network), ...dependencies('flows', networks)],
    }),
    command: (entity) => command([[entity, true]]),
  },
  remove: {
    name: 'close-router-port',
    mark: '~',
    dependencies: ({ network }, networks) => ({
      uses: [dependency('rows', network), ...dependencies('flows', networks)],
    }),
    command: (entity) => command([[entity, false]]),
  },
};
