import fc from 'fast-check';
import { type ClusterSnapshot, defaultSettings, type NodeSettings } from '../../../../src/domain/index.ts';
import type { ArgumentVector } from '../node.ts';
import { administratorsNodes, type HostInterface, hostInterfaces } from './administrator.ts';
import { clusterStories } from './cluster-story.ts';

/** A node, and the clusters of each step. */
export interface Sequence {
  /** The administrator's commands that configure the node. */
  readonly node: readonly ArgumentVector[];
  readonly settings: NodeSettings;
  readonly steps: readonly ClusterSnapshot[];
}

/** A sequence as text. */
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

function sequencesOn(mainInterface: HostInterface): fc.Arbitrary<Sequence> {
  const settings = fc.boolean().map((ipv6) => ({
    ...defaultSettings,
    ovn: false,
    ...(ipv6 && { serviceCidrs: [...defaultSettings.serviceCidrs, 'fd10:96::/112'] }),
  }));
  return fc.record({ node: administratorsNodes(mainInterface), steps: clusterStories(mainInterface), settings });
}

/** Generated sequences, the plainest first. */
export const sequences: fc.Arbitrary<Sequence> = fc
  .oneof(...hostInterfaces.map(sequencesOn))
  // The text with which fast-check prints a counterexample.
  .map((sequence) =>
    Object.defineProperty(sequence, fc.toStringMethod, { value: () => `\n${describeSequence(sequence)}\n` }),
  );
