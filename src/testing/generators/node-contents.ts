/**
 * Generates what an administrator may have on an interface of a node: which routes, addresses and settings, and sometimes something that conflicts
 * with what a network needs. `populated-node.ts` adds it.
 */
import fc from 'fast-check';
import { administratorRouteCount } from './administrator-routes.ts';
import { type Obstacle, obstacles } from './obstacles.ts';

/** Contents of an interface besides those that every interface has. */
export interface NodeContent {
  readonly device: string;
  readonly routes: readonly number[];
  readonly lifetime: boolean;
  readonly handMade: boolean;
  readonly vlan: 'none' | 'up' | 'down' | 'loose' | 'loose and down';
  /** How the kernel makes the interface's link-local address, where it has one; mostly not set. */
  readonly addressGeneration: string | undefined;
  readonly neighbour: 'none' | 'permanent' | 'noarp' | 'managed';
  readonly answersForNeighbours: boolean;
  readonly keepsAddresses: string;
  readonly strictness: readonly [all: string, device: string];
  /** Whether IPv4 packets are forwarded, and IPv6 ones (`force_forwarding`, which older kernels do not have). */
  readonly forwarding: readonly [ipv4: string, ipv6: string | undefined];
  /** Whether the kernel reads router advertisements (`accept_ra`); it forwards IPv6. */
  readonly acceptsAdvertisements: string;
  /** Whether IPv6 is disabled on new devices. */
  readonly disablesIpv6: string;
  readonly inTheWay: Obstacle;
}

/** Content of one of some devices. */
export function nodeContents(devices: readonly string[]): fc.Arbitrary<NodeContent> {
  return fc.record({
    device: fc.constantFrom(...devices),
    routes: fc.subarray([...Array(administratorRouteCount).keys()], { maxLength: 6 }),
    lifetime: fc.boolean(),
    handMade: fc.boolean(),
    vlan: fc.constantFrom('none', 'none', 'none', 'up', 'up', 'up', 'up', 'down', 'loose', 'loose and down'),
    addressGeneration: fc.option(fc.constantFrom('eui64', 'none', 'random'), { freq: 2, nil: undefined }),
    neighbour: fc.constantFrom('none', 'none', 'permanent', 'permanent', 'noarp', 'managed'),
    answersForNeighbours: fc.constantFrom(false, false, false, true),
    keepsAddresses: fc.constantFrom('0', '0', '1', '-1'),
    strictness: fc.tuple(fc.constantFrom('0', '1', '2'), fc.constantFrom('0', '1', '2')),
    forwarding: fc.tuple(fc.constantFrom('0', '1'), fc.constantFrom(undefined, '0', '1')),
    acceptsAdvertisements: fc.constantFrom('0', '1', '2'),
    disablesIpv6: fc.constantFrom('0', '0', '1'),
    inTheWay: obstacles,
  });
}
