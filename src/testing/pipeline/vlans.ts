import type { BridgeInput, UplinkInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { VLAN_PRESENT } from '../../domain/openflow/constraints.ts';
import { type Packet, valueOf } from '../../domain/switch-model/packet.ts';
import { attachedTo, packetFrom, portNumber } from './bridge-model.ts';
import { fail, type PipelineProperty, run } from './property.ts';

/** The tag of frames of an uplink on the wire. */
function tagOf({ vlan }: UplinkInput): bigint {
  return vlan === undefined ? 0n : VLAN_PRESENT | BigInt(vlan);
}

function tag(packet: Packet): bigint {
  return valueOf(packet, 'vlan_tci') & 0x1fffn;
}

/** Uplinks by the ports that carry nothing but their VLAN: all but the ports of hosts without a VLAN, which are trunks. */
function uplinksByPort(bridge: BridgeInput): ReadonlyMap<bigint, UplinkInput> {
  const hosts = bridge.uplinks.filter(({ vlan }) => vlan !== undefined);
  return new Map([
    ...attachedTo(bridge).map(({ uplink, network }) => [portNumber(network.patchPort), uplink] as const),
    ...hosts.map((uplink) => [portNumber(uplink.hostPort), uplink] as const),
  ]);
}

export const vlanOfUplink: PipelineProperty = {
  name: 'VLAN of the uplink',
  promise: "Frames of networks and hosts have their uplink's VLAN on the wire, and get none of another",
  cover: { 'to the wire in a VLAN': 0.3, 'from the wire in a VLAN': 0.1 },
  check: (pipeline, traffic) => {
    const wire = portNumber(traffic.bridge.physicalPort);
    const uplinks = uplinksByPort(traffic.bridge);
    const reached = new Set<string>();
    run(pipeline, traffic, (sent, outputs) => {
      const inPort = portNumber(sent.in_port ?? '');
      const from = uplinks.get(inPort);
      for (const output of outputs) {
        if (from !== undefined && output.port === wire) {
          if (tag(output.packet) !== tagOf(from)) fail(sent, output, `expected VLAN ${String(from.vlan ?? 'none')}`);
          if (from.vlan !== undefined) reached.add('to the wire in a VLAN');
        }
        const to = uplinks.get(output.port);
        if (inPort === wire && to !== undefined) {
          if (tag(packetFrom(sent)) !== tagOf(to)) {
            fail(sent, output, `comes from another VLAN than ${String(to.vlan ?? 'none')}`);
          }
          if (to.vlan !== undefined) reached.add('from the wire in a VLAN');
        }
      }
    });
    return [...reached];
  },
};
