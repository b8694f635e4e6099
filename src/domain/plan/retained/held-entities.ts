/** Which managed entities belong to the parts of networks that are held? */
import { isReporting } from '../../network/allocation/node-report.ts';
import type { Node } from '../../api/node.ts';
import { type Entity, kindOf } from '../../entities/entity-kinds.ts';
import { isLearned } from '../../entities/switch/flow.ts';
import type { MembershipEntity } from '../../entities/kernel/membership.ts';
import { requestedChassis } from '../../entities/ovn/northbound-row.ts';
import { lazy } from '../../basics/incremental/lazy.ts';
import { distinct } from '../../basics/names/ordering.ts';
import { keyOfNetworkName } from '../../network/key.ts';
import { partKey } from '../../network/part.ts';
import { ownersOn } from '../../entities/owners/owners.ts';
import type { BridgeFlow } from '../../snapshot/datapath.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { patchPortsIn } from '../../snapshot/patch-ports.ts';
import type { HeldNetworks } from './held-networks.ts';
import type { HeldNetwork } from './held-network.ts';
import { flowsOfNetworks, serving } from './uplink-flows.ts';

type Placement = Pick<MembershipEntity, 'network' | 'device' | 'vrf'>;

/** Whether a membership is kept for a network: it was made for it, or the network has taken it over from another. */
export function holdsMembership(
  { networkName, devices, vrfs }: HeldNetwork,
  { network, device, vrf }: Placement,
): boolean {
  return networkName === network || (devices.includes(device) && vrfs.includes(vrf));
}

/** Returns whether a flow that names no patch port serves held networks of its bridge. */
function heldFlows(onUplinks: readonly HeldNetwork[], node: NodeSnapshot): (flow: BridgeFlow) => boolean {
  const flowsOf = flowsOfNetworks(onUplinks, node);
  const bridges = distinct(onUplinks.flatMap((network) => network.bridges));
  const isServing = new Map(bridges.map((bridge) => [bridge, serving(flowsOf(bridge))]));
  return (flow) => isServing.get(flow.bridge)?.(flow) === true;
}

/**
 * Returns whether what networks share for tunnels to other nodes is there for held ones: the chassis that their ports for other nodes are bound to, and the setting by
 * which there are tunnels. Such a port stays while its chassis is there; every other entity of a held network does.
 */
function heldTunnels(held: ReadonlySet<string>, isRegistered: boolean, { northbound, chassis }: NodeSnapshot) {
  const rows = northbound.filter(({ isOfZone, network = '' }) => isOfZone === true && held.has(network));
  const bound = new Set(rows.flatMap((row) => requestedChassis(row) ?? []));
  const foreign = new Set(chassis.flatMap(({ node, name }) => (node === undefined ? [name] : [])));
  // A node that was registered again has nothing of others, also of networks that are held.
  const isHeldChassis = (name: string) => isRegistered && bound.has(name);
  return (entity: Entity): boolean => {
    if (entity.kind === 'remote-chassis') return isHeldChassis(entity.chassis.name);
    if (entity.kind === 'interconnection') return rows.length > 0;
    // A port is released with its chassis.
    return entity.kind !== 'remote-port' || isHeldChassis(entity.chassis) || foreign.has(entity.chassis);
  };
}

/**
 * Returns whether a managed entity belongs to a network that is held, in the part that is.
 *
 * @param object the Node
 */
export function heldEntities(
  { onUplinks, networks, places }: HeldNetworks,
  node: NodeSnapshot,
  object?: Node,
): (entity: Entity) => boolean {
  if (onUplinks.length === 0 && networks.size === 0) return () => false;
  const held = new Set<string>(
    [
      ...onUplinks.map(({ networkName }) => ({ networkName, part: 'uplink' as const })),
      ...[...networks].map((networkName) => ({ networkName, part: 'network' as const })),
    ].flatMap(({ networkName, part }) => {
      const network = keyOfNetworkName(networkName);
      return network === undefined ? [] : [partKey({ network, part })];
    }),
  );
  const ofUplinks = onUplinks.map((each) => ({ ...each, part: 'uplink' as const }));
  const ownersOf = lazy(() => ownersOn(node, [...ofUplinks, ...places]));
  const isHeldFlow = lazy(() => heldFlows(onUplinks, node));
  const isHeldTunnel = lazy(() => heldTunnels(networks, object !== undefined && isReporting(object), node));
  return (entity) => {
    const anchor = kindOf<Entity>(entity).anchor(entity);
    if ('node' in anchor) return isHeldTunnel()(entity);
    const isOfHeld = ownersOf()(anchor).some((owner) => held.has(partKey(owner)));
    if (entity.kind === 'membership') return isOfHeld || onUplinks.some((network) => holdsMembership(network, entity));
    if (!isOfHeld) return false;
    if (entity.kind !== 'flow') return isHeldTunnel()(entity);
    // What flows have learned goes with the last network of the bridge.
    return isLearned(entity) || patchPortsIn(entity.flow).length > 0 || isHeldFlow()(entity.flow);
  };
}
