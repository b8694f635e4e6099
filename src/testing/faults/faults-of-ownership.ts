/**
 * Faults in what is changed that others own.
 */
import { FLOW_COOKIE, OWN_ROUTE_PROTOCOL } from '../../domain/basics/conventions.ts';
import { flowEntity, isLearned } from '../../domain/entities/switch/flow.ts';
import { managementPort } from '../../domain/entities/switch/management-port.ts';
import { isOwnNeighbour, neighbourEntity } from '../../domain/entities/kernel/neighbour.ts';
import { northboundRowEntity } from '../../domain/entities/ovn/northbound-row.ts';
import { remoteChassisEntity } from '../../domain/entities/ovn/remote-chassis.ts';
import { routeEntity } from '../../domain/entities/kernel/route.ts';
import { type SeededFault, without, withOperations } from './faulty-engine.ts';
import { is, isPutBack, unattributed } from './operations-by-kind.ts';

const overwritingNeighbours = withOperations((operations, { neighbours }) => [
  ...operations,
  ...neighbours
    .filter((neighbour) => !isOwnNeighbour(neighbour))
    .slice(0, 1)
    .map((neighbour) => ({ ...neighbour, macAddress: '02:00:00:00:99:99', protocol: OWN_ROUTE_PROTOCOL }))
    .map((neighbour) => unattributed('add', neighbourEntity(neighbour))),
]);

export const faultsOfOwnership: readonly SeededFault[] = [
  {
    law: '3 owns only its own',
    fault: 'What is displaced is not restored',
    engine: without(isPutBack),
  },
  {
    law: '3 owns only its own',
    fault: 'A setting is changed without a ledger entry, as if it were restored',
    engine: withOperations((operations) =>
      operations.map((operation) => (is('add', 'sysctl')(operation) ? { ...operation, verb: 'remove' } : operation)),
    ),
  },
  {
    law: '3 owns only its own',
    fault: "A neighbour of the administrator's is overwritten",
    engine: overwritingNeighbours,
  },
  {
    law: '3 owns only its own',
    fault: "A route of the administrator's is overwritten by one of its key",
    engine: withOperations((operations, { routes }) => [
      ...operations,
      ...routes
        .filter(({ protocol }) => protocol === 'static')
        .slice(0, 1)
        .map((route) => unattributed('replace', routeEntity({ ...route, protocol: OWN_ROUTE_PROTOCOL }))),
    ]),
  },
  {
    law: '3 owns only its own',
    fault: "Another program's flow is overwritten by one of its key",
    engine: withOperations((operations, { flows }) => [
      ...operations,
      ...flows
        .filter((flow) => flow.cookie !== FLOW_COOKIE && !isLearned(flowEntity(flow)))
        .slice(0, 1)
        .map((flow) => unattributed('replace', flowEntity({ ...flow, cookie: FLOW_COOKIE }))),
    ]),
  },
  {
    law: '3 owns only its own',
    fault: "Another program's chassis is overwritten by one of its name",
    engine: withOperations((operations, { chassis }) => [
      ...operations,
      ...chassis
        .filter(({ node }) => node === undefined)
        .slice(0, 1)
        .map((each) => unattributed('replace', remoteChassisEntity({ ...each, node: 'node-b' }))),
    ]),
  },
  {
    law: '3 owns only its own',
    fault: "Another program's management port is taken over by its name",
    engine: withOperations((operations, node) => [
      ...operations,
      ...managementPort
        .all(node)
        .filter(({ network }) => network === undefined)
        .slice(0, 1)
        .map((entity) => unattributed('replace', { ...entity, network: 'cluster_udn_blue' })),
    ]),
  },
  {
    law: '3 owns only its own',
    fault: "Another program's row of the Northbound database is overwritten by one of its name",
    engine: withOperations((operations, { northbound }) => [
      ...operations,
      ...northbound
        .filter(({ network }) => network === undefined)
        .slice(0, 1)
        .map((row) => unattributed('replace', northboundRowEntity({ ...row, network: 'default' }))),
    ]),
  },
];
