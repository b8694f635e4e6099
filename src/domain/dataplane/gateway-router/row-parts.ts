/**
 * Common parts of the rows of a gateway router.
 */
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import type { GatewayRouterFamily, GatewayRouterInput } from './gateway-router-input.ts';
import type { GatewayRouterNames } from '../../network/names/gateway-router.ts';

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
