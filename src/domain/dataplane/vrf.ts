import { VRF_TABLE_OFFSET } from '../conventions.ts';
import { managementPortName } from '../routing-domain/vrf-name.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { DataplaneInput } from './dataplane-input.ts';

/** The VRF whose table a network's packets look up. */
export interface WantedVrf {
  readonly name: string;
  readonly table: number;
  /** Whether it is the network's own, which is made where it is not there; one that RouteAdvertisements name is somebody else's. */
  readonly own: boolean;
}

/** The management port of a network, which OVN-Kubernetes makes; a VRF that somebody gave the name is none. */
export function managementPort({ networkId, node }: Pick<DataplaneInput, 'networkId' | 'node'>): Link | undefined {
  const link = node.link(managementPortName(networkId));
  return link?.kind === 'vrf' ? undefined : link;
}

/** The table of a network's own VRF, by the kernel's number of its management port; absent while that is not there. */
export function ownVrfTable(input: Pick<DataplaneInput, 'networkId' | 'node'>): number | undefined {
  const index = managementPort(input)?.index;
  return index === undefined ? undefined : index + VRF_TABLE_OFFSET;
}

/** The VRF of a network in its routing domain: also in the default domain it has its own, for its services. Absent while the table cannot be told. */
export function wantedVrf(input: DataplaneInput): WantedVrf | undefined {
  const { domain, ownVrf, node } = input;
  if (domain.kind === 'contradiction') return undefined;
  if (domain.kind === 'other-vrf') {
    const table = node.link(domain.vrf)?.vrfTable;
    return table === undefined ? undefined : { name: domain.vrf, table, own: false };
  }
  const table = ownVrfTable(input);
  return table === undefined ? undefined : { name: ownVrf, table, own: true };
}
