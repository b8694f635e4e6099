/**
 * Faults in what is done: operations that are forgotten, added, or in another order.
 */
import { keyOfNetworkName } from '../../domain/network/key.ts';
import { managementPort } from '../../domain/entities/switch/management-port.ts';
import { isOurs } from '../../domain/entities/entity-kinds.ts';
import { isOwnRoute, routeEntity } from '../../domain/entities/kernel/route.ts';
import { ruleEntity } from '../../domain/entities/kernel/rule.ts';
import type { Operation } from '../../domain/index.ts';
import { isOn } from '../../domain/entities/operations/operation-semantics.ts';
import { isManagementPortName } from '../../domain/network/names/management-port.ts';
import { routeKey } from '../../domain/snapshot/route-key.ts';
import { type Engine, engine } from '../engine.ts';
import { is, isMove, isPutBack, isRestoredSetting, isRowRemoval, unattributed } from './operations-by-kind.ts';
import { rebuild, isRemoval, type SeededFault, without, withOperations } from './faulty-engine.ts';

/** An engine that only restores what it displaced itself. */
const restoringFromMemory = withOperations((operations) => {
  const moved = new Set(operations.filter(isMove).map(({ entity }) => entity.device));
  return operations.filter((operation) => !isPutBack(operation) || moved.has(operation.device));
});

/** An engine that undoes operations in another way. */
function undoing(change: (inverses: readonly Operation[]) => readonly Operation[]): Engine {
  return { ...engine, inverse: (operation, before) => change(engine.inverse(operation, before)) };
}

const endStateFaults: readonly SeededFault[] = [
  {
    law: '2 converges',
    fault: 'The last removal is left out',
    engine: withOperations((operations) => {
      const last = operations.findLastIndex(isRemoval);
      return operations.filter((_operation, place) => place !== last);
    }),
  },
  {
    law: '2 converges',
    fault: 'The order of the operations is reversed',
    engine: withOperations((operations) => operations.toReversed()),
  },
  {
    law: '2 converges',
    fault: 'A plan has only one operation',
    engine: withOperations((operations) => operations.slice(0, 1)),
  },
  {
    law: '2 converges',
    fault: 'Settings of management ports are changed before the ports are added',
    engine: withOperations((operations) => {
      const early = (operation: Operation) =>
        is('add', 'sysctl')(operation) && isManagementPortName(operation.entity.device);
      return [...operations.filter(early), ...operations.filter((operation) => !early(operation))];
    }),
  },
  { law: '6 reversible', fault: 'Nothing is ever removed', engine: without(isRemoval) },
  { law: '6 reversible', fault: 'Settings are not restored', engine: without(isRestoredSetting) },
  { law: '6 reversible', fault: 'Flows stay', engine: without(is('remove', 'flow')) },
  { law: '6 reversible', fault: 'Static FDB entries stay', engine: without(is('remove', 'fdb-entry')) },
  {
    law: '6 reversible',
    fault: 'Rows of the Northbound database stay',
    engine: without(isRowRemoval('gateway router')),
  },
  { law: '6 reversible', fault: 'The chassis of other nodes stay', engine: without(is('remove', 'remote-chassis')) },
  { law: '6 reversible', fault: 'The ports of other nodes stay bound', engine: without(is('remove', 'remote-port')) },
  {
    law: '6 reversible',
    fault: 'The setting stays by which there are tunnels to other zones',
    engine: without(is('remove', 'interconnection')),
  },
  {
    law: '6 reversible',
    fault: 'Rows of provided networks stay',
    engine: without(isRowRemoval('network')),
  },
  {
    law: '6 reversible',
    fault: 'What is displaced is restored on the way into a VRF only',
    engine: withOperations((operations) => {
      const released = new Set(operations.filter(is('remove', 'membership')).map(({ entity }) => entity.device));
      return operations.filter((operation) => !isPutBack(operation) || !released.has(operation.device));
    }),
  },
  {
    law: '9 history-free',
    fault: 'Obsolete rules stay',
    engine: without(is('remove', 'rule')),
  },
  {
    law: '9 history-free',
    fault: 'A route is never replaced, whatever it should be',
    engine: without(is('replace', 'route')),
  },
  {
    law: '9 history-free',
    fault: 'An entry of the bridge mappings is never moved to another bridge',
    engine: without(is('remove', 'bridge-mapping')),
  },
  { law: '9 history-free', fault: 'Settings are not restored', engine: without(isRestoredSetting) },
  {
    law: '9 history-free',
    fault: 'The port of a node that has left the cluster stays',
    engine: without(
      (operation) => is('remove', 'northbound-row')(operation) && operation.entity.row.columns['type'] === 'remote',
    ),
  },
];

const pathFaults: readonly SeededFault[] = [
  {
    law: '7 crash-safe',
    fault: 'What is displaced is restored from memory, not from the ledger',
    engine: restoringFromMemory,
  },
  {
    law: '7 crash-safe',
    fault: 'A VRF is signed by the process that makes it, or never',
    engine: withOperations((operations) => {
      const made = new Set(operations.filter(is('add', 'vrf')).map(({ entity }) => entity.name));
      const replaces = is('replace', 'vrf');
      return operations.filter((operation) => !replaces(operation) || made.has(operation.entity.name));
    }),
  },
  {
    law: '7 crash-safe',
    fault: 'Where anything is missing, everything of ours is removed first',
    engine: withOperations((operations, node, plan) => (operations.length === 0 ? operations : rebuild(node, plan))),
  },
  {
    law: '8 no bounce',
    fault: 'Every route of ours is removed and added again whenever one is added',
    engine: withOperations((operations, node) =>
      operations.some(is('add', 'route'))
        ? [
            ...node.routes
              .filter(isOwnRoute)
              .map(routeEntity)
              .flatMap((entity) => [unattributed('remove', entity), unattributed('add', entity)]),
            ...operations,
          ]
        : operations,
    ),
  },
  {
    law: '8 no bounce',
    fault: 'A management port is removed and added again whenever a row of its network changes',
    engine: withOperations((operations, node) => {
      const isOfRows = (operation: Operation) => operation.verb === 'change' && operation.kind === 'northbound-row';
      const changed = new Set(operations.filter(isOfRows).flatMap(({ networks }) => networks));
      const ports = managementPort.all(node).filter(({ network = '' }) => {
        const key = keyOfNetworkName(network);
        return key !== undefined && changed.has(key);
      });
      return [
        ...ports.flatMap((entity) => [unattributed('remove', entity), unattributed('add', entity)]),
        ...operations,
      ];
    }),
  },
  {
    law: '8 no bounce',
    fault: 'A route is replaced by a removal and an addition',
    engine: withOperations((operations, node) =>
      operations.flatMap((operation): readonly Operation[] => {
        if (!is('replace', 'route')(operation)) return [operation];
        const { entity } = operation;
        const key = routeKey(entity.route);
        const replaced = node.routes.filter((route) => isOwnRoute(route) && routeKey(route) === key);
        return [...replaced.map((route) => unattributed('remove', routeEntity(route))), unattributed('add', entity)];
      }),
    ),
  },
  {
    law: '8 no bounce',
    fault: 'Where anything is missing, everything of ours is removed first',
    engine: withOperations((operations, node, plan) => (operations.length === 0 ? operations : rebuild(node, plan))),
  },
  {
    law: '8 no bounce',
    fault: 'A rule of ours is removed and added again whenever an interface moves',
    engine: withOperations((operations, node) =>
      operations.some(isMove)
        ? [
            ...operations,
            ...node.rules
              .map(ruleEntity)
              .filter((entity) => isOurs(entity, node))
              .filter(
                ({ rule: { table } }) =>
                  !operations.some((operation) => isOn(operation, 'rule') && operation.entity.rule.table === table),
              )
              .flatMap((entity) => [unattributed('remove', entity), unattributed('add', entity)]),
          ]
        : operations,
    ),
  },
];

const failureFaults: readonly SeededFault[] = [
  {
    law: 'recovers',
    fault: 'Everything proceeds after a failure',
    engine: { ...engine, recover: (_failed, rest) => ({ undo: [], proceed: rest, waiting: [] }) },
  },
  {
    law: 'recovers',
    fault: 'Nothing proceeds after a failure',
    engine: { ...engine, recover: (_failed, rest) => ({ undo: [], proceed: [], waiting: rest }) },
  },
  {
    law: 'recovers',
    fault: 'Operations that proceed after a failure are in reverse order',
    engine: {
      ...engine,
      recover: (failed, rest, node) => {
        const recovery = engine.recover(failed, rest, node);
        return { ...recovery, proceed: recovery.proceed.toReversed() };
      },
    },
  },
  {
    law: 'inverse',
    fault: 'What is displaced is not restored when an operation is undone',
    engine: undoing((inverses) => inverses.filter((operation) => !isPutBack(operation))),
  },
  {
    law: 'inverse',
    fault: 'A changed setting is not undone',
    engine: undoing((inverses) => inverses.filter((operation) => !isRestoredSetting(operation))),
  },
  {
    law: 'inverse',
    fault: 'Of several changes that are made together only the first is undone',
    engine: undoing((inverses) =>
      inverses.map((operation) =>
        operation.verb === 'change' ? { ...operation, changes: operation.changes.slice(0, 1) } : operation,
      ),
    ),
  },
  {
    law: 'inverse',
    fault: 'An interface that leaves its VRF stays outside when that is undone',
    engine: undoing((inverses) => inverses.filter((operation) => !is('add', 'membership')(operation))),
  },
];

export const faultsOfOperations: readonly SeededFault[] = [...endStateFaults, ...pathFaults, ...failureFaults];
