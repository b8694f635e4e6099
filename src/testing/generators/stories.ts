import fc from 'fast-check';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { describeStory } from '../describe-story.ts';
import type { Step, Story } from '../story.ts';
import { clusters } from './clusters.ts';
import { namelessNodes } from './nodes.ts';
import { settings } from './settings.ts';

/** Which of a cluster's objects are there at a step, by their places. */
interface Presence {
  readonly networks: readonly number[];
  readonly routeAdvertisements: readonly number[];
  readonly uplinks: readonly number[];
  readonly damage: number | undefined;
  readonly remadeManagementPort: number | undefined;
}

const places = (count: number) => fc.subarray(Array.from({ length: count }, (_item, index) => index));

const presences: fc.Arbitrary<Presence> = fc.record({
  networks: places(7),
  routeAdvertisements: places(3),
  // Uplinks come and go less often than networks.
  uplinks: fc.oneof({ weight: 3, arbitrary: fc.constant([0, 1, 2, 3]) }, { weight: 1, arbitrary: places(4) }),
  damage: fc.option(fc.nat({ max: 99 }), { freq: 3, nil: undefined }),
  remadeManagementPort: fc.option(fc.integer({ min: 1, max: 7 }), { freq: 4, nil: undefined }),
});

function step(cluster: ClusterSnapshot, presence: Presence): Step {
  const { networks, routeAdvertisements, uplinks, damage, remadeManagementPort } = presence;
  return {
    cluster: {
      ...cluster,
      clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks.filter((_item, index) => networks.includes(index)),
      routeAdvertisements: cluster.routeAdvertisements.filter((_item, index) => routeAdvertisements.includes(index)),
      uplinks: cluster.uplinks.filter((_item, index) => uplinks.includes(index)),
    },
    ...(damage !== undefined && { damage }),
    ...(remadeManagementPort !== undefined && { remadeManagementPort }),
  };
}

/** Makes counterexamples readable: fast-check prints a story by this. Invisible to JSON. */
function readable(story: Story): Story {
  return Object.defineProperty({ ...story }, fc.toStringMethod, { value: () => `\n${describeStory(story)}\n` });
}

/** A node of a cluster whose networks, uplinks and advertisements come and go, while others meddle. */
export const stories: fc.Arbitrary<Story> = fc
  .record({
    cluster: clusters,
    node: namelessNodes,
    settings,
    steps: fc.array(presences, { minLength: 1, maxLength: 4 }),
  })
  .map(({ cluster, node, settings: chosen, steps }) => {
    const [first] = cluster.nodes;
    return readable({
      settings: chosen,
      node: node(first?.metadata.name ?? 'node-a'),
      steps: steps.map((presence) => step(cluster, presence)),
    });
  });
