/** Which networks are held on a node, and in which part: what they have there stays although it is not desired. */
import type { Network } from '../../network/network.ts';
import { nowhere, type OwnerPlaces } from '../../entities/owners/places.ts';
import { managementPortName } from '../../network/names/management-port.ts';
import type { NodeInput } from '../node-input.ts';
import { providedIn } from '../view/provided-networks.ts';
import { vrfOfNetwork } from '../../network/names/vrf.ts';
import { type PlannedNetwork } from '../parts/part.ts';
import type { HeldNetwork } from './held-network.ts';

/** The parts of networks that are held on a node. */
export interface HeldNetworks {
  /** Networks whose uplinks are held, with their places. */
  readonly onUplinks: readonly HeldNetwork[];
  /** Names in OVN of the networks that are held apart from their uplinks. */
  readonly networks: ReadonlySet<string>;
  /** Places of these, as far as they are known without the node. */
  readonly places: readonly OwnerPlaces[];
}

/** Whether it is not known on which nodes networks are, since an object that decides that cannot be read. */
function isActivityUnknown({ view, settings }: NodeInput): boolean {
  const kinds = ['pods', 'namespaces', 'networkAttachmentDefinitions'] as const;
  return settings.dynamicNetworks && kinds.some((kind) => view.unreadable(kind).size > 0);
}

/**
 * Names in OVN of the networks of which everything that they have on the node stays, whether it is desired or not: they are not programmed now, cannot be
 * read, their uplinks are held, or the nodes that they are on are not known.
 *
 * @param heldNetworks those whose uplinks are held
 */
function heldLogicalNetworks(
  provided: readonly PlannedNetwork[],
  heldNetworks: ReadonlySet<string>,
  input: NodeInput,
): ReadonlySet<string> {
  const { view } = input;
  const isAnyNodeUnreadable = view.unreadable('nodes').size > 0;
  const known = new Set(provided.map(({ onNode }) => onNode.networkName));
  return new Set([
    ...view.unreadableNetworks,
    ...(isActivityUnknown(input) ? providedIn(view.snapshot, view.settings).map(({ networkName }) => networkName) : []),
    ...[...heldNetworks].filter((networkName) => !known.has(networkName)),
    ...provided
      .filter(({ onNode }) => onNode.failure !== undefined || isAnyNodeUnreadable)
      .map(({ onNode }) => onNode.networkName),
  ]);
}

/** Where a network has entities on the host by its id, also where nothing there says any more that they are its. */
function placesByNumber(network: Network, { view }: NodeInput): readonly OwnerPlaces[] {
  const { networkName } = network;
  const networkId = view.networkId(network);
  if (networkId === undefined) return [];
  const { name, table } = vrfOfNetwork(network, networkId);
  const devices = [managementPortName(networkId)];
  return [{ ...nowhere, networkName, part: 'network', vrfs: [name], tables: [table], devices }];
}

/**
 * The parts of networks that are held on a node, with their places.
 *
 * @param onUplinks those whose uplinks are held
 */
export function heldNetworks(
  provided: readonly PlannedNetwork[],
  onUplinks: readonly HeldNetwork[],
  input: NodeInput,
): HeldNetworks {
  const { view } = input;
  const held = heldLogicalNetworks(provided, new Set(onUplinks.map(({ networkName }) => networkName)), input);
  const heldOnes = providedIn(view.snapshot, view.settings).filter(({ networkName }) => held.has(networkName));
  return { onUplinks, networks: held, places: heldOnes.flatMap((network) => placesByNumber(network, input)) };
}
