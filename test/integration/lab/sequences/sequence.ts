import fc from 'fast-check';
import { type ClusterSnapshot, defaultSettings, type NodeSettings } from '../../../../src/domain/index.ts';
import type { ArgumentVector } from '../node.ts';
import { administratorsNodes, type HostInterface, hostInterfaces } from './administrator.ts';
import { clusterStories } from './cluster-story.ts';

/** A node and what a cluster wants of it, step by step. */
export interface Sequence {
  /** The commands by which an administrator has made the node. */
  readonly node: readonly ArgumentVector[];
  readonly settings: NodeSettings;
  readonly steps: readonly ClusterSnapshot[];
}

/** A sequence for a person who wants to see it again. */
function describeSequence({ node, settings, steps }: Sequence): string {
  const wanted = steps.map(({ clusterUserDefinedNetworks, routeAdvertisements }) =>
    clusterUserDefinedNetworks.map(({ metadata: { name }, spec }) => {
      const target = routeAdvertisements.find(({ metadata }) => metadata.name === name)?.spec.targetVRF ?? 'default';
      const { layer3 } = spec.network;
      return `${name} on ${spec.uplinks?.join() ?? ''}, target VRF ${target}, ${JSON.stringify(layer3?.subnets)}`;
    }),
  );
  return [
    ...node.map((words) => words.join(' ')),
    `services ${settings.serviceCidrs.join(', ')}`,
    ...wanted.map((lines, index) => `step ${index + 1}: ${lines.join('; ') || 'no network'}`),
  ].join('\n');
}

function sequencesOn(furnished: HostInterface): fc.Arbitrary<Sequence> {
  const settings = fc.boolean().map((ipv6) => ({
    ...defaultSettings,
    ...(ipv6 && { serviceCidrs: [...defaultSettings.serviceCidrs, 'fd10:96::/112'] }),
  }));
  return fc.record({ node: administratorsNodes(furnished), steps: clusterStories(furnished), settings });
}

/** Generated sequences, the plainest first. */
export const sequences: fc.Arbitrary<Sequence> = fc
  .oneof(...hostInterfaces.map(sequencesOn))
  // fast-check prints a counterexample by this; it is invisible to everything else.
  .map((sequence) =>
    Object.defineProperty(sequence, fc.toStringMethod, { value: () => `\n${describeSequence(sequence)}\n` }),
  );
