import Type from 'typebox';
import { kindOf } from './kind.ts';
import { conditionsSchema } from './condition.ts';
import { ownLabelSelectorSchema } from './label-selector.ts';
import { objectMetaSchema } from './object-meta.ts';
import { atomicList, formattedString, type Shape, stringEnum, struct } from './schema.ts';

/** Kinds of uplink that this version understands. */
export const uplinkTypes = ['OVSBridge'] as const;

/**
 * Characters of two bytes in UTF-8 whose second byte is 0xA0. The kernel takes that byte for white space wherever it is in a
 * device name (Linux, dev_valid_name and isspace). A schema cannot name bytes, so the characters of three and four bytes that
 * contain it are left to the kernel: no interface has such a name.
 */
const charactersEndingInByteA0 = Array.from({ length: 30 }, (_, lead) => String.fromCodePoint(0xa0 + 0x40 * lead)).join(
  '',
);

const hostInterfaceNameSchema = formattedString(
  {
    pattern: `^[^/:\\t\\n\\v\\f\\r ${charactersEndingInByteA0}]+$`,
    expected: '1 to 15 bytes without "/", ":" or white space',
    minLength: 1,
    maxLength: 15,
  },
  {
    description:
      'Host-visible Linux interface that carries the gateway addresses of this uplink on the selected nodes.',
    rules: [
      { rule: 'size(bytes(self)) <= 15', message: 'must be at most 15 bytes long' },
      { rule: "self != '.' && self != '..'", message: "must not be '.' or '..'" },
    ],
  },
);

const nodeConfigSchema = struct({
  type: stringEnum(uplinkTypes, { description: 'Kind of uplink; OVSBridge is the only one.' }),
  nodeSelector: ownLabelSelectorSchema('Nodes that this item applies to; an empty selector matches every node.'),
  hostInterfaceName: hostInterfaceNameSchema,
});

/** Schema of an Uplink (OKEP-6019, UplinkSpec). */
const uplinkSchema = struct({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  spec: struct(
    {
      nodeConfigs: atomicList(nodeConfigSchema, {
        description: 'The interface that is the uplink, for each group of nodes; at most one item may apply to a node.',
        minItems: 1,
        maxItems: 64,
      }),
    },
    { description: 'Which host interface is the uplink on each node.' },
  ),
  status: Type.Optional(
    struct(
      { conditions: conditionsSchema('Degraded: whether any selected node is not ready, and why.') },
      { description: 'Health over all selected nodes; only ovn-uplinks writes it.' },
    ),
  ),
});

/**
 * Connects nodes to an outside network: names the host interface for each group of nodes.
 *
 * @example
 * ```yaml
 * apiVersion: k8s.ovn.org/v1alpha1
 * kind: Uplink
 * metadata: {name: blue-underlay}
 * spec:
 *   nodeConfigs:
 *   - {type: OVSBridge, nodeSelector: {matchLabels: {rack: rack-a}}, hostInterfaceName: br-blue}
 * ```
 */
export type Uplink = Shape<typeof uplinkSchema>;

/** One row of an Uplink's table: an interface and the nodes it is meant for. */
export type NodeConfig = Shape<typeof nodeConfigSchema>;

/** The kind Uplink. */
export const uplinkKind = kindOf({
  group: 'k8s.ovn.org',
  version: 'v1alpha1',
  kind: 'Uplink',
  plural: 'uplinks',
  namespaced: false,
  defined: true,
  schema: uplinkSchema,
  ifUnreadable: 'its networks and states are left as they are',
});
