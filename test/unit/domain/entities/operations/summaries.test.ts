/**
 * Summaries of operations beyond one of each kind (operation-words.test.ts): of sets, and of entities whose words depend on what they are.
 */
import { clusterNetworkKey } from '../../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { semanticsOf, type Operation } from '../../../../../src/domain/index.ts';
import type { SetKindName } from '../../../../../src/domain/entities/entity-kinds.ts';
import { northboundRowEntity } from '../../../../../src/domain/entities/ovn/northbound-row.ts';
import {
  type EntityOperation,
  setOperationsOf,
  type SingleOperation,
} from '../../../../../src/domain/entities/operations/operation.ts';
import type { DisplacedEntity } from '../../../../../src/domain/snapshot/ledger.ts';
import { hostAddress, hostNeighbour, hostNextHopObject, hostProxy, hostRoute } from '../host-entities.ts';
import { transitSwitch } from './sample-parts.ts';
import { putBackSample, samples, takeBackSample } from './samples.ts';

/** The operation on all entities of some changes. */
function together(...changes: readonly EntityOperation<SetKindName>[]): Operation {
  const [operation] = setOperationsOf(changes);
  if (operation === undefined) throw new Error('no changes');
  return operation;
}

const added = <Entity extends EntityOperation['entity']>(entity: Entity) =>
  ({ verb: 'add', networks: [clusterNetworkKey('blue')], entity }) as const;

const restored = (entity: DisplacedEntity): SingleOperation => ({ ...putBackSample.operation, entity, origin: entity });

const flowOfPort = samples.flow.add.operation;
const { entity: flow } = flowOfPort;
const flowOfBridge = { ...flowOfPort, entity: { ...flow, flow: { ...flow.flow, match: 'arp' } } };
const row = samples['northbound-row'].add.operation;
const rowOfNetwork = { ...row, entity: northboundRowEntity(transitSwitch) };
const routerPort = samples['open-router-port'].add.operation;
const otherRouterPort = {
  ...routerPort,
  entity: { ...routerPort.entity, port: 'rtoe-GR_cluster_udn_red_a', networkName: 'cluster_udn_red' },
};
const noFlooding = samples['no-flood-port'].add.operation;
const otherNoFlooding = { ...noFlooding, entity: { ...noFlooding.entity, port: 'patch-red-to-br-int' } };
const fdbEntry = samples['fdb-entry'].add.operation.entity;
const rule = samples.rule.add.operation.entity;
const { route } = hostRoute('10.96.0.0/16', { table: 1012 });

const operations: readonly (readonly [summary: string, operation: Operation])[] = [
  ['1 flow on br-blue', together(flowOfBridge)],
  ['1 flow for patch ports of br-blue', together(flowOfPort)],
  ['gateway router of cluster_udn_blue: 2 rows', together(row, row)],
  ['network cluster_udn_blue in OVN: 1 row', together(rowOfNetwork)],
  ['gateway router of cluster_udn_blue: open to br-blue', together(routerPort)],
  ['2 gateway routers: open to br-blue', together(routerPort, otherRouterPort)],
  ['no flooding to 1 patch port of br-blue', together(noFlooding)],
  ['no flooding to 2 patch ports of br-blue', together(noFlooding, otherNoFlooding)],
  ['1 chassis of another node', together(samples['remote-chassis'].add.operation)],
  ['1 port of another node on its chassis', together(samples['remote-port'].add.operation)],
  ['static FDB entry 0a:00:00:00:00:06 in VLAN 100 on port br-blue of br-blue', added({ ...fdbEntry, vlan: 100 })],
  ['IPv6 rule 1999: mark 0x1007 looks up table 1012', added({ ...rule, rule: { ...rule.rule, family: 6 } })],
  [
    'managed neighbour 192.0.2.1 on br-blue',
    added({ kind: 'neighbour', neighbour: { device: 'br-blue', address: '192.0.2.1', states: ['managed'] } }),
  ],
  ['route IPv6 default via 2001:db8:b::1 dev br-blue metric 1024', added(hostRoute('::/0', { metric: 1024 }))],
  [
    'route unreachable default metric 4278198272 table 1012',
    added(hostRoute('0.0.0.0/0', { type: 'unreachable', nextHops: [], metric: 4_278_198_272, table: 1012 })),
  ],
  [
    'route default nexthop via 192.0.2.3 dev br-blue nexthop via 192.0.2.9 dev br-blue table 1012',
    added(
      hostRoute('0.0.0.0/0', {
        table: 1012,
        nextHops: ['192.0.2.3', '192.0.2.9'].map((gateway) => ({ device: 'br-blue', gateway })),
      }),
    ),
  ],
  [
    'route 10.96.0.0/16 via 169.254.0.4 dev br-blue onlink src 169.254.0.2 table 1012',
    added({
      kind: 'route',
      route: {
        ...route,
        nextHops: [{ device: 'br-blue', gateway: '169.254.0.4', onlink: true }],
        preferredSource: '169.254.0.2',
      },
    }),
  ],
  ['address 2001:db8:b::6/64 on br-blue, restored', restored(hostAddress('2001:db8:b::6/64'))],
  ['neighbour 192.0.2.50 at 02:00:00:00:00:99 on br-blue, restored', restored(hostNeighbour('192.0.2.50'))],
  ['proxy entry for neighbour 192.0.2.50 on br-blue, restored', restored(hostProxy('192.0.2.50'))],
  ['next hop object 5 via 192.0.2.1 dev br-blue, restored', restored(hostNextHopObject(5))],
  ['route 10.7.0.0/16 nhid 9, restored', restored(hostRoute('10.7.0.0/16', { nextHopObject: 9 }))],
  ['route 10.0.0.0/8 via 192.0.2.1 dev br-blue metric 50, restored', restored(hostRoute('10.0.0.0/8', { metric: 50 }))],
  [
    'route default via 192.0.2.1 dev br-blue, which is in the table of its VRF',
    { ...takeBackSample.operation, entity: hostRoute('0.0.0.0/0'), moves: true },
  ],
];

describe('the summary of an operation', () => {
  for (const [summary, operation] of operations) {
    it(summary, () => {
      expect(semanticsOf(operation).summary(operation)).to.equal(summary);
    });
  }
});
