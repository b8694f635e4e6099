import { type ExplanationInput, explain } from '../../../../src/domain/explanation/explain.ts';
import type { Explanation } from '../../../../src/domain/explanation/explanation.ts';
import type { ClusterSnapshot, NodeSettings } from '../../../../src/domain/index.ts';
import { defaultSettings } from '../../../../src/domain/snapshot/settings.ts';
import { type BriefNode, completeNode } from '../../../../src/testing/index.ts';
import { attachment, cluster, network, node, uplink } from '../brief-objects.ts';

/** A node on which network `blue` is ready on `br-blue`. */
export const healthyNode: BriefNode = {
  nodeName: 'a',
  links: [
    { name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24 }] },
    { name: 'eth1' },
    { name: 'ovn-k8s-mp7', index: 9 },
    { name: 'ovn-k8s-mp8', index: 10 },
  ],
  routes: [{ destination: '0.0.0.0/0', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] }],
  bridges: [{ name: 'br-blue', ports: [{ name: 'eth1' }] }],
};

/** The situation to be explained; what is left out is as usual. */
export interface Story {
  readonly objects?: Partial<ClusterSnapshot>;
  /** `undefined`: the node was not observed. */
  readonly node?: Partial<BriefNode> | undefined;
  readonly settings?: Partial<NodeSettings>;
}

/** Everything that a story is explained from. */
export function inputOf(story: Story = {}): ExplanationInput {
  const lookedAt = !('node' in story) || story.node !== undefined;
  return {
    cluster: cluster({
      nodes: [node('a', { labels: { rack: 'a' } })],
      uplinks: [uplink('blue', 'br-blue')],
      clusterUserDefinedNetworks: [network('blue')],
      networkAttachmentDefinitions: [attachment('blue', '7'), attachment('red', '8')],
      ...story.objects,
    }),
    node: lookedAt ? completeNode({ ...healthyNode, ...story.node }) : undefined,
    settings: { ...defaultSettings, ...story.settings },
  };
}

/** Network `blue` on node `a`, explained. */
export function explained(story: Story = {}): Explanation {
  const outcome = explain(inputOf(story), 'blue', 'a');
  if (!outcome.explained) throw new Error(`unknown ${outcome.unknown}`);
  return outcome.explanation;
}

/** The facts as a person reads them: indented, with their sources. */
export function factLines({ facts }: Pick<Explanation, 'facts'>): readonly string[] {
  return facts.map(({ depth, text, sources }) => {
    const from = sources.length === 0 ? '' : ` <- ${sources.join(', ')}`;
    return `${'  '.repeat(depth)}${text}${from}`;
  });
}

/** The facts that a story of one object or device is about, without those that are always there. */
export function factsWith(story: Story, word: string): readonly string[] {
  return factLines(explained(story)).filter((line) => line.includes(word));
}
