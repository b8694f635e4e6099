/** Neighbour entries of gateways, which networks on one uplink share. */
import { wantedManagedNeighbours } from '../../dataplane/neighbours.ts';
import type { NeighbourEntity } from '../../entities/kernel/neighbour.ts';
import { interned } from '../../basics/incremental/interned.ts';
import { lastByReadPartsOfPair } from '../../snapshot/read-parts.ts';
import type { NodeInput } from '../node-input.ts';
import type { UplinkOnNode } from '../node-plan.ts';

/** Equal lists of neighbours as one object: everything else about a network is cached as long as it is given the same one. */
const sameNeighbours = interned<readonly NeighbourEntity[]>();

const noNeighbours: readonly NeighbourEntity[] = [];

/** The last ones of each uplink, by the families of networks. */
const lastNeighbours = lastByReadPartsOfPair<readonly NeighbourEntity[]>();

/** Entries by which the kernel keeps the gateways of an uplink resolved, for networks of some families. */
export function gatewayNeighboursOf(
  { node: present, settings }: NodeInput,
  uplink: UplinkOnNode | undefined,
  families: readonly (4 | 6)[],
): readonly NeighbourEntity[] {
  if (!settings.ovn || uplink === undefined) return noNeighbours;
  const { hostInterfaceName: device, facts: { bridge, macAddress, vlan, defaultGateways = [] } = {} } = uplink;
  if (device === undefined || bridge === undefined || macAddress === undefined) return noNeighbours;
  return lastNeighbours([uplink, families.join()], [], present, (node) => {
    const input = { defaultGateways, families, device, bridge, node };
    const end = { macAddress, ...(vlan !== undefined && { vlan }) };
    return sameNeighbours(wantedManagedNeighbours(input, end));
  });
}
