import fc from 'fast-check';
import type { ClusterUserDefinedNetwork } from '../../domain/api/cluster-user-defined-network.ts';
import { ID_CLAIMS_NAME } from '../../domain/basics/conventions.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { describeStory } from '../describe-story.ts';
import type { Step, Story } from '../story.ts';
import { clusters } from './clusters.ts';
import { unnamedNodes } from './nodes.ts';
import { othersToo, withoutOtherProvider } from './provided-networks.ts';
import { settings } from './settings.ts';

/** Which of a cluster's objects are there at a step, by index. */
interface ObjectPresence {
  readonly networks: readonly number[];
  readonly routeAdvertisements: readonly number[];
  readonly uplinks: readonly number[];
  readonly nodes: readonly number[];
  readonly hasOwnNetworks: boolean;
  /** Whether what nodes have reported is there: provided networks are held without. */
  readonly hasReports: boolean;
  /** MTU of all networks at this step, where it is not each network's own. */
  readonly mtu: number | undefined;
  readonly damage: number | undefined;
  readonly remadeManagementPort: number | undefined;
}

const everyPlace = (count: number) => Array.from({ length: count }, (_item, index) => index);
const places = (count: number) => fc.subarray(everyPlace(count));

/** All of them as often as some. */
const mostPlaces = (count: number) => fc.oneof(fc.constant(everyPlace(count)), places(count));

const presences: fc.Arbitrary<ObjectPresence> = fc.record({
  networks: mostPlaces(7),
  routeAdvertisements: mostPlaces(3),
  // Uplinks come and go less often than networks.
  uplinks: fc.oneof({ weight: 3, arbitrary: fc.constant(everyPlace(4)) }, { weight: 1, arbitrary: places(4) }),
  // So do other nodes.
  nodes: fc.oneof({ weight: 3, arbitrary: fc.constant(everyPlace(4)) }, { weight: 1, arbitrary: places(4) }),
  hasOwnNetworks: fc.boolean(),
  hasReports: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  mtu: fc.constantFrom(undefined, undefined, undefined, 1300, 1400),
  damage: fc.option(fc.nat({ max: 99 }), { freq: 2, nil: undefined }),
  remadeManagementPort: fc.option(fc.integer({ min: 1, max: 7 }), { freq: 4, nil: undefined }),
});

function withMtu(network: ClusterUserDefinedNetwork, mtu: number | undefined): ClusterUserDefinedNetwork {
  if (mtu === undefined) return network;
  const { layer2, layer3, ...others } = network.spec.network;
  const changed = {
    ...others,
    ...(layer2 && { layer2: { ...layer2, mtu } }),
    ...(layer3 && { layer3: { ...layer3, mtu } }),
  };
  return { ...network, spec: { ...network.spec, network: changed } };
}

function step(cluster: ClusterSnapshot, presence: ObjectPresence): Step {
  const {
    networks,
    routeAdvertisements,
    uplinks,
    nodes,
    hasOwnNetworks,
    hasReports,
    mtu,
    damage,
    remadeManagementPort,
  } = presence;
  return {
    cluster: {
      ...cluster,
      clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks
        .filter((_item, index) => networks.includes(index))
        .map((network) => withMtu(network, mtu)),
      routeAdvertisements: cluster.routeAdvertisements.filter((_item, index) => routeAdvertisements.includes(index)),
      uplinks: cluster.uplinks.filter((_item, index) => uplinks.includes(index)),
      // The first one is that of the story.
      nodes: cluster.nodes.filter((_item, index) => index === 0 || nodes.includes(index)),
      userDefinedNetworks: hasOwnNetworks ? cluster.userDefinedNetworks : [],
      configMaps: cluster.configMaps.filter(({ metadata }) => hasReports || metadata.name === ID_CLAIMS_NAME),
    },
    ...(damage !== undefined && { damage }),
    ...(remadeManagementPort !== undefined && { remadeManagementPort }),
  };
}

/** Makes counterexamples readable: fast-check prints a story by this. Invisible to JSON. */
function readable(story: Story): Story {
  return Object.defineProperty({ ...story }, fc.toStringMethod, { value: () => `\n${describeStory(story)}\n` });
}

/** A node of a cluster whose networks, uplinks and advertisements come and go, while other programs interfere. */
export const stories: fc.Arbitrary<Story> = fc
  .record({
    cluster: clusters,
    node: unnamedNodes,
    settings,
    othersToo,
    steps: fc.array(presences, { minLength: 1, maxLength: 4 }),
  })
  .map(({ cluster, node, settings: chosen, othersToo: areLeft, steps }) => {
    const [first] = cluster.nodes;
    return readable({
      settings: chosen,
      node: withoutOtherProvider(node(first?.metadata.name ?? 'node-a'), chosen, areLeft),
      steps: steps.map((presence) => step(cluster, presence)),
    });
  });
