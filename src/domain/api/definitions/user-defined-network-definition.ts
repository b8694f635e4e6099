/**
 * The whole schema of a UserDefinedNetwork for clusters where this project's CustomResourceDefinition serves the kind. Where another implementation's
 * serves it, only what `user-defined-network.ts` names is read, and its schema is not this one.
 */
import Type from 'typebox';
import {
  attachedPodsField,
  layer2DefinitionSchema,
  layer3DefinitionSchema,
  topologyRules,
  topologySchema,
} from './cluster-user-defined-network-definition.ts';
import { conditionsSchema } from '../condition.ts';
import { datedObjectMetaSchema } from '../object-meta.ts';
import { struct } from '../schema.ts';

/** Schema of a UserDefinedNetwork that this project's CustomResourceDefinition serves (OKEP-5193, Namespace scoped CRD). */
export const userDefinedNetworkDefinitionSchema = struct({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: datedObjectMetaSchema,
  spec: struct(
    {
      topology: topologySchema,
      layer2: Type.Optional(layer2DefinitionSchema),
      layer3: Type.Optional(layer3DefinitionSchema),
    },
    {
      description: 'The network. It cannot be changed.',
      rules: [...topologyRules, { rule: 'self == oldSelf', message: 'spec is immutable' }],
    },
  ),
  status: Type.Optional(
    struct(
      {
        attachedPods: attachedPodsField,
        conditions: conditionsSchema(
          'NetworkCreated: whether the namespace has the network. NetworkAllocationSucceeded: whether it has an id, and nodes have subnets of it. NetworkReady: whether it is programmed on its nodes. ServicesReady: whether its nodes serve its Services. UplinksReady: whether it can use the Uplink that it has by the setting --egress; absent without one.',
        ),
      },
      { description: 'Observed state of the network.' },
    ),
  ),
});
