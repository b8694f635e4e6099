/** The table of parts, in the order in which the entities of a network are planned, and the reasons of networks whose parts are not programmed. */
import type { DataplaneInput } from '../../dataplane/dataplane-input.ts';
import type { NetworkDataplane } from '../../dataplane/network-dataplane.ts';
import type { EgressFailure } from '../../dataplane/egress/egress-failure.ts';
import type { LogicalNetworkFailure } from '../../dataplane/logical-network/logical-network-failure.ts';
import type { EntityKindName } from '../../entities/entity-kinds.ts';
import type { UplinkFailureReason } from '../../network-readiness/network-check.ts';
import type { NetworkReadyReason } from '../../status/provision-reasons.ts';
import { egress } from './egress.ts';
import { flows } from './flows.ts';
import { gatewayRouter } from './gateway-router.ts';
import { logicalNetwork, logicalNetworkCauses } from './logical-network.ts';
import { managementPort, managementPortCauses } from './management-port.ts';
import type { Parts } from './part.ts';
import { tunnels } from './tunnels.ts';
import { uplink } from './uplink.ts';

/** The parts that networks are made of. */
export const allParts: Parts = {
  network: [tunnels, managementPort, logicalNetwork, egress],
  uplink: [uplink, gatewayRouter, flows],
};

/** The reasons of some parts by kind of entity. */
function reasonsOf<Reason>(
  parts: readonly { readonly reasons: Readonly<Partial<Record<EntityKindName, Reason>>> }[],
): ReadonlyMap<string, Reason> {
  return new Map(parts.flatMap(({ reasons }) => Object.entries(reasons)));
}

const reasons = { network: reasonsOf(allParts.network), uplink: reasonsOf(allParts.uplink) };

/** The reason of a network that ovn-uplinks provides if an operation on an entity of a kind fails. */
export function networkReason(kind: EntityKindName): NetworkReadyReason {
  return reasons.network.get(kind) ?? 'ProgrammingFailed';
}

/** The reason of a network on an uplink if an operation on an entity of a kind fails, or if another program has one at its place. */
export function uplinkReason(kind: EntityKindName): UplinkFailureReason {
  return reasons.uplink.get(kind) ?? 'UplinkVRFAttachmentFailed';
}

const causes: Readonly<Record<LogicalNetworkFailure['cause'], NetworkReadyReason>> = {
  ...logicalNetworkCauses,
  ...managementPortCauses,
  'in-the-way': 'ForeignEntity',
};

/** Why a network that ovn-uplinks provides is not programmed on a node, as a reason. */
export function logicalNetworkReason({ cause }: LogicalNetworkFailure): NetworkReadyReason {
  return causes[cause];
}

const egressReasons: Readonly<Record<EgressFailure['cause'], NetworkReadyReason>> = {
  'cluster-subnets-unknown': 'ClusterSubnetsUnknown',
  'no-chassis': 'EgressFailed',
  'forwarding-disabled': 'ForwardingDisabled',
  'no-default-route': 'NoDefaultRoute',
};

/** Why a network does not get out by the node, as a reason. */
export function egressReason({ cause }: EgressFailure): NetworkReadyReason {
  return egressReasons[cause];
}

/** The desired state of a node for a network on an uplink, made of some parts. */
export function dataplaneOf(input: DataplaneInput, parts: Parts['uplink'] = allParts.uplink): NetworkDataplane {
  const { network, networkName, uplink: uplinkName, bridge, device, vrf, datapath } = input;
  return {
    network,
    networkName,
    uplink: uplinkName,
    bridge,
    device,
    vrf,
    ...(datapath && { datapath }),
    entities: parts.flatMap((part) => part.plan?.(input) ?? []),
  };
}
