import { isInterfaceName, isTakenForNumber } from '../../basics/names/interface-name.ts';
import type { VrfFailure } from '../../routing-domain/vrf-failure.ts';
import { isManagementPortName } from '../../network/names/management-port.ts';
import { takenForNumberSentence } from '../ready.ts';

function deviceKind(kind: string | undefined): string {
  if (kind === undefined) return 'not a VRF';
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function nameSentence(vrf: string): string {
  if (isManagementPortName(vrf)) return `VRF name ${vrf} is reserved for a management port of OVN-Kubernetes`;
  return isInterfaceName(vrf) && isTakenForNumber(vrf)
    ? takenForNumberSentence(`VRF ${vrf}`)
    : `the kernel refuses a VRF device named ${JSON.stringify(vrf)}`;
}

function otherDeviceSentence(failure: Extract<VrfFailure, { cause: 'other-device' }>): string {
  const { wanted, vrf, kind, alternativeNameOf } = failure;
  if (alternativeNameOf !== undefined) {
    return wanted === 'own'
      ? `VRF ${vrf} cannot be created: ${vrf} is an alternative name of device ${alternativeNameOf}`
      : `RouteAdvertisements name VRF ${vrf}, but ${vrf} is an alternative name of device ${alternativeNameOf}`;
  }
  return wanted === 'own'
    ? `VRF ${vrf} cannot be created: device ${vrf} exists and is ${deviceKind(kind)}`
    : `RouteAdvertisements name VRF ${vrf}, but device ${vrf} is ${deviceKind(kind)}`;
}

/** Why the VRF of a network is not possible, or does not exist. */
export function vrfSentence(failure: VrfFailure): string {
  switch (failure.cause) {
    case 'name-refused':
      return nameSentence(failure.vrf);
    case 'missing':
      return `VRF ${failure.vrf}, which RouteAdvertisements name, does not exist; ovn-uplinks does not create it`;
    case 'other-device':
      return otherDeviceSentence(failure);
    case 'other-table':
      return `VRF ${failure.vrf} has table ${failure.table ?? 'unknown'}, expected ${failure.expected}; it is not managed by ovn-uplinks, and the table of a VRF cannot be changed`;
    case 'table-taken':
      return `VRF ${failure.other}, which is not managed by ovn-uplinks, has table ${failure.table}, which VRF ${failure.vrf} needs`;
    case 'occupied':
      return `VRF ${failure.vrf} must be recreated with table ${failure.expected}, but ${failure.occupant} and is not managed by ovn-uplinks`;
  }
}
