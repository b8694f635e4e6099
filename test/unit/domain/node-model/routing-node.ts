/**
 * A node on which routes are added: eth0 and eth3 outside of VRFs, eth1 in the VRF blue, eth2 down.
 */
import type { NodeSnapshot, Route } from '../../../../src/domain/snapshot/node-snapshot.ts';
import type { BriefNode } from '../../../../src/testing/brief-node.ts';
import { familyOf } from '../../../../src/domain/basics/addresses/ip-address.ts';
import { blue, device, nodeOf } from './words.ts';

const kernel = { protocol: 'kernel' };
const rules = ([4, 6] as const).flatMap((family) => [
  { family, priority: 0, table: 255, ...kernel },
  { family, priority: 1000, ...kernel, others: { l3mdev: 'null' } },
  { family, priority: 32766, table: 254, ...kernel },
]);

/** @param brief what is different; rules are those besides the kernel's */
export function routingNode({ rules: more = [], ...brief }: Omit<Partial<BriefNode>, 'nodeName'> = {}): NodeSnapshot {
  return nodeOf({
    links: [
      device('eth0', ['10.0.0.1/24', 'fd00::1/64']),
      device('eth1', ['10.1.0.1/24', 'fd01::1/64'], { master: 'blue' }),
      device('eth2', [], { up: false }),
      device('eth3', ['10.3.0.1/24', 'fd03::1/64']),
      device('lo', [], { type: 'loopback' }),
      { ...blue, addresses: device('', ['169.254.0.2/32', 'fd69::2/128']).addresses ?? [] },
    ],
    rules: [...rules, ...more],
    routes: [
      { destination: '30.0.0.0/24', nextHops: [{ gateway: '10.0.0.9', device: 'eth0' }] },
      { destination: 'fd30::/64', metric: 1024, nextHops: [{ gateway: 'fd00::9', device: 'eth0' }] },
    ],
    nextHopObjects: [
      { id: 1, device: 'eth0', gateway: '10.0.0.9' },
      { id: 2, device: 'eth0', gateway: 'fd00::9' },
      { id: 3, blackhole: true },
      { id: 4, group: [{ id: 2, weight: 1 }] },
      { id: 5, device: 'eth0', gateway: '10.9.0.9', onlink: true },
    ],
    ...brief,
  });
}

/** A static route in main with a destination, and with what is said besides. */
export function route(destination: string, more: Partial<Route> = {}): Route {
  return {
    family: familyOf(destination) ?? 4,
    table: 254,
    destination,
    metric: 0,
    type: 'unicast',
    protocol: 'static',
    nextHops: [],
    ...more,
  };
}
