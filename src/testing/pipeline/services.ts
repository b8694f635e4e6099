import type { BridgeInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import type { Packet } from '../../domain/datapath/switch-model/packet.ts';
import { packetFrom } from './bridge-model.ts';
import { fail, isIn, type PipelineProperty, run } from './property.ts';

/** Whether the destination of an IP packet is the address of a service of the cluster. */
export function isToService({ serviceSubnets }: BridgeInput, packet: Packet): boolean {
  return isIn(packet, 'dst', [serviceSubnets[4] ?? [], serviceSubnets[6] ?? []].flat());
}

export const servicesInside: PipelineProperty = {
  name: 'services inside',
  promise: 'What the host sends to a service by an uplink that carries networks does not leave',
  cover: { 'sent by the host': 0.015 },
  check: (pipeline, traffic) => {
    const { bridge } = traffic;
    const hostPorts = new Set(
      bridge.uplinks.filter(({ networks }) => networks.length > 0).map(({ hostPort }) => hostPort),
    );
    const reached = new Set<string>();
    run(pipeline, traffic, (sent, [output]) => {
      if (!hostPorts.has(sent.in_port ?? '') || !isToService(bridge, packetFrom(sent))) return;
      if (output !== undefined) fail(sent, output, 'it is for a service');
      reached.add('sent by the host');
    });
    return [...reached];
  },
};
