import { expect } from 'chai';
import { claimKey } from '../../../../../src/domain/network/allocation/claim-ids.ts';
import {
  idsIn,
  idsText,
  nodeReportName,
  reportData,
  reportingNodes,
  reportTexts,
} from '../../../../../src/domain/network/allocation/node-report.ts';
import type { ConfigMap } from '../../../../../src/domain/api/config-map.ts';
import type { Node } from '../../../../../src/domain/api/node.ts';
import { NODE_REPORT_ANNOTATION } from '../../../../../src/domain/basics/conventions.ts';
import { node } from '../../brief-objects.ts';

const NAMESPACE = 'ovn-uplinks';

const removed = { id: 7, name: 'worker-g', uid: 'g' };

const configMap = (name: string, data: Readonly<Record<string, string>>, namespace = NAMESPACE): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name },
  data,
});

/** A node that says that it reports. */
const announced = (name: string, uid: string): Node =>
  node(name, { uid, annotations: { [NODE_REPORT_ANNOTATION]: nodeReportName(name) } });

const report = (name: string, uid: string, networks: readonly number[], nodes = [removed].slice(1)): ConfigMap =>
  configMap(nodeReportName(name), reportData({ name, uid }, networks, nodes));

const nodes = [announced('worker-a', 'a'), announced('worker-b', 'b'), node('worker-c', { uid: 'c' })];

const reports = [report('worker-a', 'a', [1, 2, 3]), report('worker-b', 'b', [], [removed])];

const reading = (of: readonly Node[], stored: readonly ConfigMap[]) => reportingNodes(of, stored, NAMESPACE);

describe('ids as a text', () => {
  for (const [ids, text] of [
    [[], ''],
    [[7], '7'],
    [[3, 1, 2, 9, 7, 8], '1-3,7-9'],
  ] as const) {
    it(`are ${JSON.stringify(text)}, and the same again`, () => {
      expect(idsText(ids)).to.equal(text);
      expect([...(idsIn(text) ?? [])]).to.have.members([...ids]);
    });
  }

  for (const text of ['all', '1,', '1-', '-1', '1 2', '01', '1234567']) {
    it(`are not ${JSON.stringify(text)}`, () => {
      expect(idsIn(text)).to.equal(undefined);
    });
  }
});

describe('the name of a report', () => {
  it('has the name of the node, or a hash of one that is too long; no two nodes have the same', () => {
    const long = `${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(61);
    expect(nodeReportName('worker-a')).to.equal('ovn-uplinks-node-worker-a');
    expect(nodeReportName(long)).to.match(/^ovn-uplinks-node\.[0-9a-f]{16}$/);
    expect(nodeReportName(`${long.slice(1)}b`)).to.not.equal(nodeReportName(long));
  });
});

describe('the report of a node', () => {
  const usageOf = (of: Node, stored: readonly ConfigMap[]) => reading([of], stored)[0]?.report;
  const own = announced('worker-a', 'a');

  it('is what it says', () => {
    const usage = usageOf(own, [report('worker-a', 'a', [1, 2, 7], [removed])]);
    expect([...(usage?.networks ?? [])]).to.have.members([1, 2, 7]);
    expect([...(usage?.removedNodes ?? [])]).to.deep.equal([claimKey(removed)]);
  });

  it('is none of a node that does not say that it reports', () => {
    expect(usageOf(node('worker-a', { uid: 'a' }), [])).to.equal(undefined);
  });

  it('counts before the node says that it reports', () => {
    expect(usageOf(node('worker-a', { uid: 'a' }), [report('worker-a', 'a', [1])])?.networks.has(1)).to.equal(true);
  });

  for (const [what, stored] of [
    ['was deleted', []],
    ['is that of a former node of its name', [report('worker-a', 'former', [])]],
    ['says that it is of another node', [configMap(nodeReportName('worker-a'), { ...report('b', 'a', []).data })]],
    [
      'is in another namespace',
      [configMap(nodeReportName('worker-a'), { ...report('worker-a', 'a', []).data }, 'demo')],
    ],
    ['is malformed', [configMap(nodeReportName('worker-a'), { node: 'worker-a', uid: 'a', networks: 'all' })]],
    ['says nothing of networks', [configMap(nodeReportName('worker-a'), { node: 'worker-a', uid: 'a' })]],
  ] as const) {
    it(`may be anything if it ${what}`, () => {
      const usage = usageOf(own, stored);
      expect(usage?.networks.has(4095)).to.equal(true);
      expect(usage?.removedNodes.size).to.equal(0);
    });
  }
});

describe('reports of nodes', () => {
  const texts = (of: readonly Node[], stored: readonly ConfigMap[]) => reportTexts(reading(of, stored));

  it('are the same in another order, whatever else nodes have', () => {
    const [first, second, third] = nodes;
    const other = node('worker-a', { ...first!.metadata, labels: { rack: 'a' } });
    const [ofFirst, ofSecond] = reports;
    const further = configMap(nodeReportName('worker-a'), { ...ofFirst!.data, confirmed: '1' });
    expect(texts([third!, other, second!], [ofSecond!, further])).to.deep.equal(texts(nodes, reports));
  });

  for (const [what, others, stored] of [
    ['a node is gone', nodes.slice(1), reports],
    ['a node is new', [...nodes, node('worker-d', { uid: 'd' })], reports],
    ['a node is another one of its name', [node('worker-a', { uid: 'x' }), ...nodes.slice(1)], reports],
    ['a node reports another network', nodes, [report('worker-a', 'a', [1, 2, 3, 4]), ...reports.slice(1)]],
    [
      'a node reports another removed node',
      nodes,
      [report('worker-a', 'a', [1, 2, 3], [removed]), ...reports.slice(1)],
    ],
    ['a report was deleted', nodes, reports.slice(1)],
    ['a node begins to report', nodes, [...reports, report('worker-c', 'c', [])]],
    ['a node says that it reports', [...nodes.slice(0, 2), announced('worker-c', 'c')], reports],
  ] as const) {
    it(`are not the same if ${what}`, () => {
      expect(texts(others, stored)).to.not.deep.equal(texts(nodes, reports));
    });
  }
});
