import type { HostSnapshot } from '../../ports/host-network.ts';
import type { InputProblem, Reading } from '../../ports/input-problem.ts';
import { allFields, mapReading } from '../json/readings.ts';
import { readAddresses, withAddresses } from './addresses.ts';
import type { Answer, IpBatch } from './batch.ts';
import { readLinks } from './links.ts';
import { readNeighbourProxies } from './neighbour-proxies.ts';
import { readNeighbours } from './neighbours.ts';
import { hopsOfObjects, readNextHopObjects } from './next-hop-objects.ts';
import { readRoutes } from './routes.ts';
import { readRules } from './rules.ts';

/** What ip(8) says of a network. */
export type HostTables = Omit<HostSnapshot, 'devlinkPorts'>;

/**
 * What is asked for, in this order. Links come first: ip learns from them which device a number stands for, and keeps it for as long as it
 * runs. Without an option for the family, routes of one are those below its default route.
 */
const TABLES = {
  links: 'link show',
  addresses: 'address show',
  nextHopObjects: 'nexthop show',
  routes4: 'route show table all root 0.0.0.0/0',
  routes6: 'route show table all root ::/0',
  rules4: 'rule show',
  neighbours: 'neighbour show nud all',
  neighbourProxies: 'neighbour show proxy',
} as const;

/** What is asked for with -6, as nothing else gives the rules of IPv6. */
const RULES_6 = 'rule show';

type Table = keyof typeof TABLES | 'rules6';

/** How often dumps that changes interrupt are asked for again, before that is a problem: then there is no end of changes. */
const ATTEMPTS = 8;

async function ask(batch: IpBatch, tables: readonly string[]): Promise<Answer> {
  const commands = tables.map((table) => table.split(' '));
  let answer = await batch.show(commands);
  for (let attempt = 1; attempt < ATTEMPTS && !answer.answered; attempt += 1) answer = await batch.show(commands);
  return answer;
}

function problem(table: string, message: string): InputProblem {
  return { file: `ip ${table}`, message };
}

function snapshotOf(texts: Readonly<Record<Table, string>>): Reading<HostTables> {
  const named = (table: keyof typeof TABLES): readonly [string, string] => [texts[table], `ip ${TABLES[table]}`];
  const nextHopObjects = readNextHopObjects(...named('nextHopObjects'));
  // Where the objects cannot be read the routes are read without them, for the sake of their problems.
  const hops = hopsOfObjects(nextHopObjects.read ? nextHopObjects.value : []);
  const parts = allFields({
    links: readLinks(...named('links')),
    addresses: readAddresses(...named('addresses')),
    nextHopObjects,
    routes4: readRoutes(...named('routes4'), 4, hops),
    routes6: readRoutes(...named('routes6'), 6, hops),
    rules4: readRules(...named('rules4'), 4),
    rules6: readRules(texts.rules6, `ip -6 ${RULES_6}`, 6),
    neighbours: readNeighbours(...named('neighbours')),
    neighbourProxies: readNeighbourProxies(...named('neighbourProxies')),
  });
  return mapReading(parts, ({ links, addresses, routes4, routes6, rules4, rules6, ...rest }) => ({
    ...rest,
    links: withAddresses(links, addresses),
    routes: [...routes4, ...routes6],
    rules: [...rules4, ...rules6],
  }));
}

/** Reads everything that ip says of the network it runs in. Never rejects; a problem names the command. */
export async function readHostTables(batch: IpBatch, batch6: IpBatch): Promise<Reading<HostTables>> {
  const [answer, answer6] = await Promise.all([ask(batch, Object.values(TABLES)), ask(batch6, [RULES_6])]);
  const problems = [
    ...(answer.answered ? [] : [problem('-batch', answer.error)]),
    ...(answer6.answered ? [] : [problem('-6 -batch', answer6.error)]),
  ];
  if (!answer.answered || !answer6.answered) return { read: false, problems };
  const texts = Object.keys(TABLES).map((table, index) => [table, answer.lines[index] ?? ''] as const);
  return snapshotOf({
    ...(Object.fromEntries(texts) as Record<keyof typeof TABLES, string>),
    rules6: answer6.lines[0] ?? '',
  });
}
