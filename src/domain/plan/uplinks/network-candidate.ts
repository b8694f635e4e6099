/** A network on one of its uplinks, as far as it can be decided without other networks. */
import type { Network } from '../../network/network.ts';
import { unsupportedUplinks } from '../../network/unsupported.ts';
import { type OverlapsOnNode, overlapsOnNode } from '../../network/provision/used-subnets.ts';
import { ownMappings } from '../../snapshot/bridge-mappings.ts';
import type { DataplaneInput } from '../../dataplane/dataplane-input.ts';
import type { NeighbourEntity } from '../../entities/kernel/neighbour.ts';
import { lastByObject } from '../../basics/incremental/by-identity.ts';
import { interned } from '../../basics/incremental/interned.ts';
import type { UnknownDatapath } from '../../dataplane/network-datapath.ts';
import { distinct } from '../../basics/names/ordering.ts';
import type { NetworkDataplane } from '../../dataplane/network-dataplane.ts';
import { dataplaneOf } from '../parts/parts.ts';
import { effectiveOn } from '../../routing-domain/advertisement.ts';
import { networkVrf, type VrfDecision } from '../../routing-domain/network-vrf.ts';
import { type RoutingDomainDecision, routingDomain } from '../../routing-domain/routing-domain.ts';
import { ownVrfOf } from '../../network/names/vrf.ts';
import { lastByReadPartsOfPair } from '../../snapshot/read-parts.ts';
import type { NotCarried, UplinkOnNode } from '../node-plan.ts';
import { type DatapathContext, datapathOf, podSubnetsOn } from './candidate-datapath.ts';
import { type CandidateInput, clusterFacts } from './candidate-input.ts';
import { gatewayNeighboursOf } from './gateway-neighbours.ts';
import type { NodeInput } from '../node-input.ts';
import { addressesOf, isInDefaultDomain, unreadableForDomain, uplinksInDefaultDomain } from './unreadable.ts';
import type { LogicalNetworkOnNode } from '../parts/part.ts';

/** A network on one of its uplinks, without its conflicts. */
export interface Candidate {
  readonly network: Network;
  readonly uplinkName: string;
  readonly uplink: UplinkOnNode | undefined;
  /** The logical network; absent if another program provides it. */
  readonly logicalNetwork: LogicalNetworkOnNode | undefined;
  readonly notCarried: NotCarried | undefined;
  readonly networkId: number | undefined;
  readonly ownVrf: string | undefined;
  readonly bridge: string | undefined;
  readonly decision: RoutingDomainDecision;
  readonly vrf: VrfDecision;
  /** Subnets of its pods on the node, CIDR, that are advertised in the default routing domain. */
  readonly advertisedSubnets: readonly string[];
  /** The desired state for it; absent if it cannot be decided, or if no uplink carries it. */
  readonly dataplane: NetworkDataplane | undefined;
  /** Why its datapath is unknown; absent if it is known, or not programmed. */
  readonly unknownDatapath: UnknownDatapath | undefined;
  /** Overlaps of its subnets with each other and with those of its uplink. */
  readonly overlaps: OverlapsOnNode;
}

function wantedDataplane(
  input: CandidateInput,
  network: Network,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
  {
    networkId,
    vrf,
    gatewayNeighbours,
    ...surroundings
  }: Pick<Candidate, 'networkId' | 'vrf'> & DatapathContext & Pick<CandidateContext, 'gatewayNeighbours'>,
): Pick<Candidate, 'dataplane' | 'unknownDatapath'> {
  const { node, settings, addressing, parts } = input;
  const { hostInterfaceName: device, facts: { bridge, defaultGateways = [] } = {} } = uplink ?? {};
  if (networkId === undefined || vrf.unusable !== undefined || device === undefined || bridge === undefined) {
    return { dataplane: undefined, unknownDatapath: undefined };
  }
  const found = datapathOf(input, network, uplinkName, uplink, { networkId, ...surroundings });
  const [datapath, unknownDatapath] =
    found === undefined || 'router' in found ? [found, undefined] : [undefined, found];
  const wanted: DataplaneInput = {
    network: network.key,
    networkName: network.networkName,
    uplink: uplinkName,
    networkId,
    families: network.families,
    mtu: network.mtu ?? settings.defaultNetworkMtu,
    vrf,
    device,
    bridge,
    defaultGateways,
    node,
    addressing,
    ...(datapath && { datapath }),
    gatewayNeighbours,
  };
  return { dataplane: dataplaneOf(wanted, parts.uplink), unknownDatapath };
}

/** The routing domain of a network, and what it follows from. */
interface DecidedDomain {
  readonly ownVrf: string | undefined;
  readonly isAdvertised: boolean;
  readonly decision: RoutingDomainDecision;
}

const lastDomain = lastByObject<DecidedDomain>();

/** The routing domain of a network on the node. */
function domainOf(
  { advertisements: all, networkId }: Pick<CandidateInput['facts'], 'advertisements' | 'networkId'>,
  object: NodeInput['object'],
  network: Network,
): DecidedDomain {
  return lastDomain(network, [object, networkId, ...all], () => {
    const advertisements = effectiveOn(object, all);
    const ownVrf = ownVrfOf(network.key, networkId);
    return { ownVrf, isAdvertised: advertisements.length > 0, decision: routingDomain(advertisements, ownVrf) };
  });
}

/** Equal lists of addresses as one object. */
const sameAddresses = interned<readonly string[]>();

/**
 * Addresses of the uplinks that carry networks of the default routing domain, which share one VRF. In other VRFs, the address of another tenant's
 * uplink may be another host's outside.
 */
export function defaultDomainAddresses(
  input: NodeInput,
  networks: readonly Network[],
  uplinks: ReadonlyMap<string, UplinkOnNode>,
): readonly string[] {
  const { view } = input;
  const factsOf = (network: Network) => ({
    advertisements: view.advertisements(network),
    networkId: view.networkId(network),
  });
  const carried = networks.filter(
    (network) =>
      unsupportedUplinks(network, view.settings) === undefined &&
      (unreadableForDomain(network, view) === undefined
        ? domainOf(factsOf(network), input.object, network).decision.domain.kind === 'default'
        : isInDefaultDomain(network.key, input)),
  );
  const names = distinct([
    ...carried.flatMap(({ uplinks: names }) => names),
    ...uplinksInDefaultDomain([...uplinks.values()], input),
  ]);
  const addresses = names.flatMap((name) => {
    const uplink = uplinks.get(name);
    return uplink === undefined ? [] : addressesOf(uplink, input);
  });
  return sameAddresses(distinct(addresses.map((address) => address.split('/')[0] ?? '')));
}

/** The last decision about each network on one of its uplinks. */
const lastCandidate = lastByReadPartsOfPair<Candidate>();

/**
 * Decides about a network on one of its uplinks, before it is compared with others. The same object as long as all that it follows from is the same.
 *
 * @param uplink the same object as long as it is equal
 * @param defaultAddresses of the uplinks in the default routing domain; likewise
 * @param logicalNetwork the logical network; absent if another program provides it
 */
export function candidate(
  input: NodeInput,
  network: Network,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
  defaultAddresses: readonly string[],
  logicalNetwork: LogicalNetworkOnNode | undefined,
): Candidate {
  const { object, settings, addressing, parts, node: present } = input;
  const gatewayNeighbours = gatewayNeighboursOf(input, uplink, network.families);
  const facts = clusterFacts(input, network, uplinkName);
  const { advertisements, ...others } = facts;
  const ofCluster = [...Object.values(others), ...advertisements];
  const inputs = [
    object,
    settings,
    addressing,
    parts,
    uplink,
    defaultAddresses,
    logicalNetwork,
    gatewayNeighbours,
    ...ofCluster,
  ];
  return lastCandidate([network, uplinkName], inputs, present, (node) =>
    decidedCandidate({ object, settings, addressing, parts, facts, node }, network, uplinkName, uplink, {
      defaultAddresses,
      logicalNetwork,
      gatewayNeighbours,
    }),
  );
}

/** The input of a candidate besides its network and uplink. */
interface CandidateContext extends Pick<DatapathContext, 'logicalNetwork'> {
  readonly defaultAddresses: readonly string[];
  /** Entries by which the kernel keeps its gateways resolved. */
  readonly gatewayNeighbours: readonly NeighbourEntity[];
}

function decidedCandidate(
  input: CandidateInput,
  network: Network,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
  { defaultAddresses, logicalNetwork, gatewayNeighbours }: CandidateContext,
): Candidate {
  const { facts, node } = input;
  const { networkId } = facts;
  const { ownVrf, isAdvertised, decision } = domainOf(facts, input.object, network);
  const absent = facts.hasUplink ? 'UplinkNotFoundForNode' : 'UplinkNotFound';
  const notCarried =
    unsupportedUplinks(network, facts.settings) ?? (uplink === undefined ? { reason: absent } : undefined);
  const bridge = uplink?.facts?.bridge ?? ownMappings(node.snapshot.switchExternalIds).get(network.networkName);
  const domainAddresses = decision.domain.kind === 'default' ? defaultAddresses : [];
  const isProvided = logicalNetwork !== undefined;
  const vrf = networkVrf({ domain: decision.domain, ownVrf, networkId, isProvided, node });
  const { ipAddresses = [], defaultGateways = [] } = uplink?.facts ?? {};
  return {
    network,
    uplinkName,
    uplink,
    logicalNetwork,
    notCarried,
    networkId,
    ownVrf,
    bridge: notCarried === undefined ? bridge : undefined,
    decision,
    vrf,
    overlaps: overlapsOnNode(network, { uplink: uplinkName, ipAddresses, defaultGateways }),
    advertisedSubnets:
      isAdvertised && decision.domain.kind === 'default' ? podSubnetsOn(input.object, network, logicalNetwork) : [],
    ...(notCarried === undefined
      ? wantedDataplane(input, network, uplinkName, uplink, {
          networkId,
          vrf,
          logicalNetwork,
          isAdvertised,
          domainAddresses,
          gatewayNeighbours,
        })
      : { dataplane: undefined, unknownDatapath: undefined }),
  };
}
