import { expect } from 'chai';
import { nodeReportName, reportData } from '../../../../../src/domain/network/allocation/node-report.ts';
import type { Node } from '../../../../../src/domain/api/node.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ID_CLAIMS_NAME,
  NODE_REPORT_ANNOTATION,
} from '../../../../../src/domain/basics/conventions.ts';
import {
  type ClusterSnapshot,
  defaultSettings,
  diffNode,
  type NodeSettings,
  type NodeSnapshot,
  planNode,
} from '../../../../../src/domain/index.ts';
import { changesOf } from '../../../../../src/domain/entities/operations/operation.ts';
import { applyOperation, isOn } from '../../../../../src/domain/entities/operations/operation-semantics.ts';
import type { NorthboundRow } from '../../../../../src/domain/datapath/northbound/row.ts';
import { completeNode } from '../../../../../src/testing/index.ts';
import { cluster, network, serviceCidr } from '../../brief-objects.ts';

/** The network blue has place for 5,000 nodes, and thereby the subnet that usually has services. */
const settings: NodeSettings = { ...defaultSettings, providedNetworks: 'all', serviceCidrs: ['172.30.0.0/16'] };
const layer3 = { role: 'Primary', subnets: [{ cidr: '10.0.0.0/8', hostSubnet: 24 }, { cidr: 'fd20::/48' }] } as const;

/** A node whose id is its number. */
function numbered(number: number): Node {
  const name = `node-${number}`;
  const annotations = { [CHASSIS_ID_ANNOTATION]: `chassis-${number}`, [NODE_REPORT_ANNOTATION]: nodeReportName(name) };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, annotations } };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 2);

/** The network blue on so many nodes, the first of which is the one that is planned. */
function clusterOf(nodes: readonly Node[], names: readonly string[] = ['blue']): ClusterSnapshot {
  return cluster({
    nodes: [...nodes],
    clusterUserDefinedNetworks: names.map((name) => network(name, { network: { layer3 } })),
    configMaps: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: settings.namespace, name: ID_CLAIMS_NAME },
        data: Object.fromEntries<string>([
          ...names.map((name, index) => [`network-${index + 1}`, `cluster_udn_${name}`] as const),
          ...nodes.map(({ metadata: { name } }) => [`node-${name.split('-')[1]}`, name] as const),
        ]),
      },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: settings.namespace, name: nodeReportName('node-2') },
        data: reportData(
          { name: 'node-2', uid: '' },
          numbers(names.length).map((number) => number - 1),
          [],
        ),
      },
    ],
  });
}

const bare = completeNode({
  nodeName: 'node-2',
  isNorthboundRead: true,
  bridges: [{ name: 'br-int' }],
  switchExternalIds: { 'ovn-is-interconn': 'true' },
});

function desiredRows(objects: ClusterSnapshot, on = bare): readonly NorthboundRow[] {
  return planNode(objects, on, settings).dataplane.desired.flatMap(({ entity }) =>
    entity.kind === 'northbound-row' ? [entity.row] : [],
  );
}

/** The changes of rows that a plan leads to, as texts. */
function changes(objects: ClusterSnapshot, on: NodeSnapshot): readonly string[] {
  return diffNode(planNode(objects, on, settings), on)
    .flatMap(changesOf)
    .map((change) => (isOn(change, 'northbound-row') ? `${change.verb} ${change.entity.row.name}` : change.verb));
}

/** The node once networks are programmed on the host. */
function onHost(objects: ClusterSnapshot): NodeSnapshot {
  const operations = diffNode(planNode(objects, bare, settings), bare).filter(({ verb }) => verb !== 'change');
  return operations.reduce((before, operation) => {
    const change = applyOperation(operation, before);
    if (!change.done) throw new Error(change.refusal);
    return change.node;
  }, bare);
}

/** Rows for a node: a port, and a route for each family to its pods and to its gateway router. */
const ROWS_OF_PEER = 5;

describe('the zone of a node', () => {
  it('has as many rows for each other node, and no more for the first than for the last of 5,000', () => {
    const alone = desiredRows(clusterOf(numbers(1).map(numbered))).length;
    for (const count of [2, 100, 5000]) {
      const rows = desiredRows(clusterOf(numbers(count).map(numbered)));
      expect(rows.length, `${count} nodes`).to.equal(alone + ROWS_OF_PEER * (count - 1));
    }
  });

  it('gets the rows of another node only when one is added to 4,999, and loses them only when it leaves', () => {
    const all = numbers(5000).map(numbered);
    const before = clusterOf(all.slice(0, -1));
    const after = clusterOf(all);
    const programmed: NodeSnapshot = { ...onHost(before), northbound: desiredRows(before) };
    expect(changes(before, programmed)).to.deep.equal([]);
    const router = 'cluster_udn_blue_ovn_cluster_router dst-ip';
    const added = [
      'cluster_udn_blue_tstor-node-5001',
      `${router} 10.19.135.0/24 100.88.19.137`,
      `${router} fd20:0:0:1387::/64 fd97::1389`,
      `${router} 100.65.19.137 100.88.19.137`,
      `${router} fd99::1389 fd97::1389`,
    ];
    expect(changes(after, programmed)).to.deep.equal(added.map((name) => `add ${name}`));
    const extended: NodeSnapshot = { ...onHost(after), northbound: desiredRows(after) };
    expect(changes(before, extended)).to.have.members(added.map((name) => `remove ${name}`));
  });

  it('gets rows for the subnets of a ServiceCIDR, and loses them with it', () => {
    const [before, all] = [clusterOf(numbers(2).map(numbered)), clusterOf(numbers(2).map(numbered))];
    const after = { ...all, serviceCidrs: [serviceCidr('more', '172.31.0.0/16')] };
    const programmed: NodeSnapshot = { ...onHost(before), northbound: desiredRows(before) };
    const added = ['cluster_udn_blue_node-2', 'cluster_udn_blue_ovn_cluster_router 1005'].map(
      (row) => `${row}${row.endsWith('1005') ? '' : ' from-lport 1000'} ip4.dst == 172.31.0.0/16`,
    );
    expect(changes(after, programmed)).to.deep.equal(added.map((name) => `add ${name}`));
    const extended: NodeSnapshot = { ...onHost(after), northbound: desiredRows(after) };
    expect(changes(before, extended)).to.have.members(added.map((name) => `remove ${name}`));
  });

  it('keeps the rows of all nodes as they are, as objects, while another node or network comes', () => {
    const nodes = numbers(20).map(numbered);
    const before = new Set(desiredRows(clusterOf(nodes.slice(0, -1))));
    const after = desiredRows(clusterOf(nodes, ['blue', 'red']));
    const ofBlue = after.filter((row) => row.network === 'cluster_udn_blue');
    expect(ofBlue.filter((row) => !before.has(row)).length).to.equal(ROWS_OF_PEER);
  });

  it('has each network alone: those of equal subnets have no name and no key in common', () => {
    const rows = desiredRows(clusterOf(numbers(3).map(numbered), ['blue', 'red']));
    const [blue, red] = ['blue', 'red'].map((name) => rows.filter((row) => row.network === `cluster_udn_${name}`));
    const names = new Set(blue!.map(({ table, name }) => `${table} ${name}`));
    expect(red!.filter(({ table, name }) => names.has(`${table} ${name}`))).to.deep.equal([]);
    const keys = rows.flatMap(({ columns: { other_config: options } }) =>
      typeof options === 'object' && 'requested-tnl-key' in options ? [options['requested-tnl-key']] : [],
    );
    expect(keys).to.deep.equal(['16711684', '16711685']);
  });
});

describe('the plan of a node whose networks another program provides', () => {
  it('says nothing of provided networks', () => {
    const plan = planNode(clusterOf(numbers(3).map(numbered)), bare, { ...settings, providedNetworks: 'none' });
    expect(plan).not.to.have.property('zones');
    expect(plan.dataplane.desired).to.deep.equal([]);
  });

  it('removes what was provided there before', () => {
    const objects = clusterOf(numbers(3).map(numbered));
    const programmed: NodeSnapshot = { ...bare, northbound: desiredRows(objects) };
    const plan = planNode(objects, programmed, { ...settings, providedNetworks: 'none' });
    const removed = diffNode(plan, programmed).flatMap(changesOf);
    expect(removed.map(({ verb }) => verb)).to.deep.equal(programmed.northbound.map(() => 'remove'));
  });
});
