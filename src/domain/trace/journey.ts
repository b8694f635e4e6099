/**
 * A packet on its way: what has happened to it so far, and what bridges and routers remember of it.
 */
import { FLOW_COOKIE } from '../conventions.ts';
import { nextHopFlow } from '../dataplane/pipeline/next-hop.ts';
import { familyOf, subnetContains } from '../ip-address.ts';
import { settingOf, vrfOf } from '../node-model/device.ts';
import type { FlowEntry } from '../openflow/flow-entry.ts';
import { actionsText } from '../openflow/flow-text.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import { viewNode } from '../snapshot/node-view.ts';
import type { Output, SwitchState } from '../switch-model/evaluate.ts';
import type { LearnedAddress } from '../switch-model/learning-switch.ts';
import type { Packet } from '../switch-model/packet.ts';
import { type BridgePass, dropOf, passBridge, passHops, portName, switchState, wordOfPort } from './bridge-pass.ts';
import type { Hop, TraceVerdict } from './hop.ts';
import {
  type HostQuery,
  hostRoute,
  type Routed,
  routeWords,
  ruleWords,
  unfollowedRules,
  type Unrouted,
} from './host-routes.ts';
import { askForNeighbour, type Question } from './neighbour-discovery.ts';
import type { OriginReading } from './origin.ts';
import { bitsIn, namedPacket, packetText, switchPacket, type TracedPacket, vlanIn } from './packet.ts';
import { fromBridge, fromPods, managementPort, placeInNetwork, type SourceTranslation } from './routers.ts';
import { neighbourMac, type TracedNode } from './traced-node.ts';

/** A packet as it begins. */
export interface Sent {
  readonly packet: TracedPacket;
  /** Packet mark; 0 for none. */
  readonly mark: number;
  /** Whether it is a reply of a connection that was accepted. */
  readonly isReply?: boolean;
  /** Length of the IP packet, in bytes; absent: whatever fits. */
  readonly length?: number;
}

/** What bridges and routers remember of the packets that they have seen. */
export interface Memory {
  /** By the names of bridges. */
  readonly switches: ReadonlyMap<string, SwitchState>;
  readonly translations: readonly SourceTranslation[];
}

const NOTHING: Memory = { switches: new Map(), translations: [] };

/** Where the host's own decisions are told to be made. */
function hostWords(vrf: string | undefined): string {
  return vrf === undefined ? 'host' : `host, VRF ${vrf}`;
}

function namedOr(packet: Packet): string {
  const named = namedPacket(packet);
  return named === undefined ? 'a packet of another protocol' : packetText(named);
}

/** The way of one packet. */
export class Journey {
  readonly hops: Hop[] = [];
  /** What is not known of the node and was assumed, in words. */
  readonly assumptions = new Set<string>();
  readonly passes: BridgePass[] = [];
  /** The packet as it left by a physical port; absent where it did not. */
  left: Packet | undefined;
  readonly #node: TracedNode;
  readonly #switches: Map<string, SwitchState>;
  #translations: readonly SourceTranslation[];
  /** Flows that stand for what is not known of the node. */
  readonly #assumedFlows = new Set<FlowEntry>();
  #length: number | undefined;

  constructor(node: TracedNode, { switches, translations }: Memory = NOTHING) {
    this.#node = node;
    this.#switches = new Map(switches);
    this.#translations = translations;
  }

  memory(): Memory {
    return { switches: this.#switches, translations: this.#translations };
  }

  /** Follows a packet to its end. */
  follow(begun: Exclude<OriginReading, { readonly problem: string }>, sent: Sent): TraceVerdict {
    this.#length = sent.length;
    switch (begun.origin) {
      case 'pod':
        return this.#fromPod(sent);
      case 'host':
        return this.#fromHost(begun.device, sent);
      case 'wire':
        return this.#fromWire(sent);
    }
  }

  #fromPod({ packet, mark, isReply = false }: Sent): TraceVerdict {
    const { mtu, names, datapath } = this.#node;
    const tooLong = this.#tooLong('the pod', mtu);
    if (tooLong !== undefined) return tooLong;
    const way = fromPods(this.#node, packet, isReply);
    this.hops.push(...way.hops);
    if ('end' in way) return way.end;
    if (way.translation !== undefined) this.#translations = [...this.#translations, way.translation];
    const { uplink, network } = datapath;
    const [bridge, tag] = [datapath.router.bridge, uplink.vlan === undefined ? 0n : 0x1000n | BigInt(uplink.vlan)];
    const receiver = this.#macForRouter(way.nextHop, tag);
    if (receiver === undefined) {
      return { kind: 'dropped', where: names.gatewayRouter, why: `it gets no MAC address of ${way.nextHop}` };
    }
    const frame: Packet = {
      ...switchPacket({ ...packet, source: way.source }),
      ...(mark !== 0 && { pkt_mark: BigInt(mark) }),
      in_port: bitsIn('in_port', network.patchPort),
      vlan_tci: tag,
      dl_src: bitsIn('dl_src', uplink.macAddress),
      dl_dst: bitsIn('dl_dst', receiver),
    };
    return this.#cross(bridge, frame, `to ${way.nextHop}`);
  }

  /** The MAC address that the gateway router sends to for a next hop. */
  #macForRouter(nextHop: string, tag: bigint): string | undefined {
    const { rows, names, dataplane, datapath } = this.#node;
    const { bridge } = datapath.router;
    const { macAddress, isAssumed } = neighbourMac(this.#node, dataplane.device, nextHop);
    const binding = rows.find(
      ({ table, columns }) =>
        table === 'Static_MAC_Binding' &&
        columns['logical_port'] === names.externalRouterPort &&
        columns['ip'] === nextHop,
    )?.columns['mac'];
    if (typeof binding === 'string') {
      if (isAssumed && datapath.gateways.includes(nextHop)) this.#assumeNextHop(nextHop, macAddress);
      return binding;
    }
    if (isAssumed) this.assumptions.add(`${nextHop} answers; its MAC address is not known`);
    const family = familyOf(nextHop) ?? 4;
    return this.#ask({
      bridge,
      family,
      tag,
      from: {
        port: datapath.network.patchPort,
        macAddress: datapath.uplink.macAddress,
        address: datapath.uplink.addresses[family] ?? '',
      },
      to: { port: datapath.physicalPort, macAddress, address: nextHop },
    });
  }

  /** Has the bridge know a default gateway that the kernel has not resolved. */
  #assumeNextHop(gateway: string, macAddress: string): void {
    const { datapath, dataplane } = this.#node;
    const flow: FlowEntry = {
      ...nextHopFlow(datapath.uplink, gateway, true).flow,
      cookie: FLOW_COOKIE,
      actions: actionsText([
        { kind: 'set', field: 'dl_dst', value: macAddress },
        { kind: 'output', port: datapath.physicalPort },
      ]),
    };
    this.#assumedFlows.add(flow);
    const state = this.#stateOf(datapath.router.bridge);
    this.#switches.set(datapath.router.bridge, { ...state, flows: [...state.flows, flow] });
    this.assumptions.add(
      `${dataplane.device} has resolved ${gateway}; until then, packets to this gateway are dropped`,
    );
  }

  #ask(asked: Question): string | undefined {
    const { question, answer, after, macAddress } = askForNeighbour(this.#stateOf(asked.bridge), asked);
    this.#switches.set(asked.bridge, after);
    this.passes.push(question, ...(answer === undefined ? [] : [answer]));
    const [, last] = [question, answer].map((pass) => pass && passHops(pass, this.#why));
    const [first] = passHops(question, this.#why);
    const { address } = asked.to;
    if (first !== undefined) {
      const change = answer === undefined ? `is asked for ${address}` : `${address} is asked for on ${asked.to.port}`;
      this.hops.push({ ...first, change });
    }
    const [told] = last ?? [];
    if (told !== undefined && macAddress !== undefined) {
      this.hops.push({ ...told, change: `${address} answers; OVN learns ${macAddress}` });
    }
    return macAddress;
  }

  #fromWire({ packet, mark }: Sent): TraceVerdict {
    const { datapath, dataplane } = this.#node;
    const { uplink, physicalPort, gateways, router } = datapath;
    const isOnLink = viewNode(this.#node.after)
      .link(dataplane.device)
      ?.addresses.some(({ address, prefixLength }) =>
        subnetContains(`${address}/${String(prefixLength)}`, packet.source),
      );
    const gateway = gateways.find((each) => familyOf(each) === packet.family);
    const sender = isOnLink === true || gateway === undefined ? packet.source : gateway;
    const { macAddress } = neighbourMac(this.#node, dataplane.device, sender);
    const tag = uplink.vlan === undefined ? 'untagged' : `with VLAN ${String(uplink.vlan)}`;
    this.hops.push({
      where: this.#portName(router.bridge, physicalPort),
      change: `arrives ${tag} as ${packetText(packet)}${sender === packet.source ? '' : ` by ${sender}`}`,
      why: 'wire',
    });
    const frame: Packet = {
      ...switchPacket(packet),
      ...(mark !== 0 && { pkt_mark: BigInt(mark) }),
      in_port: bitsIn('in_port', physicalPort),
      vlan_tci: uplink.vlan === undefined ? 0n : 0x1000n | BigInt(uplink.vlan),
      dl_src: bitsIn('dl_src', macAddress),
      dl_dst: bitsIn('dl_dst', uplink.macAddress),
    };
    return this.#cross(router.bridge, frame, '');
  }

  #fromHost(device: Link, { packet, mark }: Sent): TraceVerdict {
    const { after } = this.#node;
    const vrf = vrfOf(after, device);
    const route = this.#route(packet, mark, vrf, undefined);
    if (route.kind !== 'route') return this.#unrouted(route, vrf?.name);
    const where = hostWords(vrf?.name);
    const why = ruleWords(route.rule, vrf?.name);
    const decidedBy = routeWords(route.route);
    if (route.route.type === 'local') {
      this.hops.push({ where, change: 'delivered on the host itself', why, decidedBy });
      return { kind: 'arrives', at: 'the host itself' };
    }
    const { device: out = '', gateway } = route.hop;
    const { nextHops, metrics } = route.route;
    const share = nextHops.length > 1 ? ` (here ${gateway ?? out})` : '';
    this.hops.push({ where, change: `${decidedBy}${share}`, why, decidedBy });
    const link = viewNode(after).link(out);
    const tooLong = this.#tooLong(out, Number(metrics?.['mtu'] ?? link?.mtu ?? Number.POSITIVE_INFINITY));
    if (tooLong !== undefined) return tooLong;
    return this.#byDevice(out, gateway ?? packet.destination, packet, mark);
  }

  /** The host sends a packet out of a device. */
  #byDevice(device: string, nextHop: string, packet: TracedPacket, mark: number): TraceVerdict {
    const view = viewNode(this.#node.after);
    if (device === managementPort(this.#node) && placeInNetwork(this.#node, packet.destination) === 'pod') {
      const at = `the pod with ${packet.destination}`;
      this.hops.push({ where: this.#node.names.nodeSwitch, change: `to ${at}`, why: 'OVN' });
      return { kind: 'arrives', at };
    }
    const [place] = view.portsWith(device);
    const bridge = place?.bridge.name;
    if (bridge === undefined || !this.#isProgrammed(bridge)) {
      const why = bridge === undefined ? 'it is no port of a bridge' : `${bridge} is no uplink bridge`;
      this.hops.push({ where: device, change: 'leaves, not followed further', why });
      return { kind: 'leaves', by: device };
    }
    const { macAddress, isAssumed } = neighbourMac(this.#node, device, nextHop);
    if (isAssumed) this.assumptions.add(`${nextHop} answers; its MAC address is not known`);
    const state = this.#stateOf(bridge);
    const wire = this.#learnedOnWire(bridge, place?.port.tag ?? 0, macAddress);
    this.#switches.set(bridge, { ...state, addresses: [...state.addresses, ...wire] });
    const frame: Packet = {
      ...switchPacket(packet),
      ...(mark !== 0 && { pkt_mark: BigInt(mark) }),
      in_port: bitsIn('in_port', wordOfPort(bridge, device)),
      dl_src: bitsIn('dl_src', view.link(device)?.macAddress ?? ''),
      dl_dst: bitsIn('dl_dst', macAddress),
    };
    return this.#cross(bridge, frame, `to ${nextHop}`);
  }

  /** A neighbour that has been seen on the physical port of the bridge: where it is, the bridge knows. */
  #learnedOnWire(bridge: string, vlan: number, macAddress: string): readonly LearnedAddress[] {
    const { router, physicalPort } = this.#node.datapath;
    if (bridge !== router.bridge) return [];
    const port = bitsIn('in_port', physicalPort);
    return [{ vlan: BigInt(vlan), macAddress: bitsIn('dl_dst', macAddress), port }];
  }

  #route(
    packet: TracedPacket,
    mark: number,
    vrf: Link | undefined,
    inputDevice: string | undefined,
  ): Routed | Unrouted {
    const { family, source, destination } = packet;
    const { after } = this.#node;
    const query: HostQuery = {
      family,
      source,
      destination,
      mark,
      ...(vrf?.vrfTable !== undefined && { vrf: { name: vrf.name, table: vrf.vrfTable } }),
      ...(inputDevice !== undefined && { inputDevice }),
    };
    for (const rule of unfollowedRules(after, family)) this.assumptions.add(`${rule} does not match the packet`);
    return hostRoute(after, query);
  }

  #unrouted(route: Unrouted, vrf: string | undefined): TraceVerdict {
    const where = hostWords(vrf);
    if (route.kind === 'none') return { kind: 'dropped', where, why: 'no route' };
    return { kind: 'dropped', where, why: `refused by ${ruleWords(route.rule, vrf)}: no route but one that refuses` };
  }

  #toHost(device: string, received: Packet): TraceVerdict {
    const { after } = this.#node;
    const link = viewNode(after).link(device);
    const packet = namedPacket(received);
    if (link === undefined || packet === undefined) return { kind: 'arrives', at: `the host by ${device}` };
    const vrf = vrfOf(after, link);
    const route = this.#route(packet, 0, vrf, device);
    if (route.kind !== 'route') return this.#unrouted(route, vrf?.name);
    const [where, why] = [hostWords(vrf?.name), ruleWords(route.rule, vrf?.name)];
    const decidedBy = routeWords(route.route);
    if (route.route.type === 'local') {
      this.hops.push({ where, change: 'delivered', why, decidedBy });
      if (vrf !== undefined && packet.protocol === 'tcp' && after.sysctls['net.ipv4.tcp_l3mdev_accept'] === '0') {
        this.assumptions.add(`its socket is bound to VRF ${vrf.name}, as net.ipv4.tcp_l3mdev_accept is 0`);
      }
      return { kind: 'arrives', at: vrf === undefined ? 'the host' : `the host in VRF ${vrf.name}` };
    }
    if (settingOf(after, [packet.family, device, 'forwarding'], 0) === 0) {
      const is = `${packet.destination} is no address of the host, which does not forward what comes by ${device}`;
      return { kind: 'dropped', where, why: is };
    }
    const { device: out = '' } = route.hop;
    this.hops.push({ where, change: `forwarded by ${out}, not followed further`, why, decidedBy });
    return { kind: 'leaves', by: out };
  }

  readonly #why = (bridge: string, flow: FlowEntry): string =>
    this.#assumedFlows.has(flow) ? 'the MAC address behind a virtual one, assumed' : this.#node.why(bridge, flow);

  #stateOf(bridge: string): SwitchState {
    const known = this.#switches.get(bridge);
    if (known !== undefined) return known;
    const state = switchState(this.#node.after, bridge);
    this.#switches.set(bridge, state);
    return state;
  }

  #isProgrammed(bridge: string): boolean {
    return this.#stateOf(bridge).flows.some(({ cookie }) => cookie === FLOW_COOKIE);
  }

  #cross(bridge: string, frame: Packet, target: string): TraceVerdict {
    const pass = passBridge(bridge, this.#stateOf(bridge), frame);
    this.passes.push(pass);
    this.#switches.set(bridge, pass.verdict.after);
    this.hops.push(...passHops(pass, this.#why));
    const [output] = pass.verdict.outputs;
    if (output === undefined) return { kind: 'dropped', ...dropOf(pass, this.#why) };
    return this.#output(bridge, output, target);
  }

  #portName(bridge: string, word: string): string {
    return portName(bridge, bitsIn('in_port', word));
  }

  #output(bridge: string, { port, packet }: Output, target: string): TraceVerdict {
    const name = portName(bridge, port);
    const { datapath, dataplane, after } = this.#node;
    const isOwn = bridge === datapath.router.bridge;
    if (isOwn && name === this.#portName(bridge, datapath.network.patchPort)) return this.#toNetwork(packet);
    if (isOwn && name === dataplane.device) return this.#toHost(name, packet);
    const found = viewNode(after)
      .portsWith(name)
      .find((each) => each.bridge.name === bridge);
    const type = found?.port.interfaces.find((each) => each.name === name)?.type;
    if (type === 'internal' || name === bridge) return this.#toHost(name, packet);
    return type === 'patch' ? { kind: 'arrives', at: `port ${name}` } : this.#toWire(name, packet, target);
  }

  #toNetwork(packet: Packet): TraceVerdict {
    const addresses = namedPacket(packet) ?? { source: '', destination: '' };
    const { hops, end } = fromBridge(this.#node, addresses, this.#translations, this.#length);
    this.hops.push(...hops);
    return (end.kind === 'arrives' ? this.#tooLong('the pod', this.#node.mtu) : undefined) ?? end;
  }

  #toWire(port: string, packet: Packet, target: string): TraceVerdict {
    const mtu = viewNode(this.#node.after).link(port)?.mtu;
    const tooLong = mtu === undefined ? undefined : this.#tooLong(port, mtu);
    if (tooLong !== undefined) return tooLong;
    const vlan = vlanIn(packet);
    const tag = vlan === undefined ? 'untagged' : `with VLAN ${String(vlan)}`;
    this.hops.push({ where: port, change: `leaves ${tag} as ${namedOr(packet)} ${target}`.trimEnd(), why: 'wire' });
    this.left = packet;
    return { kind: 'leaves', by: port };
  }

  #tooLong(where: string, mtu: number): TraceVerdict | undefined {
    if (this.#length === undefined || this.#length <= mtu) return undefined;
    const why = `${String(this.#length)} bytes are more than the MTU, ${String(mtu)} bytes`;
    return { kind: 'dropped', where, why };
  }
}
