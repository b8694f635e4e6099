/**
 * What the rows of a gateway router have in common.
 */
import { nameOfUnnamed } from '../../snapshot/northbound-names.ts';
import type { NorthboundParent, NorthboundRow } from '../../snapshot/northbound-row.ts';
import type { GatewayRouterFamily, GatewayRouterInput } from './gateway-router-input.ts';
import type { GatewayRouterNames } from './names.ts';

/** The address of a CIDR. */
export const withoutLength = (cidr: string) => cidr.split('/')[0] ?? '';

/** The parent of a port of a router. */
export const onRouter = (name: string): NorthboundParent => ({ table: 'Logical_Router', name, column: 'ports' });

/** Rows with one purpose. */
export type RowMaker = (input: GatewayRouterInput, names: GatewayRouterNames) => readonly NorthboundRow[];

/** Rows, or parts of them, for each address family of a network. */
export function eachFamily<Row>(
  { families }: GatewayRouterInput,
  make: (family: GatewayRouterFamily, number: 4 | 6) => readonly Row[],
): readonly Row[] {
  return ([4, 6] as const).flatMap((number) => {
    const family = families[number];
    return family === undefined ? [] : make(family, number);
  });
}

interface StaticRoute {
  readonly router: string;
  readonly ip_prefix: string;
  readonly nexthop: string;
  readonly output_port?: string;
  readonly policy?: 'src-ip';
}

/** A static route. Routes to one subnet by different next hops share the packets. */
export function staticRoute({ router: name, ...columns }: StaticRoute): NorthboundRow {
  return {
    table: 'Logical_Router_Static_Route',
    name: nameOfUnnamed('Logical_Router_Static_Route', columns, name),
    columns,
    parent: { table: 'Logical_Router', name, column: 'static_routes' },
  };
}
