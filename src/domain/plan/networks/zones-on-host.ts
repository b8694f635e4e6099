/**
 * The networks that ovn-uplinks provides on the host of a node: their management ports and VRFs (docs/design/networks.md, "The host").
 */
import { hostEntities, type ZoneOnHost } from '../../dataplane/zone/host-entities.ts';
import { lacksIpv6, needsIpv6Enabled } from '../../dataplane/ipv6-setting.ts';
import { settingsOfKernel } from '../../dataplane/zone/host-settings.ts';
import type { ZoneFailure } from '../../dataplane/zone/zone-failure.ts';
import { conflictAmong } from '../../entities/conflict.ts';
import { entityKinds } from '../../entities/entity-kinds.ts';
import type { MembershipEntity } from '../../entities/membership.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import { lazyByContent } from '../../basics/incremental/interned.ts';
import type { NetworkKey } from '../../network/key.ts';
import { vrfAttachment } from '../../network-readiness/vrf-attachment.ts';
import { integrationBridge } from '../../snapshot/integration-bridge.ts';
import { managementPortName } from '../../network/names/management-port.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodeView } from '../../snapshot/node-view.ts';
import type { DesiredEntity } from '../node-dataplane.ts';

/** A network on the host, with its key. */
interface OwnedZone extends ZoneOnHost {
  readonly key: NetworkKey;
}

/** A network on the host, apart from what follows from the node. */
type Input = Omit<OwnedZone, 'bridge' | 'settings' | 'withoutIpv6'>;

function hasIpv6({ addresses }: Input): boolean {
  return addresses.managementAddresses.some((address) => familyOf(address) === 6);
}

/** Another program has enslaved the management port to another device. */
function otherMaster({ network: { networkName, networkId }, vrf }: Input, node: NodeView): ZoneFailure | undefined {
  const device = managementPortName(networkId);
  const master = node.link(device)?.master;
  if (master === undefined || master === vrf.name) return undefined;
  const membership = { kind: 'membership', device, vrf: vrf.name, table: vrf.table, network: networkName } as const;
  const found: MembershipEntity = { ...membership, vrf: master, table: node.link(master)?.vrfTable ?? 0, network: '' };
  const isOurs = entityKinds.membership.isOurs(found, node.snapshot.ledger);
  const conflict = isOurs ? undefined : conflictAmong(membership, [found], () => false);
  return conflict && { cause: 'in-the-way', conflict };
}

/** Why the network cannot be programmed on the host, apart from entities of other programs at the places of those that it needs. */
export function obstacleOnHost(input: Input, node: NodeView): ZoneFailure | undefined {
  const bridge = integrationBridge(node.snapshot);
  if (node.snapshot.bridges.every(({ name }) => name !== bridge)) return { cause: 'no-bridge', bridge };
  if (hasIpv6(input) && lacksIpv6(node.snapshot)) return { cause: 'no-ipv6' };
  const failure = vrfAttachment({ vrf: { ...input.vrf, own: true, enslaves: true }, node });
  return failure === undefined ? otherMaster(input, node) : { cause: 'vrf', failure };
}

/** Number of networks whose entities are cached: more than a node has. */
const CACHED_NETWORKS = 5000;

/** Computed once for the same network: the same objects. */
const entitiesFor = lazyByContent(({ key, ...input }: OwnedZone): readonly DesiredEntity[] => {
  const owners = [{ kind: 'network', network: key, part: 'network' }] as const;
  return hostEntities(input).map((entity) => ({ entity, owners }));
}, CACHED_NETWORKS);

/** The VRF and the management port, as far as IPv6 has to be enabled there for the addresses of the network. */
function devicesWithoutIpv6(input: Input, node: NodeSnapshot): readonly string[] {
  const devices = [input.vrf.name, managementPortName(input.network.networkId)];
  return hasIpv6(input) ? devices.filter((device) => needsIpv6Enabled(device, node)) : [];
}

/** Entities that a network needs on the host. */
export function desiredOnHost(input: Input, node: NodeSnapshot): readonly DesiredEntity[] {
  const [bridge, settings] = [integrationBridge(node), settingsOfKernel(node)];
  const withoutIpv6 = devicesWithoutIpv6(input, node);
  return entitiesFor({ ...input, bridge, settings, withoutIpv6 });
}
