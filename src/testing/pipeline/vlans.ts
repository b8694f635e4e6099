import type { BridgeInput, UplinkInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { bitsOf } from '../../domain/datapath/openflow/bits.ts';
import { VLAN_PRESENT } from '../../domain/datapath/openflow/constraints.ts';
import { evaluate, type Output, type SwitchState } from '../../domain/datapath/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../domain/datapath/switch-model/packet.ts';
import { attachedTo, bridgeModel, packetFrom, portNumber } from './bridge-model.ts';
import { bridgeAsProgrammed, mixedFlows } from './mixed-flows.ts';
import { fail, outputWords, type PipelineProperty, PipelineViolation, runFrom, words } from './property.ts';
import { answerTo, isOwn } from './replies.ts';
import type { Traffic } from './traffic.ts';

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

/** Checks the verdicts on packets on a bridge in a state; returns what was reached. */
function checkVlans(bridge: BridgeInput, state: SwitchState, packets: Traffic['packets']): readonly string[] {
  const wire = portNumber(bridge.physicalPort);
  const uplinks = uplinksByPort(bridge);
  const reached = new Set<string>();
  runFrom(state, packets, (sent, outputs) => {
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
}

export const vlanOfUplink: PipelineProperty = {
  name: 'VLAN of the uplink',
  promise:
    "Frames of networks and hosts have their uplink's VLAN on the wire, and get none of another, such as a former one, while networks of other uplinks are held",
  cover: { 'to the wire in a VLAN': 0.3, 'from the wire in a VLAN': 0.1, 'beside held networks': 0.2 },
  check: (pipeline, traffic) => {
    const { bridge, packets } = traffic;
    const reached = checkVlans(bridge, bridgeModel(bridge, pipeline(bridge)), packets);
    const held = Object.entries(traffic.programmed).filter(([, programmed]) => programmed === 'held');
    if (held.length === 0) return reached;
    const besideHeld = { ...traffic, programmed: Object.fromEntries(held) };
    const programmed = bridgeAsProgrammed(besideHeld);
    const beside = checkVlans(programmed, bridgeModel(programmed, mixedFlows(pipeline, besideHeld)), packets);
    return [...reached, ...(beside.length > 0 ? ['beside held networks'] : [])];
  },
};

/** The uplink of the network or the host that sends from a port. */
function uplinkOf({ uplinks }: BridgeInput, port: string | undefined): UplinkInput | undefined {
  return uplinks.find(
    ({ hostPort, networks }) => hostPort === port || networks.some(({ patchPort }) => patchPort === port),
  );
}

/** Whether a network of an uplink gets a frame, or its host, by whose port frames of its VLAN leave without a tag. */
function isTakenBy({ hostPort, networks }: UplinkInput, { port, packet }: Output): boolean {
  return (
    networks.some(({ patchPort }) => port === portNumber(patchPort)) ||
    (port === portNumber(hostPort) && tag(packet) === 0n)
  );
}

/** The reply to what an uplink has sent, as others can forge it in the VLAN of another one: for the MAC address of either. */
function forgedReplies(
  output: Output,
  { physicalPort }: BridgeInput,
  to: UplinkInput,
  by: UplinkInput,
): readonly Packet[] {
  return [to, by].map(({ macAddress }) => ({
    ...answerTo(output, physicalPort),
    dl_dst: bitsOf('dl_dst', macAddress)?.value ?? 0n,
    vlan_tci: tagOf(by),
  }));
}

export const repliesOfOwnVlan: PipelineProperty = {
  name: 'replies in the own VLAN',
  promise:
    'A reply to a network or a host that is forged in the VLAN of another uplink, which may have the same address, reaches neither',
  cover: { 'network of an uplink with the same address': 0.03, 'host of an uplink with the same address': 0.01 },
  check: (pipeline, { bridge, packets }) => {
    let state: SwitchState = bridgeModel(bridge, pipeline(bridge));
    const wire = portNumber(bridge.physicalPort);
    const reached = new Set<string>();
    for (const sent of packets) {
      const { outputs, after } = evaluate(state, packetFrom(sent));
      state = after;
      const output = outputs.find(({ port }) => port === wire);
      const to = isOwn(bridge, sent) ? uplinkOf(bridge, sent.in_port) : undefined;
      if (output === undefined || to === undefined) continue;
      for (const by of bridge.uplinks.filter(({ vlan }) => vlan !== to.vlan)) {
        for (const forged of forgedReplies(output, bridge, to, by)) {
          const taken = evaluate(state, forged).outputs.filter((each) => isTakenBy(to, each));
          if (taken.length > 0)
            throw new PipelineViolation(`the forged ${words(forged)} leaves by ${outputWords(taken)}`);
        }
        const isSame = by.networks.length > 0 && to.addresses[4] === by.addresses[4];
        const origin = sent.in_port === to.hostPort ? 'host' : 'network';
        if (isSame && to.addresses[4] !== undefined) reached.add(`${origin} of an uplink with the same address`);
      }
    }
    return [...reached];
  },
};
