import { ownVrfTable } from '../dataplane/vrf.ts';
import { byName } from '../ordering.ts';
import { isOurs } from '../ownership/is-ours.ts';
import { isVrfName } from '../routing-domain/vrf-name.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { NetworkCheck, NetworkCheckInput, NetworkFailure } from './network-check.ts';

const reason = 'UplinkVRFAttachmentFailed';

/** A VRF's table cannot be changed in place: one of somebody else's with another table stands in the way, one of ours is made again. */
function tableFailure(vrf: Link, { networkId, node }: NetworkCheckInput): NetworkFailure | undefined {
  const expected = networkId === undefined ? undefined : ownVrfTable({ networkId, node });
  if (expected === undefined || vrf.vrfTable === expected) return undefined;
  const { ledger, links } = node.snapshot;
  if (!isOurs({ kind: 'link', link: vrf }, ledger)) {
    return { reason, cause: 'other-table', vrf: vrf.name, table: vrf.vrfTable, expected };
  }
  const [occupant] = links
    .filter(({ name, master }) => master === vrf.name && !isOurs({ kind: 'membership', device: name, master }, ledger))
    .map(({ name }) => name)
    .sort(byName);
  return occupant === undefined ? undefined : { reason, cause: 'occupied', vrf: vrf.name, device: occupant, expected };
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
  if (domain.kind !== 'other-vrf') return tableFailure(device, input);
  // One of ours goes with the network that it was made for.
  return isOurs({ kind: 'link', link: device }, node.snapshot.ledger) ? { reason, cause: 'missing', vrf } : undefined;
};
