/**
 * Which adapter stands behind which port. The only place that knows both.
 */
import 'reflect-metadata';
import { Container, type ServiceIdentifier } from 'inversify';
import { CapturedNode } from '../adapters/capture/captured-node.ts';
import { ExecaPrograms } from '../adapters/execa/execa-programs.ts';
import { ManifestFiles } from '../adapters/manifests/manifest-files.ts';
import type { ClusterSource } from '../ports/cluster-source.ts';
import type { NodeSource } from '../ports/node-source.ts';
import type { Programs } from '../ports/programs.ts';

/** Makes the source of a cluster's objects from the paths that were named. */
export type ClusterSourceFactory = (
  paths: readonly string[],
  onProgress: (done: number, total: number) => void,
) => ClusterSource;

/** Makes the source of a node's snapshot from the folder of its capture. */
export type NodeSourceFactory = (nodeName: string, folder: string) => NodeSource;

/** What the commands ask the container for. */
export const ports = {
  clusterSource: Symbol('ClusterSource') as ServiceIdentifier<ClusterSourceFactory>,
  nodeSource: Symbol('NodeSource') as ServiceIdentifier<NodeSourceFactory>,
  programs: Symbol('Programs') as ServiceIdentifier<Programs>,
};

/** The adapters for commands that read files and run programs of this machine. */
export function fileContainer(): Container {
  const container = new Container();
  container
    .bind(ports.clusterSource)
    .toConstantValue((paths, onProgress) => new ManifestFiles(paths, { onProgress, standardInput: process.stdin }));
  container.bind(ports.nodeSource).toConstantValue((nodeName, folder) => new CapturedNode(nodeName, folder));
  container.bind(ports.programs).toDynamicValue(() => new ExecaPrograms());
  return container;
}
