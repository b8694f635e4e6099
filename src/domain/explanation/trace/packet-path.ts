/**
 * The path of a packet, from where it is sent to where it arrives, leaves or is dropped: through the host (host.ts), OVN (routers.ts) and bridges
 * (bridge-pass.ts).
 */
import { familyOf, subnetContains } from '../../basics/addresses/ip-address.ts';
import type { Link } from '../../snapshot/node-snapshot.ts';
import { viewNode } from '../../snapshot/node-view.ts';
import type { Output } from '../../datapath/switch-model/evaluate.ts';
import type { Packet } from '../../datapath/switch-model/packet.ts';
import { dropOf, flowPort, passHops, portName } from './bridge-pass.ts';
import { type HostPart, receivedByHost, sentByHost } from './host.ts';
import type { Hop, TraceVerdict } from './hop.ts';
import type { FollowedOrigin } from './origin.ts';
import { bitsIn, frameOf, namedPacket, packetText, type TracedPacket, vlanIn } from './packet.ts';
import { tooLong } from './packet-length.ts';
import { routerNeighbour } from './router-neighbours.ts';
import { type Balancing, balancingFor } from './node-services/balancing.ts';
import { named } from './node-services/node-services.ts';
import { managementPort, placeInNetwork } from './place-in-network.ts';
import { fromBridge, fromPods, type SourceTranslation } from './routers.ts';
import { neighbourMac, type TracedNode } from './traced-node.ts';
import { type SwitchStates, TracedSwitches } from './traced-switches.ts';

/** A packet as it is sent. */
export interface SentPacket {
  readonly packet: TracedPacket;
  /** Packet mark; 0 for none. */
  readonly mark: number;
  /** Whether it is a reply on an established connection. */
  readonly isReply?: boolean;
  /** Length of the IP packet, in bytes; absent for one that always fits. */
  readonly length?: number;
}

/** State of bridges and routers after earlier packets. */
export interface Memory {
  readonly switches: SwitchStates;
  readonly translations: readonly SourceTranslation[];
}

const NOTHING: Memory = { switches: new Map(), translations: [] };

function describePacket(packet: Packet): string {
  const named = namedPacket(packet);
  return named === undefined ? 'a packet of another protocol' : packetText(named);
}

function vlanText(vlan: number | undefined): string {
  return vlan === undefined ? 'untagged' : `with VLAN ${String(vlan)}`;
}

/** `vlan_tci` of frames of a VLAN. */
function tagOf(vlan: number | undefined): bigint {
  return vlan === undefined ? 0n : 0x1000n | BigInt(vlan);
}

/** A packet from the wire to a Service, as it comes to the gateway router. */
export interface PacketToService {
  readonly packet: TracedPacket;
  readonly balancing: Balancing;
}

/** The path of one packet. */
export class PacketPath {
  readonly hops: Hop[] = [];
  /** Assumptions about what is not known of the node, for people. */
  readonly assumptions = new Set<string>();
  /** The packet as it left by a physical port; absent where it did not. */
  left: Packet | undefined;
  /** The packet as it came to the load balancer of a Service on the gateway router, where it is not followed further; absent where it did not. */
  toService: PacketToService | undefined;
  readonly #node: TracedNode;
  readonly #switches: TracedSwitches;
  #translations: readonly SourceTranslation[];
  #length: number | undefined;

  constructor(node: TracedNode, { switches, translations }: Memory = NOTHING) {
    this.#node = node;
    this.#switches = new TracedSwitches(node, switches);
    this.#translations = translations;
  }

  get passes(): TracedSwitches['passes'] {
    return this.#switches.passes;
  }

  memory(): Memory {
    return { switches: this.#switches.states, translations: this.#translations };
  }

  /** Follows a packet to its end. */
  follow(from: FollowedOrigin, sent: SentPacket): TraceVerdict {
    this.#length = sent.length;
    switch (from.origin) {
      case 'pod':
        return this.#fromPod(sent);
      case 'host':
        return this.#fromHost(from.device, sent);
      case 'wire':
        return this.#fromWire(sent);
    }
  }

  #fromPod({ packet, mark, isReply = false }: SentPacket): TraceVerdict {
    const drop = tooLong('the pod', this.#node.mtu, this.#length);
    if (drop !== undefined) return drop;
    const routed = fromPods(this.#node, packet, isReply);
    this.hops.push(...routed.hops);
    if ('end' in routed) return routed.end;
    const { nextHop, source, translation } = routed;
    if (translation !== undefined) this.#translations = [...this.#translations, translation];
    return this.outOfRouter({ ...packet, source }, nextHop, mark);
  }

  /** Follows a packet that the gateway router sends to a next hop on the link of the uplink. @param mark packet mark; 0 for none */
  outOfRouter(packet: TracedPacket, nextHop: string, mark: number): TraceVerdict {
    const { names, datapath } = this.#node;
    const { uplink, network, router } = datapath;
    const tag = tagOf(uplink.vlan);
    const { macAddress, hops, assumptions } = routerNeighbour(this.#node, nextHop, tag, this.#switches);
    this.#add({ hops, assumptions });
    if (macAddress === undefined) {
      return { kind: 'dropped', where: names.gatewayRouter, why: `it learns no MAC address for ${nextHop}` };
    }
    const frame = frameOf(packet, mark, {
      port: network.patchPort,
      tag,
      source: uplink.macAddress,
      destination: macAddress,
    });
    return this.#cross(router.bridge, frame, `to ${nextHop}`);
  }

  #fromWire({ packet, mark }: SentPacket): TraceVerdict {
    const { datapath, dataplane } = this.#node;
    const { uplink, physicalPort, gateways, router } = datapath;
    const isOnLink = viewNode(this.#node.after)
      .link(dataplane.device)
      ?.addresses.some(({ address, prefixLength }) =>
        subnetContains(`${address}/${String(prefixLength)}`, packet.source),
      );
    const gateway = gateways.find((each) => familyOf(each) === packet.family);
    const sender = isOnLink === true || gateway === undefined ? packet.source : gateway;
    this.hops.push({
      where: this.#portName(router.bridge, physicalPort),
      change: `arrives ${vlanText(uplink.vlan)} as ${packetText(packet)}${sender === packet.source ? '' : ` by ${sender}`}`,
      why: 'wire',
    });
    const frame = frameOf(packet, mark, {
      port: physicalPort,
      tag: tagOf(uplink.vlan),
      source: neighbourMac(this.#node, dataplane.device, sender).macAddress,
      destination: uplink.macAddress,
    });
    return this.#cross(router.bridge, frame, '');
  }

  #fromHost(device: Link, { packet, mark }: SentPacket): TraceVerdict {
    const routed = sentByHost(this.#node, device, packet, mark, this.#length);
    this.#add(routed);
    return routed.end ?? this.#outOfHost(routed.device, routed.nextHop, packet, mark);
  }

  #outOfHost(device: string, nextHop: string, packet: TracedPacket, mark: number): TraceVerdict {
    const view = viewNode(this.#node.after);
    if (device === managementPort(this.#node) && placeInNetwork(this.#node, packet.destination) === 'pod') {
      const at = `the pod with ${packet.destination}`;
      this.hops.push({ where: this.#node.names.inside.podSwitch, change: `to ${at}`, why: 'OVN' });
      return { kind: 'arrives', at };
    }
    const macAddress = view.link(device)?.macAddress ?? '';
    const [place] = view.hostPortsOf(device, macAddress);
    const bridge = place?.bridge.name;
    if (place === undefined || bridge === undefined || !this.#switches.isProgrammed(bridge)) {
      const why = bridge === undefined ? 'it is not a port of a bridge' : `${bridge} is not an uplink bridge`;
      this.hops.push({ where: device, change: 'leaves, not followed further', why });
      return { kind: 'leaves', by: device };
    }
    const { macAddress: destination, isAssumed } = neighbourMac(this.#node, device, nextHop);
    if (isAssumed) this.assumptions.add(`${nextHop} answers; its MAC address is not known`);
    this.#learnOnWire(bridge, place.port.tag ?? 0, destination);
    const port = flowPort(bridge, place.interfaceName);
    const frame = frameOf(packet, mark, { port, source: macAddress, destination });
    return this.#cross(bridge, frame, `to ${nextHop}`);
  }

  /** The bridge has learned on its physical port a neighbour that the host has resolved. */
  #learnOnWire(bridge: string, vlan: number, macAddress: string): void {
    const { router, physicalPort } = this.#node.datapath;
    if (bridge !== router.bridge) return;
    const port = bitsIn('in_port', physicalPort);
    this.#switches.learn(bridge, { vlan: BigInt(vlan), macAddress: bitsIn('dl_dst', macAddress), port });
  }

  #add({ hops, assumptions }: Pick<HostPart, 'hops' | 'assumptions'>): void {
    this.hops.push(...hops);
    for (const assumption of assumptions) this.assumptions.add(assumption);
  }

  #cross(bridge: string, frame: Packet, target: string): TraceVerdict {
    const pass = this.#switches.pass(bridge, frame);
    this.hops.push(...passHops(pass, this.#switches.why));
    const [output] = pass.verdict.outputs;
    if (output === undefined) return { kind: 'dropped', ...dropOf(pass, this.#switches.why) };
    return this.#output(bridge, output, target);
  }

  #portName(bridge: string, port: string): string {
    return portName(bridge, bitsIn('in_port', port));
  }

  #output(bridge: string, { port, packet }: Output, target: string): TraceVerdict {
    const name = portName(bridge, port);
    const { datapath, after } = this.#node;
    const isOwn = bridge === datapath.router.bridge;
    if (isOwn && name === this.#portName(bridge, datapath.network.patchPort)) return this.#toNetwork(packet);
    const other = this.#networkAt(bridge, name);
    if (other !== undefined) return { kind: 'arrives', at: `port ${name} of ${other}` };
    const found = viewNode(after)
      .portsWith(name)
      .find((each) => each.bridge.name === bridge);
    const type = found?.port.interfaces.find((each) => each.name === name)?.type;
    const device = this.#hostInterfaceAt(bridge, name, type);
    if (device !== undefined) return this.#toHost(device, packet);
    return type === 'patch' ? { kind: 'arrives', at: `port ${name}` } : this.#toWire(name, packet, target);
  }

  /** The other network that a port leads to; undefined for other ports. */
  #networkAt(bridge: string, port: string): string | undefined {
    const ways = this.#node.services.ways.map(({ scope }) => scope);
    return ways.find((way) => way.bridge.bridge === bridge && this.#portName(bridge, way.network.patchPort) === port)
      ?.network.network;
  }

  /** The interface of the host that a port leads to; undefined for a port to the wire or to OVN. */
  #hostInterfaceAt(bridge: string, port: string, type: string | undefined): string | undefined {
    const { datapath, dataplane, after } = this.#node;
    if (bridge === datapath.router.bridge && port === datapath.hostInterface) return dataplane.device;
    if (type === 'internal' || port === bridge) return port;
    const view = viewNode(after);
    if (!view.isRepresentor(port)) return undefined;
    return after.links.find(({ macAddress = '' }) => view.representorsOf(macAddress).includes(port))?.name;
  }

  #toNetwork(packet: Packet): TraceVerdict {
    const { services, datapath } = this.#node;
    const sent = namedPacket(packet);
    const balancing = sent && balancingFor(services, [datapath.router.networkName, 'router'], sent);
    if (sent !== undefined && balancing !== undefined) {
      this.toService = { packet: sent, balancing };
      return { kind: 'arrives', at: named(balancing.of.key) };
    }
    const addresses = sent ?? { source: '', destination: '' };
    const { hops, end } = fromBridge(this.#node, addresses, this.#translations, this.#length);
    this.hops.push(...hops);
    return (end.kind === 'arrives' ? tooLong('the pod', this.#node.mtu, this.#length) : undefined) ?? end;
  }

  #toHost(device: string, received: Packet): TraceVerdict {
    const link = viewNode(this.#node.after).link(device);
    const packet = namedPacket(received);
    if (link === undefined || packet === undefined) return { kind: 'arrives', at: `the host by ${device}` };
    const part = receivedByHost(this.#node, link, packet);
    this.#add(part);
    return part.end;
  }

  #toWire(port: string, packet: Packet, target: string): TraceVerdict {
    const mtu = viewNode(this.#node.after).link(port)?.mtu;
    const drop = mtu === undefined ? undefined : tooLong(port, mtu, this.#length);
    if (drop !== undefined) return drop;
    const change = `leaves ${vlanText(vlanIn(packet))} as ${describePacket(packet)} ${target}`.trimEnd();
    this.hops.push({ where: port, change, why: 'wire' });
    this.left = packet;
    return { kind: 'leaves', by: port };
  }
}
