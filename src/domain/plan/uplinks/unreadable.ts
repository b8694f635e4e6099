/**
 * Consequences of objects that exist and cannot be read (docs/design/api-decisions.md, "Bad input"): what they may be about is left as it is.
 */
import { type NetworkKey, networkNameOfKey } from '../../network/key.ts';
import type { Network } from '../../network/network.ts';
import { type HeldNetwork, heldNetwork } from '../retained/held-network.ts';
import { entityPrefix } from '../../network/names/logical-network.ts';
import type { UplinkState } from '../../api/uplink-state.ts';
import { isGenerated } from '../../routing-domain/advertisement.ts';
import type { Contender } from '../../routing-domain/conflict.ts';
import type { RoutingDomain } from '../../routing-domain/routing-domain.ts';
import { ownVrfOf } from '../../network/names/vrf.ts';
import type { ClusterView } from '../view/cluster-view.ts';
import type { UplinkOnNode } from '../node-plan.ts';
import type { NodeInput } from '../node-input.ts';

/** The object that may decide the routing domain of a network and cannot be read, as `Kind/name` or `Kind/namespace/name`; undefined if there is none. */
export function unreadableForDomain(network: Network, view: ClusterView): string | undefined {
  // Any of them may select any network.
  const [advertisements] = view.unreadable('routeAdvertisements');
  if (advertisements !== undefined) return `RouteAdvertisements/${advertisements}`;
  if (view.advertisements(network).length === 0) return undefined;
  const configuration = [...view.unreadable('frrConfigurations')].find(
    (key) => !isGenerated(key.split('/').at(-1) ?? ''),
  );
  return configuration === undefined ? undefined : `FRRConfiguration/${configuration}`;
}

/**
 * The networks of which it is not known whether the node should have them: those that cannot be read, and with Dynamic UDN those that are not
 * active, where a pod, a namespace or an attachment cannot be read.
 */
export function undecidedNetworks({ view, object, settings }: NodeInput): readonly NetworkKey[] {
  const unreadable = view.unreadableOnUplinks;
  const isActivityKnown =
    !settings.dynamicNetworks ||
    (['pods', 'namespaces', 'networkAttachmentDefinitions'] as const).every((kind) => view.unreadable(kind).size === 0);
  if (isActivityKnown) return unreadable;
  const inactive = view.networks.filter((network) => !view.isActive(network, object.metadata.name));
  return [...unreadable, ...inactive.map(({ key }) => key)];
}

/** The routing domain that a network is in on the node; undefined if it is not there. */
function domainAsFound({ bridges, devices, vrfs }: HeldNetwork, { node }: NodeInput): RoutingDomain | undefined {
  const [vrf] = devices.flatMap((device) => node.link(device)?.master ?? []).filter((name) => vrfs.includes(name));
  if (vrf !== undefined) return { kind: 'other-vrf', vrf };
  return bridges.length === 0 ? undefined : { kind: 'default' };
}

/** A network as it is on the node, for conflicts with others; undefined if it is not there. */
export function contenderAsFound(network: NetworkKey, input: NodeInput): Contender | undefined {
  const kept = heldAsFound(network, input);
  const domain = domainAsFound(kept, input);
  const [bridge] = kept.bridges;
  return (
    domain && {
      network,
      domain,
      ...(domain.kind === 'other-vrf' && { vrf: domain.vrf }),
      ...(bridge !== undefined && { bridge }),
      ...(input.settings.ovn && { ovnPrefix: entityPrefix(kept.networkName) }),
    }
  );
}

/** Whether a network is in the default routing domain on the node as it is. */
export function isInDefaultDomain(network: NetworkKey, input: NodeInput): boolean {
  return domainAsFound(heldAsFound(network, input), input)?.kind === 'default';
}

/** Names of the uplinks of the bridges that undecided networks of the default routing domain are on. */
export function uplinksInDefaultDomain(uplinks: readonly UplinkOnNode[], input: NodeInput): readonly string[] {
  const kept = undecidedNetworks(input).map((network) => heldAsFound(network, input));
  const bridges = new Set(
    kept.flatMap((network) => (domainAsFound(network, input)?.kind === 'default' ? network.bridges : [])),
  );
  return uplinks.filter((uplink) => bridges.has(bridgeOf(uplink, input) ?? '')).map(({ uplink }) => uplink);
}

function bridgeOf(uplink: UplinkOnNode, input: NodeInput): string | undefined {
  return uplink.facts?.bridge ?? statusAsReported(uplink, input)?.ovsBridge?.name;
}

/** Addresses of an uplink, CIDR: those that the node has reported, if its Uplink cannot be read. */
export function addressesOf(uplink: UplinkOnNode, input: NodeInput): readonly string[] {
  return uplink.facts?.ipAddresses ?? statusAsReported(uplink, input)?.ipAddresses ?? [];
}

/** The state of an unreadable Uplink, which stays as it is. Others are about to be written: a plan that followed them would not be the same after that. */
function statusAsReported({ uplink, unusable }: UplinkOnNode, { view, object }: NodeInput): UplinkState['status'] {
  return unusable?.cause === 'unreadable' ? view.state(uplink, object.metadata.name)?.status : undefined;
}

/** The part of a network that is on the node, as far as the node shows it. */
export function heldAsFound(network: NetworkKey, { view, node }: NodeInput): HeldNetwork {
  const networkName = networkNameOfKey(network);
  return heldNetwork({
    network,
    networkName,
    ownVrf: ownVrfOf(network, view.networkId({ networkName, metadata: {} })),
    vrf: { unusable: 'not-allocated' },
    device: undefined,
    bridge: undefined,
    node,
  });
}
