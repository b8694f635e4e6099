import { renameSync, writeFileSync } from 'node:fs';
import type { ClusterSnapshot } from '../../../../../src/domain/index.ts';
import { manifestText } from '../manifest-text.ts';

/** Replaces the cluster in the folder that serves as the API of a node's agent, by rename as editors do. */
export function saveCluster(folder: string, cluster: ClusterSnapshot): void {
  writeFileSync(`${folder}/.cluster.new`, manifestText(cluster));
  renameSync(`${folder}/.cluster.new`, `${folder}/cluster.yaml`);
}
