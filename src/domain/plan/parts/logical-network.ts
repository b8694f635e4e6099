/**
 * The logical network: the rows of OVN's Northbound database that connect the pods of a network on the node with each other and with those on other nodes
 * (docs/design/networks.md, "Zones").
 */
import { addressesOnNode } from '../../dataplane/logical-network/node-addresses.ts';
import type { LogicalNetworkFailure } from '../../dataplane/logical-network/logical-network-failure.ts';
import {
  peerRows,
  type AddressedNetwork,
  logicalNetworkRows,
} from '../../dataplane/logical-network/logical-network-rows.ts';
import { unservedRows } from '../../dataplane/logical-network/unserved-rows.ts';
import { lazyByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import type { Entity } from '../../entities/entity-kinds.ts';
import { newRowEntity, northboundRow } from '../../entities/ovn/northbound-row.ts';
import { podSubnetsIn } from '../../selection/node-network.ts';
import type { NetworkReadyReason } from '../../status/provision-reasons.ts';
import type { PeerNode } from '../view/peer-nodes.ts';
import type { PartOfNetwork } from './part.ts';

/** The rows of a network are computed once, and once for each peer: another node costs the rows for that node. */
const rowsOf = lazyByObject((addressed: AddressedNetwork) => {
  const { network } = addressed;
  const own = logicalNetworkRows(addressed).map(newRowEntity);
  const rowsFor = peerRows(addressed);
  const forPeer = lazyByObject((peer: PeerNode): readonly Entity[] => {
    const allocatedSubnets = podSubnetsIn(peer.subnets, network.networkName);
    const there = addressesOnNode(network, { ...peer, allocatedSubnets });
    if ('exhausted' in there) return [];
    return rowsFor({ node: peer, chassis: peer.chassis, addresses: there }).map(newRowEntity);
  });
  return (peers: readonly PeerNode[]) => [own, ...peers.map(forPeer)];
});

/** Likewise the rows for what no Service of the network has. */
const unserved = lazyByObjects((addressed: AddressedNetwork, serviceSubnets: readonly string[]): readonly Entity[] =>
  unservedRows(addressed, serviceSubnets).map(newRowEntity),
);

/** Reasons of networks that the node has no logical network of. */
export const logicalNetworkCauses = {
  unsupported: 'NetworkUnsupported',
  'no-network-id': 'NetworkNotAllocated',
  'no-node-id': 'NetworkNotAllocated',
  'not-reported': 'NetworkPending',
  'subnets-overlap': 'SubnetsOverlap',
  exhausted: 'SubnetsExhausted',
  'equal-names': 'EntityNamesEqual',
  'equal-vrfs': 'EntityNamesEqual',
} as const satisfies Partial<Record<LogicalNetworkFailure['cause'], NetworkReadyReason>>;

export const logicalNetwork: PartOfNetwork = {
  plan: ({ addressed, serviceSubnets, peers }) => [...rowsOf(addressed)(peers), unserved(addressed, serviceSubnets)],
  reasons: { [northboundRow.kind]: 'LogicalNetworkFailed' },
};
