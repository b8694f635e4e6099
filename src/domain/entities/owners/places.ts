import type { NetworkPart } from '../../network/part.ts';

/** Names of the places on a node where a network has entities. */
export interface Places {
  readonly vrfs: readonly string[];
  /** Tables of these VRFs. */
  readonly tables: readonly number[];
  /** Devices with entities on them. */
  readonly devices: readonly string[];
  readonly bridges: readonly string[];
  /** Patch ports on these bridges, as flows name them. */
  readonly patchPorts: readonly string[];
}

/** The places of a part of a network. */
export interface OwnerPlaces extends Places {
  /** Name in OVN, as nodes have it. */
  readonly networkName: string;
  readonly part: NetworkPart;
}

/** No places. */
export const nowhere: Places = { vrfs: [], tables: [], devices: [], bridges: [], patchPorts: [] };
