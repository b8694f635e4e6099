/**
 * The report of a node on the networks of an uplink: `networks[]` of its UplinkState.
 */
import { nameOfNetwork, type NetworkKey } from '../network/key.ts';
import { MAX_NETWORK_ENTRIES, type NetworkEntry } from '../api/uplink-state.ts';
import { NODE_ID_ANNOTATION, NODE_SUBNETS_ANNOTATION } from '../basics/conventions.ts';
import { displacedText } from '../entities/displaceable.ts';
import { conflictText } from '../entities/conflict.ts';
import type { NetworkFailure, Prerequisite } from '../network-readiness/network-check.ts';
import { by, distinct, least } from '../basics/names/ordering.ts';
import type { Conflict } from '../routing-domain/conflict.ts';
import type { SubnetOverlap } from '../routing-domain/subnet-overlap.ts';
import { nameSample } from './node-sample.ts';
import { discoverySentence, overlapSentence } from './ready.ts';
import { byPrecedence, networkReasons } from './reasons.ts';
import { selectorSentence } from './sentences/selector-sentence.ts';
import { usedTwiceSentence } from './sentences/used-twice-sentence.ts';
import { vrfSentence } from './sentences/vrf-sentence.ts';
import { noIpv6Sentence, logicalNetworkSentence } from './sentences/logical-network-sentence.ts';

/**
 * Name of the entry for the networks that do not fit into the list. No object can have this name.
 */
export const OVERFLOW_ENTRY = '*';

function conflictSentence(conflict: Conflict, network: string): string {
  switch (conflict.over) {
    case 'bridge':
      return `bridge ${conflict.bridge} is shared with ${othersOf(conflict.networks, network)}, and not all of them are in the default routing domain`;
    case 'vrf':
      return `VRF ${conflict.vrf} is shared with ${othersOf(conflict.networks, network)}`;
    case 'ovn-names':
      return `OVN gives entities of ${othersOf(conflict.networks, network)} the same names, which begin with ${conflict.prefix}`;
    case 'targets':
      return `RouteAdvertisements name different VRFs: ${nameSample(conflict.vrfs)}`;
  }
}

function othersOf(networks: readonly NetworkKey[], network: string): string {
  return nameSample(networks.map(nameOfNetwork).filter((name) => name !== network));
}

/** One overlap, in full, and how many others there are: a network may overlap with all others of its bridge. */
function overlapsSentence(overlaps: readonly SubnetOverlap[]): string {
  const [first] = overlaps;
  const networks = distinct(overlaps.map(({ other }) => nameOfNetwork(other.network)));
  const others = networks.length > 1 ? `; it overlaps with ${nameSample(networks)}` : '';
  return first === undefined
    ? ''
    : `pod subnet ${first.subnet} overlaps with ${first.other.subnet} of network ${nameOfNetwork(first.other.network)}, which is advertised on bridge ${first.bridge} too${others}`;
}

/** Why a network cannot be programmed on a node. */
export function networkSentence(failure: NetworkFailure, network: string, hostInterfaceName: string): string {
  switch (failure.reason) {
    case 'NetworkNotAllocated':
      return failure.isProvided === true
        ? logicalNetworkSentence({ cause: 'no-network-id' })
        : 'OVN-Kubernetes has not allocated a network id yet';
    case 'PrerequisiteMissing':
      return prerequisiteSentence(failure.missing);
    case 'UplinkConfigurationConflict':
      return failure.conflicts.map((conflict) => conflictSentence(conflict, network)).join('; ');
    case 'UplinkOverlapOnNode':
      return overlapSentence(failure.hostInterfaceNames);
    case 'UplinkNotReadyForNode':
      return unusableSentence(failure, hostInterfaceName);
    case 'UplinkVRFAttachmentFailed':
      return attachmentSentence(failure);
    case 'AddressFamilyMissing':
      return familiesSentence(failure);
    case 'SubnetsOverlap':
      return failure.cause === 'used-twice' ? usedTwiceSentence(failure.usedTwice) : overlapsSentence(failure.overlaps);
    case 'UplinkBridgeMappingFailed':
    case 'GatewayRouterFailed':
      return conflictText(failure);
  }
}

function familiesSentence({ families, noIpv6 }: NetworkFailure & { readonly reason: 'AddressFamilyMissing' }): string {
  const missing = `the uplink has no ${families.map((family) => `IPv${family}`).join(' and no ')} address`;
  return noIpv6 === true ? `${missing}: ${noIpv6Sentence}` : missing;
}

function prerequisiteSentence(missing: Prerequisite): string {
  switch (missing.kind) {
    case 'device':
      return `device ${missing.device}, which OVN-Kubernetes creates, does not exist`;
    case 'node-id':
      return `annotation ${NODE_ID_ANNOTATION} of Node ${missing.node}, which OVN-Kubernetes sets, is not a positive number`;
    case 'pod-subnets':
      return `annotation ${NODE_SUBNETS_ANNOTATION} of Node ${missing.node}, which OVN-Kubernetes sets, has no subnet of each family of ${missing.networkName}`;
    case 'row':
      return `${missing.table} ${missing.name}, which OVN-Kubernetes adds to OVN's Northbound database, does not exist`;
    case 'logical-network':
      return logicalNetworkSentence(missing.failure);
    case 'unreadable':
      return `the routing domain of the network may depend on ${missing.object}, which this version cannot read`;
  }
}

function unusableSentence(
  { unusable }: NetworkFailure & { readonly reason: 'UplinkNotReadyForNode' },
  hostInterfaceName: string,
): string {
  switch (unusable.cause) {
    case 'unclear-selector':
      return `nodeSelector of ${unusable.problem.hostInterfaceName}: ${selectorSentence(unusable.problem)}`;
    case 'unreadable':
      return 'this version cannot read the Uplink';
    case 'unknown-type':
      return `uplink type ${JSON.stringify(unusable.type)} is not supported by this version`;
    case 'discovery':
      return `${unusable.failure.reason}: ${discoverySentence(unusable.failure, hostInterfaceName)}`;
  }
}

function lossText(by: Extract<NetworkFailure, { cause: 'cuts-node-off' }>['by']): string {
  if ('address' in by) {
    return `${by.vlan === undefined ? 'it' : `VLAN device ${by.vlan} on it`} has ${by.address}, an InternalIP of the Node`;
  }
  const { lastDefaultRoute: family, alongside, unusable } = by;
  const loss =
    alongside.length === 0
      ? `the last IPv${family} default route of the main table uses it`
      : `the IPv${family} default routes of the main table use only it and ${nameSample(alongside)}, which would be enslaved as well`;
  return unusable.length === 0
    ? loss
    : `${loss}; those by ${nameSample(unusable)} do not count: down, in a VRF, or a tunnel`;
}

function irreplaceableText(by: Extract<NetworkFailure, { cause: 'cannot-be-put-back' }>['by']): string {
  if ('attributes' in by) return `and this version cannot restore its ${by.attributes.join(', ')}`;
  if ('source' in by) return `whose source ${by.source} is on ${by.bearer}, which would be enslaved as well`;
  return `which the kernel would not accept again: ${by.refusal}`;
}

function otherMasterSentence(failure: Extract<NetworkFailure, { cause: 'other-master' }>): string {
  const { device, master, vrf, heldNetwork } = failure;
  const expected = vrf === undefined ? 'none in the default routing domain' : `VRF ${vrf}`;
  const why =
    heldNetwork === undefined ? 'it was not set by ovn-uplinks' : `network ${nameOfNetwork(heldNetwork)} is held there`;
  return `the master of ${device} is ${master}, expected ${expected}; ${why}`;
}

function attachmentSentence(failure: NetworkFailure & { readonly reason: 'UplinkVRFAttachmentFailed' }): string {
  switch (failure.cause) {
    case 'name-refused':
    case 'missing':
    case 'other-device':
    case 'other-table':
    case 'table-taken':
    case 'occupied':
      return vrfSentence(failure);
    case 'other-master':
      return otherMasterSentence(failure);
    case 'cuts-node-off':
      return `enslaving ${failure.device} to VRF ${failure.vrf} would cut the node off: ${lossText(failure.by)}`;
    case 'cuts-tunnels':
      return `tunnels of the node end at ${failure.address} of ${failure.device}, external_ids:ovn-encap-ip of Open vSwitch: in VRF ${failure.vrf} they would carry nothing`;
    case 'takes-up':
      return `changing the master of ${failure.device} would set VLAN device ${failure.stacked} on it up, which is administratively down`;
    case 'cannot-be-put-back':
      return `changing the master of ${failure.device} would drop ${displacedText(failure.entity)}, ${irreplaceableText(failure.by)}`;
    case 'in-the-way':
      return conflictText(failure);
  }
}

/**
 * The list as it is published: by name, at most 256. With more, the last entry stands for the rest: it is ready if all of them are, and
 * otherwise has the first of their reasons.
 */
export function boundedEntries(entries: readonly NetworkEntry[]): readonly NetworkEntry[] {
  const sorted = [...entries].sort(by(({ name }) => name));
  if (sorted.length <= MAX_NETWORK_ENTRIES) return sorted;
  const listed = sorted.slice(0, MAX_NETWORK_ENTRIES - 1);
  const rest = sorted.slice(MAX_NETWORK_ENTRIES - 1);
  const notReady = rest.filter(({ ready }) => ready !== 'True');
  const precedence = byPrecedence(networkReasons);
  const reason = least(
    notReady.map((entry) => entry.reason),
    precedence,
  );
  return [
    ...listed,
    {
      name: OVERFLOW_ENTRY,
      ready: reason === undefined ? 'True' : 'False',
      reason: reason ?? 'Ready',
      message:
        notReady.length === 0
          ? `and ${rest.length} more networks, all ready`
          : `and ${rest.length} more networks, ${notReady.length} not ready: ${nameSample(notReady.map(({ name }) => name))}`,
    },
  ];
}

/**
 * The entry of a network in a list: its own, or the one for the rest. The latter stands for names after all that are listed; a network
 * that sorts before one of them and has no entry was not reported yet.
 */
export function entryFor(entries: readonly NetworkEntry[] | undefined, network: string): NetworkEntry | undefined {
  if (entries === undefined) return undefined;
  const own = entries.find(({ name }) => name === network);
  if (own !== undefined) return own;
  const rest = entries.find(({ name }) => name === OVERFLOW_ENTRY);
  return rest !== undefined && entries.every((entry) => entry === rest || entry.name < network) ? rest : undefined;
}
