/**
 * What the flows of a bridge that are ours tell again after a restart: its conntrack zones, and the MAC addresses of gateways.
 */
import { FIRST_ZONE, FLOW_COOKIE, ZONES_PER_BRIDGE } from '../conventions.ts';
import { groupBy } from '../grouping.ts';
import { lazyByObject } from '../lazy.ts';
import { flowKey } from '../openflow/flow-entry.ts';
import { byName } from '../ordering.ts';
import type { BridgeFlow } from '../snapshot/datapath.ts';

/** Highest conntrack zone (Linux, u16). */
const LAST_ZONE = 0xffff;

const ownFlowsByBridge = lazyByObject((flows: readonly BridgeFlow[]) =>
  groupBy(
    flows.filter(({ cookie }) => cookie === FLOW_COOKIE),
    ({ bridge }) => bridge,
  ),
);

/** The first zone of the block that a flow has a zone of; absent where it tracks nothing. */
function firstZoneIn({ actions }: BridgeFlow): number | undefined {
  const zone = Number(/\bzone=(\d+)/.exec(actions)?.[1] ?? 0);
  return zone < FIRST_ZONE ? undefined : zone - ((zone - FIRST_ZONE) % ZONES_PER_BRIDGE);
}

/** The first zone of each bridge that has flows of ours. */
const usedZones = lazyByObject((flows: readonly BridgeFlow[]): ReadonlyMap<string, number> => {
  const zones = new Map<string, number>();
  for (const [bridge, own] of ownFlowsByBridge(flows)) {
    for (const flow of own) {
      const zone = firstZoneIn(flow);
      if (zone !== undefined) zones.set(bridge, Math.min(zone, zones.get(bridge) ?? zone));
    }
  }
  return zones;
});

/**
 * The first conntrack zone of each of some bridges: the one that it has, else the lowest free one, in the order of their names. A bridge for which
 * none is left is missing.
 */
export function firstZones(bridges: readonly string[], flows: readonly BridgeFlow[]): ReadonlyMap<string, number> {
  const used = usedZones(flows);
  const zones = new Map<string, number>();
  const taken = new Set<number>();
  const sorted = [...bridges].sort(byName);
  // Of two bridges with one zone, as after a bridge was renamed, the first keeps it.
  for (const bridge of [...sorted, ...[...used.keys()].sort(byName)]) {
    const zone = used.get(bridge);
    if (zone === undefined || taken.has(zone)) continue;
    taken.add(zone);
    zones.set(bridge, zone);
  }
  let free = FIRST_ZONE;
  for (const bridge of sorted) {
    if (zones.has(bridge)) continue;
    while (taken.has(free)) free += ZONES_PER_BRIDGE;
    if (free + ZONES_PER_BRIDGE > LAST_ZONE) break;
    taken.add(free);
    zones.set(bridge, free);
  }
  return zones;
}

const actionsByKey = lazyByObject(
  (flows: readonly BridgeFlow[]) =>
    new Map(
      [...ownFlowsByBridge(flows)].flatMap(([bridge, own]) =>
        own.map((flow) => [`${bridge} ${flowKey(flow)}`, flow.actions] as const),
      ),
    ),
);

/** The actions of the flow of ours that has a table, priority and match; absent where there is none. */
export function ownActions(
  flow: Omit<BridgeFlow, 'actions' | 'cookie'>,
  flows: readonly BridgeFlow[],
): string | undefined {
  return actionsByKey(flows).get(`${flow.bridge} ${flowKey(flow)}`);
}
