import type { NextHop } from '../snapshot/node-snapshot.ts';
import { type Checked, invalid } from './checked.ts';

/** The kernel does not take a next hop. */
export function invalidHop({ device, gateway }: NextHop, reason: string): Checked<never> {
  const words = ['next hop', gateway, device].filter((word) => word !== undefined);
  return invalid(`${words.join(' ')}: ${reason}`);
}

/** A next hop that is the only one of its route has no share of the packets. */
export function withoutWeight({ weight: _weight, ...hop }: NextHop): NextHop {
  return hop;
}

/** A next hop as it is while its device is up and has a carrier. */
export function asUp({ down: _down, ...hop }: NextHop): NextHop {
  return hop;
}

/** A text that two next hops share exactly if they lead to the same place. */
export function hopKey({ device = '', gateway = '' }: NextHop): string {
  return `${device} ${gateway}`;
}
