import { INTEGRATION_BRIDGE, INTEGRATION_BRIDGE_KEY } from '../basics/conventions.ts';
import { valueInForce } from './controller-keys.ts';
import type { Bridge, NodeSnapshot } from './node-snapshot.ts';

/** Name of OVN's integration bridge on a node (ovn-controller(8), `ovn-bridge`). */
export function integrationBridge({ switchExternalIds }: Pick<NodeSnapshot, 'switchExternalIds'>): string {
  return valueInForce(INTEGRATION_BRIDGE_KEY, switchExternalIds) ?? INTEGRATION_BRIDGE;
}

/** The bridges that may be uplinks, whose flows are read: all but OVN's own, which has hundreds of thousands. */
export function possibleUplinkBridges(node: Pick<NodeSnapshot, 'switchExternalIds' | 'bridges'>): readonly Bridge[] {
  const integration = integrationBridge(node);
  return node.bridges.filter(({ name }) => name !== integration);
}
