/**
 * What holds for the flows of every uplink bridge, decided by following packets through them. A property takes the pipeline that it judges as an
 * argument.
 */
import type { BridgeInput, UplinkInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { bitsOf, valueText } from '../../domain/openflow/bits.ts';
import { overlap, VLAN_PRESENT } from '../../domain/openflow/constraints.ts';
import type { Match } from '../../domain/openflow/flow.ts';
import { parseMatch } from '../../domain/openflow/parse-match.ts';
import { evaluate, type Output, type SwitchState } from '../../domain/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../domain/switch-model/packet.ts';
import type { Traffic } from './traffic.ts';
import { type Attached, attachedTo, bridgeModel, packetFrom, type Pipeline, portNumber } from './bridge-model.ts';

/** A property that flows do not have. */
export class PipelineViolation extends Error {
  override readonly name = 'PipelineViolation';
}

/** Something that holds for the flows of every bridge. */
export interface PipelineProperty {
  readonly name: string;
  readonly promise: string;
  /** @throws PipelineViolation where it does not hold. */
  check(this: void, pipeline: Pipeline, traffic: Traffic): void;
}

function words(packet: Packet): string {
  return Object.entries(packet)
    .flatMap(([field, value]) =>
      typeof value === 'bigint' ? `${field}=${valueText(field as Parameters<typeof valueText>[0], value)}` : [],
    )
    .join(',');
}

function fail(sent: Match, { port, packet }: Output, what: string): never {
  throw new PipelineViolation(`${JSON.stringify(sent)} leaves by port ${String(port)} as ${words(packet)}: ${what}`);
}

/** The tag of frames of an uplink on the wire. */
function tagOf({ vlan }: UplinkInput): bigint {
  return vlan === undefined ? 0n : VLAN_PRESENT | BigInt(vlan);
}

function tag(packet: Packet): bigint {
  return valueOf(packet, 'vlan_tci') & 0x1fffn;
}

/** Gives each packet to the bridge, one after the other. */
function run(
  pipeline: Pipeline,
  { bridge, packets }: Traffic,
  look: (sent: Match, outputs: readonly Output[]) => void,
): void {
  let state: SwitchState = bridgeModel(bridge, pipeline(bridge));
  for (const sent of packets) {
    const { outputs, after } = evaluate(state, packetFrom(sent));
    state = after;
    look(sent, outputs);
  }
}

const isIp = ({ dl_type }: Packet) => dl_type === 0x0800n || dl_type === 0x86ddn;

function sourceOf(packet: Packet): bigint {
  return packet.dl_type === 0x0800n ? valueOf(packet, 'nw_src') : valueOf(packet, 'ipv6_src');
}

/** Whether a network may send from an address: the uplink's, or one of its own that is advertised. */
function maySendFrom({ uplink, network }: Attached, packet: Packet): boolean {
  const family = packet.dl_type === 0x0800n ? 4 : 6;
  const field = family === 4 ? 'nw_src' : 'ipv6_src';
  const allowed = [uplink.addresses[family] ?? [], network.advertisedSubnets[family] ?? []].flat();
  return allowed.some((address) => {
    const bits = bitsOf(field, address);
    return bits !== undefined && ((sourceOf(packet) ^ bits.value) & bits.mask) === 0n;
  });
}

/** The frames of a network, by the port that they come from. */
function ofNetworks(bridge: BridgeInput): ReadonlyMap<string, Attached> {
  return new Map(attachedTo(bridge).map((attached) => [attached.network.patchPort, attached]));
}

const separateFlows: PipelineProperty = {
  name: 'separate flows',
  promise: 'No two flows of one table and priority match the same packet',
  check: (pipeline, { bridge }) => {
    const flows = pipeline(bridge).map((flow) => ({ ...flow, parsed: parseMatch(flow.match) }));
    for (const [at, flow] of flows.entries()) {
      for (const other of flows.slice(at + 1)) {
        if (flow.table !== other.table || flow.priority !== other.priority) continue;
        if (flow.parsed === undefined || other.parsed === undefined || overlap(flow.parsed, other.parsed)) {
          throw new PipelineViolation(
            `table ${String(flow.table)}, priority ${String(flow.priority)}: "${flow.match}" and "${other.match}" overlap`,
          );
        }
      }
    }
  },
};

const allowedSource: PipelineProperty = {
  name: 'allowed source',
  promise:
    'What a network sends leaves by the physical port alone, from an address that it may send from, or comes back as an answer',
  check: (pipeline, traffic) => {
    const { bridge } = traffic;
    const networks = ofNetworks(bridge);
    run(pipeline, traffic, (sent, outputs) => {
      const attached = networks.get(sent.in_port ?? '');
      if (attached === undefined) return;
      for (const output of outputs) {
        if (output.port === portNumber(attached.network.patchPort)) continue;
        if (output.port !== portNumber(bridge.physicalPort)) fail(sent, output, 'not a port of the network');
        if (
          isIp(output.packet) &&
          valueOf(output.packet, 'nw_proto') !== 58n &&
          !maySendFrom(attached, output.packet)
        ) {
          fail(sent, output, 'the network must not send from this address');
        }
        if (output.packet.dl_type === 0x0806n && !maySendArp(attached, output.packet)) {
          fail(sent, output, 'the network must not speak for this address, or announce it');
        }
      }
    });
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

const formerAddressesUnused: PipelineProperty = {
  name: 'former addresses',
  promise: 'Once an uplink has another address, nothing leaves from the former one, whenever its connection began',
  check: (pipeline, { bridge, packets }) => {
    const former = withFormerAddresses(bridge);
    let state: SwitchState = bridgeModel(former, pipeline(former));
    for (const sent of packets) state = evaluate(state, packetFrom(sent)).after;
    state = { ...state, flows: bridgeModel(bridge, pipeline(bridge)).flows };
    const networks = ofNetworks(bridge);
    for (const sent of packets) {
      const { outputs, after } = evaluate(state, packetFrom(sent));
      state = after;
      if (!networks.has(sent.in_port ?? '')) continue;
      const formerly = outputs.find(
        ({ port, packet }) => port === portNumber(bridge.physicalPort) && isFormerSource(packet),
      );
      if (formerly !== undefined) fail(sent, formerly, 'the uplink does not have this address any more');
    }
  },
};

function isFormerSource(packet: Packet): boolean {
  const [field, address] =
    packet.dl_type === 0x0800n
      ? (['nw_src', formerAddresses[4]] as const)
      : (['ipv6_src', formerAddresses[6]] as const);
  return isIp(packet) && valueOf(packet, field) === bitsOf(field, address)?.value;
}

/** The destination of an IP packet, if it is a masquerade address of the cluster. */
function masqueradeDestination({ masqueradeSubnets }: BridgeInput, packet: Packet): boolean {
  const [field, subnet] =
    packet.dl_type === 0x0800n
      ? (['nw_dst', masqueradeSubnets[4]] as const)
      : (['ipv6_dst', masqueradeSubnets[6]] as const);
  const bits = isIp(packet) && subnet !== undefined ? bitsOf(field, subnet) : undefined;
  return bits !== undefined && ((valueOf(packet, field) ^ bits.value) & bits.mask) === 0n;
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

const masqueradeInside: PipelineProperty = {
  name: 'masquerade addresses inside',
  promise:
    'What a network sends to a masquerade address does not leave by the physical port, and what comes from there for one does not reach the host',
  check: (pipeline, traffic) => {
    const { bridge } = traffic;
    const networks = ofNetworks(bridge);
    run(pipeline, traffic, (sent, outputs) => {
      if (sent.in_port === bridge.physicalPort) {
        const reached = outputs.find(
          (output) => isForHost(bridge, output) && masqueradeDestination(bridge, output.packet),
        );
        if (reached !== undefined) fail(sent, reached, 'it is for a masquerade address, and the host takes it');
      }
      if (!networks.has(sent.in_port ?? '')) return;
      for (const output of outputs) {
        if (output.port === portNumber(bridge.physicalPort) && masqueradeDestination(bridge, output.packet)) {
          fail(sent, output, 'it is for a masquerade address');
        }
      }
    });
  },
};

/** Whether a network may send an ARP request: from the uplink's address, but not about it, as announcements are. */
function maySendArp({ uplink }: Attached, packet: Packet): boolean {
  const address = uplink.addresses[4];
  const own = address && bitsOf('arp_spa', address)?.value;
  return own === valueOf(packet, 'arp_spa') && own !== valueOf(packet, 'arp_tpa');
}

/** Uplinks by the ports that carry nothing but their VLAN: all but the ports of hosts without a VLAN, which are trunks. */
function uplinksByPort(bridge: BridgeInput): ReadonlyMap<bigint, UplinkInput> {
  const hosts = bridge.uplinks.filter(({ vlan }) => vlan !== undefined);
  return new Map([
    ...attachedTo(bridge).map(({ uplink, network }) => [portNumber(network.patchPort), uplink] as const),
    ...hosts.map((uplink) => [portNumber(uplink.hostPort), uplink] as const),
  ]);
}

const vlanOfUplink: PipelineProperty = {
  name: 'VLAN of the uplink',
  promise: "Frames of networks and hosts have their uplink's VLAN on the wire, and get none of another",
  check: (pipeline, traffic) => {
    const wire = portNumber(traffic.bridge.physicalPort);
    const uplinks = uplinksByPort(traffic.bridge);
    run(pipeline, traffic, (sent, outputs) => {
      const inPort = portNumber(sent.in_port ?? '');
      const from = uplinks.get(inPort);
      for (const output of outputs) {
        if (from !== undefined && output.port === wire && tag(output.packet) !== tagOf(from)) {
          fail(sent, output, `expected VLAN ${String(from.vlan ?? 'none')}`);
        }
        const to = uplinks.get(output.port);
        if (inPort === wire && to !== undefined && tag(packetFrom(sent)) !== tagOf(to)) {
          fail(sent, output, `comes from another VLAN than ${String(to.vlan ?? 'none')}`);
        }
      }
    });
  },
};

/** What answers a packet that left for the wire. */
function answerTo({ packet }: Output, wire: string): Packet {
  const {
    dl_src = 0n,
    dl_dst = 0n,
    tp_src = 0n,
    tp_dst = 0n,
    nw_src = 0n,
    nw_dst = 0n,
    ipv6_src = 0n,
    ipv6_dst = 0n,
  } = packet;
  return {
    ...packet,
    in_port: portNumber(wire),
    dl_src: dl_dst,
    dl_dst: dl_src,
    tp_src: tp_dst,
    tp_dst: tp_src,
    ...(packet.dl_type === 0x0800n ? { nw_src: nw_dst, nw_dst: nw_src } : { ipv6_src: ipv6_dst, ipv6_dst: ipv6_src }),
  };
}

/** Whether a packet answers another: addresses and ports are the other way round. */
function answers(sent: Packet, answer: Packet): boolean {
  return (['nw_src', 'ipv6_src', 'tp_src'] as const).every((field) => {
    const opposite = field.replace('src', 'dst') as typeof field;
    return valueOf(sent, field) === valueOf(answer, opposite) && valueOf(sent, opposite) === valueOf(answer, field);
  });
}

const repliesReturn: PipelineProperty = {
  name: 'replies return',
  promise:
    'The reply to every TCP or UDP packet that leaves comes back to where it began, with the addresses and ports of there',
  check: (pipeline, { bridge, packets }) => {
    let state: SwitchState = bridgeModel(bridge, pipeline(bridge));
    const left: { readonly sent: Match; readonly output: Output }[] = [];
    for (const sent of packets) {
      const { outputs, after } = evaluate(state, packetFrom(sent));
      state = after;
      const isConnection = ['tcp', 'udp', 'tcp6', 'udp6'].includes(sent.protocol ?? '');
      const output = outputs.find(({ port }) => port === portNumber(bridge.physicalPort));
      if (isConnection && output !== undefined && isOwn(bridge, sent)) left.push({ sent, output });
    }
    for (const { sent, output } of left) {
      const answer = answerTo(output, bridge.physicalPort);
      const { outputs, after } = evaluate(state, answer);
      state = after;
      const [back, ...more] = outputs;
      const isBack =
        back?.port === portNumber(sent.in_port ?? '') && more.length === 0 && answers(packetFrom(sent), back.packet);
      if (!isBack) {
        throw new PipelineViolation(
          `the reply ${words(answer)} to ${JSON.stringify(sent)} leaves by ${outputs.map(({ port, packet }) => `port ${String(port)} as ${words(packet)}`).join(' and ') || 'no port'}`,
        );
      }
    }
  },
};

/** Whether a packet is one that a network sends, or a host from its own address and MAC. */
function isOwn(bridge: BridgeInput, sent: Match): boolean {
  if (ofNetworks(bridge).has(sent.in_port ?? '')) return true;
  const uplink = bridge.uplinks.find(({ hostPort }) => hostPort === sent.in_port);
  return (
    uplink !== undefined &&
    uplink.networks.length > 0 &&
    sent.dl_src === uplink.macAddress &&
    sent.dl_vlan === undefined &&
    [uplink.addresses[4], uplink.addresses[6]].includes(sent.nw_src ?? sent.ipv6_src)
  );
}

const othersChangeNothing: PipelineProperty = {
  name: 'others change nothing',
  promise: 'What becomes of what a network sends is the same whichever other networks are on the bridge',
  check: (pipeline, { bridge, packets }) => {
    const networks = ofNetworks(bridge);
    const together = bridgeModel(bridge, pipeline(bridge));
    for (const sent of packets) {
      const attached = networks.get(sent.in_port ?? '');
      if (attached === undefined) continue;
      const alone: BridgeInput = {
        ...bridge,
        uplinks: bridge.uplinks.map((uplink) => ({
          ...uplink,
          networks: uplink.networks.filter(({ network }) => network === attached.network.network),
        })),
      };
      const [withOthers, withoutOthers] = [
        together,
        { ...together, flows: bridgeModel(alone, pipeline(alone)).flows },
      ].map((state) =>
        evaluate(state, packetFrom(sent)).outputs.map(({ port, packet }) => `${String(port)} ${words(packet)}`),
      );
      if (withOthers?.join() !== withoutOthers?.join()) {
        throw new PipelineViolation(
          `${JSON.stringify(sent)} leaves as ${withOthers?.join() ?? ''}; without the other networks as ${withoutOthers?.join() ?? ''}`,
        );
      }
    }
  },
};

/** All properties. */
export const pipelineProperties: readonly PipelineProperty[] = [
  separateFlows,
  allowedSource,
  formerAddressesUnused,
  masqueradeInside,
  vlanOfUplink,
  repliesReturn,
  othersChangeNothing,
];
