/**
 * Neighbours on the links of uplinks that flows have learned. They are adopted: the kernel keeps them resolved, and they get managed flows. Learned
 * flows are lost with ovs-vswitchd, while gateway routers continue sending to the virtual MAC addresses (docs/design/flows.md, "Neighbours").
 */
import { ADOPTED_NEIGHBOUR_PROTOCOL, FLOW_COOKIE, LEARNED_FLOW_COOKIE } from '../basics/conventions.ts';
import { groupBy } from '../basics/names/grouping.ts';
import {
  withoutLength,
  canonicalAddress,
  compareAddresses,
  familyOf,
  subnetContains,
} from '../basics/addresses/ip-address.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { parseMatch } from '../datapath/openflow/parse-match.ts';
import { by } from '../basics/names/ordering.ts';
import type { BridgeFlow } from '../snapshot/datapath.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { ADOPTED_NEXT_HOP_PRIORITY } from './pipeline/next-hop.ts';
import { tables } from './pipeline/tables.ts';
import { addressOfVirtualMac } from './pipeline/virtual-mac.ts';

/** Maximum number of adopted neighbours of a node: the kernel's table for all devices is limited to 1,024 (net/core/neighbour.c, gc_thresh3). */
const MAX_ADOPTED = 256;

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

/** IPv4 neighbours in flows. */
interface FlowNeighbours {
  readonly learned: readonly string[];
  readonly adopted: readonly string[];
}

const noNeighbours: FlowNeighbours = { learned: [], adopted: [] };

/** The neighbours in the flows of each bridge and VLAN, by `linkKey`. */
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

/** Whether an address on a link can belong to a neighbour other than the node and its gateways. */
function isOnLink({ addresses, gateways }: UplinkLink): (address: string) => boolean {
  const taken = new Set([...gateways.map(canonicalAddress), ...addresses.map(withoutLength)]);
  const subnets = addresses.filter((cidr) => familyOf(cidr) === 4);
  return (address) => !taken.has(address) && subnets.some((subnet) => subnetContains(subnet, address));
}

/** Neighbours of a link that can be adopted, in groups by precedence: adopted and answering, learned, adopted and silent. */
function candidates(link: UplinkLink, node: NodeView): readonly (readonly string[])[] {
  const { learned, adopted } =
    neighboursInFlows(node.snapshot.flows).get(linkKey(link.bridge, link.vlan)) ?? noNeighbours;
  const entries = node.neighboursOn(link.device).filter(({ protocol }) => protocol === ADOPTED_NEIGHBOUR_PROTOCOL);
  const silent = new Set(entries.filter(({ states }) => states.includes('failed')).map(({ address }) => address));
  // Either may be left without the other: flows are lost with ovs-vswitchd, entries of the kernel with the link.
  const before = [...entries.map(({ address }) => address), ...adopted];
  const groups = [before.filter((address) => !silent.has(address)), learned, before];
  const isPossible = isOnLink(link);
  return groups.map((addresses) => [...new Set(addresses.filter(isPossible))].sort(compareAddresses));
}

/**
 * The IPv4 addresses of the neighbours to adopt on each link, sorted, by uplink. Silent neighbours stay, with their last MAC address: routers may
 * still send to them. If there are too many, those that answer take precedence.
 */
export function adoptedNeighbours(
  links: readonly UplinkLink[],
  node: NodeView,
): ReadonlyMap<string, readonly string[]> {
  const sorted = [...links].sort(by(({ uplink }) => uplink));
  const known = sorted.map((link) => ({ uplink: link.uplink, groups: candidates(link, node) }));
  const adopted = new Map(sorted.map(({ uplink }) => [uplink, new Set<string>()]));
  let left = MAX_ADOPTED;
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
