import Type from 'typebox';
import { kindOf } from './kind.ts';
import { objectMetaSchema } from './object-meta.ts';
import { partOf, type Shape } from './schema.ts';

/** Schema of what is read of a ServiceCIDR (Kubernetes API reference, ServiceCIDR v1). */
const serviceCidrSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  spec: Type.Optional(
    partOf({
      /** One of each family at most. */
      cidrs: Type.Optional(Type.Array(Type.String())),
    }),
  ),
});

/** A ServiceCIDR: subnets from which Services get their addresses. They are in use until it is gone, also while it is being deleted. */
export type ServiceCidr = Shape<typeof serviceCidrSchema>;

/** The kind ServiceCIDR, which Kubernetes serves since 1.33. */
export const serviceCidrKind = kindOf({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  namespaced: false,
  defined: false,
  schema: serviceCidrSchema,
  isOptional: true,
  isForProvided: 'objects',
  isRelevantToNodes: true,
  ifUnreadable: 'its subnets are not among those of Services, unless --service-cidr names them',
});
