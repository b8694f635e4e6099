/**
 * Packets that come to an uplink bridge: from a network, from the host, from the wire; those that belong there, and those that do not.
 */
import fc from 'fast-check';
import type { Match } from '../../../domain/datapath/openflow/flow.ts';
import type { ExposingBridge } from '../../pipeline/bridge-model.ts';
import { arpRequests, solicitations } from './address-resolution.ts';
import { anyPackets } from './any-packets.ts';
import { egressPackets, forwardedPackets, replyPackets, requestsFromWire, routerErrors } from './connections.ts';
import { requestsToServices } from './services.ts';

/** Everything that comes to a bridge: what belongs there, egress more often than by chance, and what does not belong there. */
export function packetsTo(bridge: ExposingBridge): fc.Arbitrary<Match> {
  return fc.oneof(
    { weight: 7, arbitrary: anyPackets(bridge) },
    { weight: 6, arbitrary: egressPackets(bridge) },
    { weight: 1, arbitrary: forwardedPackets(bridge) },
    { weight: 2, arbitrary: replyPackets(bridge) },
    { weight: 2, arbitrary: requestsFromWire(bridge) },
    { weight: 3, arbitrary: requestsToServices(bridge) },
    { weight: 2, arbitrary: arpRequests(bridge) },
    { weight: 1, arbitrary: solicitations(bridge) },
    { weight: 1, arbitrary: routerErrors(bridge) },
  );
}
