/**
 * In which lines two pictures of a node differ. Not compared: numbers of devices, MAC addresses of VRF devices, neighbours that come and go,
 * and the flag of an address that the kernel still looks for duplicates of.
 */
import type { NodeSnapshot } from '../../../src/domain/index.ts';
import { isLasting } from '../../../src/domain/node-model/lasting-neighbour.ts';

/** Something of a node as text, and the seconds that it still has, which pass. */
interface Line {
  readonly text: string;
  readonly seconds: readonly number[];
}

/** Fields that hold seconds until something ends. */
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
  // That there is a lifetime counts, and how long it is counts apart.
  const rest = entries.map(([key, value]) => [key, LIFETIMES.includes(key) && value !== undefined ? 'some' : value]);
  return {
    text: `${what} ${JSON.stringify(withSortedKeys(Object.fromEntries(rest)))}`,
    seconds: lifetimes.sort(([left], [right]) => (left < right ? -1 : 1)).map(([, value]) => Number(value)),
  };
}

function hopOrder({ nextHops, ...route }: NodeSnapshot['routes'][number]): object {
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
    ...node.routes.map((route) => line('route', hopOrder(route))),
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

/** Lines by what they say, and how often. */
function grouped(lines: readonly Line[]): ReadonlyMap<string, readonly (readonly number[])[]> {
  const groups = new Map<string, (readonly number[])[]>();
  for (const { text, seconds } of lines) groups.set(text, [...(groups.get(text) ?? []), seconds]);
  return groups;
}

/** Seconds that a lifetime may be off, since the kernel prints whole ones. */
const ROUNDING = 2;

/** Whether lifetimes are what is left of others after some time; the model's own time stands still. */
function isLeftOf(real: readonly number[], model: readonly number[], elapsed: number): boolean {
  return real.every((seconds, index) => {
    const before = model[index] ?? 0;
    return seconds <= before + ROUNDING && seconds >= Math.max(0, before - elapsed - ROUNDING);
  });
}

/**
 * The lines in which a node differs from its model: `-` what the model has and the node has not, `+` what only the node has.
 */
export function differences(model: NodeSnapshot, real: NodeSnapshot): readonly string[] {
  const elapsed = (real.uptimeSeconds ?? 0) - (model.uptimeSeconds ?? 0);
  const [expected, found] = [grouped(linesOf(model)), grouped(linesOf(real))];
  const texts = [...new Set([...expected.keys(), ...found.keys()])].sort();
  return texts.flatMap((text) => {
    const [wanted = [], had = []] = [expected.get(text), found.get(text)];
    if (wanted.length > had.length) return [`- ${text}`];
    if (wanted.length < had.length) return [`+ ${text}`];
    const late = had.filter((seconds, index) => !isLeftOf(seconds, wanted[index] ?? [], elapsed));
    return late.map((seconds) => `~ ${text}: ${seconds.join(', ')} s, and not ${wanted.join(' or ')} s`);
  });
}
