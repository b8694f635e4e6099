/** The managed flows and rows of OVN once a plan is applied. */
import { LEARNED_FLOW_COOKIE } from '../../basics/conventions.ts';
import type { Entity } from '../../entities/entity-kinds.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { by, byName } from '../../basics/names/ordering.ts';
import { nameOfNetwork } from '../../network/key.ts';
import { networksOfOwners } from '../../plan/node-dataplane.ts';
import type { NodePlan } from '../../plan/node-plan.ts';
import type { BridgeFlow } from '../../snapshot/datapath.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';

/** A managed flow, with the networks that need it and its reason. */
export interface PlannedFlow {
  readonly flow: BridgeFlow;
  /** Names of the ClusterUserDefinedNetworks that need it; empty if it stays although none does. */
  readonly networks: readonly string[];
  readonly why: string;
}

type FlowPlace = Pick<BridgeFlow, 'table' | 'priority' | 'match'>;

interface KeptEntity {
  readonly entity: Entity;
  readonly networks: readonly string[];
}

/** Desired entities, and those that stay. */
function keptBy({ dataplane: { desired, stays, programmed } }: NodePlan): readonly KeptEntity[] {
  return [
    ...desired.map(({ entity, owners }) => ({
      entity,
      networks: networksOfOwners(owners, programmed).networks.map(nameOfNetwork),
    })),
    ...stays.map(({ entity }) => ({ entity, networks: [] })),
  ];
}

function reasonOf(flow: BridgeFlow, why: string | undefined): string {
  return why ?? (flow.cookie === LEARNED_FLOW_COOKIE ? 'learned' : 'stays for a network that is held');
}

/** The order of tables, priorities (highest first) and matches. */
export function inFlowOrder(left: FlowPlace, right: FlowPlace): number {
  return left.table - right.table || right.priority - left.priority || byName(left.match, right.match);
}

/** The managed flows by bridge, in the order of tables, priorities (highest first) and matches. */
export function plannedFlows(plan: NodePlan): ReadonlyMap<string, readonly PlannedFlow[]> {
  const flows = keptBy(plan).flatMap(({ entity, networks }): readonly PlannedFlow[] =>
    entity.kind === 'flow' ? [{ flow: entity.flow, networks, why: reasonOf(entity.flow, entity.why) }] : [],
  );
  const byBridge = groupBy(flows, ({ flow }) => flow.bridge);
  return new Map(
    [...byBridge]
      .sort(by(([bridge]) => bridge))
      .map(([bridge, all]) => [bridge, all.toSorted((left, right) => inFlowOrder(left.flow, right.flow))]),
  );
}

/** The managed rows in the Northbound database, by table and name. */
export function plannedRows(plan: NodePlan): readonly NorthboundRow[] {
  const kept = keptBy(plan);
  const open = new Set(kept.flatMap(({ entity }) => (entity.kind === 'open-router-port' ? [entity.routerPort] : [])));
  return kept
    .flatMap(({ entity }) => (entity.kind === 'northbound-row' ? [entity.row] : []))
    .map((row) =>
      row.table === 'Logical_Router_Port' && open.has(row.name)
        ? { ...row, columns: { ...row.columns, enabled: true } }
        : row,
    )
    .sort(by(({ table, name }) => `${table} ${name}`));
}
