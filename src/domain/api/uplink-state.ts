import Type from 'typebox';
import { NODE_KEY } from '../basics/conventions.ts';
import { labelValue } from '../basics/names/label-value.ts';
import { kindOf } from './kind.ts';
import { conditionsSchema } from './condition.ts';
import { objectMetaSchema } from './object-meta.ts';
import { atomicList, listMap, type Shape, stringEnum, struct } from './schema.ts';
import { uplinkTypes } from './uplink.ts';

/** Longest `networks` list of an UplinkState; with more networks the last entry stands for the rest (docs/design/api-decisions.md, "Objects"). */
export const MAX_NETWORK_ENTRIES = 256;

/** Longest name of a network as people read it: a namespace (RFC 1123, label) and a name of an object in it (subdomain). */
const MAX_NETWORK_NAME = '/'.length + 63 + 253;

/** Most default gateways that are published for one uplink and node (docs/design/api-decisions.md, "Ready"). */
export const MAX_DEFAULT_GATEWAYS = 64;

const networkEntrySchema = struct({
  name: Type.String({
    description: 'Name of the ClusterUserDefinedNetwork, or namespace/name of the UserDefinedNetwork.',
    minLength: 1,
    maxLength: MAX_NETWORK_NAME,
  }),
  vrf: Type.Optional(Type.String({ description: 'VRF device; absent in the default routing domain.' })),
  ready: stringEnum(['True', 'False'], { description: 'Whether the network is programmed completely.' }),
  reason: Type.String({ description: 'Machine-readable reason, one word.', maxLength: 1024 }),
  message: Type.Optional(Type.String({ description: 'Human-readable details.', maxLength: 32768 })),
});

const networkEntries = (description: string) =>
  Type.Optional(listMap(networkEntrySchema, ['name'], { description, maxItems: MAX_NETWORK_ENTRIES }));

/** Schema of an UplinkState (OKEP-6019, New CRD: UplinkState; `networks` and `hostNetworks` are additions). */
const uplinkStateSchema = struct({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: objectMetaSchema,
  status: Type.Optional(
    struct(
      {
        uplinkName: Type.Optional(Type.String({ description: 'Uplink that this state belongs to.' })),
        nodeName: Type.Optional(Type.String({ description: 'Node that this state belongs to.' })),
        type: Type.Optional(stringEnum(uplinkTypes, { description: 'Kind of uplink that was resolved.' })),
        hostInterfaceName: Type.Optional(
          Type.String({ description: 'Interface that the Uplink selects for the node.' }),
        ),
        ovsBridge: Type.Optional(
          struct(
            { name: Type.String({ description: 'Name of the bridge.', minLength: 1 }) },
            { description: 'Open vSwitch bridge behind the interface.' },
          ),
        ),
        macAddress: Type.Optional(Type.String({ description: 'MAC address of the interface.' })),
        ipAddresses: Type.Optional(
          atomicList(Type.String(), { description: 'Addresses of the interface, CIDR, one a family.' }),
        ),
        defaultGateways: Type.Optional(
          atomicList(Type.String(), {
            description:
              'Next hops of the default routes out of the interface, of each family those of the best metric.',
            maxItems: MAX_DEFAULT_GATEWAYS,
          }),
        ),
        conditions: conditionsSchema('Ready: whether the uplink can be used on the node, and if not, why.'),
        networks: networkEntries('What the node programmed for each active network.'),
        hostNetworks: networkEntries('What the host of a DPU programmed for each active network.'),
      },
      {
        description: 'What the node has found and programmed; its node agent writes it.',
        rules: [
          {
            rule: "!has(self.conditions) || !self.conditions.exists(c, c.type == 'Ready' && c.status == 'True') || (has(self.ovsBridge) && has(self.macAddress) && has(self.ipAddresses) && size(self.ipAddresses) > 0)",
            message: 'ovsBridge, macAddress and ipAddresses are required where Ready is True',
          },
        ],
      },
    ),
  ),
});

/**
 * The findings of one node about one Uplink, and the networks that it programmed for it. Only ovn-uplinks writes it.
 *
 * @example
 * ```yaml
 * apiVersion: k8s.ovn.org/v1alpha1
 * kind: UplinkState
 * metadata: {name: blue-underlay.worker-a}
 * status:
 *   uplinkName: blue-underlay
 *   nodeName: worker-a
 *   type: OVSBridge
 *   hostInterfaceName: br-blue
 *   ovsBridge: {name: br-blue}
 *   macAddress: 02:42:c0:00:02:06
 *   ipAddresses: [192.0.2.6/24]
 *   defaultGateways: [192.0.2.1]
 *   conditions: [{type: Ready, status: "True", reason: Ready}]
 *   networks: [{name: blue, vrf: blue, ready: "True", reason: Ready}]
 * ```
 */
export type UplinkState = Shape<typeof uplinkStateSchema>;

/** One network's entry in an UplinkState. */
export type NetworkEntry = Shape<typeof networkEntrySchema>;

/** The kind UplinkState. */
export const uplinkStateKind = kindOf({
  group: 'k8s.ovn.org',
  version: 'v1alpha1',
  kind: 'UplinkState',
  plural: 'uplinkstates',
  namespaced: false,
  defined: true,
  schema: uplinkStateSchema,
  selectors: ({ node }) => (node === undefined ? {} : { labelSelector: `${NODE_KEY}=${labelValue(node)}` }),
  ifUnreadable: 'it counts as missing',
});
