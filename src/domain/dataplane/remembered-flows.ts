/** Facts that are read from managed flows after a restart: the conntrack zones of uplinks, and the MAC addresses of neighbours. */
import { FIRST_ZONE, FLOW_COOKIE, HOST_CONNECTION_MARK, ZONES_PER_UPLINK } from '../basics/conventions.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { flowKey } from '../datapath/openflow/flow-entry.ts';
import { sortedBy } from '../basics/names/ordering.ts';
import type { BridgeFlow } from '../snapshot/datapath.ts';
import { tables } from './pipeline/tables.ts';

/** Highest conntrack zone (Linux, u16). */
const LAST_ZONE = 0xffff;

const ownFlowsByBridge = lazyByObject((flows: readonly BridgeFlow[]) =>
  groupBy(
    flows.filter(({ cookie }) => cookie === FLOW_COOKIE),
    ({ bridge }) => bridge,
  ),
);

/** The blocks of conntrack zones that managed flows of a bridge use, by their first zone, with the ports of the host interfaces that use them. */
type UsedBlocks = ReadonlyMap<number, ReadonlySet<string>>;

/** The first zone of the block that a flow uses; undefined if it uses none. */
export function blockInActions({ actions }: Pick<BridgeFlow, 'actions'>): number | undefined {
  const zone = Number(/\bzone=(\d+)/.exec(actions)?.[1] ?? 0);
  return zone < FIRST_ZONE ? undefined : zone - ((zone - FIRST_ZONE) % ZONES_PER_UPLINK);
}

const HOST_MARK = `set_field:0x${HOST_CONNECTION_MARK.toString(16)}->ct_mark`;

/** The port of the host interface whose connections a flow tracks; undefined for other flows. */
function hostPortIn({ match, actions }: BridgeFlow): string | undefined {
  return actions.includes(HOST_MARK) ? /\bin_port="?([^",]+)/.exec(match)?.[1] : undefined;
}

const usedBlocks = lazyByObject((flows: readonly BridgeFlow[]): ReadonlyMap<string, UsedBlocks> => {
  const used = new Map<string, Map<number, Set<string>>>();
  for (const [bridge, own] of ownFlowsByBridge(flows)) {
    const blocks = new Map<number, Set<string>>();
    for (const flow of own) {
      const zone = blockInActions(flow);
      if (zone === undefined) continue;
      const ports = blocks.get(zone) ?? new Set();
      const port = hostPortIn(flow);
      if (port !== undefined) ports.add(port);
      blocks.set(zone, ports);
    }
    used.set(bridge, blocks);
  }
  return used;
});

/** The port of a host interface on a bridge, as flows name it. */
export interface HostPort {
  readonly bridge: string;
  readonly hostPort: string;
}

/** Whether a block has no owner: its flows name no port, or only numbers of ports that were recreated. */
const isOrphaned = (ports: ReadonlySet<string>) => [...ports].every((port) => /^\d+$/.test(port));

/**
 * Assigns a block of zones to each uplink: its present one, else one of its bridge without an owner, else the lowest free one, in name order.
 *
 * @returns the first zone; undefined for an uplink for which none is left.
 */
export function firstZones(
  hostPorts: readonly HostPort[],
  flows: readonly BridgeFlow[],
): (port: HostPort) => number | undefined {
  const used = usedBlocks(flows);
  const blocksOf = (bridge: string) => [...(used.get(bridge) ?? [])].sort(([left], [right]) => left - right);
  const textOf = ({ bridge, hostPort }: HostPort) => `${bridge} ${hostPort}`;
  const zones = new Map<string, number>();
  const taken = new Set<number>();
  const sorted = sortedBy(hostPorts, textOf);
  const give = (zoneFor: (port: HostPort) => number | undefined) => {
    for (const port of sorted) {
      const zone = zones.has(textOf(port)) ? undefined : zoneFor(port);
      if (zone === undefined) continue;
      taken.add(zone);
      zones.set(textOf(port), zone);
    }
  };
  const ofBridge = ({ bridge }: HostPort, isWanted: (ports: ReadonlySet<string>) => boolean) =>
    blocksOf(bridge).find(([zone, ports]) => !taken.has(zone) && isWanted(ports))?.[0];
  give((port) => ofBridge(port, (ports) => ports.has(port.hostPort)));
  give((port) => ofBridge(port, isOrphaned));
  for (const zone of [...used.values()].flatMap((blocks) => [...blocks.keys()])) taken.add(zone);
  let free = FIRST_ZONE;
  give(() => {
    while (taken.has(free)) free += ZONES_PER_UPLINK;
    return free + ZONES_PER_UPLINK > LAST_ZONE ? undefined : free;
  });
  return (port) => zones.get(textOf(port));
}

const actionsByKey = lazyByObject(
  (flows: readonly BridgeFlow[]) =>
    new Map(
      [...ownFlowsByBridge(flows)].flatMap(([bridge, own]) =>
        own.map((flow) => [`${bridge} ${flowKey(flow)}`, flow.actions] as const),
      ),
    ),
);

/** The actions of the managed flow with a table, priority and match; undefined if there is none. */
export function ownActions(
  flow: Omit<BridgeFlow, 'actions' | 'cookie'>,
  flows: readonly BridgeFlow[],
): string | undefined {
  return actionsByKey(flows).get(`${flow.bridge} ${flowKey(flow)}`);
}

const vlansByBridge = lazyByObject(
  (flows: readonly BridgeFlow[]) =>
    new Map(
      [...ownFlowsByBridge(flows)].map(([bridge, own]) => {
        const vlans = own
          .filter(({ table }) => table === tables.nextHop)
          .map(({ match }) => /\bdl_vlan=(\d+)/.exec(match)?.[1])
          .map((vlan) => (vlan === undefined ? undefined : Number(vlan)));
        return [bridge, [...new Set(vlans)]] as const;
      }),
    ),
);

/** The VLANs of a bridge in which managed flows have neighbours; undefined for untagged frames. */
export function nextHopVlans(bridge: string, flows: readonly BridgeFlow[]): readonly (number | undefined)[] {
  return vlansByBridge(flows).get(bridge) ?? [];
}
