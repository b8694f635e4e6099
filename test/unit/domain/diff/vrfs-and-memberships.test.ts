import { expect } from 'chai';
import { diffNode, type LedgerEntry, semanticsOf, type NodeSnapshot } from '../../../../src/domain/index.ts';
import { normalForm } from '../../../../src/testing/normal-form.ts';
import type { BriefLink } from '../../../../src/testing/index.ts';
import { corporateVrf, defaultBridge, domains, hostInterface, managementPort } from '../dataplane/dataplane-input.ts';
import { membership } from '../entities/host-entities.ts';
import { carriedOut, dataplane, keptBy, nodeOf, planOf, plannedLines, programmedNode } from './plans.ts';

const own = domains['its own VRF'];
const corporate = domains['another existing VRF'];
const ownVrf: BriefLink = { name: 'blue', kind: 'vrf', vrfTable: 1012, alias: 'ovn-uplinks:cluster_udn_blue' };

/** The lines that are about VRFs and memberships. */
function movesOf(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => /(-vrf|enslave|release):/.test(line));
}

function moves(
  node: NodeSnapshot,
  ...args: Parameters<typeof plannedLines> extends [unknown, ...infer Rest] ? Rest : never
) {
  return movesOf(plannedLines(node, ...args));
}

/** The node with other numbers of devices: the management port was made again. */
function withNewManagementPort(node: NodeSnapshot): NodeSnapshot {
  return { ...node, links: node.links.map((link) => (link.name === 'ovn-k8s-mp7' ? { ...link, index: 40 } : link)) };
}

const routes = [{ destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] }];

describe("a network's own VRF", () => {
  it('is created and signed if it does not exist', () => {
    const node = nodeOf();
    expect(moves(node, [dataplane(node)])).to.deep.equal([
      '+ blue add-vrf: VRF blue with table 1012',
      '~ blue set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
    ]);
  });

  const links = [hostInterface, defaultBridge, managementPort];
  const states: readonly (readonly [
    what: string,
    vrf: BriefLink,
    ledger: readonly LedgerEntry[],
    lines: readonly string[],
  ])[] = [
    ['is ours and right', ownVrf, [], []],
    [
      'is ours and not signed yet',
      { name: 'blue', kind: 'vrf', vrfTable: 1012 },
      [{ kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' }],
      ['~ blue set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue'],
    ],
    [
      'was made for another network',
      { ...ownVrf, alias: 'ovn-uplinks:cluster_udn_red' },
      [],
      ['~ blue set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue'],
    ],
    [
      'is ours and down',
      { ...ownVrf, up: false, operationalState: 'down' },
      [],
      ['~ blue set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue'],
    ],
    [
      'is not ours, and serves as it is',
      { name: 'blue', kind: 'vrf', vrfTable: 1012, up: false, operationalState: 'down' },
      [],
      [],
    ],
  ];
  for (const [what, vrf, ledger, lines] of states) {
    it(`needs ${lines.length === 0 ? 'nothing' : lines[0]!.split(':', 1)[0]!} where it ${what}`, () => {
      const node = nodeOf({ links: [...links, vrf], ledger });
      expect(moves(node, [dataplane(node)])).to.deep.equal(lines);
    });
  }

  it('is removed once it is obsolete', () => {
    const node = nodeOf({ links: [...links, ownVrf] });
    expect(moves(node, [])).to.deep.equal(['- blue delete-vrf: VRF blue']);
  });

  it('is removed even if it was not signed yet', () => {
    const ledger: readonly LedgerEntry[] = [
      { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' },
    ];
    const node = nodeOf({ links: [...links, { name: 'blue', kind: 'vrf', vrfTable: 1012 }], ledger });
    expect(moves(node, [])).to.deep.equal(['- blue delete-vrf: VRF blue']);
  });

  it('stays while an unmanaged member is in it', () => {
    const node = nodeOf({ links: [hostInterface, defaultBridge, { ...managementPort, master: 'blue' }, ownVrf] });
    expect(moves(node, [])).to.deep.equal([]);
  });

  it('stays if it is not managed', () => {
    const node = nodeOf({ links: [...links, { name: 'blue', kind: 'vrf', vrfTable: 1012 }, corporateVrf] });
    expect(moves(node, [])).to.deep.equal([]);
  });

  it('stays if it belongs to a held network', () => {
    const node = nodeOf({ links: [...links, ownVrf] });
    expect(moves(node, [], [keptBy('blue', { vrfs: ['blue'] })])).to.deep.equal([]);
    expect(moves(node, [], [keptBy('red', { vrfs: ['red'] })])).to.deep.equal(['- blue delete-vrf: VRF blue']);
  });
});

describe("a network's own VRF whose management port was recreated", () => {
  it('is recreated with the new table', () => {
    const before = programmedNode(nodeOf({ routes }), {});
    const node = withNewManagementPort(before);
    expect(moves(node, [dataplane(node)])).to.deep.equal([
      '- blue delete-vrf: VRF blue',
      '+ blue add-vrf: VRF blue with table 1040',
      '~ blue set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
    ]);
  });

  it('is left by the interface first, which then enters it again', () => {
    const node = withNewManagementPort(programmedNode(nodeOf({ routes }), { domain: own }));
    const lines = plannedLines(node, [dataplane(node, { domain: own })]);
    expect(movesOf(lines)).to.deep.equal([
      '- blue release: br-blue out of VRF blue',
      '- blue delete-vrf: VRF blue',
      '+ blue add-vrf: VRF blue with table 1040',
      '~ blue set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
      '+ blue enslave: br-blue into VRF blue',
    ]);
    expect(lines).to.include.members([
      '- blue delete-address: address 169.254.0.2/32 on blue',
      '+ blue add-address: address 169.254.0.2/32 on blue',
      '+ blue put-back: route 10.0.0.0/8 via 192.0.2.1 dev br-blue table 1040, moved from table main',
    ]);
  });

  it('ends as if the management port had always been the new one', () => {
    for (const domain of [own, { kind: 'default' } as const]) {
      const node = withNewManagementPort(programmedNode(nodeOf({ routes }), { domain }));
      const after = programmedNode(node, { domain });
      expect(plannedLines(after, [dataplane(after, { domain })])).to.deep.equal([]);
      const fresh = programmedNode(withNewManagementPort(nodeOf({ routes })), { domain });
      expect(normalForm(after)).to.deep.equal(normalForm(fresh));
    }
  });

  it('stays if the interface cannot leave it without a loss', () => {
    const odd = [{ ...routes[0]!, table: 1012, unknownAttributes: ['encap'] }];
    const links = [{ ...hostInterface, master: 'blue' }, defaultBridge, { ...managementPort, index: 40 }, ownVrf];
    const node = nodeOf({ links, routes: odd, ledger: [membership()] });
    expect(moves(node, [])).to.deep.equal([]);
  });
});

describe('the membership of an interface', () => {
  it('is added if a network wants it', () => {
    const node = nodeOf();
    expect(moves(node, [dataplane(node, { domain: corporate })])).to.deep.equal([
      '+ blue enslave: br-blue into VRF corp',
    ]);
  });

  it('serves if another program added it, and is then not removed', () => {
    const node = nodeOf({ links: [{ ...hostInterface, master: 'corp' }, defaultBridge, managementPort, corporateVrf] });
    expect(moves(node, [dataplane(node, { domain: corporate })])).to.deep.equal([]);
    expect(moves(node, [])).to.deep.equal([]);
  });

  it('is removed if it is obsolete', () => {
    const done = programmedNode(nodeOf({ routes }), { domain: corporate });
    expect(plannedLines(done, []).filter((line) => /release|put-back: route/.test(line))).to.deep.equal([
      '- blue release: br-blue out of VRF corp',
      '+ blue put-back: route 10.0.0.0/8 via 192.0.2.1 dev br-blue, restored',
    ]);
  });

  it('is removed before another one is added', () => {
    const done = programmedNode(nodeOf({ routes }), { domain: corporate });
    const lines = plannedLines(done, [dataplane(done, { domain: own })]);
    expect(movesOf(lines)).to.deep.equal([
      '- blue release: br-blue out of VRF corp',
      '+ blue add-vrf: VRF blue with table 1012',
      '~ blue set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
      '+ blue enslave: br-blue into VRF blue',
    ]);
    expect(lines.filter((line) => line.includes('put-back: route'))).to.deep.equal([
      '+ blue put-back: route 10.0.0.0/8 via 192.0.2.1 dev br-blue table 1012, moved from table main',
    ]);
  });

  it('stays only while the network that it was added for is held', () => {
    const done = programmedNode(nodeOf({ routes }), { domain: corporate });
    const released = ['- blue release: br-blue out of VRF corp'];
    expect(moves(done, [], [keptBy('blue')])).to.deep.equal([]);
    expect(moves(done, [], [keptBy('red')])).to.deep.equal(released);
    expect(moves(done, [], [keptBy('red', { devices: ['br-blue'] })]), 'with the interface').to.deep.equal(released);
  });

  it('stays, though obsolete, if releasing would drop an entity that cannot be restored', () => {
    const done = programmedNode(nodeOf({ routes }), { domain: corporate });
    const odd = {
      ...done.routes.find(({ table, protocol }) => table === 500 && protocol === 'static')!,
      destination: '10.9.0.0/16',
      unknownAttributes: ['encap'],
    };
    expect(moves({ ...done, routes: [...done.routes, odd] }, [])).to.deep.equal([]);
  });

  it('is not removed if another program has ended it', () => {
    const node = nodeOf({ ledger: [membership({ vrf: 'corp', table: 500 })] });
    expect(moves(node, [])).to.deep.equal([]);
  });
});

describe('a change interrupted by a crash', () => {
  const node = nodeOf({ routes });
  const plan = planOf(node, [dataplane(node, { domain: own })]);
  const operations = diffNode(plan, node);
  const done = carriedOut(node, operations);

  for (const position of operations.keys()) {
    it(`is continued after ${position} of ${operations.length} operations`, () => {
      const stopped = carriedOut(node, operations.slice(0, position));
      const rest = diffNode(planOf(stopped, [dataplane(stopped, { domain: own })]), stopped);
      expect(rest).to.deep.equal(operations.slice(position));
      expect(normalForm(carriedOut(stopped, rest))).to.deep.equal(normalForm(done));
    });
  }

  it('is completed if an enslavement was done and its routes were not restored', () => {
    const enslaved = operations.findIndex((operation) => semanticsOf(operation).name === 'enslave') + 1;
    const stopped = carriedOut(node, operations.slice(0, enslaved));
    const lines = plannedLines(stopped, []);
    expect(lines).to.include('+ blue put-back: route 10.0.0.0/8 via 192.0.2.1 dev br-blue, restored');
    expect(normalForm(carriedOut(stopped, diffNode(planOf(stopped, []), stopped)))).to.deep.equal(normalForm(node));
  });

  it('waits if the network is held', () => {
    const enslaved = operations.findIndex((operation) => semanticsOf(operation).name === 'enslave') + 1;
    const stopped = carriedOut(node, operations.slice(0, enslaved));
    const kept = keptBy('blue', { vrfs: ['blue'], tables: [1012], devices: ['br-blue'] });
    expect(plannedLines(stopped, [], [kept])).to.deep.equal([]);
  });
});
