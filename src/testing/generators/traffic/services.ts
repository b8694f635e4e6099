/**
 * Packets from the wire to Services, and forged answers of networks.
 */
import fc from 'fast-check';
import type { Match } from '../../../domain/datapath/openflow/flow.ts';
import { attachedTo, exposedIn, type ExposingBridge } from '../../pipeline/bridge-model.ts';
import { anyPackets } from './any-packets.ts';
import { fromWire, outside, senders } from './bridge-frames.ts';

/** Addresses from which sources of generated Services allow packets, beside those that they do not. */
const allowed = { 4: '203.0.113.20', 6: '2001:db8:99::20' } as const;

/** Requests to ports of Services, to the ports beside them, and packets of networks as if they answered some. */
export function requestsToServices(bridge: ExposingBridge): fc.Arbitrary<Match> {
  const ports = attachedTo(bridge).flatMap((attached) =>
    exposedIn(bridge, attached).map((port) => ({ attached, port })),
  );
  if (ports.length === 0) return anyPackets(bridge);
  return fc
    .record({
      asked: fc.constantFrom(...ports),
      // The answer that nobody asked for.
      isAnswer: fc.constantFrom(false, false, false, true),
      far: fc.constantFrom(0, 1, 2),
      beside: fc.constantFrom(0, 0, 0, 1),
      sourcePort: fc.constantFrom('443', '40000', '50000'),
    })
    .map(({ asked: { attached, port }, isAnswer, far, beside, sourcePort }): Match => {
      const { family, address, protocol } = port;
      const client = [...outside[family], allowed[family]][far] ?? '';
      const words = family === 4 ? (['nw_src', 'nw_dst'] as const) : (['ipv6_src', 'ipv6_dst'] as const);
      const named = family === 4 ? protocol : (`${protocol}6` as const);
      const number = String(port.port + beside);
      if (!isAnswer)
        return {
          ...fromWire(bridge, attached.uplink),
          protocol: named,
          [words[0]]: client,
          [words[1]]: address,
          tp_src: sourcePort,
          tp_dst: number,
        };
      const sender = senders(attached.uplink).find(({ frame }) => frame.in_port === attached.network.patchPort);
      return {
        ...sender?.frame,
        protocol: named,
        [words[0]]: address,
        [words[1]]: client,
        tp_src: number,
        tp_dst: sourcePort,
      };
    });
}
