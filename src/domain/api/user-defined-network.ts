import Type from 'typebox';
import { kindOf } from './kind.ts';
import { layer2Schema, layer3Schema, namespacedStatusSchema } from './cluster-user-defined-network.ts';
import { datedObjectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a UserDefinedNetwork (OKEP-5193, Namespace scoped CRD). */
export const userDefinedNetworkSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
  spec: partOf({
    topology: Type.String(),
    layer2: Type.Optional(layer2Schema),
    layer3: Type.Optional(layer3Schema),
  }),
  status: Type.Optional(namespacedStatusSchema),
});

/**
 * A network of one namespace, which its tenant makes.
 *
 * @example
 * ```yaml
 * apiVersion: k8s.ovn.org/v1
 * kind: UserDefinedNetwork
 * metadata: {namespace: demo, name: blue}
 * spec: {topology: Layer3, layer3: {role: Primary, subnets: [{cidr: 10.20.0.0/16, hostSubnet: 24}]}}
 * ```
 */
export type UserDefinedNetwork = Shape<typeof userDefinedNetworkSchema>;

/** The kind UserDefinedNetwork. */
export const userDefinedNetworkKind = kindOf({
  group: 'k8s.ovn.org',
  version: 'v1',
  kind: 'UserDefinedNetwork',
  plural: 'userdefinednetworks',
  namespaced: true,
  defined: false,
  schema: userDefinedNetworkSchema,
  isOptional: true,
  isForProvided: 'objects',
  ifUnreadable: 'the network keeps its id and its NetworkAttachmentDefinition',
});
