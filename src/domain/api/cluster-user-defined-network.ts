import Type from 'typebox';
import { kindOf } from './kind.ts';
import { conditionSchema } from './condition.ts';
import { labelSelectorSchema } from './label-selector.ts';
import { datedObjectMetaSchema } from './object-meta.ts';
import { atomicList, type CelRule, partOf, type Shape } from './schema.ts';

/** MTU of a network (OVN-Kubernetes, Layer3Config). */
export const networkMtu = Type.Optional(
  Type.Integer({
    minimum: 576,
    maximum: 65536,
    description: 'MTU of the network in bytes; by default that of the cluster.',
  }),
);

/** `spec.uplinks` (OKEP-6019, CUDN CRD extension). */
export const networkUplinks = Type.Optional(
  atomicList(Type.String({ minLength: 1, maxLength: 253 }), {
    description: 'Names of the Uplinks that carry this network out of the nodes; at most one. It cannot be changed.',
    maxItems: 1,
  }),
);

/** Rules on `spec` (OKEP-6019, CUDN validation and status). */
export const uplinkRules: readonly CelRule[] = [
  {
    rule: "!has(self.uplinks) || size(self.uplinks) == 0 || ((self.network.topology == 'Layer2' && has(self.network.layer2) && self.network.layer2.role == 'Primary') || (self.network.topology == 'Layer3' && has(self.network.layer3) && self.network.layer3.role == 'Primary'))",
    message: 'uplinks is only for primary Layer2 and Layer3 networks',
  },
  {
    rule: "!has(self.uplinks) || size(self.uplinks) == 0 || !has(self.network.transport) || self.network.transport != 'EVPN'",
    message: 'uplinks is not for networks with EVPN transport',
  },
  {
    rule: '(has(self.uplinks) ? self.uplinks : []) == (has(oldSelf.uplinks) ? oldSelf.uplinks : [])',
    message: 'uplinks is immutable',
  },
];

/** The part of a Layer2 network that is read (OKEP-5193, CRD Spec). */
export const layer2Schema = partOf({
  role: Type.String(),
  mtu: networkMtu,
  subnets: Type.Optional(Type.Array(Type.String())),
  joinSubnets: Type.Optional(Type.Array(Type.String())),
});

/** The part of a Layer3 network that is read (OKEP-5193, CRD Spec). */
export const layer3Schema = partOf({
  role: Type.String(),
  mtu: networkMtu,
  subnets: Type.Optional(
    Type.Array(partOf({ cidr: Type.String(), hostSubnet: Type.Optional(Type.Integer({ minimum: 1, maximum: 127 })) })),
  ),
  joinSubnets: Type.Optional(Type.Array(Type.String())),
});

/** The part of the status of every network that is read (OKEP-5193, CRD Status). */
const commonStatus = {
  conditions: Type.Optional(Type.Array(conditionSchema)),
  attachedPods: Type.Optional(Type.Integer()),
};

/** The part of the status of a network of one namespace that is read. */
export const namespacedStatusSchema = partOf(commonStatus);

const clusterWideStatusSchema = partOf({
  ...commonStatus,
  activeNamespaces: Type.Optional(Type.Array(Type.String())),
});

/** Schema of what is read of a ClusterUserDefinedNetwork (OKEP-5193 and OKEP-6019, CUDN CRD extension). */
export const clusterUserDefinedNetworkSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
  spec: partOf(
    {
      namespaceSelector: labelSelectorSchema(),
      network: partOf({
        topology: Type.String(),
        layer2: Type.Optional(layer2Schema),
        layer3: Type.Optional(layer3Schema),
        transport: Type.Optional(Type.String()),
      }),
      uplinks: networkUplinks,
    },
    { rules: uplinkRules },
  ),
  status: Type.Optional(clusterWideStatusSchema),
});

/**
 * A tenant's network, in all namespaces that its selector picks; with `spec.uplinks` it leaves the nodes by an uplink of its own.
 *
 * @example
 * ```yaml
 * apiVersion: k8s.ovn.org/v1
 * kind: ClusterUserDefinedNetwork
 * metadata: {name: blue}
 * spec:
 *   namespaceSelector: {matchLabels: {tenant: blue}}
 *   network: {topology: Layer3, layer3: {role: Primary, subnets: [{cidr: 10.20.0.0/16}]}}
 *   uplinks: [blue-underlay]
 * ```
 */
export type ClusterUserDefinedNetwork = Shape<typeof clusterUserDefinedNetworkSchema>;

/** The kind ClusterUserDefinedNetwork. */
export const clusterUserDefinedNetworkKind = kindOf({
  group: 'k8s.ovn.org',
  version: 'v1',
  kind: 'ClusterUserDefinedNetwork',
  plural: 'clusteruserdefinednetworks',
  namespaced: false,
  defined: false,
  schema: clusterUserDefinedNetworkSchema,
  ifUnreadable: 'the network is left as it is on nodes, and finalizers of Uplinks stay',
});
