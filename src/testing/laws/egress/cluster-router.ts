/** A model of what a router of a network does in the zone of a node with packets that may leave there: its policies and its translation (ovn-nb(5)). */
import { type AddressFamily, familyOf, subnetContains } from '../../../domain/basics/addresses/ip-address.ts';
import { CHASSIS_KEY } from '../../../domain/basics/conventions.ts';
import { isPartOf, type NorthboundRow } from '../../../domain/datapath/northbound/row.ts';
import type { NorthboundTable } from '../../../domain/datapath/northbound/tables.ts';
import type { NodeSnapshot } from '../../../domain/index.ts';

/** The prefixes of default routes. */
const defaults: Readonly<Record<string, AddressFamily>> = { '0.0.0.0/0': 4, '::/0': 6 };

/** The family of the default route that a row is; undefined for other rows. */
export function defaultFamilyOf({ table, columns: { ip_prefix: prefix } }: NorthboundRow): AddressFamily | undefined {
  return table === 'Logical_Router_Static_Route' && typeof prefix === 'string' ? defaults[prefix] : undefined;
}

/** A router by which a network leaves the node. */
export interface LeavingRouter {
  readonly networkName: string;
  readonly family: AddressFamily;
  /** Its ports to the pods of the node, and to other nodes. */
  readonly toPods: string;
  readonly toOthers: string;
  /** Subnets of its pods on the node, CIDR. */
  readonly own: readonly string[];
  readonly rows: readonly NorthboundRow[];
  /** Whether it translates: the port to the pods is on the chassis of the node. */
  readonly isTranslating: boolean;
}

/** A packet in a router. */
export interface RoutedPacket {
  readonly inport: string;
  readonly outport: string;
  readonly source: string;
  readonly destination: string;
}

/** The routers by which networks leave the node, each once for each family. */
export function leavingRouters({ northbound, switchExternalIds }: NodeSnapshot): readonly LeavingRouter[] {
  return northbound.flatMap((row) => {
    const family = row.isOfZone === true ? defaultFamilyOf(row) : undefined;
    const [router] = row.parents ?? [];
    if (family === undefined || router === undefined) return [];
    const rows = northbound.filter((each) => isPartOf(each, router.name));
    const portNamed = (pattern: RegExp) =>
      rows.find(({ table, name }) => table === 'Logical_Router_Port' && pattern.test(name));
    const port = portNamed(/^rtos-/);
    const toPods = port?.name ?? '';
    const chassis = northbound.filter((each) => each.table === 'Gateway_Chassis' && isPartOf(each, toPods));
    return [
      {
        networkName: row.network ?? '',
        family,
        toPods,
        toOthers: portNamed(/_rtots-/)?.name ?? '',
        own: [port?.columns['networks'] ?? []]
          .flat()
          .filter((cidr): cidr is string => typeof cidr === 'string' && familyOf(cidr) === family),
        rows,
        isTranslating: chassis.some(({ columns }) => columns['chassis_name'] === switchExternalIds[CHASSIS_KEY]),
      },
    ];
  });
}

/** The text of a column; empty where it has another value. */
export function textIn(columns: NorthboundRow['columns'], name: string): string {
  const value = columns[name];
  return typeof value === 'string' ? value : '';
}

const columnsIn = ({ rows }: LeavingRouter, table: NorthboundTable) =>
  rows.filter((row) => row.table === table).map(({ columns }) => columns);

/** Whether a packet matches a term of an expression (ovn-sb(5), Logical_Flow, match): those that policies of routers consist of. */
function isTerm(term: string, packet: RoutedPacket): boolean {
  const [, field = '', op, value = ''] = /^(inport|outport|ip[46]\.(?:src|dst)) (==|!=) "?([^"]+)"?$/.exec(term) ?? [];
  if (op === undefined) return false;
  const [family, end] = field.split('.');
  if (end === undefined) return (packet[field as 'inport' | 'outport'] === value) === (op === '==');
  const address = end === 'src' ? packet.source : packet.destination;
  return (
    family === `ip${familyOf(address) ?? ''}` && (address === value || subnetContains(value, address)) === (op === '==')
  );
}

/** Whether the policies of a router drop a packet: the one with the highest priority of those that match decides. */
export function isDroppedBy(router: LeavingRouter, packet: RoutedPacket): boolean {
  const matching = columnsIn(router, 'Logical_Router_Policy').filter((columns) =>
    textIn(columns, 'match')
      .split(' && ')
      .every((term) => isTerm(term, packet)),
  );
  const highest = Math.max(...matching.map(({ priority }) => Number(priority)));
  return matching.some(({ priority, action }) => Number(priority) === highest && action === 'drop');
}

/** The source of a packet beyond a router that it leaves by the port to the pods. */
export function sourceBeyond(router: LeavingRouter, { source }: RoutedPacket): string {
  const translation = columnsIn(router, 'NAT').find(
    (columns) => columns['type'] === 'snat' && subnetContains(textIn(columns, 'logical_ip'), source),
  );
  return router.isTranslating && translation !== undefined ? textIn(translation, 'external_ip') : source;
}
