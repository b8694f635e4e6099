import type { ClusterSnapshot } from '../domain/snapshot/cluster-snapshot.ts';
import type { Case } from './case.ts';
import { printedFiles, scenarioFiles } from './scenario-files.ts';

/** The cluster without what nothing refers to. */
export function withoutIdle(cluster: ClusterSnapshot): ClusterSnapshot {
  const networks = new Set(cluster.clusterUserDefinedNetworks.map(({ metadata }) => metadata.name));
  return {
    ...cluster,
    namespaces: cluster.namespaces.filter(({ metadata }) => networks.has(metadata.name)),
    networkAttachmentDefinitions: cluster.networkAttachmentDefinitions.filter(({ metadata }) =>
      networks.has(metadata.namespace ?? ''),
    ),
  };
}

/** Names as long as Kubernetes allows, cut down to their beginning and their length. */
export function shortened(text: string): string {
  return text.replace(/[\w.-]{60,}/g, (name) => `${name.slice(0, 12)}…(${name.length} characters)`);
}

/** A case for a person: the files of a scenario folder, one line an object, without usual values. */
export function describeCase(subject: Case): string {
  return shortened(printedFiles(scenarioFiles({ ...subject, cluster: withoutIdle(subject.cluster) }, '')));
}
