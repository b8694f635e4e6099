/**
 * The management port: an interface of the network on the host, in the VRF of the network (docs/design/networks.md, "The host").
 */
import { hostEntities } from '../../dataplane/logical-network/host-entities.ts';
import { lacksIpv6, needsIpv6Enabled } from '../../dataplane/ipv6-setting.ts';
import { settingsOfKernel } from '../../dataplane/logical-network/host-settings.ts';
import type { LogicalNetworkFailure } from '../../dataplane/logical-network/logical-network-failure.ts';
import { conflictAmong } from '../../entities/conflict.ts';
import { entityKinds } from '../../entities/entity-kinds.ts';
import { linkUp } from '../../entities/switch/link-up.ts';
import { managementPort as portKind } from '../../entities/switch/management-port.ts';
import type { MembershipEntity } from '../../entities/kernel/membership.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import { lazyByContent } from '../../basics/incremental/interned.ts';
import { vrfAttachment } from '../../network-readiness/vrf-attachment.ts';
import { integrationBridge } from '../../snapshot/integration-bridge.ts';
import { managementPortName } from '../../network/names/management-port.ts';
import type { NetworkReadyReason } from '../../status/provision-reasons.ts';
import type { PartOfNetwork, ProvidedNetwork } from './part.ts';

function hasIpv6({ addressed }: ProvidedNetwork): boolean {
  return addressed.addresses.managementAddresses.some((address) => familyOf(address) === 6);
}

/** Another program has enslaved the management port to another device. */
function otherMaster({ addressed: { network }, vrf, host }: ProvidedNetwork): LogicalNetworkFailure | undefined {
  const device = managementPortName(network.networkId);
  const master = host.link(device)?.master;
  if (master === undefined || master === vrf.name) return undefined;
  const wanted = { device, vrf: vrf.name, table: vrf.table, network: network.networkName };
  const membership: MembershipEntity = { kind: 'membership', ...wanted };
  const table = host.link(master)?.vrfTable ?? 0;
  const found: MembershipEntity = { ...membership, vrf: master, table, network: '' };
  const isOurs = entityKinds.membership.isOurs(found, host.snapshot.ledger);
  const conflict = isOurs ? undefined : conflictAmong(membership, [found], () => false);
  return conflict && { cause: 'in-the-way', conflict };
}

/** Why the network cannot be programmed on the host, apart from entities of other programs at the places of those that it needs. */
function obstacle(network: ProvidedNetwork): LogicalNetworkFailure | undefined {
  const { vrf, host } = network;
  const bridge = integrationBridge(host.snapshot);
  if (!host.hasBridge(bridge)) return { cause: 'no-bridge', bridge };
  if (hasIpv6(network) && lacksIpv6(host.snapshot)) return { cause: 'no-ipv6' };
  const failure = vrfAttachment({ vrf: { ...vrf, own: true, enslaves: true }, node: host });
  return failure === undefined ? otherMaster(network) : { cause: 'vrf', failure };
}

/** Number of networks whose entities are cached: more than a node has. */
const CACHED_NETWORKS = 5000;

/** Computed once for the same input: the same objects. */
const entitiesFor = lazyByContent(hostEntities, CACHED_NETWORKS);

/** The VRF and the management port, as far as IPv6 has to be enabled there for the addresses of the network. */
function devicesWithoutIpv6(network: ProvidedNetwork): readonly string[] {
  const devices = [network.vrf.name, managementPortName(network.addressed.network.networkId)];
  return hasIpv6(network) ? devices.filter((device) => needsIpv6Enabled(device, network.host.snapshot)) : [];
}

/** Reasons of networks that have no management port. */
export const managementPortCauses = {
  'no-bridge': 'NetworkPending',
  'no-ipv6': 'ManagementPortFailed',
  vrf: 'ForeignEntity',
} as const satisfies Partial<Record<LogicalNetworkFailure['cause'], NetworkReadyReason>>;

export const managementPort: PartOfNetwork = {
  obstacle,
  plan: (network) => {
    const { addressed, mtu, vrf, egress, host } = network;
    const entities = entitiesFor({
      ...addressed,
      mtu,
      vrf,
      bridge: integrationBridge(host.snapshot),
      settings: settingsOfKernel(host.snapshot, egress?.isProgrammed === true),
      withoutIpv6: devicesWithoutIpv6(network),
    });
    return [entities];
  },
  reasons: { [portKind.kind]: 'ManagementPortFailed', [linkUp.kind]: 'ManagementPortFailed' },
};
