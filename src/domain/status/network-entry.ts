/**
 * What a node says of the networks on an uplink: `networks[]` of its UplinkState.
 */
import { MAX_NETWORK_ENTRIES, type NetworkEntry } from '../api/uplink-state.ts';
import type { NetworkFailure } from '../network-readiness/network-check.ts';
import { by, least } from '../ordering.ts';
import type { Conflict } from '../routing-domain/conflict.ts';
import { isManagementPortName } from '../routing-domain/vrf-name.ts';
import { isInterfaceName, isTakenForNumber } from '../interface-name.ts';
import { nameSample } from './node-sample.ts';
import { discoverySentence, overlapSentence, takenForNumberSentence } from './ready.ts';
import { byPrecedence, networkReasons } from './reasons.ts';
import { selectorSentence } from './selector-sentence.ts';

/**
 * Name of the entry that speaks for the networks that the list has no room for. No object can bear it, so it is nobody's name.
 */
export const OVERFLOW_ENTRY = '*';

function conflictSentence(conflict: Conflict, network: string): string {
  switch (conflict.over) {
    case 'bridge':
      return `bridge ${conflict.bridge} is shared with ${othersOf(conflict.networks, network)}, and not all of them are in the default routing domain`;
    case 'vrf':
      return `VRF ${conflict.vrf} is shared with ${othersOf(conflict.networks, network)}`;
    case 'targets':
      return `RouteAdvertisements ask for several VRFs at once: ${nameSample(conflict.vrfs)}`;
  }
}

function othersOf(networks: readonly string[], network: string): string {
  return nameSample(networks.filter((name) => name !== network));
}

/** What stands in a network's way on a node, for a person. */
export function networkSentence(failure: NetworkFailure, network: string, hostInterfaceName: string): string {
  switch (failure.reason) {
    case 'NetworkNotAllocated':
      return 'OVN-Kubernetes has not given the network an id yet';
    case 'PrerequisiteMissing':
      return `device ${failure.device}, which OVN-Kubernetes provides, does not exist`;
    case 'UplinkConfigurationConflict':
      return failure.conflicts.map((conflict) => conflictSentence(conflict, network)).join('; ');
    case 'UplinkOverlapOnNode':
      return overlapSentence(failure.hostInterfaceNames);
    case 'UplinkNotReadyForNode':
      return unusableSentence(failure, hostInterfaceName);
    case 'UplinkVRFAttachmentFailed':
      return vrfSentence(failure);
    case 'AddressFamilyMissing':
      return `the uplink has no ${failure.families.map((family) => `IPv${family}`).join(' and no ')} address`;
    case 'UplinkBridgeMappingFailed':
      return `somebody else maps ${failure.networkName} to bridge ${failure.found} in ovn-bridge-mappings; ${failure.wanted} is wanted`;
  }
}

function unusableSentence(
  { unusable }: NetworkFailure & { readonly reason: 'UplinkNotReadyForNode' },
  hostInterfaceName: string,
): string {
  switch (unusable.cause) {
    case 'unclear-selector':
      return `nodeSelector of ${unusable.problem.hostInterfaceName}: ${selectorSentence(unusable.problem)}`;
    case 'unknown-type':
      return `uplink type ${JSON.stringify(unusable.type)} is not understood by this version`;
    case 'discovery':
      return `${unusable.failure.reason}: ${discoverySentence(unusable.failure, hostInterfaceName)}`;
  }
}

function deviceKind(kind: string | undefined): string {
  if (kind === undefined) return 'no VRF';
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function lossText(by: Extract<NetworkFailure, { cause: 'cuts-node-off' }>['by']): string {
  if ('address' in by) {
    return `${by.vlan === undefined ? 'it' : `VLAN device ${by.vlan} on it`} bears ${by.address}, an InternalIP of the Node`;
  }
  const { lastDefaultRoute: family, alongside } = by;
  return alongside.length === 0
    ? `the last IPv${family} default route of the main table leaves by it`
    : `the IPv${family} default routes of the main table leave by it and by ${nameSample(alongside)} alone, which would move as well`;
}

function irreplaceableText(by: Extract<NetworkFailure, { cause: 'cannot-be-put-back' }>['by']): string {
  if ('attributes' in by) return `whose ${by.attributes.join(', ')} this version cannot put back`;
  if ('source' in by) return `as its source ${by.source} would move as well, with ${by.bearer}`;
  return `which the kernel would not take again: ${by.refusal}`;
}

function otherMasterSentence({ device, master, vrf }: Extract<NetworkFailure, { cause: 'other-master' }>): string {
  return vrf === undefined
    ? `${device} is a slave of ${master} by somebody else's hand, and the network is in the default routing domain`
    : `${device} is a slave of ${master} by somebody else's hand, and not of VRF ${vrf}`;
}

function nameSentence(vrf: string): string {
  if (isManagementPortName(vrf)) return `a VRF named ${vrf} would stand where OVN-Kubernetes makes a management port`;
  return isInterfaceName(vrf) && isTakenForNumber(vrf)
    ? takenForNumberSentence(`VRF ${vrf}`)
    : `the kernel refuses a VRF device named ${JSON.stringify(vrf)}`;
}

function otherDeviceSentence(failure: Extract<NetworkFailure, { cause: 'other-device' }>): string {
  const { wanted, vrf, kind, alternativeNameOf } = failure;
  if (alternativeNameOf !== undefined) {
    return wanted === 'own'
      ? `VRF ${vrf} cannot be created: ${vrf} is an alternative name of device ${alternativeNameOf}`
      : `${vrf}, which RouteAdvertisements name as a VRF, is an alternative name of device ${alternativeNameOf}`;
  }
  return wanted === 'own'
    ? `VRF ${vrf} cannot be created: device ${vrf} exists and is ${deviceKind(kind)}`
    : `device ${vrf}, which RouteAdvertisements name as a VRF, is ${deviceKind(kind)}`;
}

function vrfSentence(failure: NetworkFailure & { readonly reason: 'UplinkVRFAttachmentFailed' }): string {
  switch (failure.cause) {
    case 'name-refused':
      return nameSentence(failure.vrf);
    case 'missing':
      return `VRF ${failure.vrf} does not exist, and one that RouteAdvertisements name is never created`;
    case 'other-device':
      return otherDeviceSentence(failure);
    case 'other-table':
      return `VRF ${failure.vrf} exists with table ${failure.table ?? 'unknown'} and needs table ${failure.expected}, which cannot be changed in place`;
    case 'table-taken':
      return `VRF ${failure.other} of somebody else's has table ${failure.table}, which VRF ${failure.vrf} needs`;
    case 'occupied':
      return `VRF ${failure.vrf} has to be made again with table ${failure.expected}, and ${failure.occupant} by somebody else's hand`;
    case 'other-master':
      return otherMasterSentence(failure);
    case 'cuts-node-off':
      return `${failure.device} is not moved into VRF ${failure.vrf}, as that would cut the node off: ${lossText(failure.by)}`;
    case 'takes-up':
      return `moving ${failure.device} would take up ${failure.stacked} on it, which is administratively down`;
    case 'cannot-be-put-back':
      return `moving ${failure.device} would lose ${failure.thing}, ${irreplaceableText(failure.by)}`;
    case 'in-the-way':
      return `somebody else's ${failure.found} stands where ${failure.wanted} has to be`;
  }
}

/**
 * The list as it is published: by name, at most 256. With more, the last entry sums up those that have no room: it is ready if all of them
 * are, and else bears the first of their reasons.
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
 * What a list says of a network: its own entry, or the one that speaks for the rest. The latter is about names behind all that are listed;
 * a network that would have had room and is not there was not reported yet.
 */
export function entryFor(entries: readonly NetworkEntry[] | undefined, network: string): NetworkEntry | undefined {
  if (entries === undefined) return undefined;
  const own = entries.find(({ name }) => name === network);
  if (own !== undefined) return own;
  const rest = entries.find(({ name }) => name === OVERFLOW_ENTRY);
  return rest !== undefined && entries.every((entry) => entry === rest || entry.name < network) ? rest : undefined;
}
