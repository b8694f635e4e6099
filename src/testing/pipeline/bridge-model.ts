import type { NetworkKey } from '../../domain/network/key.ts';
import type {
  BridgeInput,
  ExposedPort,
  NetworkInput,
  UplinkInput,
} from '../../domain/dataplane/pipeline/bridge-input.ts';
import { exposedFlows } from '../../domain/dataplane/pipeline/exposed-flows.ts';
import { flowKey } from '../../domain/datapath/openflow/flow-entry.ts';
import { bridgeFlows, type PipelineFlow } from '../../domain/dataplane/pipeline/bridge-flows.ts';
import { FLOW_COOKIE } from '../../domain/basics/conventions.ts';
import { bitsOf } from '../../domain/datapath/openflow/bits.ts';
import type { Match } from '../../domain/datapath/openflow/flow.ts';
import type { ModelPort } from '../../domain/datapath/switch-model/learning-switch.ts';
import { type Packet, packetOf } from '../../domain/datapath/switch-model/packet.ts';
import type { SwitchState } from '../../domain/datapath/switch-model/evaluate.ts';

/** A bridge with the ports of Services that are reached by it, by the key of their network; absent for none. */
export type ExposingBridge = BridgeInput & { readonly exposed?: Readonly<Record<NetworkKey, readonly ExposedPort[]>> };

/** The source of the flows of a bridge: ours, or another that is held against the properties. */
export type Pipeline = (bridge: ExposingBridge) => readonly PipelineFlow[];

/** The ports of Services in a network that are reached by a bridge: those that are not at an address of theirs are at that of the uplink. */
export function exposedIn({ exposed = {} }: ExposingBridge, { uplink, network }: Attached): readonly ExposedPort[] {
  return (exposed[network.network] ?? []).flatMap((port) => {
    const address = port.isOfService ? port.address : uplink.addresses[port.family];
    return address === undefined || network.masqueradeAddresses[port.family] === undefined
      ? []
      : [{ ...port, address }];
  });
}

/** Ours: the flows of networks, and those of Services. */
export const pipeline: Pipeline = (exposing) => {
  const { exposed: _exposed, ...bridge } = exposing;
  const ofServices = attachedTo(bridge).flatMap((attached) =>
    exposedFlows({ bridge, ...attached }, exposedIn(exposing, attached)),
  );
  return [...bridgeFlows(bridge), ...new Map(ofServices.map((flow) => [flowKey(flow), flow])).values()];
};

/** One network with the uplink that carries it. */
export interface Attached {
  readonly uplink: UplinkInput;
  readonly network: NetworkInput;
}

/** All networks of a bridge. */
export function attachedTo({ uplinks }: BridgeInput): readonly Attached[] {
  return uplinks.flatMap((uplink) => uplink.networks.map((network) => ({ uplink, network })));
}

function valueOf(field: 'in_port' | 'dl_src', text: string): bigint {
  return bitsOf(field, text)?.value ?? 0n;
}

/** Number of a port, from its text in flows. */
export function portNumber(port: string): bigint {
  return valueOf('in_port', port);
}

/** A bridge as it is before its first packet: flows are programmed, ports are set, and the host interfaces' MAC addresses are static entries. */
export function bridgeModel(bridge: BridgeInput, flows: readonly PipelineFlow[]): SwitchState {
  const hostPorts = bridge.uplinks.map(({ hostPort, vlan }): ModelPort => ({
    number: portNumber(hostPort),
    ...(vlan !== undefined && { accessVlan: vlan }),
  }));
  const patchPorts = attachedTo(bridge).map(({ network }): ModelPort => ({
    number: portNumber(network.patchPort),
    isNoFlood: true,
  }));
  return {
    flows: flows.map(({ table, priority, match, actions }) => ({
      cookie: FLOW_COOKIE,
      table,
      priority,
      match,
      actions,
    })),
    ports: [{ number: portNumber(bridge.physicalPort) }, ...hostPorts, ...patchPorts],
    addresses: bridge.uplinks
      .filter(({ networks }) => networks.length > 0)
      .map(({ macAddress, hostPort, vlan }) => ({
        vlan: BigInt(vlan ?? 0),
        macAddress: valueOf('dl_src', macAddress),
        port: portNumber(hostPort),
        isStatic: true,
      })),
    connections: [],
  };
}

/** A packet from its words; throws where they are none, as a generator that makes such words is wrong. */
export function packetFrom(words: Match): Packet {
  const packet = packetOf(words);
  if (packet === undefined) throw new Error(`no packet: ${JSON.stringify(words)}`);
  return packet;
}
