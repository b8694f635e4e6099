/**
 * Compares two snapshots of a node, line by line. Ignores device indexes, MAC addresses of VRF devices, transient neighbours, and the flag
 * `tentative` of addresses.
 */
import type { NodeSnapshot } from '../../../src/domain/index.ts';
import { isLasting } from '../../../src/domain/node-model/neighbours/lasting-neighbour.ts';

/** An entity as text, and its remaining lifetimes in seconds. */
interface Line {
  readonly text: string;
  readonly seconds: readonly number[];
}

/** Fields with remaining seconds. */
const LIFETIMES = ['validSeconds', 'preferredSeconds', 'expiresSeconds'];

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, item]) => [key, withSortedKeys(item)]),
  );
}

function line(what: string, item: object): Line {
  const entries: readonly [string, unknown][] = Object.entries(item);
  const lifetimes = entries.filter(([key, value]) => LIFETIMES.includes(key) && value !== undefined);
  // Lifetimes are compared separately.
  const rest = entries.map(([key, value]) => [key, LIFETIMES.includes(key) && value !== undefined ? 'some' : value]);
  return {
    text: `${what} ${JSON.stringify(withSortedKeys(Object.fromEntries(rest)))}`,
    seconds: lifetimes.sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => Number(value)),
  };
}

function withSortedHops({ nextHops, ...route }: NodeSnapshot['routes'][number]): object {
  return { ...route, nextHops: nextHops.map((hop) => JSON.stringify(withSortedKeys(hop))).sort() };
}

function linesOf(node: NodeSnapshot): readonly Line[] {
  return [
    ...node.links.flatMap(({ index: _index, addresses, macAddress, ...link }) => [
      line('link', link.kind === 'vrf' ? link : { ...link, macAddress }),
      ...addresses.map((address) =>
        line(`address on ${link.name}`, { ...address, flags: address.flags.filter((flag) => flag !== 'tentative') }),
      ),
    ]),
    ...node.routes.map((route) => line('route', withSortedHops(route))),
    ...node.nextHopObjects.map((object) => line('next hop object', object)),
    ...node.rules.map((rule) => line('rule', rule)),
    ...node.neighbours
      .filter((neighbour) =>
        isLasting(
          neighbour,
          node.links.find(({ name }) => name === neighbour.device),
        ),
      )
      .map((neighbour) => line('neighbour', neighbour)),
    ...node.neighbourProxies.map((proxy) => line('proxy', proxy)),
    line('external_ids', node.switchExternalIds),
    ...Object.entries(node.sysctls).map(([name, value]) => ({ text: `${name} = ${value}`, seconds: [] })),
  ];
}

/** Groups lines by text. */
function grouped(lines: readonly Line[]): ReadonlyMap<string, readonly (readonly number[])[]> {
  const groups = new Map<string, (readonly number[])[]>();
  for (const { text, seconds } of lines) groups.set(text, [...(groups.get(text) ?? []), seconds]);
  return groups;
}

/** Tolerance of lifetimes in seconds, as the kernel prints whole ones. */
const ROUNDING = 2;

/** Whether lifetimes are those of the model after some time, which does not pass in the model. */
function isRemainderOf(real: readonly number[], model: readonly number[], elapsed: number): boolean {
  return real.every((seconds, index) => {
    const before = model[index] ?? 0;
    return seconds <= before + ROUNDING && seconds >= Math.max(0, before - elapsed - ROUNDING);
  });
}

/**
 * The differing lines of a node and its model: `-` lines only of the model, `+` lines only of the node.
 */
export function differences(model: NodeSnapshot, real: NodeSnapshot): readonly string[] {
  const elapsed = (real.uptimeSeconds ?? 0) - (model.uptimeSeconds ?? 0);
  const [expected, found] = [grouped(linesOf(model)), grouped(linesOf(real))];
  const texts = [...new Set([...expected.keys(), ...found.keys()])].sort();
  return texts.flatMap((text) => {
    const [before = [], after = []] = [expected.get(text), found.get(text)];
    if (before.length > after.length) return [`- ${text}`];
    if (before.length < after.length) return [`+ ${text}`];
    const late = after.filter((seconds, index) => !isRemainderOf(seconds, before[index] ?? [], elapsed));
    return late.map((seconds) => `~ ${text}: ${seconds.join(', ')} s, expected ${before.join(' or ')} s`);
  });
}

/** Whether a difference is one of the kernel's rules for VRFs, which come with the first VRF of a node and stay. */
export function isVrfRule(line: string): boolean {
  return line.includes('l3mdev');
}
