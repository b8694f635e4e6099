/**
 * Clusters of generated objects: conflicting ones, in which selectors overlap, uplinks are shared and advertisements contradict each
 * other, consistent ones, in which networks are programmed, and ones in which networks share a bridge in the default routing domain.
 */
import fc from 'fast-check';
import { type ClusterSnapshot, emptyCluster } from '../../domain/snapshot/cluster-snapshot.ts';
import {
  consistentAdvertisement,
  conflictingAdvertisement,
  frrConfiguration,
  sharedAdvertisement,
} from './advertisements.ts';
import { apiNode } from './api-nodes.ts';
import { eachOf, networkNames, nodeNames, uplinkNames } from './names.ts';
import { attachments, namespaces, type UnattachedNetwork, network } from './networks.ts';
import { pods } from './pods.ts';
import { configMaps, userDefinedNetworks } from './provided-networks.ts';
import { uplinksOnNodes, uplinkState } from './uplink-states.ts';
import { dedicatedUplink, uplink } from './uplinks.ts';

/** Clusters of up to four nodes, four uplinks and seven networks, with advertisements and former UplinkStates. */
const conflictingClusters = fc.record({
  uplinks: eachOf(uplinkNames, uplink, { present: 2, absent: 1 }),
  uplinkStates: eachOf(uplinksOnNodes, uplinkState, { present: 1, absent: 3 }),
  networks: eachOf(networkNames, (name) => network(name)),
  nodes: eachOf(nodeNames, apiNode, { present: 2, absent: 1 }),
  pods,
  networkAttachmentDefinitions: attachments,
  userDefinedNetworks,
  configMaps,
  routeAdvertisements: eachOf(['ra-a', 'ra-b', 'ra-c'], conflictingAdvertisement),
  frrConfigurations: eachOf(['frr-a', 'frr-b', 'ovnk-generated-c'], frrConfiguration),
});

/** One network on the uplink at a place, where two would soon be in conflict; or none. */
function oneNetworkOf(names: readonly string[], place: number): fc.Arbitrary<UnattachedNetwork[]> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant<UnattachedNetwork[]>([]) },
    ...names.map((name) => ({ weight: 2, arbitrary: network(name, fc.constant(place)).map((made) => [made]) })),
  );
}

/** Clusters with few faults, in which networks are programmed, also in VRFs of their own. */
const consistentClusters = fc.record({
  uplinks: eachOf(
    [
      ['uplink-a', ['br-one', 'one0']],
      ['uplink-b', ['br-two', 'two0']],
    ] as const,
    dedicatedUplink,
    { present: 5, absent: 1 },
  ),
  uplinkStates: eachOf(uplinksOnNodes, uplinkState, { present: 1, absent: 20 }),
  networks: fc
    .tuple(
      oneNetworkOf(['blue', 'network-with-long-name'], 0),
      oneNetworkOf(['red', 'green'], 1),
      eachOf(['corp', 'all', 'eth1'], (name) => network(name), { present: 1, absent: 12 }),
    )
    .map((networks) => networks.flat()),
  nodes: eachOf(nodeNames, apiNode, { present: 2, absent: 1 }),
  pods,
  networkAttachmentDefinitions: attachments,
  userDefinedNetworks,
  configMaps,
  routeAdvertisements: eachOf(['ra-a', 'ra-b'], consistentAdvertisement, { present: 3, absent: 2 }),
  frrConfigurations: eachOf(['frr-a', 'frr-b'], frrConfiguration, { present: 4, absent: 1 }),
});

/** Clusters in which networks share a bridge in the default routing domain. */
const sharingClusters = fc.record({
  uplinks: eachOf([['uplink-a', ['br-one', 'one0']]] as const, dedicatedUplink, { present: 9, absent: 1 }),
  uplinkStates: fc.constant([]),
  networks: eachOf(['blue', 'red', 'green', 'corp'], (name) => network(name, fc.constant(0)), {
    present: 2,
    absent: 1,
  }),
  nodes: eachOf(nodeNames, apiNode, { present: 2, absent: 1 }),
  pods,
  networkAttachmentDefinitions: attachments,
  userDefinedNetworks,
  configMaps,
  routeAdvertisements: eachOf(['ra-a', 'ra-b'], sharedAdvertisement, { present: 3, absent: 1 }),
  frrConfigurations: eachOf(['frr-a', 'frr-b'], frrConfiguration, { present: 4, absent: 1 }),
});

/** Clusters with many conflicts, clusters in which networks are programmed, and clusters in which they share a bridge. */
export const clusters: fc.Arbitrary<ClusterSnapshot> = fc
  .oneof(
    { weight: 2, arbitrary: conflictingClusters },
    { weight: 6, arbitrary: consistentClusters },
    { weight: 1, arbitrary: sharingClusters },
  )
  .map(({ networks, ...cluster }) => {
    const present = cluster.uplinks.map(({ metadata }) => metadata.name);
    return {
      ...emptyCluster,
      ...cluster,
      namespaces,
      clusterUserDefinedNetworks: networks.map((make) => make(present)),
    };
  });
