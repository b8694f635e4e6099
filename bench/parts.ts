/** A script of this folder that measures something, and the sizes it is given. */
export interface Part {
  /** Name of its file, or a path. */
  readonly script: string;
  readonly sizes: readonly number[];
}

const part = (script: string, ...sizes: readonly number[]): Part => ({ script, sizes });

/** The sizes that this engine is written for. The first one is that at which the Go implementation's cluster controller was measured. */
export const usualParts: readonly Part[] = [
  part('measure-cluster.ts', 1000, 10, 100, 100),
  ...[100, 1000, 5000].map((nodes) => part('measure-cluster.ts', nodes, 100, 1000, 16)),
  ...[100, 1000, 5000].map((nodes) => part('measure-changes.ts', nodes, 10, 100, 100)),
  part('measure-changes.ts', 1000, 10, 1000, 100),
  part('measure-changes.ts', 5000, 100, 1000, 16),
  part('measure-pods.ts', 150_000),
  part('measure-provision.ts', 5000, 1000),
  ...[10, 100].map((count) => part('measure-whole-networks.ts', count, count)),
  ...[1, 16, 250].map((networks) => part('measure-node.ts', networks)),
  ...[0, 250].map((further) => part('measure-trace.ts', further)),
  ...[0, 98, 248].map((further) => part('measure-flows.ts', further)),
  part('measure-flow-dump.ts', 500),
  part('measure-northbound-rows.ts', 100, 100),
  part('measure-services.ts', 5000, 10),
  ...[98, 248].map((further) => part('measure-restart.ts', further)),
];

/** Each script once, at sizes that take no time, and twice where growth is computed. */
export const shortParts: readonly Part[] = [
  ...[10, 50].map((nodes) => part('measure-cluster.ts', nodes, 5, 10, 16)),
  ...[10, 50].map((nodes) => part('measure-changes.ts', nodes, 5, 10, 16)),
  part('measure-pods.ts', 100),
  part('measure-provision.ts', 20, 10),
  part('measure-whole-networks.ts', 3, 2),
  part('measure-node.ts', 2),
  part('measure-trace.ts', 1),
  part('measure-flows.ts', 1),
  part('measure-flow-dump.ts', 1),
  part('measure-northbound-rows.ts', 3, 2),
  part('measure-services.ts', 50, 2),
  part('measure-restart.ts', 1),
];
