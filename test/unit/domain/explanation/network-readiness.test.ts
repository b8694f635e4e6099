import { expect } from 'chai';
import { NODE_REPORT_ANNOTATION } from '../../../../src/domain/basics/conventions.ts';
import { explain } from '../../../../src/domain/explanation/explain.ts';
import { readinessText, verdictText } from '../../../../src/domain/explanation/verdict.ts';
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import { completeNode } from '../../../../src/testing/index.ts';
import { network, node, pod } from '../brief-objects.ts';
import { provided, reportOf, withNetwork } from './provided-cluster.ts';
import { factLines } from './situations.ts';

type Report = Readonly<Record<string, string>>;

/** The cluster with node `a` and what it reports. */
function clusterWith(report: Report | undefined, objects: Partial<ClusterSnapshot> = {}): ClusterSnapshot {
  const cluster = withNetwork();
  const annotations = { 'k8s.ovn.org/node-id': '2', [NODE_REPORT_ANNOTATION]: 'ovn-uplinks-node-a' };
  const reports = report === undefined ? [] : [reportOf(report)];
  const configMaps = [...cluster.configMaps, ...reports];
  return { ...cluster, nodes: [node('a', { uid: 'uid-a', annotations })], configMaps, ...objects };
}

const bare = completeNode({ nodeName: 'a', isNorthboundRead: true, bridges: [{ name: 'br-int' }] });

function explained(cluster: ClusterSnapshot, snapshot?: typeof bare, name = 'blue', settings = provided) {
  const outcome = explain({ cluster, node: snapshot, settings }, name, 'a');
  if (!outcome.explained) throw new Error(`unknown ${outcome.unknown}`);
  const { readiness, verdict, facts, operations } = outcome.explanation;
  const [activity, ...others] = factLines({ facts });
  const lines = verdict.active ? others.slice(0, -1) : others;
  const text = `${readiness === undefined ? '' : readinessText(readiness)}; ${verdictText(verdict)}`;
  return { verdict: text, activity, lines, operations: operations?.map(({ summary }) => summary) };
}

const id = 'provided by ovn-uplinks, with network id 1 <- ConfigMap/ovn-uplinks/ovn-uplinks-ids';
const source = ' <- ConfigMap/ovn-uplinks/ovn-uplinks-node-a';

describe('the explanation of a network that ovn-uplinks provides', () => {
  it('says first that it is being deleted', () => {
    const clusterUserDefinedNetworks = withNetwork().clusterUserDefinedNetworks.map((each) => ({
      ...each,
      metadata: { ...each.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    }));
    const { activity: first } = explained(clusterWith({ ready: '1' }, { clusterUserDefinedNetworks }));
    expect(first).to.equal('is being deleted <- ClusterUserDefinedNetwork/blue');
  });

  for (const [what, report, verdict, line] of [
    ['that it is ready', { ready: '1' }, 'network ready; no uplinks', `  the node reports: ready${source}`],
    [
      'what has failed',
      { 'not-ready-1': 'RemoteChassisFailed: failed: + 1 chassis of another node: connect ENOENT' },
      'network not ready: RemoteChassisFailed; no uplinks',
      `  the node reports: RemoteChassisFailed: failed: + 1 chassis of another node: connect ENOENT${source}`,
    ],
    [
      'that it is being programmed',
      {},
      'network not ready: NetworkPending; no uplinks',
      `  the node reports: NetworkPending${source}`,
    ],
    [
      'a reason of a newer version',
      { 'not-ready-1': 'SomethingNew' },
      'network not ready: SomethingNew; no uplinks',
      `  the node reports: SomethingNew${source}`,
    ],
    [
      'nothing, since the node does not report',
      undefined,
      'network not ready: NodeNotReporting; no uplinks',
      '  NodeNotReporting: the agent of a has not reported which ids it uses <- Node/a',
    ],
  ] as const) {
    it(`says ${what}`, () => {
      const { verdict: found, lines, operations } = explained(clusterWith(report));
      expect({ found, lines, operations }).to.deep.equal({ found: verdict, lines: [id, line], operations: undefined });
    });
  }

  it('of a captured node says what is planned, beside what has failed', () => {
    const failed = { 'not-ready-1': 'LogicalNetworkFailed: failed: it was refused' };
    const { verdict, lines, operations } = explained(clusterWith(failed), bare);
    expect(verdict).to.equal('network not ready: LogicalNetworkFailed; no uplinks');
    expect(lines).to.deep.equal([
      id,
      '  pods on a have 10.20.0.0/24 <- Node/a',
      `  the node reports: LogicalNetworkFailed: failed: it was refused${source}`,
    ]);
    expect(operations?.[0]).to.equal('VRF blue with table 300');
    expect(explained(clusterWith({}), bare).verdict).to.equal('network ready; no uplinks');
  });

  it('says what keeps it from being programmed on a captured node, and where that is seen', () => {
    const foreign = explained(clusterWith({ ready: '1' }), {
      ...bare,
      switchExternalIds: { 'ovn-is-interconn': 'false' },
    });
    expect(foreign.verdict).to.equal('network not ready: ForeignEntity; no uplinks');
    expect(foreign.lines[2]).to.match(/^ {2}ForeignEntity: external_ids:ovn-is-interconn of Open_vSwitch is false/);
    expect(foreign.lines[3]).to.equal('    held: what is programmed stays as it is');
    expect(foreign.operations).to.deep.equal([]);
  });

  it('says that its id is not claimed, or that this version does not provide it', () => {
    const [claims] = withNetwork().configMaps;
    const unclaimed = { ...claims!, data: { 'node-2': 'a uid-a' } };
    expect(explained(clusterWith({}, { configMaps: [unclaimed] }))).to.deep.include({
      verdict: 'network not ready: NetworkNotAllocated; no uplinks',
      lines: [
        'NetworkNotAllocated: no id is claimed for the network yet; the cluster manager claims it <- ConfigMap/ovn-uplinks/ovn-uplinks-ids',
      ],
    });
    const layer2 = network('blue', {
      uplinks: undefined,
      network: { topology: 'Layer2', layer2: { role: 'Primary', subnets: ['10.20.0.0/16'] } },
    });
    expect(explained(clusterWith({}, { clusterUserDefinedNetworks: [layer2] })).lines).to.deep.equal([
      'NetworkUnsupported: topology Layer2 is not supported by this version, only Layer3 is <- ClusterUserDefinedNetwork/blue',
    ]);
  });

  it('says both about a network with an uplink: the logical network, and its uplink', () => {
    const cluster = clusterWith({ 'not-ready-1': 'RemotePortFailed: failed' });
    const [blue] = cluster.clusterUserDefinedNetworks;
    const withUplink = { ...blue!, spec: { ...blue!.spec, uplinks: ['gone'] } };
    const outcome = explain(
      { cluster: { ...cluster, clusterUserDefinedNetworks: [withUplink] }, node: bare, settings: provided },
      'blue',
      'a',
    );
    if (!outcome.explained) throw new Error(outcome.unknown);
    const { readiness, verdict } = outcome.explanation;
    expect(readiness).to.deep.equal({ reason: 'RemotePortFailed', message: 'failed' });
    expect(verdict.reason).to.equal('UplinkNotFound');
  });
});

describe('the explanation of a network that leaves by the node', () => {
  const leaving = { ...provided, egress: 'node', clusterCidrs: ['10.244.0.0/16'] } as const;
  const router = completeNode({
    nodeName: 'a',
    isNorthboundRead: true,
    switchExternalIds: { 'system-id': 'chassis-a' },
    bridges: [{ name: 'br-int' }],
    links: [{ name: 'eth0', addresses: [{ address: '192.0.2.11', prefixLength: 24 }] }],
    routes: [{ destination: '0.0.0.0/0', nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }] }],
    sysctls: { 'net.ipv4.conf.*.forwarding': '1' },
  });
  const ready = { ready: '1' };
  const podsOfA = '  pods on a have 10.20.0.0/24 <- Node/a';

  it('says so, and that it has no uplinks', () => {
    const { verdict, lines } = explained(clusterWith(ready), router, 'blue', leaving);
    expect(verdict).to.equal('network ready; no uplinks');
    expect(lines).to.deep.equal([
      id,
      podsOfA,
      '  pods leave by the node, with its address <- ClusterUserDefinedNetwork/blue',
      `  the node reports: ready${source}`,
    ]);
    const outcome = explain({ cluster: clusterWith(ready), node: router, settings: leaving }, 'blue', 'a');
    expect(outcome.explained && outcome.explanation.facts.at(-1)).to.deep.equal({
      depth: 0,
      text: 'the network has no uplinks: its pods leave by their nodes',
      sources: ['ClusterUserDefinedNetwork/blue'],
    });
  });

  it('of a node that was not captured says what is asked for, and what the node reports', () => {
    const report = { 'not-ready-1': 'ForwardingDisabled: pods do not leave' };
    const { verdict, lines } = explained(clusterWith(report), undefined, 'blue', leaving);
    expect(verdict).to.equal('network not ready: ForwardingDisabled; no uplinks');
    expect(lines).to.deep.equal([
      id,
      '  pods are to leave by the node, of which no capture was given <- ClusterUserDefinedNetwork/blue',
      `  the node reports: ForwardingDisabled: pods do not leave${source}`,
    ]);
  });

  const failures: readonly (readonly [reason: string, node: typeof bare, settings: typeof provided, line: RegExp])[] = [
    [
      'ClusterSubnetsUnknown',
      router,
      { ...leaving, clusterCidrs: [] },
      /no Node has spec\.podCIDRs.*; set --cluster-cidr to their subnets <- Node\/a$/,
    ],
    [
      'EgressFailed',
      { ...router, switchExternalIds: {} },
      leaving,
      /external_ids of Open vSwitch has no system-id; .* <- ovsdb\.json$/,
    ],
    [
      'ForwardingDisabled',
      { ...router, sysctls: { ...router.sysctls, 'net.ipv4.conf.all.forwarding': '0' } },
      leaving,
      /net\.ipv4\.conf\.all\.forwarding is 0, .*; set it to 1 <- sysctl\.txt$/,
    ],
    [
      'NoDefaultRoute',
      { ...router, routes: [] },
      leaving,
      /the main table has no IPv4 default route; add one, .* <- ip-route4\.json$/,
    ],
  ];
  for (const [reason, node, settings, line] of failures) {
    it(`says what keeps its pods in on a captured node, where that is seen, and what helps: ${reason}`, () => {
      const { verdict, lines } = explained(clusterWith(ready), node, 'blue', settings);
      expect(verdict).to.equal(`network not ready: ${reason}; no uplinks`);
      expect(lines[2])
        .to.match(new RegExp(`^ {2}${reason}: pods do not leave by the node: `))
        .and.to.match(line);
    });
  }

  it('says that it is ready as soon as a captured node no longer has what it has reported', () => {
    const report = { 'not-ready-1': 'NoDefaultRoute: pods do not leave by the node' };
    expect(explained(clusterWith(report), router, 'blue', leaving).verdict).to.equal('network ready; no uplinks');
  });

  it('says what has failed rather than what is planned', () => {
    const report = { 'not-ready-1': 'EgressFailed: failed: + IPv4 rule 998' };
    const { verdict } = explained(clusterWith(report), router, 'blue', leaving);
    expect(verdict).to.equal('network not ready: EgressFailed; no uplinks');
  });
});

describe('the explanation of a UserDefinedNetwork', () => {
  const green: ClusterSnapshot['userDefinedNetworks'][number] = {
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'UserDefinedNetwork',
    metadata: { name: 'green', namespace: 'demo', uid: 'uid-green' },
    spec: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/23', hostSubnet: 24 }] } },
  };
  const claims = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'ovn-uplinks', name: 'ovn-uplinks-ids' },
    data: { 'network-1': 'demo_green uid-green', 'node-2': 'a uid-a' },
  };
  const withGreen = (report: Report, objects: Partial<ClusterSnapshot> = {}) =>
    clusterWith(report, {
      clusterUserDefinedNetworks: [],
      userDefinedNetworks: [green],
      configMaps: [claims, reportOf(report)],
      ...objects,
    });

  it('says what its node reports and what is planned there, as of other networks', () => {
    const { verdict, activity, lines, operations } = explained(withGreen({ ready: '1' }), bare, 'demo/green');
    expect(verdict).to.equal('network ready; no uplinks');
    expect(activity).to.equal('active on every node: networks are not dynamic <- UserDefinedNetwork/demo/green');
    expect(lines).to.deep.equal([id, '  pods on a have 10.20.0.0/24 <- Node/a', `  the node reports: ready${source}`]);
    expect(operations?.[0]).to.equal('VRF mp1-udn-vrf with table 300');
  });

  it('says that it is not active where no pod of its namespace runs, if networks are dynamic', () => {
    const dynamic = { ...provided, dynamicNetworks: true };
    const explainedWith = (...pods: ClusterSnapshot['pods']) =>
      explained(withGreen({}, { pods }), undefined, 'demo/green', dynamic);
    expect(explainedWith(pod('a', 'other', 'a'))).to.deep.equal({
      verdict: '; not active',
      activity:
        'not active: no pod of its namespaces runs on the node outside the host network <- UserDefinedNetwork/demo/green',
      lines: [],
      operations: undefined,
    });
    const active = explainedWith(pod('web', 'demo', 'a'));
    expect(active.activity).to.equal('active: a pod of its namespaces runs here <- Pod/demo/web');
    expect(active.verdict).to.equal('network not ready: NetworkPending; no uplinks');
  });

  it('is not that of a network of another namespace, nor of the cluster', () => {
    for (const name of ['green', 'other/green', 'demo/blue']) {
      const outcome = explain({ cluster: withGreen({}), node: undefined, settings: provided }, name, 'a');
      expect(outcome, name).to.deep.equal({ explained: false, unknown: 'network' });
    }
  });
});
