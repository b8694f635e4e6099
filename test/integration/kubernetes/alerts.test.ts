import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { ClusterMetrics } from '../../../src/adapters/prometheus/cluster-metrics.ts';
import { NodeMetrics } from '../../../src/adapters/prometheus/node-metrics.ts';
import { configFile } from './served-config.ts';

interface Rules {
  readonly spec: {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
  };
}

const { spec } = load(configFile('monitoring/rules.yaml')) as Rules;
const alerts = spec.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

/** Series by their names and labels, each as promtool(1) reads values over time: here of one a minute, for an hour. */
type Series = Readonly<Record<string, string>>;

const node = '{job="ovn-uplinks-node", node="worker-a", namespace="ovn-uplinks", pod="node-1"}';
const manager = (pod: string) => `{job="ovn-uplinks-cluster-manager", namespace="ovn-uplinks", pod="${pod}"}`;
const withLabels = (labels: string, more: string) => labels.replace('}', `, ${more}}`);

/** A cluster in which all is well. */
const healthy: Series = {
  [`up${node}`]: '1x60',
  [`ovn_uplinks_readable${node}`]: '1x60',
  [`ovn_uplinks_networks${withLabels(node, 'reason="Ready"')}`]: '20x60',
  [`ovn_uplinks_operations_total${withLabels(node, 'kind="add-route", result="done"')}`]: '0+1x60',
  [`ovn_uplinks_operations_total${withLabels(node, 'kind="add-route", result="refused"')}`]: '0+1x60',
  [`ovn_uplinks_drift_repaired_total${withLabels(node, 'kind="add-route"')}`]: '0 1x59',
  [`ovn_uplinks_conntrack_entries${node}`]: '200000x60',
  [`ovn_uplinks_conntrack_entries_limit${node}`]: '262144x60',
  [`up${manager('a')}`]: '1x60',
  [`up${manager('b')}`]: '1x60',
  [`ovn_uplinks_readable${manager('a')}`]: '1x60',
  [`ovn_uplinks_readable${manager('b')}`]: '1x60',
  [`ovn_uplinks_cluster_leading${manager('a')}`]: '1x60',
  [`ovn_uplinks_cluster_leading${manager('b')}`]: '0x60',
  [`ovn_uplinks_cluster_conditions${withLabels(manager('a'), 'kind="Uplink", reason="AllNodesReady"')}`]: '5x60',
  // Of one that led before.
  [`ovn_uplinks_cluster_conditions${withLabels(manager('b'), 'kind="Uplink", reason="BridgeNotFound"')}`]: '1x60',
};

/** The series that differ where something is wrong, and the alerts of that. */
const troubles: readonly { readonly what: string; readonly series: Series; readonly alerts: readonly string[] }[] = [
  { what: 'all is well', series: {}, alerts: [] },
  { what: 'an agent is down', series: { [`up${node}`]: '0x60' }, alerts: ['OvnUplinksAgentDown'] },
  {
    what: 'an agent cannot read',
    series: { [`ovn_uplinks_readable${node}`]: '0x60' },
    alerts: ['OvnUplinksNodeUnreadable'],
  },
  {
    what: 'a network is not ready',
    series: { [`ovn_uplinks_networks${withLabels(node, 'reason="GatewayRouterFailed"')}`]: '1x60' },
    alerts: ['OvnUplinksNetworkNotReady'],
  },
  {
    what: 'operations fail all the time',
    series: { [`ovn_uplinks_operations_total${withLabels(node, 'kind="add-route", result="failed"')}`]: '0+1x60' },
    alerts: ['OvnUplinksOperationsFail'],
  },
  {
    what: 'another program changes the same routes',
    series: { [`ovn_uplinks_drift_repaired_total${withLabels(node, 'kind="add-route"')}`]: '0+1x60' },
    alerts: ['OvnUplinksDrift'],
  },
  {
    what: 'a node tracks almost as many connections as it may',
    series: { [`ovn_uplinks_conntrack_entries${node}`]: '240000x60' },
    alerts: ['OvnUplinksConntrackNearLimit'],
  },
  {
    what: 'a node may track any number of connections',
    series: { [`ovn_uplinks_conntrack_entries_limit${node}`]: '0x60' },
    alerts: [],
  },
  {
    what: 'one of two cluster managers is down',
    series: { [`up${manager('b')}`]: '0x60', [`ovn_uplinks_readable${manager('b')}`]: '_x60' },
    alerts: [],
  },
  {
    what: 'no cluster manager answers',
    series: { [`up${manager('a')}`]: '0x60', [`up${manager('b')}`]: '0x60' },
    alerts: ['OvnUplinksClusterManagerDown'],
  },
  {
    what: 'a cluster manager cannot read',
    series: { [`ovn_uplinks_readable${manager('a')}`]: '0x60' },
    alerts: ['OvnUplinksClusterManagerUnreadable'],
  },
  {
    what: 'no cluster manager leads',
    series: { [`ovn_uplinks_cluster_leading${manager('a')}`]: '0x60' },
    alerts: ['OvnUplinksNoLeader'],
  },
  {
    what: 'an Uplink is degraded',
    series: {
      [`ovn_uplinks_cluster_conditions${withLabels(manager('a'), 'kind="Uplink", reason="BridgeNotFound"')}`]: '1x60',
    },
    alerts: ['OvnUplinksUplinkDegraded'],
  },
];

describe('the alerts of config/monitoring', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-alerts-'));
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify(spec));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const promtool = (...words: readonly string[]) => {
    const { XDG_CACHE_HOME: cache = join(homedir(), '.cache') } = process.env;
    const program = join(cache, 'ovn-uplinks/promtool');
    if (!existsSync(program)) throw new Error(`there is no ${program}: run scripts/set-up-promtool`);
    try {
      return execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
      throw new Error(`${stdout}${stderr}`, { cause: error });
    }
  };

  it('are valid for Prometheus', () => {
    expect(promtool('check', 'rules', 'rules.yaml')).to.include(`SUCCESS: ${alerts.length} rules found`);
  });

  it('query existing metrics', async () => {
    const { text: ofNode } = await new NodeMetrics().text();
    const { text: ofCluster } = await new ClusterMetrics().text();
    const names = new Set([...`${ofNode}${ofCluster}`.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const asked = spec.groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => expr.match(/ovn_uplinks_\w+/g) ?? []));
    expect(asked.filter((name) => !names.has(name))).to.deep.equal([]);
  });

  it('each have a case that raises them, below', () => {
    expect([...new Set(troubles.flatMap((trouble) => trouble.alerts))]).to.have.members(alerts);
  });

  it('are raised if something is wrong, and only then', () => {
    const tests = troubles.map(({ what, series, alerts: raised }) => ({
      name: what,
      interval: '1m',
      input_series: Object.entries({ ...healthy, ...series }).map(([name, values]) => ({ series: name, values })),
      // How many of each there are: labels and texts are those of the rules.
      promql_expr_test: alerts.map((alert) => ({
        expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(0)`,
        eval_time: '50m',
        exp_samples: [{ labels: '{}', value: raised.includes(alert) ? 1 : 0 }],
      })),
    }));
    writeFileSync(
      join(folder, 'tests.yaml'),
      JSON.stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests }),
    );
    expect(promtool('test', 'rules', 'tests.yaml')).to.include('SUCCESS');
  });
});
