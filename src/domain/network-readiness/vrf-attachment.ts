import { VRF_ALIAS_PREFIX, VRF_TABLE_OFFSET } from '../conventions.ts';
import { isVrfName, managementPortName } from '../routing-domain/vrf-name.ts';
import { networkNameOf } from '../selection/network.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { NetworkCheck, NetworkCheckInput, NetworkFailure } from './network-check.ts';

const reason = 'UplinkVRFAttachmentFailed';

/** A VRF's table cannot be changed in place: one of somebody else's with another table stands in the way, one of ours is made again. */
function tableFailure(vrf: Link, { network, networkId, node }: NetworkCheckInput): NetworkFailure | undefined {
  const managementPort = networkId === undefined ? undefined : node.link(managementPortName(networkId));
  const index = managementPort?.index;
  if (index === undefined || vrf.alias === VRF_ALIAS_PREFIX + networkNameOf(network)) return undefined;
  const expected = index + VRF_TABLE_OFFSET;
  if (vrf.vrfTable === expected) return undefined;
  return { reason, cause: 'other-table', vrf: vrf.name, table: vrf.vrfTable, expected };
}

/**
 * The VRF that the network needs can be there: its own one, which it has in the default domain too, can be made or is right already; one
 * of somebody else's exists, since that is never made here.
 */
export const vrfAttachment: NetworkCheck = (input) => {
  const { domain, ownVrf, node } = input;
  const vrf = domain.kind === 'other-vrf' ? domain.vrf : ownVrf;
  if (vrf === undefined || domain.kind === 'contradiction') return undefined;
  if (!isVrfName(vrf)) return { reason, cause: 'name-refused', vrf };
  const device = node.link(vrf);
  if (device === undefined) return domain.kind === 'other-vrf' ? { reason, cause: 'missing', vrf } : undefined;
  if (device.kind !== 'vrf') {
    const wanted = domain.kind === 'other-vrf' ? 'named' : 'own';
    return { reason, cause: 'other-device', wanted, vrf, ...(device.kind !== undefined && { kind: device.kind }) };
  }
  return domain.kind === 'other-vrf' ? undefined : tableFailure(device, input);
};
