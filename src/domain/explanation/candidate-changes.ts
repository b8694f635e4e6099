/**
 * Single changes that a person could make, the most likely first.
 */
import { clusterNetworkKey, isNamespaced, keyOfNetwork } from '../network/key.ts';
import type { Network } from '../network/network.ts';
import type { FrrConfiguration } from '../api/frr-configuration.ts';
import type { Node } from '../api/node.ts';
import type { RouteAdvertisements } from '../api/route-advertisements.ts';
import { METADATA_NAME_LABEL } from '../basics/conventions.ts';
import { planNode } from '../plan/plan-node.ts';
import { selects, understandSelector } from '../selection/label-selector.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { Situation } from './situation.ts';

/** A change, for people, and the situation after it. */
export interface CandidateChange {
  readonly change: string;
  readonly after: () => Situation;
}

function withCluster(situation: Situation, cluster: Partial<ClusterSnapshot>): Situation {
  return { ...situation, cluster: { ...situation.cluster, ...cluster } };
}

function concerns(object: RouteAdvertisements, network: Network): boolean {
  return (object.spec.networkSelectors ?? []).some(({ clusterUserDefinedNetworkSelector }) =>
    selects(understandSelector(clusterUserDefinedNetworkSelector?.networkSelector), network.labels),
  );
}

/** Without the advertisements of the network: without all, then without each. */
function withoutAdvertisements(situation: Situation, network: Network): readonly CandidateChange[] {
  // They select no others.
  if (isNamespaced(network.key)) return [];
  const { routeAdvertisements } = situation.cluster;
  const concerning = routeAdvertisements.filter((object) => concerns(object, network));
  return concerning.map(({ metadata }) => ({
    change: concerning.length === 1 ? 'no RouteAdvertisements' : `no RouteAdvertisements/${metadata.name}`,
    after: () =>
      withCluster(situation, {
        routeAdvertisements: routeAdvertisements.filter((object) => object.metadata.name !== metadata.name),
      }),
  }));
}

const added = 'ovn-uplinks-explain';

/** RouteAdvertisements with `targetVRF: auto` for the network on every node, and an FRRConfiguration, without which they do not count. */
function autoAdvertisement(network: Network): RouteAdvertisements {
  return {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'RouteAdvertisements',
    metadata: { name: added },
    spec: {
      targetVRF: 'auto',
      advertisements: ['PodNetwork'],
      frrConfigurationSelector: { matchLabels: { [added]: '' } },
      networkSelectors: [
        {
          networkSelectionType: 'ClusterUserDefinedNetworks',
          clusterUserDefinedNetworkSelector: {
            networkSelector: { matchLabels: { [METADATA_NAME_LABEL]: network.metadata.name } },
          },
        },
      ],
    },
  };
}

const addedFrrConfiguration: FrrConfiguration = {
  apiVersion: 'frrk8s.metallb.io/v1beta1',
  kind: 'FRRConfiguration',
  metadata: { name: added, namespace: added, labels: { [added]: '' } },
};

/** The RouteAdvertisements, changed not to select the added FRRConfiguration, so that none counts because of it. */
function unaffectedByAdded(object: RouteAdvertisements): RouteAdvertisements {
  const { frrConfigurationSelector: selector } = object.spec;
  const matchExpressions = [...(selector?.matchExpressions ?? []), { key: added, operator: 'DoesNotExist' }];
  return { ...object, spec: { ...object.spec, frrConfigurationSelector: { ...selector, matchExpressions } } };
}

function withAdvertisement(situation: Situation, network: Network): readonly CandidateChange[] {
  if (isNamespaced(network.key)) return [];
  const { routeAdvertisements, frrConfigurations } = situation.cluster;
  return [
    {
      change: 'RouteAdvertisements with targetVRF auto',
      after: () =>
        withCluster(situation, {
          routeAdvertisements: [...routeAdvertisements.map(unaffectedByAdded), autoAdvertisement(network)],
          frrConfigurations: [...frrConfigurations, addedFrrConfiguration],
        }),
    },
  ];
}

/** Without each of the networks that share the bridge. */
function withoutNeighbours(situation: Situation, network: Network): readonly CandidateChange[] {
  const { networks } = planNode(situation.cluster, situation.node, situation.settings);
  const bridges = new Set(networks.filter(({ key }) => key === network.key).map(({ bridge }) => bridge));
  const neighbours = networks.filter(
    (row) => row.key !== network.key && row.bridge !== undefined && bridges.has(row.bridge),
  );
  return neighbours.map((row) => ({
    change: `no network ${row.network} on bridge ${row.bridge}`,
    after: () =>
      withCluster(situation, {
        clusterUserDefinedNetworks: situation.cluster.clusterUserDefinedNetworks.filter(
          ({ metadata }) => clusterNetworkKey(metadata.name) !== row.key,
        ),
        userDefinedNetworks: situation.cluster.userDefinedNetworks.filter(
          ({ metadata }) => keyOfNetwork({ kind: 'UserDefinedNetwork', metadata }) !== row.key,
        ),
      }),
  }));
}

/** One more network on the same uplink, active where this one is. */
function withNeighbour(situation: Situation, network: Network): readonly CandidateChange[] {
  const { networks } = planNode(situation.cluster, situation.node, situation.settings);
  const row = networks.find(({ key }) => key === network.key);
  return [
    {
      change: `another active network on ${row?.bridge ?? 'the bridge'}`,
      after: () =>
        withCluster(situation, {
          clusterUserDefinedNetworks: situation.cluster.clusterUserDefinedNetworks.flatMap((object) =>
            object.metadata === network.metadata ? [object, { ...object, metadata: { name: added } }] : [object],
          ),
          userDefinedNetworks: situation.cluster.userDefinedNetworks.flatMap((object) =>
            object.metadata === network.metadata
              ? [object, { ...object, metadata: { namespace: added, name: added } }]
              : [object],
          ),
        }),
    },
  ];
}

function withLink(situation: Situation, name: string, change: (link: Link) => Link): Situation {
  const links = situation.node.links.map((link) => (link.name === name ? change(link) : link));
  return { ...situation, node: { ...situation.node, links } };
}

/** The interface and every port of its bridge up; the interface down; a sufficient MTU. */
function linkChanges(situation: Situation, network: Network): readonly CandidateChange[] {
  const { uplinks } = planNode(situation.cluster, situation.node, situation.settings);
  return uplinks
    .filter(({ uplink }) => network.uplinks.includes(uplink))
    .flatMap(({ hostInterfaceName, facts, unusable }) => {
      if (hostInterfaceName === undefined) return [];
      const failure = unusable?.cause === 'discovery' ? unusable.failure : undefined;
      const up = (name: string): CandidateChange => ({
        change: `interface ${name} up`,
        after: () => withLink(situation, name, (link) => ({ ...link, up: true, operationalState: 'up' })),
      });
      const changes: CandidateChange[] = [];
      if (failure?.reason === 'GatewayInfoUnavailable' && failure.cause === 'down') changes.push(up(hostInterfaceName));
      if (failure?.reason === 'BridgeInvalid' && failure.cause === 'physical-port-down')
        changes.push(up(failure.device));
      if (failure?.reason === 'MTUInvalid') {
        const mtu = failure.required;
        changes.push({
          change: `MTU ${mtu} on ${failure.device}`,
          after: () => withLink(situation, failure.device, (link) => ({ ...link, mtu })),
        });
      }
      if (failure === undefined && facts !== undefined) {
        changes.push({
          change: `interface ${hostInterfaceName} down`,
          after: () => withLink(situation, hostInterfaceName, (link) => ({ ...link, up: false })),
        });
      }
      return changes;
    });
}

/** Only one of several items of `nodeConfigs` that apply. */
function withoutOverlap(situation: Situation, network: Network, node: Node): readonly CandidateChange[] {
  return situation.cluster.uplinks
    .filter(({ metadata }) => network.uplinks.includes(metadata.name))
    .flatMap((uplink) => {
      const applies = uplink.spec.nodeConfigs.map(({ nodeSelector }) =>
        selects(understandSelector(nodeSelector), node.metadata.labels),
      );
      if (applies.filter(Boolean).length < 2) return [];
      return uplink.spec.nodeConfigs.flatMap((_config, index): CandidateChange[] => {
        if (applies[index] !== true) return [];
        const nodeConfigs = uplink.spec.nodeConfigs.filter(
          (_other, other) => other === index || applies[other] !== true,
        );
        const uplinks = situation.cluster.uplinks.map((other) =>
          other === uplink ? { ...uplink, spec: { nodeConfigs } } : other,
        );
        return [
          {
            change: `only nodeConfigs[${index}] of Uplink/${uplink.metadata.name} selecting the node`,
            after: () => withCluster(situation, { uplinks }),
          },
        ];
      });
    });
}

/** No labels of the node. */
function withoutLabels(situation: Situation, node: Node): readonly CandidateChange[] {
  const unlabelled = (other: Node): Node => {
    const { labels: _labels, ...metadata } = other.metadata;
    return { ...other, metadata };
  };
  return [
    {
      change: `no labels on Node/${node.metadata.name}`,
      after: () =>
        withCluster(situation, {
          nodes: situation.cluster.nodes.map((other) =>
            other.metadata.name === node.metadata.name ? unlabelled(other) : other,
          ),
        }),
    },
  ];
}

/** The changes to try for a network on a node: those that may fix it first. */
export function candidateChanges(situation: Situation, network: Network, node: Node): readonly CandidateChange[] {
  return [
    ...withoutNeighbours(situation, network),
    ...withoutOverlap(situation, network, node),
    ...withoutAdvertisements(situation, network),
    ...withAdvertisement(situation, network),
    ...withNeighbour(situation, network),
    ...linkChanges(situation, network),
    ...withoutLabels(situation, node),
  ];
}
