/**
 * Parts of routers and switches in OVN's Northbound database (ovn-nb(5)), as rows of several makers have them.
 */
import { macAddressOf, withoutLength } from '../basics/addresses/ip-address.ts';
import { nameOfUnnamed } from '../datapath/northbound/row-name.ts';
import type { NorthboundParent, NorthboundRow } from '../datapath/northbound/row.ts';

/** The parent of a port of a router. */
export const onRouter = (name: string): NorthboundParent => ({ table: 'Logical_Router', name, column: 'ports' });

/** The parent of a port of a switch. */
export const onSwitch = (name: string): NorthboundParent => ({ table: 'Logical_Switch', name, column: 'ports' });

/** The MAC address of a port whose first address is this, CIDR. */
export const macOf = (cidr = '') => macAddressOf(withoutLength(cidr));

/** A policy of a router. */
export function policyOf(router: string, columns: NorthboundRow['columns']): NorthboundRow {
  return {
    table: 'Logical_Router_Policy',
    name: nameOfUnnamed('Logical_Router_Policy', columns, router),
    columns,
    parents: [{ table: 'Logical_Router', name: router, column: 'policies' }],
  };
}

interface StaticRoute {
  readonly router: string;
  readonly ip_prefix: string;
  readonly nexthop: string;
  readonly output_port?: string;
  readonly policy?: 'src-ip';
}

/** The parents of a static route of a router. */
export const routesOf = (name: string): readonly NorthboundParent[] => [
  { table: 'Logical_Router', name, column: 'static_routes' },
];

/** The name of a static route, which has none in the database. */
export function staticRouteName(router: string, columns: Omit<StaticRoute, 'router'>): string {
  return nameOfUnnamed('Logical_Router_Static_Route', { ...columns }, router);
}

/** A static route. Routes to one subnet by different next hops share the packets. */
export function staticRoute({ router, ...columns }: StaticRoute): NorthboundRow {
  return {
    table: 'Logical_Router_Static_Route',
    name: staticRouteName(router, columns),
    columns,
    parents: routesOf(router),
  };
}
