/**
 * Neighbours on the links of uplinks that flows have learned. The kernel is told to keep them resolved, and they get flows of ours: what is learned goes
 * with ovs-vswitchd, while gateway routers go on sending to the virtual MAC addresses that they know (docs/design/flows.md, "Neighbours").
 */
import { ADOPTED_NEIGHBOUR_PROTOCOL, FLOW_COOKIE, LEARNED_FLOW_COOKIE } from '../conventions.ts';
import { groupBy } from '../grouping.ts';
import { canonicalAddress, compareAddresses, familyOf, subnetContains } from '../ip-address.ts';
import { lazyByObject } from '../lazy.ts';
import { parseMatch } from '../openflow/parse-match.ts';
import { by } from '../ordering.ts';
import type { BridgeFlow } from '../snapshot/datapath.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { ADOPTED_NEXT_HOP_PRIORITY } from './pipeline/next-hop.ts';
import { tables } from './pipeline/tables.ts';
import { addressOfVirtualMac } from './pipeline/virtual-mac.ts';

/** How many neighbours are adopted on a node: the kernel's table of all devices together ends at 1,024 (net/core/neighbour.c, gc_thresh3). */
const MOST_ADOPTED = 256;

/** The link of an uplink. */
export interface UplinkLink {
  readonly uplink: string;
  /** The uplink's interface on the host. */
  readonly device: string;
  readonly bridge: string;
  /** Access VLAN; absent where it has none. */
  readonly vlan?: number;
  /** The uplink's addresses, CIDR. */
  readonly addresses: readonly string[];
  /** Its gateways, which are not adopted. */
  readonly gateways: readonly string[];
}

/** A bridge and a VLAN, as a key. */
const linkKey = (bridge: string, vlan: number | undefined) => `${bridge} ${String(vlan ?? 'untagged')}`;

/** IPv4 neighbours that flows are about. */
interface FlowNeighbours {
  readonly learned: readonly string[];
  readonly adopted: readonly string[];
}

const nobody: FlowNeighbours = { learned: [], adopted: [] };

/** Whose MAC addresses flows have, by bridge and VLAN. */
const neighboursInFlows = lazyByObject((flows: readonly BridgeFlow[]): ReadonlyMap<string, FlowNeighbours> => {
  const found = flows.flatMap(({ bridge, cookie, table, priority, match: text }) => {
    const isLearned = cookie === LEARNED_FLOW_COOKIE;
    const isAdopted = cookie === FLOW_COOKIE && priority === ADOPTED_NEXT_HOP_PRIORITY;
    if (table !== tables.nextHop || !(isLearned || isAdopted)) return [];
    const match = parseMatch(text);
    const address = match?.dl_dst === undefined ? undefined : addressOfVirtualMac(match.dl_dst);
    const vlan = match?.dl_vlan === undefined ? undefined : Number(match.dl_vlan);
    return address === undefined ? [] : [{ link: linkKey(bridge, vlan), address, isLearned }];
  });
  return new Map(
    [...groupBy(found, ({ link }) => link)].map(([link, each]) => {
      const those = (isMeant: boolean) => each.filter((one) => one.isLearned === isMeant).map(({ address }) => address);
      return [link, { learned: those(true), adopted: those(false) }];
    }),
  );
});

/** Whether somebody other than the node and its gateways can have an address on a link. */
function isOnLink({ addresses, gateways }: UplinkLink): (address: string) => boolean {
  const taken = new Set([...gateways.map(canonicalAddress), ...addresses.map((cidr) => cidr.split('/')[0])]);
  const subnets = addresses.filter((cidr) => familyOf(cidr) === 4);
  return (address) => !taken.has(address) && subnets.some((subnet) => subnetContains(subnet, address));
}

/** Neighbours of a link that can be adopted, those first that have to stay rather than others. */
function candidates(link: UplinkLink, node: NodeView): readonly (readonly string[])[] {
  const { learned, adopted } = neighboursInFlows(node.snapshot.flows).get(linkKey(link.bridge, link.vlan)) ?? nobody;
  const entries = node.neighboursOn(link.device).filter(({ protocol }) => protocol === ADOPTED_NEIGHBOUR_PROTOCOL);
  const silent = new Set(entries.filter(({ states }) => states.includes('failed')).map(({ address }) => address));
  // Either is lost without the other: flows with ovs-vswitchd, entries of the kernel with the link.
  const before = [...entries.map(({ address }) => address), ...adopted];
  const groups = [before.filter((address) => !silent.has(address)), learned, before];
  const isPossible = isOnLink(link);
  return groups.map((addresses) => [...new Set(addresses.filter(isPossible))].sort(compareAddresses));
}

/**
 * The IPv4 addresses of the neighbours that are adopted on each of some links, sorted, by uplink. They stay, with the MAC address that they had last,
 * while they are silent: routers may still send to them. Where there are more than fit, those stay that speak.
 */
export function adoptedNeighbours(
  links: readonly UplinkLink[],
  node: NodeView,
): ReadonlyMap<string, readonly string[]> {
  const sorted = [...links].sort(by(({ uplink }) => uplink));
  const known = sorted.map((link) => ({ uplink: link.uplink, groups: candidates(link, node) }));
  const adopted = new Map(sorted.map(({ uplink }) => [uplink, new Set<string>()]));
  let left = MOST_ADOPTED;
  for (const group of [0, 1, 2]) {
    for (const { uplink, groups } of known) {
      const ofUplink = adopted.get(uplink);
      for (const address of groups[group] ?? []) {
        if (left === 0 || ofUplink === undefined || ofUplink.has(address)) continue;
        ofUplink.add(address);
        left -= 1;
      }
    }
  }
  return new Map([...adopted].map(([uplink, addresses]) => [uplink, [...addresses].sort(compareAddresses)]));
}
