/**
 * Which flows of a bridge serve networks that are held. Flows of patch ports say whose they are. Those of an uplink are recognised by what those of its
 * networks have too: the conntrack zones, the VLAN and the MAC address of the host interface. The uplink itself may be unknown while they are held.
 */
import { VIRTUAL_MAC_PREFIX } from '../../basics/conventions.ts';
import type { HeldNetwork } from './held-network.ts';
import { blockInActions } from '../../dataplane/remembered-flows.ts';
import { ownOf } from '../../entities/entity-kinds.ts';
import { flow as flowKind } from '../../entities/switch/flow.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { macText } from '../../basics/addresses/ip-address.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import type { Match } from '../../datapath/openflow/flow.ts';
import { parseMatch } from '../../datapath/openflow/parse-match.ts';
import { ownMappings } from '../../snapshot/bridge-mappings.ts';
import type { BridgeFlow } from '../../snapshot/datapath.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { patchPortsIn } from '../../snapshot/patch-ports.ts';

type Flow = Pick<BridgeFlow, 'match' | 'actions'>;

const virtualPrefix = macText(VIRTUAL_MAC_PREFIX);

/** The VLAN that a flow matches, as a key; undefined for one that matches any. */
function vlanIn({ dl_vlan, vlan_tci }: Match): string | undefined {
  return dl_vlan ?? vlan_tci;
}

/** The MAC address of the host interface that a flow matches; undefined for one that matches any. */
function hostMacIn({ dl_src, dl_dst }: Match): string | undefined {
  return dl_src ?? (dl_dst?.startsWith(virtualPrefix) === true ? undefined : dl_dst);
}

/** Common parts of the flows of an uplink and of its networks. */
export interface UplinkMarks {
  /** First conntrack zones of the uplinks. */
  readonly zones: ReadonlySet<number>;
  readonly vlans: ReadonlySet<string>;
  /** VLANs with MAC addresses in them. */
  readonly interfaces: ReadonlySet<string>;
}

/** Returns what the uplink of a network is recognised by; undefined where the flows of the network's patch port do not tell its zones and its MAC address. */
export function uplinkMarks(ofNetwork: readonly Flow[]): UplinkMarks | undefined {
  const [zones, vlans, interfaces] = [new Set<number>(), new Set<string>(), new Set<string>()];
  for (const flow of ofNetwork) {
    const zone = blockInActions(flow);
    if (zone !== undefined) zones.add(zone);
    const match = parseMatch(flow.match) ?? {};
    const [vlan, mac] = [vlanIn(match), hostMacIn(match)];
    if (vlan === undefined) continue;
    vlans.add(vlan);
    if (mac !== undefined) interfaces.add(`${vlan} ${mac}`);
  }
  return zones.size === 0 || interfaces.size === 0 ? undefined : { zones, vlans, interfaces };
}

/** Whether a flow that names no patch port is one of the uplink with these marks, or of the bridge itself. */
export function isOfUplink({ zones, vlans, interfaces }: UplinkMarks, flow: Flow): boolean {
  const zone = blockInActions(flow);
  if (zone !== undefined) return zones.has(zone);
  const match = parseMatch(flow.match) ?? {};
  const [vlan, mac] = [vlanIn(match), hostMacIn(match)];
  if (vlan === undefined) return true;
  return mac === undefined ? vlans.has(vlan) : interfaces.has(`${vlan} ${mac}`);
}

/** The managed flows of a node that name a patch port, by bridge and port. What other programs have at such a port says nothing about the uplink. */
export const portFlows = lazyByObject(
  (node: NodeSnapshot): ReadonlyMap<string, ReadonlyMap<string, readonly BridgeFlow[]>> => {
    const named = ownOf(flowKind, node)
      .map(({ flow }) => flow)
      .filter((flow) => patchPortsIn(flow).length > 0);
    const ofBridges = [...groupBy(named, ({ bridge }) => bridge)];
    return new Map(ofBridges.map(([bridge, flows]) => [bridge, groupBy(flows, (flow) => patchPortsIn(flow)[0] ?? '')]));
  },
);

/** Returns the managed flows of each network's patch port on a bridge: of those that are mapped to it, and of others that have some. */
export function flowsOfNetworks(
  onUplinks: readonly HeldNetwork[],
  node: NodeSnapshot,
): (bridge: string) => readonly (readonly BridgeFlow[])[] {
  const mappings = ownMappings(node.switchExternalIds);
  const atPorts = portFlows(node);
  return (bridge) =>
    onUplinks.flatMap(({ networkName, patchPorts }) => {
      const flows = patchPorts.flatMap((port) => atPorts.get(bridge)?.get(port) ?? []);
      return flows.length > 0 || mappings.get(networkName) === bridge ? [flows] : [];
    });
}

/**
 * Returns whether a flow that names no patch port serves held networks of its bridge: it is one of the bridge itself, or one of their uplinks. All of them
 * do where the flows of one of these networks do not tell its uplink.
 *
 * @param ofNetworks for each of these networks, the managed flows of its patch port on this bridge
 */
export function serving(ofNetworks: readonly (readonly Flow[])[]): (flow: Flow) => boolean {
  const marks = ofNetworks.map(uplinkMarks);
  const known = marks.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < marks.length) return () => true;
  return (flow) => known.some((each) => isOfUplink(each, flow));
}
