import { bridgeMapping } from '../../../../../src/domain/entities/bridge-mapping.ts';
import { ownOf } from '../../../../../src/domain/entities/entity-kinds.ts';
import type { NodeSnapshot } from '../../../../../src/domain/index.ts';

function tally(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Which things were changed another number of times than in an undisturbed run. */
export function countDifferences(undisturbed: readonly string[], disturbed: readonly string[]): readonly string[] {
  const [wanted, found] = [tally(undisturbed), tally(disturbed)];
  return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((key) => {
    const [before = 0, after = 0] = [wanted.get(key), found.get(key)];
    return before === after ? [] : [`${key}: ${after} times, and not ${before}`];
  });
}

/**
 * A node without how its taps are: they are `unknown` until they have had nobody behind them for the first time, as while ovs-vswitchd is started
 * again, and `up` after that.
 */
export function withoutTapStates(node: NodeSnapshot): NodeSnapshot {
  const links = node.links.map((link) =>
    link.kind === 'tun' && link.operationalState === 'unknown' ? { ...link, operationalState: 'up' } : link,
  );
  return { ...node, links };
}

/** A node whose bridge mappings of ours are in the order of their names: they stand in that of their making, and a tenant who had to wait comes last. */
export function withSortedMappings(node: NodeSnapshot): NodeSnapshot {
  const own = ownOf(bridgeMapping, node);
  const names = own.map(bridgeMapping.identity).sort().join();
  const { switchExternalIds } = bridgeMapping.take(node, own);
  return { ...node, switchExternalIds: { ...switchExternalIds, ...(names !== '' && { own: names }) } };
}

/** Seconds pass. */
function timeless(_key: string, value: unknown): unknown {
  return _key === 'validSeconds' || _key === 'preferredSeconds' || _key === 'expiresSeconds' ? 'some' : value;
}

/** In which entries two ledgers differ. */
export function ledgerDifferences(wanted: NodeSnapshot, found: NodeSnapshot): readonly string[] {
  const [before, after] = [wanted, found].map(({ ledger }) =>
    tally(ledger.entries.map((entry) => JSON.stringify(entry, timeless))),
  ) as [ReadonlyMap<string, number>, ReadonlyMap<string, number>];
  return [
    ...[...before.keys()].filter((entry) => !after.has(entry)).map((entry) => `- ledger ${entry}`),
    ...[...after.keys()].filter((entry) => !before.has(entry)).map((entry) => `+ ledger ${entry}`),
  ];
}
