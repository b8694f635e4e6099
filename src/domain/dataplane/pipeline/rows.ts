/**
 * The rows of the pipeline of an uplink bridge.
 *
 * Traffic that the host forwards is switched and not tracked: if it were tracked, it could be taken for replies to connections of a network.
 *
 * No two flows of one table and priority overlap, since Open vSwitch could use either. Gaps between priorities are left for services.
 */
import { bridgeRows } from './bridge-rows.ts';
import { neighbourRows } from './neighbour-rows.ts';
import { networkRows } from './network-rows.ts';
import type { PipelineRow, ScopeName } from './row.ts';
import { uplinkRows } from './uplink-rows.ts';

/** All rows, by what their flows are made for. */
export const pipeline: { readonly [Scope in ScopeName]: readonly PipelineRow<Scope>[] } = {
  bridge: bridgeRows,
  uplink: uplinkRows,
  neighbour: neighbourRows,
  network: networkRows,
};
