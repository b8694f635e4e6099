/**
 * Small pools of names, so that generated objects have names in common: two uplinks select one interface, two networks one uplink, and so on. Each pool starts
 * with the plainest name, to which a counterexample shrinks.
 */
import fc from 'fast-check';

const long = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** Node names: short, dotted, as long as Kubernetes allows. */
export const nodeNames = ['node-a', 'node-b', 'node-c.example.org', `node-${long('d', 240)}`] as const;

/** Uplink names: plain, dotted (the names of their states have a hash), long. */
export const uplinkNames = ['uplink-a', 'uplink-b', 'uplink.dotted', `uplink-${long('long', 240)}`] as const;

/** Network names: short ones are VRF names, long ones are not; one is reserved by the kernel, one is another device's. */
export const networkNames = ['blue', 'red', 'green', 'corp', 'network-with-long-name', 'all', 'eth1'] as const;

/** Interfaces that are on bridges, unless something is wrong. */
export const bridgedInterfaceNames = ['br-one', 'one0', 'one1', 'br-two', 'two0'] as const;

/** Interfaces that uplinks name; `generators/nodes.ts` makes some of them, on bridges that several share. */
export const interfaceNames = [...bridgedInterfaceNames, 'eth1', 'lonely', 'absent', 'a#b'] as const;

/** Values of the label `rack`, which selectors are about. */
export const racks = ['rack-a', 'rack-b'] as const;

/** Some of a pool, each at most once, in the pool's order. */
export function someOf<const Pool extends readonly string[]>(pool: Pool): fc.Arbitrary<Pool[number][]> {
  return fc.subarray([...pool]);
}

/** How often each of a pool is there, against how often it is not. */
export interface Frequency {
  readonly present: number;
  readonly absent: number;
}

/**
 * One item for some of the names of a pool; a counterexample shrinks to few of them. Nothing is chained, as that would be in the way of
 * shrinking.
 */
export function eachOf<Name, Item>(
  pool: readonly Name[],
  make: (name: Name) => fc.Arbitrary<Item>,
  { present, absent }: Frequency = { present: 1, absent: 1 },
): fc.Arbitrary<Item[]> {
  const perhaps = (name: Name) =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: absent, arbitrary: fc.constant<Item[]>([]) },
      { weight: present, arbitrary: make(name).map((item) => [item]) },
    );
  return fc.tuple(...pool.map(perhaps)).map((items) => items.flat());
}
