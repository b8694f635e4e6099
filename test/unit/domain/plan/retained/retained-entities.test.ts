import { expect } from 'chai';
import { uplinkOwner } from '../../../../../src/domain/dataplane/owner.ts';
import {
  allOf,
  entityKinds,
  foreignAtPlaceOf,
  isOurs,
  kindOf,
} from '../../../../../src/domain/entities/entity-kinds.ts';
import { flowEntity } from '../../../../../src/domain/entities/switch/flow.ts';
import { desiredEntities } from '../../../../../src/domain/plan/desired-entities.ts';
import type { DesiredEntity } from '../../../../../src/domain/plan/parts/part.ts';
import { retainedEntities } from '../../../../../src/domain/plan/retained/retained-entities.ts';
import type { BridgeFlow } from '../../../../../src/domain/snapshot/datapath.ts';
import { completeNode } from '../../../../../src/testing/brief-node.ts';
import {
  diffNode,
  type HeldNetwork,
  semanticsOf,
  type NetworkDataplane,
  type NodeSnapshot,
  type RetainReason,
} from '../../../../../src/domain/index.ts';
import { byName } from '../../../../../src/domain/basics/names/ordering.ts';
import {
  corporateVrf,
  defaultBridge,
  domains,
  hostInterface,
  managementPort,
} from '../../dataplane/dataplane-input.ts';
import { dataplane, dataplaneOfNode, keptBy, nodeOf, planOf, programmedNode } from '../../diff/plans.ts';
import { membership, route } from '../../entities/host-entities.ts';
import { isOn } from '../../../../../src/domain/entities/operations/operation-semantics.ts';

const own = domains['its own VRF'];
const ownVrf = { name: 'blue', kind: 'vrf', vrfTable: 1012, alias: 'ovn-uplinks:cluster_udn_blue' };
const vrf = { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true } as const;
const lost = route('10.0.0.0/8', { table: 1012, unknownAttributes: ['encap'] });
const enslaved = (...entities: readonly NodeSnapshot['routes'][number][]) => {
  const node = nodeOf({
    links: [{ ...hostInterface, master: 'blue' }, defaultBridge, managementPort, ownVrf],
    ledger: [membership()],
  });
  return { ...node, routes: [...node.routes, ...entities] };
};

function staying(node: NodeSnapshot, programmed: readonly NetworkDataplane[] = [], kept?: readonly HeldNetwork[]) {
  return dataplaneOfNode(node, programmed, kept).stays;
}

/** Names of the operations that remove something. */
function removals(node: NodeSnapshot, programmed: readonly NetworkDataplane[] = [], kept?: readonly HeldNetwork[]) {
  return diffNode(planOf(node, programmed, kept), node)
    .filter(({ verb }) => verb === 'remove')
    .map((operation) => semanticsOf(operation).name)
    .sort(byName);
}

describe('managed entities that stay although no network needs them', () => {
  it('are none if everything is obsolete', () => {
    const node = programmedNode(nodeOf(), { domain: own });
    expect(staying(node)).to.deep.equal([]);
    expect(removals(node)).to.include.members(['delete-vrf', 'release', 'delete-address', 'remove-bridge-mapping']);
  });

  it('are none of the desired ones', () => {
    const node = programmedNode(nodeOf(), { domain: own });
    expect(staying(node, [dataplane(node, { domain: own })])).to.deep.equal([]);
  });

  it('are none of the unmanaged ones', () => {
    const kept = keptBy('blue', { vrfs: ['corp'], tables: [500], devices: ['br-blue'] });
    const links = [{ ...hostInterface, master: 'corp' }, defaultBridge, managementPort, corporateVrf];
    const node = nodeOf({ links });
    expect(
      staying({ ...node, routes: [...node.routes, route('10.0.0.0/8', { table: 500 })] }, [], [kept]),
    ).to.deep.equal([]);
  });

  it('are all of a held network', () => {
    const node = programmedNode(nodeOf(), { domain: own });
    const stays = staying(node, [], [keptBy('blue', { vrfs: ['blue'], tables: [1012], devices: ['br-blue'] })]);
    expect(new Set(stays.map(({ why }) => why.reason))).to.deep.equal(new Set(['held']));
    expect(new Set(stays.map(({ entity }) => entity.kind))).to.deep.equal(
      new Set(['vrf', 'address', 'membership', 'route', 'neighbour', 'rule', 'bridge-mapping']),
    );
    expect(stays.every(({ entity }) => isOurs(entity, node))).to.be.true;
  });

  const setting = 'net.ipv4.conf.br-blue.rp_filter';
  const unnamed = { family: 4, priority: 2000, mark: 0x1099, table: 'tenant', protocol: '94', others: {} } as const;
  const rows: readonly (readonly [
    what: string,
    node: NodeSnapshot,
    kept: readonly HeldNetwork[],
    stays: readonly (readonly [kind: string, why: RetainReason])[],
    removed: readonly string[],
  ])[] = [
    [
      'a setting of the interface of a network that is held',
      nodeOf({
        sysctls: { [setting]: '2' },
        ledger: [{ kind: 'sysctl', device: 'br-blue', name: setting, before: '0', value: '2' }],
      }),
      [keptBy('blue', { devices: ['br-blue'] })],
      [['sysctl', { reason: 'held' }]],
      [],
    ],
    [
      'a membership with which something would be lost for good, and the VRF that it is in',
      enslaved(lost),
      [],
      [
        [
          'membership',
          {
            reason: 'irreplaceable',
            failure: {
              reason: 'UplinkVRFAttachmentFailed',
              cause: 'cannot-be-put-back',
              device: 'br-blue',
              entity: { kind: 'route', route: lost },
              by: { attributes: ['encap'] },
            },
          },
        ],
        ['vrf', { reason: 'has-members', device: 'br-blue' }],
      ],
      [],
    ],
    [
      'a VRF with an interface in it that another program put there',
      nodeOf({ links: [hostInterface, defaultBridge, { ...managementPort, master: 'blue' }, ownVrf] }),
      [],
      [['vrf', { reason: 'occupied', occupant: 'ovn-k8s-mp7 is in it' }]],
      [],
    ],
    [
      'a VRF with an address on it that is not ours',
      nodeOf({
        links: [
          hostInterface,
          defaultBridge,
          managementPort,
          { ...ownVrf, addresses: [{ address: '198.51.100.9', prefixLength: 32 }] },
        ],
      }),
      [],
      [['vrf', { reason: 'occupied', occupant: 'address 198.51.100.9/32 is on it' }]],
      [],
    ],
    [
      'a route and a rule in a table of which only the name is known',
      { ...nodeOf(), routes: [route('10.9.0.0/16', { table: 'tenant', protocol: '94' })], rules: [unnamed] },
      [],
      [
        ['route', { reason: 'unknown-table', table: 'tenant' }],
        ['rule', { reason: 'unknown-table', table: 'tenant' }],
      ],
      [],
    ],
    [
      'nothing but what is held, beside what is obsolete',
      programmedNode(nodeOf(), { domain: own }),
      [keptBy('red', { tables: [1012] })],
      [
        ['route', { reason: 'held' }],
        ['route', { reason: 'held' }],
        ['rule', { reason: 'held' }],
      ],
      ['delete-address', 'delete-address', 'delete-neighbour', 'delete-vrf', 'release', 'remove-bridge-mapping'],
    ],
  ];
  for (const [what, node, kept, stays, removed] of rows) {
    it(`include ${what}; none of it is removed`, () => {
      expect(staying(node, [], kept).map(({ entity, why }) => [entity.kind, why])).to.deep.equal(stays);
      expect(removals(node, [], kept)).to.deep.equal(removed);
    });
  }

  it('include a VRF with a former table that cannot be recreated', () => {
    const links = [{ ...hostInterface, master: 'blue' }, defaultBridge, { ...managementPort, index: 40 }, ownVrf];
    const made = nodeOf({ links, ledger: [membership()] });
    const node = { ...made, routes: [...made.routes, lost] };
    const wanted = [dataplane(node, { domain: own })];
    expect(staying(node, wanted).map(({ entity, why }) => [entity.kind, why.reason])).to.deep.equal([
      ['membership', 'irreplaceable'],
      ['vrf', 'has-members'],
    ]);
    expect(staying(node, wanted)[1]?.entity).to.deep.equal(vrf);
    expect(
      diffNode(planOf(node, wanted), node).filter(
        (operation) => isOn(operation, 'vrf') || isOn(operation, 'membership'),
      ),
    ).to.deep.equal([]);
  });

  it('are in the order of their keys, the same in any order of the node', () => {
    const node = programmedNode(nodeOf(), { domain: own });
    const kept = [keptBy('blue', { vrfs: ['blue'], tables: [1012], devices: ['br-blue'] })];
    const shuffled = {
      ...node,
      links: node.links.toReversed(),
      routes: node.routes.toReversed(),
      ledger: { ...node.ledger, entries: node.ledger.entries.toReversed() },
    };
    expect(staying(shuffled, [], kept)).to.deep.equal(staying(node, [], kept));
  });
});

describe('a learned flow', () => {
  const flowOn = (bridge: string, cookie: string): BridgeFlow => ({
    bridge,
    cookie,
    table: 21,
    priority: 50,
    match: 'dl_dst=0a:5a:c0:00:02:07',
    actions: 'output:1',
  });
  const node = completeNode({
    nodeName: 'a',
    flows: [flowOn('br-blue', '0x75706c6c'), flowOn('br-red', '0x75706c6c')],
  });

  it('stays as long as its bridge has a network, and is removed with the last', () => {
    const wanted = flowEntity({ ...flowOn('br-blue', '0x75706c6b'), table: 0 });
    const stays = retainedEntities([{ entity: wanted, owners: [] }], () => false, node);
    expect(stays.map(({ entity, why }) => [kindOf(entity).text(entity), why.reason])).to.deep.equal([
      ['flow table=21, priority=50,dl_dst=0a:5a:c0:00:02:07 on br-blue', 'learned'],
    ]);
  });
});

describe('entities of several parts of a node', () => {
  it('are held also where another node with one of these parts was looked at meanwhile', () => {
    const names = ['rtoe-a', 'rtoe-b', 'rtoe-c', 'rtoe-d', 'rtoe-e'];
    const northbound = names.map((name) => ({
      table: 'Logical_Router_Port' as const,
      name,
      network: 'cluster_udn_blue',
      columns: { enabled: true },
    }));
    const [found, other] = ['1', '2']
      .map((value) =>
        completeNode({ nodeName: 'a', isNorthboundRead: true, northbound: [], switchExternalIds: { value } }),
      )
      .map((node) => ({ ...node, northbound }));
    const owners = [uplinkOwner('ClusterUserDefinedNetwork/blue')];
    const ports = allOf(entityKinds['open-router-port'], found!).map((entity) => ({ entity, owners }));
    const held = (desired: readonly DesiredEntity[]) =>
      retainedEntities(desired, ({ kind }) => kind === 'open-router-port', found!);
    expect(held(desiredEntities([], ports))).to.deep.equal([]);
    expect(foreignAtPlaceOf(ports[0]!.entity, other!)).to.deep.equal([]);
    expect(held(desiredEntities([], ports.slice(0, 2)))).to.have.length(3);
  });
});
