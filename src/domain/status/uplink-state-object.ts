import { apiVersionOf } from '../api/kind.ts';
import { kinds } from '../api/kinds.ts';
import type { ObjectMeta } from '../api/object-meta.ts';
import type { NetworkEntry } from '../api/uplink-state.ts';
import { NODE_KEY, UPLINK_KEY } from '../basics/conventions.ts';
import type { UplinkFacts } from '../discovery/discovery.ts';
import type { ReadyCondition } from './ready.ts';
import { labelValue } from '../basics/names/label-value.ts';
import { uplinkStateName } from './state-identity.ts';

/** The object that a node writes about one uplink: an UplinkState without the fields that the API server adds. */
export interface UplinkStateObject {
  readonly apiVersion: string;
  readonly kind: 'UplinkState';
  readonly metadata: Pick<ObjectMeta, 'name' | 'labels' | 'annotations' | 'ownerReferences'>;
  readonly status: {
    readonly uplinkName: string;
    readonly nodeName: string;
    readonly type?: 'OVSBridge';
    readonly hostInterfaceName?: string;
    readonly ovsBridge?: { readonly name: string };
    readonly macAddress?: string;
    readonly ipAddresses?: readonly string[];
    readonly defaultGateways?: readonly string[];
    readonly conditions: readonly ReadyCondition[];
    readonly networks?: readonly NetworkEntry[];
  };
}

/** The Uplink that a state belongs to. */
export interface StateOwner {
  readonly uplink: string;
  readonly uid?: string;
}

/** Identity and owner reference. The reference does not block the deletion of the Uplink. */
function stateMetadata({ uplink, uid }: StateOwner, node: string): UplinkStateObject['metadata'] {
  return {
    name: uplinkStateName(uplink, node),
    labels: { [NODE_KEY]: labelValue(node), [UPLINK_KEY]: labelValue(uplink) },
    annotations: { [NODE_KEY]: node, [UPLINK_KEY]: uplink },
    ...(uid !== undefined && {
      ownerReferences: [
        { apiVersion: apiVersionOf(kinds.uplinks), kind: kinds.uplinks.kind, name: uplink, uid, controller: true },
      ],
    }),
  };
}

/** The part of a state about the interface, as far as discovery found it. */
export interface PublishedFindings {
  readonly hostInterfaceName: string;
  readonly facts: UplinkFacts;
  readonly networks: readonly NetworkEntry[];
}

/** The state as it is written. Without findings, as when the Uplink selects several interfaces, it has only the condition. */
export function uplinkStateObject(
  owner: StateOwner,
  node: string,
  condition: ReadyCondition,
  findings?: PublishedFindings,
): UplinkStateObject {
  const { bridge, macAddress, ipAddresses, defaultGateways } = findings?.facts ?? {};
  return {
    apiVersion: apiVersionOf(kinds.uplinkStates),
    kind: 'UplinkState',
    metadata: stateMetadata(owner, node),
    status: {
      uplinkName: owner.uplink,
      nodeName: node,
      ...(findings && { type: 'OVSBridge', hostInterfaceName: findings.hostInterfaceName }),
      ...(bridge !== undefined && { ovsBridge: { name: bridge } }),
      ...(macAddress !== undefined && { macAddress }),
      ...(ipAddresses && { ipAddresses }),
      ...(defaultGateways && { defaultGateways }),
      conditions: [condition],
      ...(findings && { networks: findings.networks }),
    },
  };
}
