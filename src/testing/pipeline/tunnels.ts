/**
 * Tunnels between nodes belong to the nodes: a node takes packets of tunnels from the addresses of other nodes, also if another host has sent them.
 */
import { GENEVE_PORT } from '../../domain/basics/conventions.ts';
import type { BridgeInput, UplinkInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import type { AddressFamily } from '../../domain/basics/addresses/ip-address.ts';
import { bitsOf } from '../../domain/datapath/openflow/bits.ts';
import { type Packet, valueOf } from '../../domain/datapath/switch-model/packet.ts';
import { packetFrom, portNumber } from './bridge-model.ts';
import { fail, networksByPort, type PipelineProperty, PipelineViolation, run } from './property.ts';
import { isToService } from './services.ts';

/** Whether a packet is for the port of tunnels (RFC 8926, section 3.3). */
function isToTunnel(packet: Packet): boolean {
  return packet.nw_proto === 17n && packet.tp_dst === BigInt(GENEVE_PORT);
}

/** An end of tunnels that is the address of an uplink of a packet's family, or undefined. */
function endAtUplink(
  { encapsulationAddresses }: BridgeInput,
  { addresses }: UplinkInput,
  family: AddressFamily,
): string | undefined {
  const address = addresses[family];
  return address !== undefined && encapsulationAddresses[family]?.includes(address) === true ? address : undefined;
}

/** Whether a packet comes from an address. */
function isFrom(packet: Packet, family: AddressFamily, address: string): boolean {
  const field = family === 4 ? 'nw_src' : 'ipv6_src';
  return bitsOf(field, address)?.value === valueOf(packet, field);
}

export const tunnelsOfTheNode: PipelineProperty = {
  name: 'tunnels of the node',
  promise:
    'From an address where tunnels of the node end, no packet of a network leaves for the port of tunnels, to whichever node, and those of the host do, except to services',
  cover: { 'sent by a network': 0.015, 'sent by the host': 0.01 },
  check: (pipeline, traffic) => {
    const { bridge } = traffic;
    const networks = networksByPort(bridge);
    const reached = new Set<string>();
    run(pipeline, traffic, (sent, outputs) => {
      const packet = packetFrom(sent);
      if (!isToTunnel(packet)) return;
      const family = packet.dl_type === 0x0800n ? 4 : 6;
      const left = outputs.find(({ port }) => port === portNumber(bridge.physicalPort));
      const attached = networks.get(sent.in_port ?? '');
      if (attached !== undefined) {
        const ends = bridge.encapsulationAddresses[family] ?? [];
        if (left !== undefined && ends.some((address) => isFrom(left.packet, family, address))) {
          fail(sent, left, 'only the host sends packets of tunnels from this address');
        }
        if (endAtUplink(bridge, attached.uplink, family) !== undefined) reached.add('sent by a network');
      }
      const uplink = bridge.uplinks.find(
        ({ hostPort, networks: carried }) => hostPort === sent.in_port && carried.length > 0,
      );
      const end = uplink && endAtUplink(bridge, uplink, family);
      if (end === undefined || !isFrom(packet, family, end) || isToService(bridge, packet)) return;
      if (left === undefined) throw new PipelineViolation(`${JSON.stringify(sent)} does not leave`);
      reached.add('sent by the host');
    });
    return [...reached];
  },
};
