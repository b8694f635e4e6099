import { dump } from 'js-yaml';
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';

/** The manifests of a cluster, as one text. */
export function manifestText(cluster: ClusterSnapshot): string {
  const objects = Object.values(cluster).flat();
  return objects.length === 0 ? '# nothing\n' : objects.map((object) => dump(object)).join('---\n');
}
