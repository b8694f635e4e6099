/**
 * Faults in how networks leave by the node: in the filter, in what their routers do in OVN, and in the change from one way out to another.
 */
import { MAIN_TABLE } from '../../domain/basics/conventions.ts';
import type { NorthboundTable } from '../../domain/datapath/northbound/tables.ts';
import { isOwnRule } from '../../domain/entities/kernel/rule.ts';
import { isOn } from '../../domain/entities/operations/operation-semantics.ts';
import type { Operation } from '../../domain/index.ts';
import { type Engine, engine } from '../engine.ts';
import { defaultFamilyOf } from '../laws/egress/cluster-router.ts';
import { type SeededFault, without, withOperations } from './faulty-engine.ts';
import { is, isRowRemoval } from './operations-by-kind.ts';

/** An engine whose filter lacks some elements. */
const filterWithout = (isMissing: (set: string, element: string) => boolean): Engine =>
  withOperations((operations) =>
    operations.map((operation) => {
      if (!isOn(operation, 'filter-table') || operation.verb === 'remove') return operation;
      const { table } = operation.entity;
      const sets = Object.entries(table.sets).map(
        ([set, elements]) => [set, elements.filter((element) => !isMissing(set, element))] as const,
      );
      return { ...operation, entity: { ...operation.entity, table: { ...table, sets: Object.fromEntries(sets) } } };
    }),
  );

/** An engine whose filter has its chains at one hook in another place. */
function filterAt(hook: string, prio: number): Engine {
  const { egressFilter } = engine;
  const chains = egressFilter.chains.map((chain) =>
    chain.base.hook === hook && chain.base.type === 'filter' ? { ...chain, base: { ...chain.base, prio } } : chain,
  );
  return { ...engine, egressFilter: { ...egressFilter, chains } };
}

/** An engine whose filter has no rules of a kind. */
function filterWithoutRules(what: string): Engine {
  const { egressFilter } = engine;
  const chains = egressFilter.chains.map((chain) => ({
    ...chain,
    rules: chain.rules.filter(({ comment }) => !comment.startsWith(`${what} (`)),
  }));
  return { ...engine, egressFilter: { ...egressFilter, chains } };
}

const filterFaults: readonly SeededFault[] = [
  {
    law: 'filtered',
    fault: 'Rules that let networks out come before the filter',
    engine: withOperations((operations) => {
      const isRule = is('add', 'rule');
      return [...operations.filter(isRule), ...operations.filter((operation) => !isRule(operation))];
    }),
  },
  {
    law: 'filtered',
    fault: 'The filter is removed before the rules',
    engine: withOperations((operations) => {
      const isFilter = (operation: Operation) => isOn(operation, 'filter-table');
      return [...operations.filter(isFilter), ...operations.filter((operation) => !isFilter(operation))];
    }),
  },
  {
    law: 'filtered',
    fault: 'The filter does not know by which devices networks come',
    engine: filterWithout((set) => set.startsWith('owners')),
  },
  {
    law: 'filtered',
    fault: 'The filter does not know the addresses of networks',
    engine: filterWithout((set) => set.startsWith('sources')),
  },
  {
    law: 'filtered',
    fault: 'Pods of the default network are not denied',
    engine: filterWithout((set, element) => set === 'denied4' && element.startsWith('10.244.')),
  },
  {
    law: 'filtered',
    fault: 'Metadata of clouds beyond link-local addresses are not denied',
    engine: filterWithout((set, element) => set.startsWith('denied') && /^(?:168\.63\.|fd00:ec2:)/.test(element)),
  },
  {
    law: 'filtered',
    fault: 'Allowed destinations are denied all the same',
    engine: filterWithout((set) => set.startsWith('allowed')),
  },
  {
    law: 'filtered',
    fault: 'The filter sees destinations after kube-proxy has translated them',
    engine: filterAt('prerouting', -90),
  },
  ...['source of another network', 'destination on the node', 'leaves otherwise', 'address of the node'].map(
    (what) => ({
      law: 'filtered' as const,
      fault: `The filter has no rules "${what}"`,
      engine: filterWithoutRules(what),
    }),
  ),
];

/** An engine that never adds rows of a table to networks. @param priority of policies */
function withoutRows(table: NorthboundTable, priority?: number): Engine {
  return without(
    (change) =>
      is('add', 'northbound-row')(change) &&
      change.entity.row.table === table &&
      change.entity.row.isOfZone === true &&
      (priority === undefined || change.entity.row.columns['priority'] === priority),
  );
}

/** An engine that never adds the policies of networks by which packets leave for a link-local address. */
const withoutOpened: Engine = without(
  (change) =>
    is('add', 'northbound-row')(change) &&
    change.entity.row.columns['priority'] === 1006 &&
    change.entity.row.columns['action'] === 'allow',
);

const translationFaults: readonly SeededFault[] = [
  { law: 'translated', fault: 'Routers do not translate', engine: withoutRows('NAT') },
  { law: 'translated', fault: 'The port to the pods is on no chassis', engine: withoutRows('Gateway_Chassis') },
  {
    law: 'translated',
    fault: 'A node is a way out for pods of others (policy 100)',
    engine: withoutRows('Logical_Router_Policy', 100),
  },
  {
    law: 'translated',
    fault: 'Nodes take nothing from others (policy 101)',
    engine: withoutRows('Logical_Router_Policy', 101),
  },
  {
    law: 'translated',
    fault: 'Packets for addresses that no pod has leave by the node (policy 1006)',
    engine: withoutRows('Logical_Router_Policy', 1006),
  },
  {
    law: 'translated',
    fault: 'Link-local addresses are reached (policy 1005)',
    engine: withoutRows('Logical_Router_Policy', 1005),
  },
  {
    law: 'translated',
    fault: 'Link-local addresses that are allowed are not reached (policy 1006)',
    engine: withoutOpened,
  },
  {
    law: 'translated',
    fault: 'All link-local addresses are reached where one is allowed',
    engine: {
      ...engine,
      planNode: (cluster, node, settings) =>
        engine.planNode(cluster, node, {
          ...settings,
          ...(settings.egressAllow.length > 0 && { egressAllow: ['169.254.128.0/17'] }),
        }),
    },
  },
];

/** Whether an operation removes a default route of a router. */
function isDefaultRouteRemoval(operation: Operation): boolean {
  return is('remove', 'northbound-row')(operation) && defaultFamilyOf(operation.entity.row) !== undefined;
}

const wayOutFaults: readonly SeededFault[] = [
  {
    law: 'one way out',
    fault: 'The default route of the former way out stays',
    engine: without(isDefaultRouteRemoval),
  },
  {
    law: 'one way out',
    fault: 'Networks that a rule lets out go on leaving by the node',
    engine: {
      ...engine,
      planNode: (cluster, node, settings) => {
        const isLetOut = node.rules.some((rule) => isOwnRule(rule) && rule.table === MAIN_TABLE);
        return engine.planNode(cluster, node, isLetOut ? { ...settings, egress: 'node' } : settings);
      },
    },
  },
  {
    law: 'one way out',
    fault: 'Gateway routers of networks stay that name no Uplink',
    engine: without(isRowRemoval('gateway router')),
  },
];

export const faultsOfEgress: readonly SeededFault[] = [...filterFaults, ...translationFaults, ...wayOutFaults];
