/**
 * From which addresses networks may send.
 */
import type { BridgeInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { linkLocalAddressOf } from '../../domain/basics/addresses/ip-address.ts';
import { bitsOf } from '../../domain/datapath/openflow/bits.ts';
import { evaluate, type SwitchState } from '../../domain/datapath/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../domain/datapath/switch-model/packet.ts';
import { type Attached, bridgeModel, exposedIn, type ExposingBridge, packetFrom, portNumber } from './bridge-model.ts';
import { fail, isIp, networksByPort, type PipelineProperty, run } from './property.ts';

function sourceOf(packet: Packet): bigint {
  return packet.dl_type === 0x0800n ? valueOf(packet, 'nw_src') : valueOf(packet, 'ipv6_src');
}

/** Whether a network may send from an address: the uplink's, one of its own that is advertised, or one of its Services. */
function maySendFrom(bridge: ExposingBridge, attached: Attached, packet: Packet): boolean {
  const { uplink, network } = attached;
  const family = packet.dl_type === 0x0800n ? 4 : 6;
  const field = family === 4 ? 'nw_src' : 'ipv6_src';
  const ofServices = exposedIn(bridge, attached).flatMap((port) => (port.family === family ? [port.address] : []));
  const allowed = [uplink.addresses[family] ?? [], network.advertisedSubnets[family] ?? [], ofServices].flat();
  return allowed.some((address) => {
    const bits = bitsOf(field, address);
    return bits !== undefined && ((sourceOf(packet) ^ bits.value) & bits.mask) === 0n;
  });
}

/** Whether a packet is a neighbour solicitation from the link-local address that OVN gives a router port of this MAC address. */
function isSolicitation({ uplink }: Attached, packet: Packet): boolean {
  const address = linkLocalAddressOf(uplink.macAddress);
  return (
    packet.dl_type === 0x86ddn &&
    valueOf(packet, 'nw_proto') === 58n &&
    valueOf(packet, 'icmp_type') === 135n &&
    address !== undefined &&
    sourceOf(packet) === bitsOf('ipv6_src', address)?.value
  );
}

/** Whether a network may send an ARP request: from the uplink's address, but not about it, as announcements are. */
function maySendArp({ uplink }: Attached, packet: Packet): boolean {
  const address = uplink.addresses[4];
  const own = address && bitsOf('arp_spa', address)?.value;
  return own === valueOf(packet, 'arp_spa') && own !== valueOf(packet, 'arp_tpa');
}

function kindsOf({ dl_type, nw_proto, icmp_type }: Packet): readonly string[] {
  if (dl_type === 0x0806n) return ['asks by ARP'];
  if (dl_type === 0x0800n) return ['leaves by IPv4'];
  if (nw_proto !== 58n) return ['leaves by IPv6'];
  return icmp_type === 135n ? ['solicits a neighbour'] : ['leaves by IPv6', 'leaves by ICMPv6'];
}

export const allowedSource: PipelineProperty = {
  name: 'allowed source',
  promise:
    'What a network sends leaves by the physical port alone, from an address that it may send from, or comes back as an answer',
  cover: {
    'leaves by IPv4': 0.15,
    'leaves by IPv6': 0.15,
    'leaves by ICMPv6': 0.02,
    'asks by ARP': 0.05,
    'solicits a neighbour': 0.02,
  },
  check: (pipeline, traffic) => {
    const { bridge } = traffic;
    const networks = networksByPort(bridge);
    const reached = new Set<string>();
    run(pipeline, traffic, (sent, outputs) => {
      const attached = networks.get(sent.in_port ?? '');
      if (attached === undefined) return;
      for (const output of outputs) {
        if (output.port === portNumber(attached.network.patchPort)) continue;
        if (output.port !== portNumber(bridge.physicalPort)) fail(sent, output, 'not a port of the network');
        const isAllowed = maySendFrom(bridge, attached, output.packet) || isSolicitation(attached, output.packet);
        if (isIp(output.packet) && !isAllowed) {
          fail(sent, output, 'the network must not send from this address');
        }
        if (output.packet.dl_type === 0x0806n && !maySendArp(attached, output.packet)) {
          fail(sent, output, 'the network must not speak for this address, or announce it');
        }
        for (const kind of kindsOf(output.packet)) reached.add(kind);
      }
    });
    return [...reached];
  },
};

/** Addresses that no uplink has. */
const formerAddresses = { 4: '203.0.113.250', 6: '2001:db8:ffff::250' } as const;

/** The bridge as it was while its uplinks had other addresses. */
function withFormerAddresses(bridge: BridgeInput): BridgeInput {
  return {
    ...bridge,
    uplinks: bridge.uplinks.map((uplink) => ({
      ...uplink,
      addresses: Object.fromEntries(
        ([4, 6] as const).flatMap((family) =>
          uplink.addresses[family] === undefined ? [] : [[family, formerAddresses[family]]],
        ),
      ),
    })),
  };
}

function isFormerSource(packet: Packet): boolean {
  const [field, address] =
    packet.dl_type === 0x0800n
      ? (['nw_src', formerAddresses[4]] as const)
      : (['ipv6_src', formerAddresses[6]] as const);
  return isIp(packet) && valueOf(packet, field) === bitsOf(field, address)?.value;
}

export const formerAddressesUnused: PipelineProperty = {
  name: 'former addresses',
  promise: 'Once an uplink has another address, nothing leaves from the former one, whenever its connection began',
  cover: { 'former connection': 0.3 },
  check: (pipeline, { bridge, packets }) => {
    const former = withFormerAddresses(bridge);
    let state: SwitchState = bridgeModel(former, pipeline(former));
    for (const sent of packets) state = evaluate(state, packetFrom(sent)).after;
    const hadConnections = state.connections.length > 0;
    state = { ...state, flows: bridgeModel(bridge, pipeline(bridge)).flows };
    const networks = networksByPort(bridge);
    for (const sent of packets) {
      const { outputs, after } = evaluate(state, packetFrom(sent));
      state = after;
      if (!networks.has(sent.in_port ?? '')) continue;
      const formerly = outputs.find(
        ({ port, packet }) => port === portNumber(bridge.physicalPort) && isFormerSource(packet),
      );
      if (formerly !== undefined) fail(sent, formerly, 'the uplink does not have this address any more');
    }
    return hadConnections ? ['former connection'] : [];
  },
};
