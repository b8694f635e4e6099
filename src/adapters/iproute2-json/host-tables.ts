import type { DroppableThings } from '../../ports/apply-result.ts';
import type { HostSnapshot } from '../../ports/host-network.ts';
import { inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { allFields, mapReading } from '../json/readings.ts';
import { readAddresses, withAddresses } from './addresses.ts';
import type { BatchResult, IpBatch } from './batch.ts';
import { readLinks } from './links.ts';
import { readNeighbourProxies } from './neighbour-proxies.ts';
import { readNeighbours } from './neighbours.ts';
import { hopsOfObjects, readNextHopObjects } from './next-hop-objects.ts';
import { readRoutes } from './routes.ts';
import { readRules } from './rules.ts';

/** What ip(8) says of a network. */
export type HostTables = Omit<HostSnapshot, 'devlinkPorts'>;

/**
 * What lists things that the kernel drops with an interface's move, in the order in which it is asked for right before one. Links come first: ip
 * learns from them which device a number stands for, and keeps it for as long as it runs. Routes come last: they change most. Without an option
 * for the family those of one are what is below its default route.
 */
const DROPPABLE_TABLES = {
  links: 'link show',
  nextHopObjects: 'nexthop show',
  neighbours: 'neighbour show nud all',
  neighbourProxies: 'neighbour show proxy',
  addresses: 'address show',
  routes6: 'route show table all root ::/0',
  routes4: 'route show table all root 0.0.0.0/0',
} as const;

const { addresses, ...untilRoutes } = DROPPABLE_TABLES;

/** What is asked for otherwise. Addresses come last, which tell of the links once more. */
const TABLES = { ...untilRoutes, rules4: 'rule show', addresses } as const;

/** What is asked for with -6, as nothing else gives the rules of IPv6. */
const RULES_6 = 'rule show';

/** The text of each table, under its name. */
type Texts<Table extends string> = Readonly<Record<Table, string>>;

function wordsOf(tables: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.values(tables).map((table) => table.split(' '));
}

function textsOf<Table extends string>(tables: Texts<Table>, lines: readonly string[]): Texts<Table> {
  return Object.fromEntries(Object.keys(tables).map((table, index) => [table, lines[index] ?? ''])) as Texts<Table>;
}

/** How often tables are asked for at most before it is a problem that they are not whole: then there is no end of the changes that interrupt them. */
const ATTEMPTS = 8;

/** How often tables are asked for again between which a link came up, went or moved, before they are taken as they are. */
const MOST_TORN = 2;

/** What a table says of the links that decides what else there can be. */
function linkStates(text: string): string {
  const entries = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
  return entries
    .map(({ ifindex, ifname, master, flags }) =>
      JSON.stringify([ifindex, ifname, master, Array.isArray(flags) && flags.includes('UP')]),
    )
    .join('\n');
}

/**
 * Whether the links were the same when the first table was printed and when the last one was. Else what is told may never have been: routes that
 * went with a link which is said to be up.
 */
function isOfOneMoment(texts: Texts<'links' | 'addresses'>): boolean {
  try {
    return linkStates(texts.links) === linkStates(texts.addresses);
  } catch {
    // What is wrong with it is told when it is read.
    return true;
  }
}

async function ask(batch: IpBatch, commands: readonly (readonly string[])[]): Promise<BatchResult> {
  let answer = await batch.show(commands);
  for (let attempt = 1; attempt < ATTEMPTS && !answer.answered && answer.isLate !== true; attempt += 1)
    answer = await batch.show(commands);
  return answer;
}

function problem(table: string, message: string): InputProblem {
  return { origin: inFile(`ip ${table}`), message };
}

function droppableThings(texts: Texts<keyof typeof DROPPABLE_TABLES>): Reading<DroppableThings> {
  const named = (table: keyof typeof DROPPABLE_TABLES): readonly [string, string] => [
    texts[table],
    `ip ${DROPPABLE_TABLES[table]}`,
  ];
  const nextHopObjects = readNextHopObjects(...named('nextHopObjects'));
  // Where the objects cannot be read the routes are read without them, for the sake of their problems.
  const hops = hopsOfObjects(nextHopObjects.read ? nextHopObjects.value : []);
  const parts = allFields({
    links: readLinks(...named('links')),
    addresses: readAddresses(...named('addresses')),
    nextHopObjects,
    routes4: readRoutes(...named('routes4'), 4, hops),
    routes6: readRoutes(...named('routes6'), 6, hops),
    neighbours: readNeighbours(...named('neighbours')),
    neighbourProxies: readNeighbourProxies(...named('neighbourProxies')),
  });
  return mapReading(parts, ({ links, addresses, routes4, routes6, ...rest }) => ({
    ...rest,
    links: withAddresses(links, addresses),
    routes: [...routes4, ...routes6],
  }));
}

function tablesOf(texts: Texts<keyof typeof TABLES>, rules6: string): Reading<HostTables> {
  const parts = allFields({
    things: droppableThings(texts),
    rules4: readRules(texts.rules4, `ip ${TABLES.rules4}`, 4),
    rules6: readRules(rules6, `ip -6 ${RULES_6}`, 6),
  });
  return mapReading(parts, ({ things, rules4, rules6: ofFamily6 }) => ({
    ...things,
    rules: [...rules4, ...ofFamily6],
  }));
}

/** The commands that list the things that the kernel drops with an interface's move. */
export const DROPPABLE_COMMANDS = wordsOf(DROPPABLE_TABLES);

/** Reads what those commands have printed, a line each. */
export function readDroppableThings(lines: readonly string[]): Reading<DroppableThings> {
  return droppableThings(textsOf(DROPPABLE_TABLES, lines));
}

/** Reads everything that ip says of the network it runs in. Never rejects; a problem names the command. */
export async function readHostTables(batch: IpBatch, batch6: IpBatch): Promise<Reading<HostTables>> {
  for (let torn = 0; ; torn += 1) {
    const [answer, answer6] = await Promise.all([ask(batch, wordsOf(TABLES)), ask(batch6, [RULES_6.split(' ')])]);
    const problems = [
      ...(answer.answered ? [] : [problem('-batch', answer.error)]),
      ...(answer6.answered ? [] : [problem('-6 -batch', answer6.error)]),
    ];
    if (!answer.answered || !answer6.answered) return { read: false, problems };
    const texts = textsOf(TABLES, answer.lines);
    if (torn === MOST_TORN || isOfOneMoment(texts)) return tablesOf(texts, answer6.lines[0] ?? '');
  }
}
