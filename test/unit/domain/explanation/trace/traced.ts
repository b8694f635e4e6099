import { defaultSettings, type NodeSnapshot } from '../../../../../src/domain/index.ts';
import { parsePacket } from '../../../../../src/domain/explanation/trace/packet-text/parse-packet.ts';
import { trace, type TraceOutcome, type TraceQuestion } from '../../../../../src/domain/explanation/trace/trace.ts';
import type { Situation } from '../../../cmd/run-in-process.ts';

export type Options = Partial<Omit<TraceQuestion, 'network' | 'packet'>> & {
  /** The difference from the captured node worker-a and its objects. */
  readonly but?: (situation: Situation) => Situation;
};

export const onNode = (change: (node: NodeSnapshot) => NodeSnapshot) => (situation: Situation) => ({
  ...situation,
  nodes: situation.nodes.map(change),
});

/** Gateways that the kernel has resolved. */
export const withGateways = onNode((node) => ({
  ...node,
  neighbours: [
    ...node.neighbours,
    ...[
      ['br-blue', '192.0.2.1', '02:00:00:00:00:b1'],
      ['br-blue', '2001:db8:b::1', '02:00:00:00:00:b6'],
      ['red0', '203.0.113.1', '02:00:00:00:00:e1'],
    ].map(([device = '', address = '', macAddress = '']) => ({ device, address, macAddress, states: ['reachable'] })),
  ],
}));

/** Follows a packet of a network on the captured node worker-a, with resolved gateways unless something else is asked for. */
export function traced(
  situation: Situation,
  network: string,
  text: string,
  { but = withGateways, ...options }: Options = {},
): TraceOutcome {
  const { cluster, nodes } = but(withGateways(situation));
  const reading = parsePacket(text);
  if ('problem' in reading) throw new Error(reading.problem);
  return trace(cluster, { from: nodes[0]!, others: [] }, defaultSettings, {
    network,
    packet: reading.packet,
    ...options,
  });
}
