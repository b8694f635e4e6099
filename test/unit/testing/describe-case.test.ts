import { expect } from 'chai';
import { emptyCluster } from '../../../src/domain/snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../../../src/domain/snapshot/node-snapshot.ts';
import { defaultSettings } from '../../../src/domain/snapshot/settings.ts';
import { type BriefNode, completeNode } from '../../../src/testing/brief-node.ts';
import { describeCase } from '../../../src/testing/describe-case.ts';

function linesOf(node: NodeSnapshot): readonly string[] {
  return describeCase({ cluster: emptyCluster, nodes: [node], settings: defaultSettings })
    .split('\n')
    .slice(1);
}

describe('a case, as a person reads it,', () => {
  const examples: readonly (readonly [what: string, brief: Omit<BriefNode, 'nodeName'>, lines: readonly string[]])[] = [
    ['no word on what is as usual', {}, []],
    [
      'a line for a next hop object',
      { nextHopObjects: [{ id: 7, group: [{ id: 1, weight: 2 }] }] },
      ['  next hop object 7 {"protocol":"static","group":[{"id":1,"weight":2}]}'],
    ],
    [
      'a line for a neighbour',
      { neighbours: [{ device: 'eth1', address: '192.0.2.1', macAddress: '02:00:00:00:00:01' }] },
      ['  neighbour 192.0.2.1 {"states":["permanent"],"device":"eth1","macAddress":"02:00:00:00:00:01"}'],
    ],
    [
      'lines for rules beside those of the kernel, and for those of the kernel that are gone',
      {
        rules: [
          { priority: 0, table: 255, protocol: 'kernel' },
          { priority: 32767, table: 253, protocol: 'kernel' },
          { priority: 0, family: 6, table: 255, protocol: 'kernel' },
          { priority: 32766, family: 6, table: 254, protocol: 'kernel' },
          { priority: 2000, table: 1007, mark: 4097 },
        ],
      },
      [
        '  rule 2000 {"family":4,"protocol":"static","others":{},"table":1007,"mark":4097}',
        '  without rule 32766 {"family":4,"table":254,"protocol":"kernel","others":{}}',
      ],
    ],
    [
      'a line for an entry of the ledger',
      { ledger: [{ kind: 'unsigned-vrf', name: 'blue', network: 'cluster_udn_blue' }] },
      ['  ledger: unsigned-vrf {"name":"blue","network":"cluster_udn_blue"}'],
    ],
  ];
  for (const [what, brief, lines] of examples) {
    it(`has ${what}`, () => {
      expect(linesOf(completeNode({ nodeName: 'n', ...brief }))).to.deep.equal(['on n:', ...lines]);
    });
  }

  it('has a line for a ledger that could not be read', () => {
    const node = completeNode({ nodeName: 'n' });
    expect(linesOf({ ...node, ledger: { ...node.ledger, problem: 'is no JSON' } })).to.deep.equal([
      'on n:',
      '  ledger {"problem":"is no JSON"}',
    ]);
  });

  it('says which boot it is, and how long ago', () => {
    expect(linesOf(completeNode({ nodeName: 'n', bootId: 'b', uptimeSeconds: 61.5 }))).to.deep.equal([
      'on n: {"bootId":"b","uptimeSeconds":61.5}',
    ]);
  });
});
