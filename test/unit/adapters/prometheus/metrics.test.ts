import { expect } from 'chai';
import { ClusterMetrics } from '../../../../src/adapters/prometheus/cluster-metrics.ts';
import type { ConnectionCounts } from '../../../../src/adapters/procfs/connection-counts.ts';
import { NodeMetrics } from '../../../../src/adapters/prometheus/node-metrics.ts';
import { clusterReports, nodeReports, podReports } from '../../control/reports.ts';

describe('the metrics', () => {
  it('of a node count the reports of its loop', async () => {
    const metrics = new NodeMetrics();
    for (const report of Object.values(nodeReports)) metrics.count(report);
    const { text, contentType } = await metrics.text();
    expect(contentType).to.include('text/plain');
    for (const line of [
      'ovn_uplinks_plan_seconds_count 1',
      'ovn_uplinks_operations_total{kind="add-rule",result="done"} 1',
      'ovn_uplinks_operations_total{kind="add-rule",result="refused"} 1',
      'ovn_uplinks_operations_total{kind="add-rule",result="superseded"} 1',
      'ovn_uplinks_operations_total{kind="add-rule",result="failed"} 1',
      'ovn_uplinks_drift_repaired_total{kind="add-rule"} 1',
      'ovn_uplinks_event_to_applied_seconds_sum 0.25',
      'ovn_uplinks_networks{reason="Ready"} 2',
    ]) {
      expect(text.split('\n'), line).to.include(line);
    }
  });

  it('of attachments of pods count their reports, failures by code', async () => {
    const metrics = new NodeMetrics();
    for (const report of Object.values(podReports)) metrics.pods.count(report);
    const error = { code: 11, message: '', details: '' } as const;
    metrics.pods.count({ ...podReports.answered, error });
    const { text } = await metrics.text();
    for (const line of [
      'ovn_uplinks_cni_calls_total{command="ADD",code="0"} 1',
      'ovn_uplinks_cni_calls_total{command="ADD",code="11"} 1',
      'ovn_uplinks_cni_call_seconds_count{command="ADD"} 1',
      'ovn_uplinks_cni_step_seconds_count{step="flows"} 1',
      'ovn_uplinks_attached_pods 7',
      'ovn_uplinks_pod_ports_repaired_total{what="removed"} 1',
      'ovn_uplinks_pod_ports_repaired_total{what="restored"} 1',
      'ovn_uplinks_pod_locks_repaired_total{what="restored"} 1',
      'ovn_uplinks_pod_repair_failures_total 1',
    ]) {
      expect(text.split('\n'), line).to.include(line);
    }
  });

  it('drop reasons without networks', async () => {
    const metrics = new NodeMetrics();
    metrics.count({ kind: 'settled', networks: new Map([['PrerequisiteMissing', 1]]) });
    metrics.count(nodeReports.settled);
    expect((await metrics.text()).text).not.to.include('PrerequisiteMissing');
  });

  it('of the cluster count the reports of its loop', async () => {
    const metrics = new ClusterMetrics();
    for (const report of Object.values(clusterReports)) metrics.count(report);
    const lines = (await metrics.text()).text.split('\n');
    expect(lines).to.include('ovn_uplinks_cluster_plan_seconds_count 1');
    expect(lines).to.include('ovn_uplinks_cluster_conditions{kind="Uplink",reason="UplinkStateMissing"} 1');
  });

  it('report while something cannot be read, as the other metrics are then stale', async () => {
    const node = new NodeMetrics();
    const cluster = new ClusterMetrics();
    const readable = async () =>
      (await Promise.all([node.text(), cluster.text()])).map(
        ({ text }) => /^ovn_uplinks_readable (\d)$/m.exec(text)?.[1],
      );
    expect(await readable()).to.deep.equal(['0', '0']);
    node.count(nodeReports['plan-duration']);
    cluster.count(clusterReports['plan-duration']);
    expect(await readable()).to.deep.equal(['1', '1']);
    node.count(nodeReports.unreadable);
    cluster.count(clusterReports.unreadable);
    node.count(nodeReports.observed);
    cluster.count(clusterReports.warning);
    expect(await readable()).to.deep.equal(['0', '0']);
  });

  it('report which cluster manager is the leader: the only one, unless it waits', async () => {
    const metrics = new ClusterMetrics();
    const leading = async () => /^ovn_uplinks_cluster_leading (\d)$/m.exec((await metrics.text()).text)?.[1];
    expect(await leading()).to.equal('1');
    for (const [kind, value] of [
      ['standing-by', '0'],
      ['leading', '1'],
      ['leadership-lost', '0'],
    ] as const) {
      metrics.count(clusterReports[kind]);
      expect(await leading()).to.equal(value);
    }
  });

  it('say how many connections the node tracks, and may track; nothing where it tracks none', async () => {
    let counts: ConnectionCounts | undefined;
    const metrics = new NodeMetrics(() => counts);
    const lines = async () => (await metrics.text()).text.match(/^ovn_uplinks_conntrack_entries.*$/gm) ?? [];
    for (const [read, expected] of [
      [undefined, []],
      [
        { entries: 7, limit: 262_144 },
        ['ovn_uplinks_conntrack_entries_limit 262144', 'ovn_uplinks_conntrack_entries 7'],
      ],
      [{ entries: 0, limit: 65_536 }, ['ovn_uplinks_conntrack_entries_limit 65536', 'ovn_uplinks_conntrack_entries 0']],
      [undefined, []],
    ] as const) {
      counts = read;
      expect(await lines()).to.have.members([...expected]);
    }
  });

  it('have a help text each', async () => {
    for (const { text } of [await new NodeMetrics().text(), await new ClusterMetrics().text()]) {
      const types = text.split('\n').filter((line) => line.startsWith('# TYPE ovn_uplinks'));
      const helps = text.split('\n').filter((line) => /^# HELP ovn_uplinks\S+ .{20,}/.test(line));
      expect(types).not.to.be.empty;
      expect(helps).to.have.length(types.length);
    }
  });
});
