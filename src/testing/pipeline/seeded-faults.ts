/**
 * Pipelines with one fault each, which show that the properties can fail.
 */
import type { PipelineFlow } from '../../domain/dataplane/pipeline/bridge-flows.ts';
import type { BridgeInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { attachedTo, type Pipeline, pipeline } from './bridge-model.ts';

/** A pipeline with a fault, and the property that finds it. */
export interface PipelineFault {
  readonly property: string;
  readonly fault: string;
  readonly pipeline: Pipeline;
}

type FlowEdit = (flow: PipelineFlow, bridge: BridgeInput) => PipelineFlow | undefined;

function fault(property: string, description: string, change: FlowEdit): PipelineFault {
  return {
    property,
    fault: description,
    pipeline: (bridge) => pipeline(bridge).flatMap((flow) => change(flow, bridge) ?? []),
  };
}

/** A pipeline with one flow more on bridges that have flows. */
function withFlow(
  property: string,
  description: string,
  added: Pick<PipelineFlow, 'table' | 'priority' | 'match' | 'actions'>,
): PipelineFault {
  return {
    property,
    fault: description,
    pipeline: (bridge) => {
      const flows = pipeline(bridge);
      return flows.length === 0 ? [] : [...flows, { ...added, networks: [], owners: [], why: '' }];
    },
  };
}

const isFromNetwork = ({ match }: PipelineFlow, bridge: BridgeInput) =>
  attachedTo(bridge).some(({ network }) => match.includes(`in_port=${network.patchPort}`));

const isOf = ({ table, priority }: PipelineFlow, inTable: number, ofPriority: number) =>
  table === inTable && priority === ofPriority;

const withMatch = (flow: PipelineFlow, found: RegExp, replacement = ''): PipelineFlow => ({
  ...flow,
  match: flow.match.replace(found, replacement),
});

const withActions = (flow: PipelineFlow, found: RegExp | string, replacement: string): PipelineFlow => ({
  ...flow,
  actions: flow.actions.replace(found, replacement),
});

/** Without a look at what has been translated. */
const unguarded = (flow: PipelineFlow): PipelineFlow =>
  isOf(flow, 22, 200) || isOf(flow, 22, 0) ? { ...flow, actions: 'resubmit(,21)' } : flow;

/** All faults. */
export const pipelineFaults: readonly PipelineFault[] = [
  fault('separate flows', "A network's ARP requests and those for masquerade addresses have one priority", (flow) =>
    isOf(flow, 0, 12) ? { ...flow, priority: 13 } : flow,
  ),
  fault('separate flows', 'ICMP errors have the priority of the packets of a network', (flow) =>
    isOf(flow, 0, 101) ? { ...flow, priority: 9 } : flow,
  ),
  fault('separate flows', 'Everything for the host has the priority of router advertisements', (flow) =>
    isOf(flow, 1, 10) ? { ...flow, priority: 14 } : flow,
  ),
  fault('allowed source', 'What no other flow of a network matches is switched', (flow, bridge) =>
    isOf(flow, 0, 9) && isFromNetwork(flow, bridge) ? { ...flow, actions: 'NORMAL' } : flow,
  ),
  fault('allowed source', 'Egress is neither translated nor checked', (flow, bridge) =>
    isOf(flow, 0, 100) && isFromNetwork(flow, bridge) ? withActions(flow, /nat\([^)]*\),/, '') : unguarded(flow),
  ),
  fault('allowed source', 'Egress of an advertised network needs no source address', (flow) =>
    isOf(flow, 0, 104) ? withMatch(flow, /,(nw|ipv6)_src=[^,]*/) : flow,
  ),
  fault('allowed source', 'A network may ask for neighbours in the name of any address', (flow) =>
    isOf(flow, 0, 12) ? withMatch(flow, /,arp_spa=[^,]*/) : flow,
  ),
  fault('allowed source', 'ICMPv6 leaves from any source', (flow, bridge) =>
    isOf(flow, 0, 119) && isFromNetwork(flow, bridge)
      ? { ...withMatch(flow, /,icmp_type=135/), actions: `output:${bridge.physicalPort}` }
      : flow,
  ),
  fault('allowed source', 'A network may solicit neighbours in the name of any address', (flow) =>
    isOf(flow, 22, 100) ? withMatch(flow, /,ipv6_src=[^,]*/) : flow,
  ),
  fault('allowed source', "Networks announce the uplink's address", (flow) => (isOf(flow, 23, 200) ? undefined : flow)),
  fault('allowed source', 'What connection tracking does not know leaves without translation', (flow) =>
    unguarded(flow),
  ),
  fault('former addresses', 'Translated packets are not checked', (flow) =>
    isOf(flow, 22, 0) ? { ...flow, actions: 'resubmit(,21)' } : flow,
  ),
  fault(
    'allowed source',
    'What the host forwards is tracked in the zone of the bridge, and egress is not checked',
    (flow) =>
      isOf(flow, 0, 100) && flow.actions.includes('0x2->ct_mark')
        ? withMatch(withActions(flow, /nat\([^)]*\),/, ''), /,(nw|ipv6)_src=[^,]*/)
        : unguarded(flow),
  ),
  fault('masquerade addresses inside', 'Every next hop is a neighbour on the wire', (flow) =>
    isOf(flow, 21, 150) ? undefined : flow,
  ),
  fault('masquerade addresses inside', 'Only IPv4 masquerade addresses are inside', (flow) =>
    isOf(flow, 21, 150) && flow.match.startsWith('ipv6') ? undefined : flow,
  ),
  fault('masquerade addresses inside', 'Masquerade addresses of the host are reached from the wire', (flow) =>
    isOf(flow, 0, 700) ? undefined : flow,
  ),
  fault('services inside', 'The host sends to services as to any address outside', (flow) =>
    isOf(flow, 0, 450) ? undefined : flow,
  ),
  fault('services inside', 'Only what is sent to IPv4 services is dropped', (flow) =>
    isOf(flow, 0, 450) && flow.match.startsWith('ipv6') ? undefined : flow,
  ),
  fault('tunnels of the node', 'Networks may send to the port of tunnels from any address of theirs', (flow) =>
    isOf(flow, 21, 160) ? undefined : flow,
  ),
  fault('tunnels of the node', 'Networks must not send to the own end of tunnels only', (flow) =>
    isOf(flow, 21, 160) ? withMatch(flow, /_src=/, '_dst=') : flow,
  ),
  withFlow('tunnels of the node', 'Nobody sends to the port of tunnels', {
    table: 0,
    priority: 116,
    match: 'udp,tp_dst=6081',
    actions: 'drop',
  }),
  fault('VLAN of the uplink', 'Frames of the host are not tagged', (flow) =>
    withActions(flow, /push_vlan:0x8100,set_field:\d+->vlan_vid,/, ''),
  ),
  fault('VLAN of the uplink', 'A network may send frames of any VLAN', (flow, bridge) =>
    isFromNetwork(flow, bridge) || isOf(flow, 22, 100) ? withMatch(flow, /,(dl_vlan|vlan_tci)=[^,]*/) : flow,
  ),
  fault('VLAN of the uplink', 'Advertised pods are reached from any VLAN', (flow) =>
    isOf(flow, 0, 300) ? withMatch(flow, /,(dl_vlan|vlan_tci)=[^,]*/) : flow,
  ),
  fault('VLAN of the uplink', 'All uplinks of a bridge have one conntrack zone', (flow) =>
    withActions(flow, /\bzone=\d+/, 'zone=64100'),
  ),
  fault('replies in the own VLAN', 'All uplinks of a bridge have one conntrack zone', (flow) =>
    withActions(flow, /\bzone=\d+/, 'zone=64100'),
  ),
  fault('replies in the own VLAN', 'Connections are looked up in any VLAN', (flow) =>
    isOf(flow, 0, 50) ? withMatch(flow, /,(dl_vlan|vlan_tci)=[^,]*/) : flow,
  ),
  fault('replies return', 'Replies to networks are not recognised', (flow) => (isOf(flow, 1, 100) ? undefined : flow)),
  fault('replies return', 'Connections are committed to another zone than they are looked up in', (flow) =>
    withActions(flow, /ct\(commit,table=22,zone=\d+/, 'ct(commit,table=22,zone=1'),
  ),
  fault('replies return', "The host's own connections are not translated", (flow) =>
    isOf(flow, 0, 100) && flow.actions.includes('0x2->ct_mark') ? withActions(flow, /nat\([^)]*\),/, '') : flow,
  ),
  fault('replies return', 'Networks mark their connections as the host does', (flow, bridge) =>
    isFromNetwork(flow, bridge) ? withActions(flow, /set_field:0x\w+->ct_mark/, 'set_field:0x2->ct_mark') : flow,
  ),
  withFlow('replies return', 'Echo replies belong to no connection', {
    table: 1,
    priority: 110,
    match: 'icmp,icmp_type=0',
    actions: 'NORMAL',
  }),
  fault('answers leave', 'The host answers from another address', (flow) =>
    isOf(flow, 0, 100) && flow.actions.includes('0x2->ct_mark')
      ? withActions(flow, /nat\(src=[\d.]+\)/, 'nat(src=203.0.113.9)')
      : flow,
  ),
  fault('answers leave', 'The host answers without the VLAN of the request', (flow) =>
    isOf(flow, 0, 100) ? withActions(flow, /push_vlan:0x8100,set_field:\d+->vlan_vid,/, '') : flow,
  ),
  fault('answers leave', "Answers of advertised pods have the uplink's address", (flow) =>
    isOf(flow, 0, 104)
      ? undefined
      : withMatch(flow, isOf(flow, 0, 100) ? /,(nw|ipv6)_src=(169\.254|fd69:)[^,]*/ : /^$/),
  ),
  withFlow('answers leave', 'No echo is answered', {
    table: 0,
    priority: 105,
    match: 'icmp,icmp_type=0',
    actions: 'drop',
  }),
  fault('neighbours resolved', 'No network learns the default gateway of another uplink', (flow) =>
    isOf(flow, 0, 13) ? withMatch(flow, /,dl_dst=[^,]*/) : flow,
  ),
  fault('neighbours resolved', 'Replies of neighbours are not learned', (flow) =>
    isOf(flow, 0, 12) && flow.match.includes('arp_op=2') ? undefined : flow,
  ),
  fault('neighbours resolved', 'Only the last network that asks for a neighbour gets its reply', (flow) =>
    isOf(flow, 0, 12) ? withActions(flow, /^set_field:0x[0-9a-f]+->reg0/, 'set_field:0->reg0') : flow,
  ),
  fault('others change nothing', 'Only the first network of a bridge may leave', (flow, bridge) =>
    isOf(flow, 0, 100) && isFromNetwork(flow, bridge) && flow.networks[0] !== attachedTo(bridge)[0]?.network.network
      ? undefined
      : flow,
  ),
  fault('others change nothing', 'Networks leave from the address of the last uplink', (flow, bridge) => {
    const address = attachedTo(bridge).at(-1)?.uplink.addresses[4];
    return isFromNetwork(flow, bridge) && address !== undefined
      ? withActions(flow, /nat\(src=[\d.]+\)/, `nat(src=${address})`)
      : flow;
  }),
  fault('others change nothing', 'A neighbour has one MAC address for all uplinks', (flow) =>
    isOf(flow, 21, 100) ? withMatch(flow, /,dl_src=[^,]*/) : flow,
  ),
  fault(
    'held and broken networks change nothing',
    'Replies go to the network that was programmed first',
    (flow, bridge) =>
      isOf(flow, 1, 100)
        ? withActions(flow, /output:\d+/, `output:${attachedTo(bridge)[0]?.network.patchPort ?? ''}`)
        : flow,
  ),
  fault('held and broken networks change nothing', 'Connections of the host are tracked for any MAC address', (flow) =>
    isOf(flow, 0, 50) ? withMatch(flow, /,dl_dst=[^,]*/) : flow,
  ),
  fault('nothing leaks', 'Other ports at the address of a Service are those of the host', (flow) =>
    isOf(flow, 1, 55) ? undefined : flow,
  ),
  fault('nothing leaks', 'Everybody reaches a Service that is for some', (flow) =>
    isOf(flow, 1, 60) ? withMatch(flow, /,(nw|ipv6)_src=[^,]*/) : flow,
  ),
  fault('nothing leaks', 'A Service is reached at all ports', (flow) =>
    isOf(flow, 1, 60) ? withMatch(flow, /,tp_dst=\d+/) : flow,
  ),
  fault('same way back', 'What a Service sends leaves, whoever has asked', (flow) =>
    isOf(flow, 26, 0) ? { ...flow, actions: 'resubmit(,21)' } : flow,
  ),
  fault('same way back', 'Answers of Services are those of no connection', (flow) =>
    isOf(flow, 26, 100) ? undefined : flow,
  ),
  fault('same way back', 'Answers of Services are looked up in the zone of the first uplink', (flow) =>
    isOf(flow, 0, 90) ? withActions(flow, /zone=\d+/, 'zone=64000') : flow,
  ),
  fault('same way back', 'A Service answers by the next hop of any MAC address', (flow) =>
    isOf(flow, 26, 100) ? withActions(flow, 'resubmit(,21)', 'NORMAL') : flow,
  ),
  fault('own connections first', 'Services get what belongs to other connections too', (flow) =>
    isOf(flow, 1, 60) ? { ...withMatch(flow, /ct_state=\+new\+trk,/), priority: 110 } : flow,
  ),
  fault('own connections first', 'Services are asked before connections', (flow, bridge) =>
    isOf(flow, 1, 60)
      ? {
          ...flow,
          table: 0,
          priority: 110,
          match: flow.match.replace('ct_state=+new+trk,', '').replace(',dl_', `,in_port=${bridge.physicalPort},dl_`),
        }
      : flow,
  ),
  fault('own connections first', 'Connections to Services do not have the mark of their network', (flow) =>
    isOf(flow, 1, 60) ? withActions(flow, /set_field:0x\w+->ct_mark/, 'set_field:0x2->ct_mark') : flow,
  ),
];
