import type { DroppableEntities } from '../../ports/apply-result.ts';
import type { HostSnapshot, NeighbourSnapshot } from '../../ports/node/host-network.ts';
import { inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { allFields, mapReading } from '../../ports/readings.ts';
import { readAddresses, withAddresses } from './addresses.ts';
import type { BatchResult, IpBatch } from './batch.ts';
import { readLinks } from './links.ts';
import { readNeighbourProxies } from './neighbour-proxies.ts';
import { readNeighbours } from './neighbours.ts';
import { hopsOfObjects, readNextHopObjects } from './next-hop-objects.ts';
import { readRoutes } from './routes.ts';
import { readRules } from './rules.ts';

/** The output of ip(8) for a network namespace. */
export type HostTables = Omit<HostSnapshot, 'devlinkPorts'>;

/**
 * Lists entities that the kernel drops when an interface is enslaved or released, in the order of the queries right before. Links come first: ip caches
 * their names. Routes come last: they change most. They are selected by family through the root of its address space, without an option.
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

/** The queries of a read. Addresses come last, as they list the links again. */
const TABLES = { ...untilRoutes, rules4: 'rule show', addresses } as const;

/** The query with -6, the only way to list IPv6 rules. */
const RULES_6 = 'rule show';

/** The text of each table, by name. */
type Texts<Table extends string> = Readonly<Record<Table, string>>;

function wordsOf(tables: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.values(tables).map((table) => table.split(' '));
}

function textsOf<Table extends string>(tables: Texts<Table>, lines: readonly string[]): Texts<Table> {
  return Object.fromEntries(Object.keys(tables).map((table, index) => [table, lines[index] ?? ''])) as Texts<Table>;
}

/** Maximum number of queries if changes keep interrupting the dumps. */
const ATTEMPTS = 8;

/** Maximum number of repeated reads because a link changed between the tables. */
const MAX_INCONSISTENT_READS = 2;

/** The state of links that affects other tables. */
function linkStates(text: string): string {
  const entries = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
  return entries
    .map(({ ifindex, ifname, master, flags }) =>
      JSON.stringify([ifindex, ifname, master, Array.isArray(flags) && flags.includes('UP')]),
    )
    .join('\n');
}

/**
 * Whether the links are the same in the first and the last table. Otherwise the tables may be inconsistent, such as a link that is up without its
 * routes.
 */
function isConsistent(texts: Texts<'links' | 'addresses'>): boolean {
  try {
    return linkStates(texts.links) === linkStates(texts.addresses);
  } catch {
    // Problems are reported when the tables are read.
    return true;
  }
}

async function ask(batch: IpBatch, commands: readonly (readonly string[])[]): Promise<BatchResult> {
  let answer = await batch.show(commands);
  for (let attempt = 1; attempt < ATTEMPTS && !answer.answered && answer.isTimeout !== true; attempt += 1)
    answer = await batch.show(commands);
  return answer;
}

function problem(table: string, message: string): InputProblem {
  return { origin: inFile(`ip ${table}`), message };
}

function droppableEntities(texts: Texts<keyof typeof DROPPABLE_TABLES>): Reading<DroppableEntities> {
  const named = (table: keyof typeof DROPPABLE_TABLES): readonly [string, string] => [
    texts[table],
    `ip ${DROPPABLE_TABLES[table]}`,
  ];
  const nextHopObjects = readNextHopObjects(...named('nextHopObjects'));
  // If the objects cannot be read, the routes are read without them, to report their problems too.
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
    entities: droppableEntities(texts),
    rules4: readRules(texts.rules4, `ip ${TABLES.rules4}`, 4),
    rules6: readRules(rules6, `ip -6 ${RULES_6}`, 6),
  });
  return mapReading(parts, ({ entities, rules4, rules6: ofFamily6 }) => ({
    ...entities,
    rules: [...rules4, ...ofFamily6],
  }));
}

/** The queries of neighbours alone. */
const NEIGHBOUR_TABLES = {
  neighbours: DROPPABLE_TABLES.neighbours,
  neighbourProxies: DROPPABLE_TABLES.neighbourProxies,
} as const;

/** Reads the neighbours alone. Never rejects; problems name the command. */
export async function readNeighbourTables(batch: IpBatch): Promise<Reading<NeighbourSnapshot>> {
  const answer = await ask(batch, wordsOf(NEIGHBOUR_TABLES));
  if (!answer.answered) return { read: false, problems: [problem('-batch', answer.error)] };
  const texts = textsOf(NEIGHBOUR_TABLES, answer.lines);
  return allFields({
    neighbours: readNeighbours(texts.neighbours, `ip ${NEIGHBOUR_TABLES.neighbours}`),
    neighbourProxies: readNeighbourProxies(texts.neighbourProxies, `ip ${NEIGHBOUR_TABLES.neighbourProxies}`),
  });
}

/** The commands that list the entities that the kernel drops when an interface is enslaved or released. */
export const DROPPABLE_COMMANDS = wordsOf(DROPPABLE_TABLES);

/** Reads the output of these commands, a line each. */
export function readDroppableEntities(lines: readonly string[]): Reading<DroppableEntities> {
  return droppableEntities(textsOf(DROPPABLE_TABLES, lines));
}

/** Reads all tables. Never rejects; problems name the command. */
export async function readHostTables(batch: IpBatch, batch6: IpBatch): Promise<Reading<HostTables>> {
  for (let attempt = 0; ; attempt += 1) {
    const [answer, answer6] = await Promise.all([ask(batch, wordsOf(TABLES)), ask(batch6, [RULES_6.split(' ')])]);
    const problems = [
      ...(answer.answered ? [] : [problem('-batch', answer.error)]),
      ...(answer6.answered ? [] : [problem('-6 -batch', answer6.error)]),
    ];
    if (!answer.answered || !answer6.answered) return { read: false, problems };
    const texts = textsOf(TABLES, answer.lines);
    if (attempt === MAX_INCONSISTENT_READS || isConsistent(texts)) return tablesOf(texts, answer6.lines[0] ?? '');
  }
}
