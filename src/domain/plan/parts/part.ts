/**
 * A part of what a network needs on a node, such as its management port or its gateway router. A feature is a part: one file in this folder, and one line in the
 * table of parts (parts.ts).
 */
import type { DataplaneInput } from '../../dataplane/dataplane-input.ts';
import type { NetworkDataplane } from '../../dataplane/network-dataplane.ts';
import type { Owner } from '../../dataplane/owner.ts';
import type { NetworkKey } from '../../network/key.ts';
import type { LogicalNetworkFailure } from '../../dataplane/logical-network/logical-network-failure.ts';
import type { EgressFailure } from '../../dataplane/egress/egress-failure.ts';
import type { AddressedNetwork } from '../../dataplane/logical-network/logical-network-rows.ts';
import type { Entity, EntityKindName } from '../../entities/entity-kinds.ts';
import type { UplinkFailureReason } from '../../network-readiness/network-check.ts';
import type { NodeView } from '../../snapshot/node-view.ts';
import type { EgressSetting, NodeSettings } from '../../snapshot/settings.ts';
import type { NetworkReadyReason } from '../../status/provision-reasons.ts';
import type { EgressOnNode } from '../../dataplane/egress/egress-on-node.ts';
import type { PeerNode } from '../view/peer-nodes.ts';
import type { ClusterView } from '../view/cluster-view.ts';

/** A desired entity and its owners: it is removed with the last of them. */
export interface DesiredEntity {
  readonly entity: Entity;
  readonly owners: readonly Owner[];
}

/** A network that ovn-uplinks provides, on a node. */
export interface ProvidedNetwork {
  /** The network and its addresses on the node: the same object as long as they are equal. */
  readonly addressed: AddressedNetwork;
  /** In bytes. */
  readonly mtu: number;
  /** Its VRF. */
  readonly vrf: { readonly name: string; readonly table: number };
  /** How it leaves by the node; absent where it does not. */
  readonly egress?: EgressOnNode;
  /** Subnets of the cluster's Services, CIDR. */
  readonly serviceSubnets: readonly string[];
  /** The other nodes that it is on, as far as they can be reached. */
  readonly peers: readonly PeerNode[];
  /** The node, as it will be once what awaits that is restored. */
  readonly host: NodeView;
}

/** A network that ovn-uplinks provides on the node, apart from its uplink. */
export interface LogicalNetworkOnNode {
  /** Its key: its object, as `Kind/name` or `Kind/namespace/name`. */
  readonly object: NetworkKey;
  /** Its name in OVN. */
  readonly networkName: string;
  /** Absent until it is claimed. */
  readonly networkId?: number;
  /** Subnets of its pods on the node, CIDR; empty where it has none. */
  readonly podSubnets: readonly string[];
  /** Why it is not programmed; absent where it is. */
  readonly failure?: LogicalNetworkFailure;
  /** The way out that the setting `--egress` gives it; absent where it has none, or names its Uplink itself. */
  readonly exit?: Exclude<EgressSetting, 'none'>;
  /** Why it does not get out by the node; absent where it does. */
  readonly egressFailure?: EgressFailure;
}

/** A network that ovn-uplinks provides, with the entities that it needs on a node. */
export interface PlannedNetwork {
  readonly onNode: LogicalNetworkOnNode;
  /** Names of the other nodes that it is on. */
  readonly others: readonly string[];
  /** In bytes. */
  readonly mtu: number;
  /** How it leaves by the node; absent where it does not. */
  readonly egress?: EgressOnNode;
  /** The lists of entities of its parts; empty if it is not programmed. */
  readonly needs: readonly (readonly Entity[])[];
}

/** A node and its cluster. */
export interface PartInput {
  readonly view: ClusterView;
  readonly node: NodeView;
  readonly settings: NodeSettings;
}

/** A node and its cluster, once it is decided which networks are programmed on their uplinks. */
export interface SettledInput extends PartInput {
  /** The interfaces that are in VRFs for them. */
  readonly enslaved: ReadonlySet<string>;
}

/** The common properties of parts. */
interface AnyPart<Reason> {
  /** The reason of a network if an entity of the part cannot be programmed, by kind. Parts of one owner name different kinds; others have the reason of the table. */
  readonly reasons: Readonly<Partial<Record<EntityKindName, Reason>>>;
}

/** A part of networks that ovn-uplinks provides. */
export interface PartOfNetwork extends AnyPart<NetworkReadyReason> {
  /** Why nothing can be planned for a network; undefined if it can. Absent: it always can. */
  obstacle?(this: void, network: ProvidedNetwork): LogicalNetworkFailure | undefined;
  /** The entities that a network needs, in lists: each is the same as long as what is in it is the same. Absent: networks need them together. */
  plan?(this: void, network: ProvidedNetwork): readonly (readonly Entity[])[];
  /**
   * The entities that networks need together.
   *
   * @param networks those that are programmed
   * @param isHeld whether a managed entity stays that is not desired
   */
  shared?(
    this: void,
    networks: readonly PlannedNetwork[],
    input: SettledInput,
    isHeld: (entity: Entity) => boolean,
  ): readonly DesiredEntity[];
}

/** A part of networks on an uplink, also of those that another program provides. */
export interface PartOfUplink extends AnyPart<UplinkFailureReason> {
  /** The entities that a network needs; empty if the part does not apply to it. Absent: networks need them together. */
  plan?(this: void, network: DataplaneInput): readonly Entity[];
  /**
   * The entities that networks need together.
   *
   * @param networks those that are programmed
   */
  shared?(this: void, networks: readonly NetworkDataplane[], input: PartInput): readonly DesiredEntity[];
}

/** The parts that networks are made of, by the owner of their entities: each of the two is held, and fails, for itself. */
export interface Parts {
  readonly network: readonly PartOfNetwork[];
  readonly uplink: readonly PartOfUplink[];
}
