/** Of which networks do nodes report something else? */
import type { ConfigMap } from '../../../api/config-map.ts';
import { listChanges } from '../../../basics/incremental/list-changes.ts';
import { type Readiness, readinessIn, redirectionIn, tunnelMtuIn } from '../../../network/allocation/node-report.ts';

type Data = NonNullable<ConfigMap['data']>;

function idsWithOtherReadiness(left: Readiness, right: Readiness): readonly number[] {
  const ids = new Set([...left.ready, ...right.ready, ...left.notReady.keys(), ...right.notReady.keys()]);
  return [...ids].filter(
    (id) =>
      left.ready.has(id) !== right.ready.has(id) ||
      JSON.stringify(left.notReady.get(id)) !== JSON.stringify(right.notReady.get(id)),
  );
}

/** The ids of the networks of which two reports of a node say something else; undefined for all networks. */
function idsWithOtherReports(before: Data | undefined, after: Data | undefined): Iterable<number> | undefined {
  if (before === undefined || after === undefined) return undefined;
  if (before['node'] !== after['node'] || before['uid'] !== after['uid']) return undefined;
  if (redirectionIn(before) !== redirectionIn(after) || tunnelMtuIn(before) !== tunnelMtuIn(after)) return undefined;
  return (['rows', 'services'] as const).flatMap((part) =>
    idsWithOtherReadiness(readinessIn(before, part), readinessIn(after, part)),
  );
}

/**
 * The ids of the networks of which any node reports something else after a change of ConfigMaps.
 *
 * @param namespace of the reports
 * @returns undefined for all networks
 */
export function idsWithChangedReports(
  before: readonly ConfigMap[],
  after: readonly ConfigMap[],
  namespace: string,
): ReadonlySet<number> | undefined {
  const { removed, added } = listChanges(before, after);
  const reportsIn = (configMaps: readonly ConfigMap[]) =>
    new Map(
      configMaps
        .filter(({ metadata, data }) => metadata.namespace === namespace && data?.['node'] !== undefined)
        .map(({ metadata, data }) => [metadata.name, data]),
    );
  const [former, later] = [reportsIn(removed), reportsIn(added)];
  const found = new Set<number>();
  for (const name of new Set([...former.keys(), ...later.keys()])) {
    const ids = idsWithOtherReports(former.get(name), later.get(name));
    if (ids === undefined) return undefined;
    for (const id of ids) found.add(id);
  }
  return found;
}
