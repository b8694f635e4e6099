import type { ExposedPort, NetworkInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { bitsOf } from '../../domain/datapath/openflow/bits.ts';
import type { FieldName } from '../../domain/datapath/openflow/fields.ts';
import { evaluate, type Output, type SwitchState } from '../../domain/datapath/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../domain/datapath/switch-model/packet.ts';
import { bridgeModel, exposedIn, packetFrom, type Pipeline, portNumber } from './bridge-model.ts';
import { mixedFlows, programmedOf, withNetworks } from './mixed-flows.ts';
import { isIp, networksByPort, outputWords, type PipelineProperty, PipelineViolation, words } from './property.ts';
import { answerTo, isAnswerTo } from './replies.ts';
import type { Traffic } from './traffic.ts';

/** The flows that the bridge has learned since it had those that were programmed. */
function learnedSince(flows: SwitchState['flows'], programmed: SwitchState['flows']): SwitchState['flows'] {
  const known = new Set(programmed);
  return flows.filter((flow) => !known.has(flow));
}

/** Packets that leave a bridge with the flows of others, and those that leave it in the same state without them. */
interface Comparison {
  readonly sent: Packet;
  readonly together: readonly Output[];
  readonly apart: readonly Output[];
}

/** @throws PipelineViolation where they differ. */
function compare({ sent, together, apart }: Comparison): void {
  const [withOthers, withoutOthers] = [outputWords(together), outputWords(apart)];
  if (withOthers !== withoutOthers) {
    throw new PipelineViolation(
      `${words(sent)} leaves by ${withOthers}; without the other networks by ${withoutOthers}`,
    );
  }
}

export const othersChangeNothing: PipelineProperty = {
  name: 'others change nothing',
  promise: 'Packets of a network have the same verdict whichever other networks are on the bridge',
  cover: { 'beside others': 0.3 },
  check: (pipeline, { bridge, packets }) => {
    const networks = networksByPort(bridge);
    const reached = new Set<string>();
    const together = bridgeModel(bridge, pipeline(bridge));
    for (const sent of packets) {
      const attached = networks.get(sent.in_port ?? '');
      if (attached === undefined) continue;
      const alone = withNetworks(bridge, (network) => network === attached.network.network);
      const states = [together, { ...together, flows: bridgeModel(alone, pipeline(alone)).flows }] as const;
      const [withOthers, withoutOthers] = states.map((state) => evaluate(state, packetFrom(sent)).outputs);
      compare({ sent: packetFrom(sent), together: withOthers ?? [], apart: withoutOthers ?? [] });
      if (networks.size > 1) reached.add('beside others');
    }
    return [...reached];
  },
};

/** Decides which packets are those of networks that are wholly programmed, and of the hosts beside them. */
class Bystanders {
  readonly #traffic: Traffic;
  /** Their ports. */
  readonly #ports: ReadonlyMap<bigint, 'network' | 'host'>;
  readonly #patchPorts: ReadonlySet<bigint>;
  /** Packets that networks which are not wholly programmed have sent to the wire. */
  readonly #sentByOthers: Output[] = [];

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
    const { bridge } = traffic;
    const isWhole = ({ network }: NetworkInput) => programmedOf(traffic, network) === 'wholly';
    const uplinks = bridge.uplinks.filter(({ networks }) => networks.some(isWhole));
    this.#ports = new Map([
      ...uplinks.map(({ hostPort }) => [portNumber(hostPort), 'host'] as const),
      ...uplinks.flatMap(({ networks }) =>
        networks.filter(isWhole).map(({ patchPort }) => [portNumber(patchPort), 'network'] as const),
      ),
    ]);
    this.#patchPorts = new Set([...networksByPort(bridge).keys()].map(portNumber));
  }

  /** Records what left for the wire. */
  left({ in_port = 0n }: Packet, outputs: readonly Output[]): void {
    if (this.#patchPorts.has(in_port) && !this.#ports.has(in_port)) this.#sentByOthers.push(...outputs);
  }

  /** Where a packet of a bystander is from; undefined for packets of others. */
  originOf(packet: Packet): 'network' | 'host' | 'wire' | undefined {
    const { bridge } = this.#traffic;
    const inPort = valueOf(packet, 'in_port');
    if (this.#concernsOthers(packet)) return undefined;
    if (inPort !== portNumber(bridge.physicalPort)) return this.#ports.get(inPort);
    const isForBystander = bridge.uplinks.some(
      ({ hostPort, macAddress }) =>
        this.#ports.has(portNumber(hostPort)) && valueOf(packet, 'dl_dst') === mac(macAddress),
    );
    return isForBystander && !this.#sentByOthers.some((output) => isAnswerTo(output, packet)) ? 'wire' : undefined;
  }

  /** Whether a packet is for pods or Services of others, from where their gateway routers send, or asks for an address of theirs. */
  #concernsOthers(packet: Packet): boolean {
    const { bridge, former } = this.#traffic;
    const uplinks = bridge.uplinks.filter(({ hostPort }) => !this.#ports.has(portNumber(hostPort)));
    const others = [...networksByPort(bridge).values()].filter(
      ({ network: { patchPort } }) => !this.#ports.has(portNumber(patchPort)),
    );
    const networks = others.map(({ network }) => network);
    const exposed = others.flatMap((attached) => exposedIn(bridge, attached));
    // In either direction: connections to them have the mark of their network.
    if (exposed.some((port) => [packet, turnedRound(packet)].some((each) => isForExposed(each, port)))) return true;
    return ([4, 6] as const).some((family) => {
      const [source, destination] = fieldsOf[family];
      const has = (field: FieldName, addresses: readonly (string | readonly string[] | undefined)[]) =>
        addresses.flatMap((each) => each ?? []).some((address) => isWithin(valueOf(packet, field), field, address));
      const asked = uplinks.flatMap(({ uplink, addresses }) => [addresses[4], former[uplink]?.addresses[4]]);
      return (
        has('arp_tpa', asked) ||
        has(
          source,
          networks.map(({ masqueradeAddresses }) => masqueradeAddresses[family]),
        ) ||
        has(
          destination,
          networks.map(({ advertisedSubnets }) => advertisedSubnets[family]),
        )
      );
    });
  }
}

/** The packet with addresses and ports the other way round. */
function turnedRound({ nw_src, nw_dst, ipv6_src, ipv6_dst, tp_src, tp_dst, ...packet }: Packet): Packet {
  return {
    ...packet,
    ...(nw_src !== undefined && { nw_dst: nw_src }),
    ...(nw_dst !== undefined && { nw_src: nw_dst }),
    ...(ipv6_src !== undefined && { ipv6_dst: ipv6_src }),
    ...(ipv6_dst !== undefined && { ipv6_src: ipv6_dst }),
    ...(tp_src !== undefined && { tp_dst: tp_src }),
    ...(tp_dst !== undefined && { tp_src: tp_dst }),
  };
}

/** Whether a packet is for a port of a Service, or for any other port at an address that is for Services alone. */
export function isForExposed(packet: Packet, { family, address, port, protocol, isOfService }: ExposedPort): boolean {
  const [, destination] = fieldsOf[family];
  if (!isIp(packet) || !isWithin(valueOf(packet, destination), destination, address)) return false;
  const numbers = { tcp: 6n, udp: 17n, sctp: 132n };
  return isOfService || (packet.nw_proto === numbers[protocol] && valueOf(packet, 'tp_dst') === BigInt(port));
}

const fieldsOf = { 4: ['nw_src', 'nw_dst'], 6: ['ipv6_src', 'ipv6_dst'] } as const;

function isWithin(value: bigint, field: FieldName, subnet: string): boolean {
  const bits = bitsOf(field, subnet);
  return bits !== undefined && ((value ^ bits.value) & bits.mask) === 0n;
}

function mac(address: string): bigint | undefined {
  return bitsOf('dl_dst', address)?.value;
}

/** The bridge with all its flows, and the flows that it has where only the networks are there that are wholly programmed. */
function statesOf(pipeline: Pipeline, traffic: Traffic): readonly [SwitchState, SwitchState['flows']] {
  const { bridge } = traffic;
  const alone = withNetworks(bridge, (network) => programmedOf(traffic, network) === 'wholly');
  return [bridgeModel(bridge, mixedFlows(pipeline, traffic)), bridgeModel(alone, pipeline(alone)).flows];
}

export const heldChangeNothing: PipelineProperty = {
  name: 'held and broken networks change nothing',
  promise:
    'A packet of a network, of the host or from the wire has the same verdict whether other networks are held, refused in part or absent, whatever connections there are',
  cover: { held: 0.2, refused: 0.1, 'without port': 0.1, network: 0.15, host: 0.15, wire: 0.15, reply: 0.05 },
  check: (pipeline, traffic) => {
    const reached = new Set<string>();
    const [start, apart] = statesOf(pipeline, traffic);
    const bystanders = new Bystanders(traffic);
    const others = Object.values(traffic.programmed).filter((programmed) => programmed !== 'wholly');
    const wire = portNumber(traffic.bridge.physicalPort);
    let state = start;
    const follow = (packet: Packet): readonly Packet[] => {
      const { outputs, after, steps } = evaluate(state, packet);
      const origin = bystanders.originOf(packet);
      if (origin !== undefined && others.length > 0) {
        const without = { ...state, flows: [...apart, ...learnedSince(state.flows, start.flows)] };
        compare({ sent: packet, together: outputs, apart: evaluate(without, packet).outputs });
        for (const programmed of others) reached.add(programmed);
        reached.add(origin);
        if (steps.some((step) => step.kind === 'flow' && step.flow.table === 1 && step.flow.priority === 100)) {
          reached.add('reply');
        }
      }
      const left = outputs.filter(({ port }) => port === wire);
      bystanders.left(packet, left);
      state = after;
      return left.map((output) => answerTo(output, traffic.bridge.physicalPort));
    };
    const packets = traffic.packets.map(packetFrom);
    // The second time, connections are established and neighbours known.
    for (const answer of packets.flatMap(follow)) follow(answer);
    for (const packet of packets) follow(packet);
    return [...reached];
  },
};
