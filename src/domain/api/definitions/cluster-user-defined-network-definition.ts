/**
 * The whole schema of a ClusterUserDefinedNetwork for clusters where this project's CustomResourceDefinition serves the kind: primary and secondary
 * networks of the topologies Layer2 and Layer3. Where another implementation's serves it, only what
 * `cluster-user-defined-network.ts` names is read, and its schema is not this one.
 */
import Type from 'typebox';
import { networkMtu, networkUplinks, uplinkRules } from '../cluster-user-defined-network.ts';
import { conditionsSchema } from '../condition.ts';
import { ownLabelSelectorSchema } from '../label-selector.ts';
import { datedObjectMetaSchema } from '../object-meta.ts';
import { atomicList, type CelRule, stringEnum, struct } from '../schema.ts';

/** The longest text of an IPv6 subnet. */
const MAX_CIDR_LENGTH = 43;

/**
 * Subnets of addresses that no interface has in a network: unspecified, loopback, link-local and multicast (RFC 6890, RFC 4291). In IPv6, the first is
 * that of all addresses with 80 zero bits in front, IPv4-mapped ones among them, which CEL's `cidr` does not accept.
 */
const impossibleSubnets = [
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4'],
  ...['::/80', 'fe80::/10', 'ff00::/8'],
];

/** Two subnets overlap exactly if one has the address of the other. */
const possibleSubnetRule: CelRule = {
  rule: `!isCIDR(self) || !${JSON.stringify(impossibleSubnets)}.exists(other, cidr(other).containsIP(cidr(self).ip()) || cidr(self).containsIP(cidr(other).ip()))`,
  message: `must not overlap with ${impossibleSubnets.slice(0, -1).join(', ')} or ${impossibleSubnets.at(-1) ?? ''}: unspecified, loopback, link-local and multicast addresses`,
};

const cidr = (description: string) =>
  Type.String({
    description,
    maxLength: MAX_CIDR_LENGTH,
    'x-kubernetes-validations': [
      { rule: 'isCIDR(self)', message: 'must be a subnet such as 10.20.0.0/16' },
      possibleSubnetRule,
    ],
  });

/** At most one subnet of each address family. */
const oneOfAFamily = (first: string, second: string): CelRule => ({
  rule: `size(self) != 2 || !isCIDR(${first}) || !isCIDR(${second}) || cidr(${first}).ip().family() != cidr(${second}).ip().family()`,
  message: 'two subnets must be of different address families',
});

const subnetList = (description: string) =>
  atomicList(cidr('A subnet, such as 10.20.0.0/16.'), {
    description,
    minItems: 1,
    maxItems: 2,
    rules: [oneOfAFamily('self[0]', 'self[1]')],
  });

const role = stringEnum(['Primary', 'Secondary'], {
  description:
    'Primary: the network of every pod in the selected namespaces. Secondary: a further one, for pods that ask for it.',
});

const joinSubnets = Type.Optional(
  subnetList(
    'Subnets between the routers of the network inside OVN; only for primary networks. Chosen automatically by default.',
  ),
);

const joinSubnetsRule: CelRule = {
  rule: "!has(self.joinSubnets) || self.role == 'Primary'",
  message: 'joinSubnets is only for primary networks',
};

/** IPv6 needs links of at least 1280 bytes (RFC 8200, section 5). */
const ipv6MtuRule = (subnet: string): CelRule => ({
  rule: `!has(self.mtu) || self.mtu >= 1280 || !has(self.subnets) || !self.subnets.exists(subnet, isCIDR(${subnet}) && cidr(${subnet}).ip().family() == 6)`,
  message: 'mtu must be at least 1280 with an IPv6 subnet',
});

const layer3Subnet = struct(
  {
    cidr: cidr('The subnet of the whole network.'),
    hostSubnet: Type.Optional(
      Type.Integer({
        description: 'Prefix length of the part that each node gets; chosen automatically by default.',
        minimum: 1,
        maximum: 127,
      }),
    ),
  },
  {
    rules: [
      {
        rule: '!has(self.hostSubnet) || !isCIDR(self.cidr) || self.hostSubnet > cidr(self.cidr).prefixLength()',
        message: 'hostSubnet must be longer than the prefix of cidr',
      },
      {
        rule: '!has(self.hostSubnet) || !isCIDR(self.cidr) || cidr(self.cidr).ip().family() == 6 || self.hostSubnet < 32',
        message: 'hostSubnet must be less than 32 for an IPv4 subnet',
      },
    ],
  },
);

/** A Layer3 network (OKEP-5193, CRD Spec). */
export const layer3DefinitionSchema = struct(
  {
    role,
    mtu: networkMtu,
    subnets: atomicList(layer3Subnet, {
      description: 'Subnets of the pods, at most one of each address family; each node gets a part of each.',
      minItems: 1,
      maxItems: 2,
      rules: [oneOfAFamily('self[0].cidr', 'self[1].cidr')],
    }),
    joinSubnets,
  },
  {
    description: 'A network with a segment on each node and routing between them; for topology Layer3.',
    rules: [joinSubnetsRule, ipv6MtuRule('subnet.cidr')],
  },
);

const ipam = struct(
  {
    mode: Type.Optional(
      stringEnum(['Enabled', 'Disabled'], {
        description: 'Whether pods get addresses of the subnets; Disabled only for secondary networks.',
      }),
    ),
    lifecycle: Type.Optional(
      stringEnum(['Persistent'], {
        description: 'Persistent: virtual machines keep their addresses when they restart or move.',
      }),
    ),
  },
  {
    description: 'Management of the addresses of pods.',
    rules: [
      {
        rule: "!has(self.lifecycle) || !has(self.mode) || self.mode == 'Enabled'",
        message: 'lifecycle is only for mode Enabled',
      },
    ],
  },
);

/** A Layer2 network (OKEP-5193, CRD Spec). */
export const layer2DefinitionSchema = struct(
  {
    role,
    mtu: networkMtu,
    subnets: Type.Optional(
      subnetList('Subnets of the pods, at most one of each address family; none if ipam.mode is Disabled.'),
    ),
    joinSubnets,
    ipam: Type.Optional(ipam),
  },
  {
    description: 'A network with one segment for all nodes; for topology Layer2.',
    rules: [
      joinSubnetsRule,
      ipv6MtuRule('subnet'),
      {
        rule: "has(self.subnets) != (has(self.ipam) && has(self.ipam.mode) && self.ipam.mode == 'Disabled')",
        message: 'subnets is required, except with ipam.mode Disabled, where it is forbidden',
      },
      {
        rule: "!has(self.ipam) || !has(self.ipam.mode) || self.ipam.mode == 'Enabled' || self.role == 'Secondary'",
        message: 'ipam.mode Disabled is only for secondary networks',
      },
    ],
  },
);

const evpnVrf = (description: string) =>
  Type.Optional(
    struct(
      {
        vni: Type.Integer({ description: 'VXLAN network identifier.', minimum: 1, maximum: 16_777_215 }),
        routeTarget: Type.Optional(
          Type.String({
            description: 'Route target that is imported and exported; derived from the VNI by default.',
            maxLength: 21,
          }),
        ),
      },
      { description },
    ),
  );

/** OKEP-5088, CUDN CRD changes for EVPN. */
const evpnConfiguration = struct(
  {
    vtep: Type.String({ description: 'Name of the VTEP object.', minLength: 1, maxLength: 253 }),
    macVRF: evpnVrf('MAC-VRF of a Layer2 network.'),
    ipVRF: evpnVrf('IP-VRF; required for a Layer3 network.'),
  },
  { description: 'EVPN; for transport EVPN.' },
);

/** The part of a network's spec for its topology is there, and no other one. */
export const topologyRules: readonly CelRule[] = [
  {
    rule: "(self.topology == 'Layer2') == has(self.layer2)",
    message: 'layer2 is required for topology Layer2 and forbidden for others',
  },
  {
    rule: "(self.topology == 'Layer3') == has(self.layer3)",
    message: 'layer3 is required for topology Layer3 and forbidden for others',
  },
];

/** The topology of a network. */
export const topologySchema = stringEnum(['Layer2', 'Layer3'], {
  description: 'Layer2: one segment for all nodes. Layer3: a segment on each node, with routing between them.',
});

const network = struct(
  {
    topology: topologySchema,
    layer2: Type.Optional(layer2DefinitionSchema),
    layer3: Type.Optional(layer3DefinitionSchema),
    transport: Type.Optional(
      stringEnum(['Geneve', 'EVPN'], {
        description: 'How packets get from node to node; Geneve by default. Networks with EVPN have no uplinks.',
      }),
    ),
    evpnConfiguration: Type.Optional(evpnConfiguration),
  },
  {
    description: 'The network. It cannot be changed.',
    rules: [
      ...topologyRules,
      {
        rule: "(has(self.transport) && self.transport == 'EVPN') == has(self.evpnConfiguration)",
        message: 'evpnConfiguration is required for transport EVPN and forbidden for others',
      },
      {
        rule: "!has(self.evpnConfiguration) || (self.topology == 'Layer2' ? has(self.evpnConfiguration.macVRF) : has(self.evpnConfiguration.ipVRF) && !has(self.evpnConfiguration.macVRF))",
        message: 'macVRF is required for topology Layer2; ipVRF is required for Layer3, where macVRF is forbidden',
      },
      { rule: 'self == oldSelf', message: 'network is immutable' },
    ],
  },
);

/** `status.attachedPods` of networks that ovn-uplinks provides. */
export const attachedPodsField = Type.Optional(
  Type.Integer({
    description:
      'Number of pods that have addresses in the network, without those that have ended. Where nothing else of the status changes, it is written every 5 seconds at most.',
    minimum: 0,
  }),
);

const activeNamespacesField = Type.Optional(
  atomicList(Type.String({ maxLength: 63 }), { description: 'Names of the namespaces that have the network.' }),
);

/** Schema of a ClusterUserDefinedNetwork that this project's CustomResourceDefinition serves (OKEP-5193, OKEP-5088 and OKEP-6019). */
export const clusterUserDefinedNetworkDefinitionSchema = struct({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
  spec: struct(
    {
      namespaceSelector: ownLabelSelectorSchema('Namespaces that have the network; an empty selector matches all.'),
      network,
      uplinks: networkUplinks,
    },
    { description: 'The network, which namespaces have it, and how it leaves the nodes.', rules: uplinkRules },
  ),
  status: Type.Optional(
    struct(
      {
        activeNamespaces: activeNamespacesField,
        attachedPods: attachedPodsField,
        conditions: conditionsSchema(
          'UplinksReady: whether the network can use its uplinks. NetworkCreated: whether its namespaces have it. NetworkAllocationSucceeded: whether it has an id, and nodes have subnets of it. NetworkReady: whether it is programmed on its nodes. ServicesReady: whether its nodes serve its Services.',
        ),
      },
      { description: 'Observed state of the network.' },
    ),
  ),
});
