import type { ClaimKind } from './id-claim.ts';

/** Ids of one kind. */
interface IdRange {
  readonly first: number;
  readonly last: number;
  /** Ids in between that are never allocated. */
  readonly reserved: ReadonlySet<number>;
  /** Ids in between that are not allocated any more, and can be used where they are. */
  readonly withheld: ReadonlySet<number>;
}

/**
 * The ids of networks and nodes (docs/design/networks.md, "Ids").
 *
 * Networks: Geneve keys of transit switches of 4,095 networks are consecutive (OVN-Kubernetes, BaseTransitSwitchTunnelKey). The management port of
 * network 2560 would have the masquerade address 169.254.20.10, by which pods usually reach NodeLocal DNSCache, and that of 3200 has 169.254.25.10, which
 * kubespray gives to it (nodelocaldns_ip).
 *
 * Nodes: the id of a node is also the tunnel key of its port on transit switches, which ends at 32,767 (ovn-architecture(7), "Tunnel Encapsulations"),
 * and the offset of its addresses in join and transit subnets, where 0 is the subnet itself and 1 the cluster router.
 */
export const idRanges: Readonly<Record<ClaimKind, IdRange>> = {
  network: { first: 1, last: 4095, reserved: new Set([2560]), withheld: new Set([3200]) },
  node: { first: 2, last: 32_767, reserved: new Set(), withheld: new Set() },
};

/** Whether an id may be used, whichever program allocated it. */
export function isId(kind: ClaimKind, id: number): boolean {
  const { first, last, reserved } = idRanges[kind];
  return Number.isInteger(id) && id >= first && id <= last && !reserved.has(id);
}
