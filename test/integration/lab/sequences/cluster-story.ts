/**
 * A cluster of one node, step by step: which networks there are, and in which VRF each has its routing domain.
 */
import fc from 'fast-check';
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import { emptyCluster } from '../../../../src/domain/index.ts';
import { type HostInterface, hostInterfaces, networks } from './administrator.ts';

/** Name of the Node object. */
export const NODE = 'worker-a';

/** The VRF that a network's routes belong in: the default one, the network's own, or another one. */
type Domain = 'default' | 'auto' | 'corp';

interface NetworkChoice {
  readonly domain: Domain;
  /** The place of its uplink. */
  readonly uplink: number;
  readonly families: 'dual' | 'ipv4' | 'ipv6';
}

type StepChoice = readonly (NetworkChoice | undefined)[];

const ovn = 'k8s.ovn.org';
const subnets = { dual: ['10.20.0.0/16', 'fd20::/48'], ipv4: ['10.20.0.0/16'], ipv6: ['fd20::/48'] } as const;

function network(
  name: string,
  { uplink, families }: NetworkChoice,
): ClusterSnapshot['clusterUserDefinedNetworks'][number] {
  return {
    apiVersion: `${ovn}/v1`,
    kind: 'ClusterUserDefinedNetwork',
    metadata: { name },
    spec: {
      namespaceSelector: { matchLabels: { tenant: name } },
      network: {
        topology: 'Layer3',
        layer3: { role: 'Primary', subnets: subnets[families].map((cidr) => ({ cidr })) },
      },
      uplinks: [`uplink-${uplink}`],
    },
  };
}

function advertisement(name: string, targetVRF: string): ClusterSnapshot['routeAdvertisements'][number] {
  return {
    apiVersion: `${ovn}/v1`,
    kind: 'RouteAdvertisements',
    metadata: { name },
    spec: {
      targetVRF,
      advertisements: ['PodNetwork'],
      nodeSelector: {},
      frrConfigurationSelector: {},
      networkSelectors: [
        {
          networkSelectionType: 'ClusterUserDefinedNetworks',
          clusterUserDefinedNetworkSelector: {
            networkSelector: { matchLabels: { [`${ovn}/metadata.name`]: name } },
          },
        },
      ],
    },
  };
}

const scene: ClusterSnapshot = {
  ...emptyCluster,
  nodes: [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: NODE },
      status: { addresses: [{ type: 'InternalIP', address: '198.51.100.10' }] },
    },
  ],
  uplinks: hostInterfaces.map((hostInterfaceName, index) => ({
    apiVersion: `${ovn}/v1alpha1`,
    kind: 'Uplink',
    metadata: { name: `uplink-${index}` },
    spec: { nodeConfigs: [{ type: 'OVSBridge', nodeSelector: {}, hostInterfaceName }] },
  })),
  namespaces: networks.map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { tenant: name } },
  })),
  networkAttachmentDefinitions: networks.map((name, index) => ({
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: {
      name,
      namespace: name,
      annotations: { [`${ovn}/network-name`]: `cluster_udn_${name}`, [`${ovn}/network-id`]: String(index + 1) },
    },
  })),
  frrConfigurations: [
    {
      apiVersion: 'frrk8s.metallb.io/v1beta1',
      kind: 'FRRConfiguration',
      metadata: { name: 'frr', namespace: 'frr-k8s-system' },
      spec: { nodeSelector: {} },
    },
  ],
};

function clusterAt(choices: StepChoice): ClusterSnapshot {
  const present = choices.flatMap((choice, index) =>
    choice === undefined ? [] : [{ name: networks[index] ?? '', choice }],
  );
  return {
    ...scene,
    clusterUserDefinedNetworks: present.map(({ name, choice }) => network(name, choice)),
    routeAdvertisements: present.flatMap(({ name, choice: { domain } }) =>
      domain === 'default' ? [] : [advertisement(name, domain)],
    ),
  };
}

/** A network that is mostly on the uplink of a place. */
function networkChoices(place: number, absence: number): fc.Arbitrary<NetworkChoice | undefined> {
  const choice = fc.record({
    domain: fc.constantFrom<Domain>('auto', 'auto', 'corp', 'default'),
    uplink: fc.oneof(
      { weight: 6, arbitrary: fc.constant(place) },
      { weight: 1, arbitrary: fc.nat({ max: hostInterfaces.length - 1 }) },
    ),
    families: fc.constantFrom('dual' as const, 'dual' as const, 'ipv4' as const, 'ipv6' as const),
  });
  return fc.oneof({ weight: 5, arbitrary: choice }, { weight: absence, arbitrary: fc.constant(undefined) });
}

/** One to three steps. The first network is mostly there, on the interface that has most on it. */
export function clusterStories(furnished: HostInterface): fc.Arbitrary<readonly ClusterSnapshot[]> {
  const first = hostInterfaces.indexOf(furnished);
  const step = fc.tuple(
    ...networks.map((_name, place) => networkChoices((first + place) % hostInterfaces.length, place === 0 ? 1 : 6)),
  );
  return fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => steps.map(clusterAt));
}
