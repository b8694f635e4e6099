/**
 * The engine of ovn-uplinks: pure functions of snapshots that return plans, operations and status.
 *
 * @packageDocumentation
 */
export type { ClusterUserDefinedNetwork } from './api/cluster-user-defined-network.ts';
export type { Condition } from './api/condition.ts';
export { type Conformance, conformanceTo, type Finding } from './api/conformance.ts';
export type { FrrConfiguration } from './api/frr-configuration.ts';
export { apiVersionOf, type Kind } from './api/kind.ts';
export { type KindKey, kinds, type ObjectOf } from './api/kinds.ts';
export type { Namespace } from './api/namespace.ts';
export type { NetworkAttachmentDefinition } from './api/network-attachment-definition.ts';
export type { Node } from './api/node.ts';
export type { Pod } from './api/pod.ts';
export type { RouteAdvertisements } from './api/route-advertisements.ts';
export type { NodeConfig, Uplink } from './api/uplink.ts';
export type { NetworkEntry, UplinkState } from './api/uplink-state.ts';
// By its former name too, as below.
export type { HeldNetwork, HeldNetwork as KeptNetwork } from './plan/retained/held-network.ts';
export type { NetworkDataplane } from './dataplane/network-dataplane.ts';
export { diffNode } from './diff/diff-node.ts';
export { recover, type Recovery } from './diff/recover.ts';
export type { DiscoveryFailure, UplinkFacts } from './discovery/discovery.ts';
export type { NetworkFailure, UplinkUnusable } from './network-readiness/network-check.ts';
export type { Command } from './entities/command.ts';
export type { Disruption, EntityKind } from './entities/entity-kind.ts';
export type { Entity } from './entities/entity-kinds.ts';
export { nameOfNetwork, type NetworkKey } from './network/key.ts';
export type { NetworkPart, PartKey } from './network/part.ts';
export { type EntityOperation, type Operation, partsOf, type PutBack } from './entities/operations/operation.ts';
// By their former names too, which programs have that embed the engine.
export type { OperationSemantics, OperationSemantics as OperationMeaning } from './entities/operations/semantics.ts';
export { semanticsOf, semanticsOf as meaningOf } from './entities/operations/operation-semantics.ts';
export type { Ledger, LedgerEntry } from './snapshot/ledger.ts';
export { emptyLedger } from './snapshot/ledger.ts';
export type { Owner } from './dataplane/owner.ts';
export type { NodeDataplane } from './plan/node-dataplane.ts';
export type { DesiredEntity } from './plan/parts/part.ts';
export type { NetworkOnNode, NodePlan, NotCarried, UplinkOnNode } from './plan/node-plan.ts';
export type {
  RetainedEntity,
  RetainedEntity as StayingEntity,
  RetainReason,
  RetainReason as StayReason,
} from './plan/retained/retained-entities.ts';
export { nodeStatus, type InProgress } from './plan/node-status.ts';
export type { OperationFailure } from './plan/operation-failure.ts';
export type { ClusterPlan, NetworkPlan, UplinkPlan } from './plan/cluster/cluster-plan.ts';
export { planCluster } from './plan/cluster/plan-cluster.ts';
export { planNode } from './plan/plan-node.ts';
export type { PlannedOperation } from './explanation/preview/planned-operation.ts';
export { type Preview, preview } from './explanation/preview/preview.ts';
export type { Warning } from './plan/view/warning.ts';
export type { Conflict } from './routing-domain/conflict.ts';
export type { RoutingDomain, RoutingDomainDecision } from './routing-domain/routing-domain.ts';
export { type ClusterSnapshot, emptyCluster, type UnreadableObject } from './snapshot/cluster-snapshot.ts';
export type {
  Address,
  Bridge,
  DevlinkPort,
  Link,
  Neighbour,
  NeighbourProxy,
  NextHop,
  NextHopObject,
  NodeSnapshot,
  Route,
  Rule,
  SwitchInterface,
  SwitchPort,
  Table,
} from './snapshot/node-snapshot.ts';
export { type ClusterSettings, defaultSettings, type GatewayMode, type NodeSettings } from './snapshot/settings.ts';
export { disruptionText, operationText } from './status/operation-text.ts';
export {
  degradedReasons,
  networkReasons,
  type ReasonText,
  readyReasons,
  uplinksReadyReasons,
} from './status/reasons.ts';
export type { UplinkStateObject } from './status/uplink-state-object.ts';
export type { Hop, PacketOrigin, Trace, TraceVerdict } from './explanation/trace/hop.ts';
export type { TracedPacket } from './explanation/trace/packet.ts';
export { type PacketReading, parsePacket } from './explanation/trace/packet-text/parse-packet.ts';
export { trace, type TraceOutcome, type TraceQuestion } from './explanation/trace/trace.ts';
