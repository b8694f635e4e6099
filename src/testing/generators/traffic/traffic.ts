/**
 * Bridges with how far their networks are programmed, what their uplinks were before, and the packets that come to them.
 */
import fc from 'fast-check';
import { attachedTo } from '../../pipeline/bridge-model.ts';
import type { FormerUplink, Programmed, Traffic } from '../../pipeline/traffic.ts';
import { bridges } from '../bridges.ts';
import { packetsTo } from './packets.ts';

/** Uplinks as they may have been: with an address that no uplink has, or another one has now; with another MAC address, and another VLAN. */
function formerUplink(place: number): fc.Arbitrary<FormerUplink> {
  return fc
    .record({
      addresses: fc.constantFrom(
        { 4: '203.0.113.250', 6: '2001:db8:ffff::250' },
        { 4: '192.0.2.7', 6: '2001:db8:2::7' },
      ),
      macAddress: fc.constantFrom(`0a:00:00:00:00:0${String(place)}`, `0a:00:00:00:01:0${String(place)}`),
      vlan: fc.constantFrom(undefined, 100, 300),
    })
    .map(({ vlan, ...rest }) => ({ ...rest, ...(vlan !== undefined && { vlan }) }));
}

const howProgrammed = fc.constantFrom<Programmed[]>('wholly', 'wholly', 'held', 'held', 'refused', 'without port');

/** Bridges with what comes to them, one packet after the other. */
export const traffic: fc.Arbitrary<Traffic> = bridges.chain((bridge) =>
  fc.record({
    bridge: fc.constant(bridge),
    packets: fc.array(packetsTo(bridge), { maxLength: 20, size: 'medium' }),
    programmed: fc.record(
      Object.fromEntries(attachedTo(bridge).map(({ network }) => [network.network, howProgrammed])),
    ),
    former: fc.record(Object.fromEntries(bridge.uplinks.map(({ uplink }, at) => [uplink, formerUplink(at)]))),
  }),
);
