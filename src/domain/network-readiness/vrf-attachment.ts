import type { NodeView } from '../snapshot/node-view.ts';
import { byName } from '../basics/names/ordering.ts';
import { isOwnVrf } from '../entities/kernel/vrf.ts';
import { isVrfName } from '../network/names/vrf.ts';
import { isManagementPortName } from '../network/names/management-port.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { VrfFailure } from '../routing-domain/vrf-failure.ts';
import type { NetworkCheckInput } from './network-check.ts';
import { occupants } from './occupants.ts';

const reason = 'UplinkVRFAttachmentFailed';

type OtherDevice = Extract<VrfFailure, { readonly cause: 'other-device' }>;

/** The VRF of a network, and the node. */
type VrfCheckInput = Pick<NetworkCheckInput, 'vrf' | 'node'>;

/** A VRF's table cannot be changed in place: an unmanaged one with another table conflicts, a managed one is recreated. */
function tableFailure(vrf: Link, expected: number, { node }: VrfCheckInput): VrfFailure | undefined {
  if (vrf.vrfTable === expected) return undefined;
  if (!isOwnVrf(vrf, node.snapshot.ledger)) {
    return { reason, cause: 'other-table', vrf: vrf.name, table: vrf.vrfTable, expected };
  }
  const [occupant] = occupants(vrf, node.snapshot);
  return occupant === undefined ? undefined : { reason, cause: 'occupied', vrf: vrf.name, occupant, expected };
}

/** An unmanaged VRF with the required table: what is in it would be another tenant's. Two managed VRFs never have the same table. */
function tableTaken(vrf: string, table: number, { node }: VrfCheckInput): VrfFailure | undefined {
  const [other] = node
    .vrfsOf(table)
    .filter((link) => link.name !== vrf && !isOwnVrf(link, node.snapshot.ledger))
    .map(({ name }) => name)
    .sort(byName);
  return other === undefined ? undefined : { reason, cause: 'table-taken', vrf, table, other };
}

/** A device with the name of a VRF that is not a VRF: no two devices share a name, not even an alternative one. */
function otherDevice(vrf: string, node: NodeView): Pick<OtherDevice, 'kind' | 'alternativeNameOf'> | undefined {
  const [device, also] = [node.link(vrf), node.linkAlsoNamed(vrf)];
  if (device !== undefined) return device.kind === 'vrf' ? undefined : kindOf(device);
  return also && { ...kindOf(also), alternativeNameOf: also.name };
}

function kindOf({ kind }: Link): Pick<OtherDevice, 'kind'> {
  return kind === undefined ? {} : { kind };
}

/**
 * The required VRF is possible: the network's own one, which it has in the default domain too, can be created or is right already; another one
 * exists, since such VRFs are never created.
 */
export function vrfAttachment(input: VrfCheckInput): VrfFailure | undefined {
  const { vrf: decided, node } = input;
  if (decided.name === undefined) return undefined;
  const { name: vrf, own, unusable } = decided;
  // A VRF of such a name would keep the port from being created.
  const isPort = own && isManagementPortName(vrf);
  if (isPort || !isVrfName(vrf)) return { reason, cause: 'name-refused', vrf };
  const other = otherDevice(vrf, node);
  if (other !== undefined) return { reason, cause: 'other-device', wanted: own ? 'own' : 'named', vrf, ...other };
  // A managed one is removed with the network that it was created for.
  if (unusable === 'no-such-vrf' || unusable === 'made-for-another') return { reason, cause: 'missing', vrf };
  if (!own || unusable !== undefined) return undefined;
  const device = node.link(vrf);
  return tableTaken(vrf, decided.table, input) ?? (device && tableFailure(device, decided.table, input));
}
