/**
 * Which flows of a bridge serve networks that are held. Flows of patch ports say whose they are. Those of an uplink are recognised by what those of its
 * networks have too: the conntrack zones, the VLAN and the MAC address of the host interface. The uplink itself may be unknown while they are held.
 */
import { VIRTUAL_MAC_PREFIX } from '../conventions.ts';
import { blockInActions } from '../dataplane/remembered-flows.ts';
import { macText } from '../ip-address.ts';
import type { Match } from '../openflow/flow.ts';
import { parseMatch } from '../openflow/parse-match.ts';
import type { BridgeFlow } from '../snapshot/datapath.ts';

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

/** What the flows of an uplink and of its networks have in common. */
interface Marks {
  /** First conntrack zones of the uplinks. */
  readonly zones: ReadonlySet<number>;
  readonly vlans: ReadonlySet<string>;
  /** VLANs with MAC addresses in them. */
  readonly interfaces: ReadonlySet<string>;
}

function marksOf(flows: readonly Flow[]): Marks {
  const [zones, vlans, interfaces] = [new Set<number>(), new Set<string>(), new Set<string>()];
  for (const flow of flows) {
    const zone = blockInActions(flow);
    if (zone !== undefined) zones.add(zone);
    const match = parseMatch(flow.match) ?? {};
    const [vlan, mac] = [vlanIn(match), hostMacIn(match)];
    if (vlan === undefined) continue;
    vlans.add(vlan);
    if (mac !== undefined) interfaces.add(`${vlan} ${mac}`);
  }
  return { zones, vlans, interfaces };
}

function has({ zones, vlans, interfaces }: Marks, flow: Flow): boolean {
  const zone = blockInActions(flow);
  if (zone !== undefined) return zones.has(zone);
  const match = parseMatch(flow.match) ?? {};
  const [vlan, mac] = [vlanIn(match), hostMacIn(match)];
  if (vlan === undefined) return true;
  return mac === undefined ? vlans.has(vlan) : interfaces.has(`${vlan} ${mac}`);
}

/**
 * Returns whether a flow that names no patch port serves held networks of its bridge: it is one of the bridge itself, or one of their uplinks.
 *
 * @param ofNetworks the flows of the patch ports of these networks, on this bridge
 */
export function serving(ofNetworks: readonly Flow[]): (flow: Flow) => boolean {
  if (ofNetworks.length === 0) return () => false;
  const marks = marksOf(ofNetworks);
  return (flow) => has(marks, flow);
}
