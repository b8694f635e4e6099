/** Interfaces that move to other VRFs together: networks that can be programmed alone may cut the node off, or lose what is on it, with each other. */
import { internalIpsOf } from '../../api/node.ts';
import type { NetworkDataplane } from '../../dataplane/network-dataplane.ts';
import { routeEntity } from '../../entities/kernel/route.ts';
import { lastWaysOut } from '../../network-readiness/last-way-out.ts';
import type { NetworkFailure } from '../../network-readiness/network-check.ts';
import { sourcesThatLeave } from '../../network-readiness/sources-that-leave.ts';
import { cycledInterfaces } from '../../network-readiness/cycled-interfaces.ts';
import type { NodeInput } from '../node-input.ts';
import type { Examined } from './examined-candidates.ts';

/** Networks without another failure are checked together: interfaces that are harmless alone may not be harmless together. */
export function examinedTogether(networks: readonly Examined[], { node, object }: NodeInput): readonly Examined[] {
  const isMoving = ({ failure, dataplane }: Examined): boolean =>
    failure === undefined && dataplane?.vrf.enslaves === true && node.link(dataplane.device)?.master === undefined;
  const targets = networks
    .filter(isMoving)
    .flatMap(({ dataplane }) => (dataplane === undefined ? [] : [[dataplane.device, dataplane.vrf.table] as const]));
  if (targets.length === 0) return networks;
  const moving = targets.map(([device]) => device);
  const carriers = moving.flatMap((device) =>
    cycledInterfaces(device, node).map(({ name }) => [name, device] as const),
  );
  const bound = lastWaysOut(new Map(carriers), internalIpsOf(object), node);
  const leaving = sourcesThatLeave(new Map(targets), node);
  const failureOf = ({ device, vrf }: NetworkDataplane): NetworkFailure | undefined => {
    const lastWayOut = bound.get(device);
    if (lastWayOut !== undefined) {
      return { reason: 'UplinkVRFAttachmentFailed', cause: 'cuts-node-off', device, vrf: vrf.name, by: lastWayOut };
    }
    const source = leaving.get(device);
    if (source === undefined) return undefined;
    const { route, ...by } = source;
    return { reason: 'UplinkVRFAttachmentFailed', cause: 'cannot-be-put-back', device, entity: routeEntity(route), by };
  };
  return networks.map((network) => {
    const failure = isMoving(network) ? network.dataplane && failureOf(network.dataplane) : undefined;
    return failure === undefined ? network : { ...network, failure };
  });
}
