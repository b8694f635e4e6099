/**
 * A network on one of its uplinks, as far as that can be told without looking at other networks.
 */
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import { ownMappings } from '../snapshot/bridge-mappings.ts';
import { dataplaneOf, type NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { effectiveOn } from '../routing-domain/advertisement.ts';
import { networkVrf, type VrfDecision } from '../routing-domain/network-vrf.ts';
import { type RoutingDomainDecision, routingDomain } from '../routing-domain/routing-domain.ts';
import { ownVrfName } from '../routing-domain/vrf-name.ts';
import { familiesOf, networkNameOf, ownMtuOf, unsupported } from '../selection/network.ts';
import type { NotCarried, UplinkOnNode } from './node-plan.ts';
import type { Scene } from './scene.ts';

/** A network on one of its uplinks, without its conflicts. */
export interface Candidate {
  readonly network: ClusterUserDefinedNetwork;
  readonly uplinkName: string;
  readonly uplink: UplinkOnNode | undefined;
  readonly notCarried: NotCarried | undefined;
  readonly networkId: number | undefined;
  readonly ownVrf: string | undefined;
  readonly bridge: string | undefined;
  readonly decision: RoutingDomainDecision;
  readonly vrf: VrfDecision;
  /** What the node must have for it; absent where that cannot be told, or where it is not carried. */
  readonly dataplane: NetworkDataplane | undefined;
}

function wantedDataplane(
  { node, settings, addressing }: Scene,
  network: ClusterUserDefinedNetwork,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
  { networkId, vrf }: Pick<Candidate, 'networkId' | 'vrf'>,
): NetworkDataplane | undefined {
  const { hostInterfaceName: device, facts: { bridge, defaultGateways = [] } = {} } = uplink ?? {};
  if (networkId === undefined || vrf.unusable !== undefined || device === undefined || bridge === undefined) {
    return undefined;
  }
  return dataplaneOf({
    network: network.metadata.name,
    networkName: networkNameOf(network),
    uplink: uplinkName,
    networkId,
    families: familiesOf(network),
    mtu: ownMtuOf(network) ?? settings.defaultNetworkMtu,
    vrf,
    device,
    bridge,
    defaultGateways,
    node,
    addressing,
  });
}

/** What is known of a network on one of its uplinks before it is compared with others. */
export function candidate(
  scene: Scene,
  network: ClusterUserDefinedNetwork,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
): Candidate {
  const { view, object, node } = scene;
  const networkId = view.networkId(network);
  const ownVrf = ownVrfName(network.metadata.name, networkId);
  const absent = view.table(uplinkName) === undefined ? 'UplinkNotFound' : 'UplinkNotFoundForNode';
  const notCarried = unsupported(network, view.settings) ?? (uplink === undefined ? { reason: absent } : undefined);
  const bridge = uplink?.facts?.bridge ?? ownMappings(node.snapshot.switchExternalIds).get(networkNameOf(network));
  const decision = routingDomain(effectiveOn(object, view.advertisements(network)), ownVrf);
  const vrf = networkVrf({ domain: decision.domain, ownVrf, networkId, node });
  return {
    network,
    uplinkName,
    uplink,
    notCarried,
    networkId,
    ownVrf,
    bridge: notCarried === undefined ? bridge : undefined,
    decision,
    vrf,
    dataplane:
      notCarried === undefined ? wantedDataplane(scene, network, uplinkName, uplink, { networkId, vrf }) : undefined,
  };
}
