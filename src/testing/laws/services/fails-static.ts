import type { KindKey } from '../../../domain/api/kinds.ts';
import type { ClusterSnapshot } from '../../../domain/snapshot/cluster-snapshot.ts';
import { isMirror } from '../../../domain/services/slices.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { StoredSlices, writesOfServices } from '../../stored-slices.ts';
import type { CaseLabels } from '../labels.ts';
import { assertSame } from '../violation.ts';

const law = 'fails static';

/** The lists that mirrors, and slices of names, follow from. */
const lists = [
  'clusterUserDefinedNetworks',
  'namespaces',
  'services',
  'pods',
  'endpointSlices',
] as const satisfies readonly KindKey[];

type Listed = ClusterSnapshot[(typeof lists)[number]][number];

/** The cluster in which no object of a list can be read, but for mirrors. */
function unread(cluster: ClusterSnapshot, kind: (typeof lists)[number]): ClusterSnapshot {
  const isLeft = (object: Listed) => kind === 'endpointSlices' && isMirror(object);
  const objects: readonly Listed[] = cluster[kind];
  return {
    ...cluster,
    [kind]: objects.filter(isLeft),
    unreadable: objects
      .filter((object) => !isLeft(object))
      .map(({ metadata: { namespace, name } }) => ({ kind, ...(namespace !== undefined && { namespace }), name })),
  };
}

/** Law: what cannot be read takes no endpoint away. Where there is no list at all, there is no plan either. */
export function checkFailsStatic(engine: Engine, { cluster, settings }: Case): CaseLabels {
  const writesFor = (snapshot: ClusterSnapshot) => {
    const { provision } = engine.planCluster(snapshot, { ...settings });
    return provision === undefined ? [] : writesOfServices(provision.services);
  };
  const slices = new StoredSlices(cluster.endpointSlices);
  for (const write of writesFor(cluster)) slices.write(write);
  const stored = { ...cluster, endpointSlices: slices.list };
  for (const kind of lists)
    assertSame(law, `writes for Services where ${kind} cannot be read, and none,`, writesFor(unread(stored, kind)), []);
  return slices.list.some((slice) => isMirror(slice) && (slice.endpoints ?? []).length > 0) ? ['endpoint'] : [];
}
