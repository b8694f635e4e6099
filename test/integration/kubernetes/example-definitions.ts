/**
 * The kinds of other projects that `config/examples` uses, with the fields that it uses as those projects have them: strict validation refuses any other
 * (OVN-Kubernetes, RouteAdvertisements; frr-k8s, FRRConfiguration; kubernetes-nmstate, NodeNetworkConfigurationPolicy, which takes any desiredState, and
 * NMState's own schema of that).
 */
const text = { type: 'string' };
const flag = { type: 'boolean' };
const list = (items: object) => ({ type: 'array', items });
const texts = { type: 'object', additionalProperties: text };
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });
const number = (minimum: number, maximum: number) => ({ type: 'integer', format: 'int64', minimum, maximum });

function fields(properties: Readonly<Record<string, object>>, ...required: readonly string[]): object {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

interface OtherKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope?: 'Namespaced';
}

function definitionOf({ group, version, kind, plural, scope }: OtherKind, spec: object): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: scope ?? 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: fields({ spec }) } }],
    },
  };
}

const labelSelector = fields({ matchLabels: texts });

const routeAdvertisements = {
  ...fields(
    {
      targetVRF: text,
      advertisements: { ...list(oneOf('PodNetwork', 'EgressIP')), minItems: 1, maxItems: 2 },
      nodeSelector: labelSelector,
      frrConfigurationSelector: labelSelector,
      networkSelectors: list(
        fields(
          {
            networkSelectionType: oneOf(
              ...['DefaultNetwork', 'ClusterUserDefinedNetworks', 'PrimaryUserDefinedNetworks'],
              ...['SecondaryUserDefinedNetworks', 'NetworkAttachmentDefinitions'],
            ),
            clusterUserDefinedNetworkSelector: fields({ networkSelector: labelSelector }, 'networkSelector'),
          },
          'networkSelectionType',
        ),
      ),
    },
    ...['advertisements', 'nodeSelector', 'frrConfigurationSelector', 'networkSelectors'],
  ),
  'x-kubernetes-validations': [
    {
      rule: "!('PodNetwork' in self.advertisements) || !has(self.nodeSelector.matchLabels)",
      message: 'routes of pods are advertised on all nodes',
    },
  ],
};

const asn = number(0, 2 ** 32 - 1);
const received = fields({ prefix: { type: 'string', format: 'cidr' }, ge: number(1, 128), le: number(1, 128) });
const neighbor = fields(
  {
    address: text,
    asn,
    disableMP: flag,
    toReceive: fields({ allowed: fields({ mode: oneOf('all', 'filtered'), prefixes: list(received) }) }),
  },
  ...['address', 'asn'],
);

const frrConfiguration = fields({
  nodeSelector: labelSelector,
  bgp: fields({ routers: list(fields({ asn, vrf: text, neighbors: list(neighbor) }, 'asn')) }),
});

const hostInterface = fields(
  {
    name: text,
    type: oneOf('ovs-bridge', 'ovs-interface'),
    state: oneOf('up', 'down', 'absent'),
    bridge: fields({ options: fields({ stp: fields({ enabled: flag }) }), port: list(fields({ name: text }, 'name')) }),
    ipv4: fields({
      ...{ enabled: flag, dhcp: flag, 'auto-dns': flag, 'auto-gateway': flag },
      'auto-route-metric': number(0, 2 ** 32 - 1),
    }),
  },
  'name',
);

/** Their definitions. */
export const exampleDefinitions: readonly object[] = [
  definitionOf(
    { group: 'k8s.ovn.org', version: 'v1', kind: 'RouteAdvertisements', plural: 'routeadvertisements' },
    routeAdvertisements,
  ),
  definitionOf(
    {
      ...{ group: 'frrk8s.metallb.io', version: 'v1beta1', kind: 'FRRConfiguration', plural: 'frrconfigurations' },
      scope: 'Namespaced',
    },
    frrConfiguration,
  ),
  definitionOf(
    {
      ...{ group: 'nmstate.io', version: 'v1', kind: 'NodeNetworkConfigurationPolicy' },
      plural: 'nodenetworkconfigurationpolicies',
    },
    fields({ nodeSelector: texts, desiredState: fields({ interfaces: list(hostInterface) }) }),
  ),
];
