/**
 * The MAC address to which the gateway router of a network sends packets for a next hop: a static binding, or what the router learns by asking.
 */
import { FLOW_COOKIE } from '../../basics/conventions.ts';
import { nextHopFlow } from '../../dataplane/pipeline/next-hop.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import { actionsText } from '../../datapath/openflow/flow-text.ts';
import { passHops } from './bridge-pass.ts';
import type { Hop } from './hop.ts';
import { askForNeighbour } from './neighbour-discovery.ts';
import { neighbourMac, type TracedNode } from './traced-node.ts';
import type { TracedSwitches } from './traced-switches.ts';

/** A MAC address of the router for a neighbour, with the hops of asking for it, and what was assumed. */
export interface RouterNeighbour {
  /** Absent where the router gets no reply. */
  readonly macAddress?: string | undefined;
  readonly hops: readonly Hop[];
  readonly assumptions: readonly string[];
}

/** The MAC address that OVN has for a neighbour of the gateway router without asking. */
function staticBinding({ rows, names }: TracedNode, address: string): string | undefined {
  const mac = rows.find(
    ({ table, columns }) =>
      table === 'Static_MAC_Binding' &&
      columns['logical_port'] === names.externalRouterPort &&
      columns['ip'] === address,
  )?.columns['mac'];
  return typeof mac === 'string' ? mac : undefined;
}

/** Adds the flow of a default gateway that the kernel has not resolved. */
function assumeGateway({ datapath }: TracedNode, gateway: string, macAddress: string, switches: TracedSwitches): void {
  switches.assumeFlow(datapath.router.bridge, {
    ...nextHopFlow(datapath.uplink, gateway, true).flow,
    cookie: FLOW_COOKIE,
    actions: actionsText([
      { kind: 'set', field: 'dl_dst', value: macAddress },
      { kind: 'output', port: datapath.physicalPort },
    ]),
  });
}

function ask(
  { datapath }: TracedNode,
  address: string,
  macAddress: string,
  tag: bigint,
  switches: TracedSwitches,
): Pick<RouterNeighbour, 'macAddress' | 'hops'> {
  const { bridge } = datapath.router;
  const family = familyOf(address) ?? 4;
  const { request, reply, after, learned } = askForNeighbour(switches.stateOf(bridge), {
    bridge,
    family,
    tag,
    router: {
      port: datapath.network.patchPort,
      macAddress: datapath.uplink.macAddress,
      address: datapath.uplink.addresses[family] ?? '',
    },
    neighbour: { port: datapath.physicalPort, macAddress, address },
  });
  switches.record(bridge, after, [request, ...(reply === undefined ? [] : [reply])]);
  const [asked] = passHops(request, switches.why);
  const [answered] = reply === undefined ? [] : passHops(reply, switches.why);
  const question =
    reply === undefined ? `is asked for ${address}` : `${address} is asked for on ${datapath.physicalPort}`;
  return {
    macAddress: learned,
    hops: [
      ...(asked === undefined ? [] : [{ ...asked, change: question }]),
      ...(answered === undefined || learned === undefined
        ? []
        : [{ ...answered, change: `${address} answers; OVN learns ${learned}` }]),
    ],
  };
}

/**
 * Finds the MAC address of a next hop, as the gateway router does.
 *
 * @param tag of the frames that ask, as in `vlan_tci`
 */
export function routerNeighbour(
  node: TracedNode,
  nextHop: string,
  tag: bigint,
  switches: TracedSwitches,
): RouterNeighbour {
  const { dataplane, datapath } = node;
  const { macAddress, isAssumed } = neighbourMac(node, dataplane.device, nextHop);
  const binding = staticBinding(node, nextHop);
  if (binding === undefined) {
    const assumptions = isAssumed ? [`${nextHop} answers; its MAC address is not known`] : [];
    return { ...ask(node, nextHop, macAddress, tag, switches), assumptions };
  }
  if (!isAssumed || !datapath.gateways.includes(nextHop)) return { macAddress: binding, hops: [], assumptions: [] };
  assumeGateway(node, nextHop, macAddress, switches);
  const assumption = `${dataplane.device} has resolved ${nextHop}; until then, packets to this gateway are dropped`;
  return { macAddress: binding, hops: [], assumptions: [assumption] };
}
