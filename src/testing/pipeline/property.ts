/**
 * Common parts of properties of the flows of an uplink bridge. They are decided by following packets through the flows.
 */
import type { BridgeInput } from '../../domain/dataplane/pipeline/bridge-input.ts';
import { bitsOf, valueText } from '../../domain/datapath/openflow/bits.ts';
import type { Match } from '../../domain/datapath/openflow/flow.ts';
import { evaluate, type Output, type SwitchState } from '../../domain/datapath/switch-model/evaluate.ts';
import { type Packet, valueOf } from '../../domain/datapath/switch-model/packet.ts';
import type { CaseLabels } from '../laws/labels.ts';
import { type Attached, attachedTo, bridgeModel, packetFrom, type Pipeline } from './bridge-model.ts';
import type { Traffic } from './traffic.ts';

/** A property that flows do not have. */
export class PipelineViolation extends Error {
  override readonly name = 'PipelineViolation';
}

/** Something that holds for the flows of every bridge. It takes the pipeline that it judges as an argument. */
export interface PipelineProperty {
  readonly name: string;
  /** For a person, in a sentence without its full stop. */
  readonly promise: string;
  /** Labels, with the least share of generated traffic that must have them. */
  readonly cover: Readonly<Record<string, number>>;
  /**
   * @returns what was reached
   * @throws PipelineViolation where it does not hold.
   */
  check(this: void, pipeline: Pipeline, traffic: Traffic): CaseLabels;
}

/** The fields of a packet, for people. */
export function words(packet: Packet): string {
  return Object.entries(packet)
    .flatMap(([field, value]) =>
      typeof value === 'bigint' ? `${field}=${valueText(field as Parameters<typeof valueText>[0], value)}` : [],
    )
    .join(',');
}

/** Packets that left and their ports, for people. */
export function outputWords(outputs: readonly Output[]): string {
  return outputs.map(({ port, packet }) => `port ${String(port)} as ${words(packet)}`).join(' and ') || 'no port';
}

/** @throws PipelineViolation about one output of a packet. */
export function fail(sent: Match, output: Output, what: string): never {
  throw new PipelineViolation(`${JSON.stringify(sent)} leaves by ${outputWords([output])}: ${what}`);
}

type Look = (sent: Match, outputs: readonly Output[]) => void;

/** Gives each packet to the bridge, one after the other. */
export function run(pipeline: Pipeline, { bridge, packets }: Traffic, look: Look): void {
  runFrom(bridgeModel(bridge, pipeline(bridge)), packets, look);
}

/** Gives each packet to a bridge in a state. */
export function runFrom(start: SwitchState, packets: Traffic['packets'], look: Look): void {
  let state = start;
  for (const sent of packets) {
    const { outputs, after } = evaluate(state, packetFrom(sent));
    state = after;
    look(sent, outputs);
  }
}

/** Whether it is a packet of IPv4 or IPv6. */
export const isIp = ({ dl_type }: Packet): boolean => dl_type === 0x0800n || dl_type === 0x86ddn;

/** Whether the source or destination address of an IP packet is in one of some subnets. */
export function isIn(packet: Packet, direction: 'src' | 'dst', subnets: readonly (string | undefined)[]): boolean {
  if (!isIp(packet)) return false;
  const field = packet.dl_type === 0x0800n ? (`nw_${direction}` as const) : (`ipv6_${direction}` as const);
  return subnets.some((subnet) => {
    const bits = subnet === undefined ? undefined : bitsOf(field, subnet);
    return bits !== undefined && ((valueOf(packet, field) ^ bits.value) & bits.mask) === 0n;
  });
}

/** The networks of a bridge, by the port that their packets come from. */
export function networksByPort(bridge: BridgeInput): ReadonlyMap<string, Attached> {
  return new Map(attachedTo(bridge).map((attached) => [attached.network.patchPort, attached]));
}
