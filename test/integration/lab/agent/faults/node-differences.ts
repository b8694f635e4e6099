import { LEARNED_FLOW_COOKIE } from '../../../../../src/domain/basics/conventions.ts';
import { bridgeMapping } from '../../../../../src/domain/entities/switch/bridge-mapping.ts';
import { ownOf } from '../../../../../src/domain/entities/entity-kinds.ts';
import type { NodeSnapshot } from '../../../../../src/domain/index.ts';

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Entities that were changed another number of times than in an undisturbed run. */
export function countDifferences(undisturbed: readonly string[], disturbed: readonly string[]): readonly string[] {
  const [wanted, found] = [countsOf(undisturbed), countsOf(disturbed)];
  return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((key) => {
    const [before = 0, after = 0] = [wanted.get(key), found.get(key)];
    return before === after ? [] : [`${key}: ${after} times, expected ${before}`];
  });
}

/** A node with the managed bridge mappings sorted by name: they are in the order of their creation, which differs if a tenant had to wait. */
export function withSortedMappings(node: NodeSnapshot): NodeSnapshot {
  const own = ownOf(bridgeMapping, node);
  const names = own.map(bridgeMapping.identity).sort().join();
  const { switchExternalIds } = bridgeMapping.take(node, own);
  return { ...node, switchExternalIds: { ...switchExternalIds, ...(names !== '' && { own: names }) } };
}

/** Replaces remaining seconds, which differ in each snapshot. */
function withoutTimes(_key: string, value: unknown): unknown {
  return _key === 'validSeconds' || _key === 'preferredSeconds' || _key === 'expiresSeconds' ? 'some' : value;
}

/** The differing entries of two ledgers. */
export function ledgerDifferences(wanted: NodeSnapshot, found: NodeSnapshot): readonly string[] {
  const [before, after] = [wanted, found].map(({ ledger }) =>
    countsOf(ledger.entries.map((entry) => JSON.stringify(entry, withoutTimes))),
  ) as [ReadonlyMap<string, number>, ReadonlyMap<string, number>];
  return [
    ...[...before.keys()].filter((entry) => !after.has(entry)).map((entry) => `- ledger ${entry}`),
    ...[...after.keys()].filter((entry) => !before.has(entry)).map((entry) => `+ ledger ${entry}`),
  ];
}

/** The content of a node's Open vSwitch bridges and of OVN's Northbound database, as lines; without flows that flows have learned. */
function datapathLines({ flows, fdbEntries, noFloodPorts, northbound }: NodeSnapshot): readonly string[] {
  const lasting = flows.filter(({ cookie }) => cookie !== LEARNED_FLOW_COOKIE);
  return [...lasting, ...fdbEntries, ...noFloodPorts, ...northbound].map((item) =>
    JSON.stringify({ ...item, uuid: undefined }),
  );
}

/** The differing flows, settings of bridges and rows of OVN of two nodes. */
export function datapathDifferences(wanted: NodeSnapshot, found: NodeSnapshot): readonly string[] {
  const [before, after] = [new Set(datapathLines(wanted)), new Set(datapathLines(found))];
  return [
    ...[...before].filter((line) => !after.has(line)).map((line) => `- ${line}`),
    ...[...after].filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ];
}
