import type { BridgeInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { bitsOf } from '../../domain/datapath/openflow/bits.ts';
import { VLAN_PRESENT } from '../../domain/datapath/openflow/constraints.ts';
import type { Output } from '../../domain/datapath/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../domain/datapath/switch-model/packet.ts';
import { packetFrom, portNumber } from './bridge-model.ts';
import { fail, isIn, networksByPort, type PipelineProperty, run } from './property.ts';

/** Whether the destination of an IP packet is a masquerade address of the cluster. */
function masqueradeDestination({ masqueradeSubnets }: BridgeInput, packet: Packet): boolean {
  return isIn(packet, 'dst', [masqueradeSubnets[4], masqueradeSubnets[6]]);
}

/** Whether the host takes a frame by an uplink that carries networks: it is at its port, without a tag, for its MAC address. */
function isForHost({ uplinks }: BridgeInput, { port, packet }: Output): boolean {
  return uplinks.some(
    ({ hostPort, macAddress, networks }) =>
      networks.length > 0 &&
      port === portNumber(hostPort) &&
      valueOf(packet, 'dl_dst') === bitsOf('dl_dst', macAddress)?.value &&
      (valueOf(packet, 'vlan_tci') & VLAN_PRESENT) === 0n,
  );
}

export const masqueradeInside: PipelineProperty = {
  name: 'masquerade addresses inside',
  promise:
    'What a network sends to a masquerade address does not leave by the physical port, and what comes from there for one does not reach the host',
  cover: { 'from a network': 0.1, 'from the wire': 0.1 },
  check: (pipeline, traffic) => {
    const { bridge } = traffic;
    const networks = networksByPort(bridge);
    const reached = new Set<string>();
    run(pipeline, traffic, (sent, outputs) => {
      const isFromNetwork = networks.has(sent.in_port ?? '');
      if (masqueradeDestination(bridge, packetFrom(sent))) {
        if (isFromNetwork) reached.add('from a network');
        if (sent.in_port === bridge.physicalPort) reached.add('from the wire');
      }
      if (sent.in_port === bridge.physicalPort) {
        const taken = outputs.find(
          (output) => isForHost(bridge, output) && masqueradeDestination(bridge, output.packet),
        );
        if (taken !== undefined) fail(sent, taken, 'it is for a masquerade address, and the host takes it');
      }
      if (!isFromNetwork) return;
      for (const output of outputs) {
        if (output.port === portNumber(bridge.physicalPort) && masqueradeDestination(bridge, output.packet)) {
          fail(sent, output, 'it is for a masquerade address');
        }
      }
    });
    return [...reached];
  },
};
