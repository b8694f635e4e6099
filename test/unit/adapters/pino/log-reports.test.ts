import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { type Logger, pino } from 'pino';
import { logClusterReport } from '../../../../src/adapters/pino/log-cluster-report.ts';
import { logPodReport } from '../../../../src/adapters/pino/log-pod-report.ts';
import { logNodeReport } from '../../../../src/adapters/pino/log-node-report.ts';
import type { ClusterReport } from '../../../../src/ports/cluster/cluster-report.ts';
import type { NodeReport } from '../../../../src/ports/node/node-report.ts';
import type { PodReport } from '../../../../src/ports/pods/pod-report.ts';
import { clusterReports, nodeReports, podReports, rule } from '../../control/reports.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

function logged(log: (log: Logger) => void): readonly Line[] {
  const lines: Line[] = [];
  const stream = { write: (text: string) => void lines.push(JSON.parse(text) as Line) };
  log(
    pino(
      { level: 'debug', base: null, timestamp: false, formatters: { level: (label) => ({ level: label }) } },
      stream,
    ),
  );
  return lines;
}

const summary = '+ IPv4 rule 1999: mark 0x1001 looks up table 1007';

const nodeLines: Readonly<Record<Exclude<NodeReport['kind'], 'observed' | 'ways'>, string>> = {
  'plan-duration': 'debug plan computed',
  unreadable: 'error cannot read: /run/db.sock: nobody answers',
  planned: 'info planned',
  warning: 'warn Node/worker-a: odd',
  applied: `info ${summary}`,
  refused: `debug refused: ${summary}`,
  superseded: `debug no longer necessary: ${summary}: File exists`,
  failed: `error failed: ${summary}: No buffer space`,
  drift: 'warn drift: IPv4 rule 1999 is absent, expected present',
  'drift-repaired': `info repaired: ${summary}`,
  settled: 'info settled',
  network: 'warn network blue is not ready: PrerequisiteMissing: no port',
  'ledger-unwritten': 'warn disk is full',
  unpublished: 'warn UplinkState/u.worker-a is not written: disk is full',
};

const clusterLines: Readonly<Record<ClusterReport['kind'], string>> = {
  'standing-by': 'info waiting for leadership',
  leading: 'info leading',
  'leadership-lost': 'error lost leadership, exiting: the API server does not answer',
  'plan-duration': 'debug plan computed',
  unreadable: 'error cannot read: m: is not there',
  warning: 'warn Uplink/blue: odd',
  'object-warning': 'warn Service/demo/web: AffinityShortened: too long',
  condition: 'warn Uplink/blue: Degraded is True: UplinkStateMissing: worker-a',
  provision: 'info NetworkAttachmentDefinition/demo/blue: writing it',
  deleted: 'info UplinkState u.worker-a is obsolete: deleting it',
  settled: 'warn Uplink/blue is not written: disk is full',
};

const podLines: Readonly<Record<PodReport['kind'], string>> = {
  answered: 'info ADD Pod/demo/web',
  'attach-step': 'debug Pod/demo/web: flows',
  serving: 'info serving container runtimes',
  'leftover-removed': 'info Pod/demo/web: removed its unused port',
  'port-restored': 'info Pod/demo/web: restored its port',
  'lock-repaired': 'warn Pod/demo/web: its interface veth0 in the default network was not locked, and is again',
  detached: 'warn Pod/demo/web: detached; its interface ovu1 stays until the pod is deleted, and leads nowhere',
  'detach-failed': 'error not all pods are detached: nobody answers',
  warning: 'warn nft monitor exited',
  attached: 'debug pods are attached',
  'repair-failed': 'error ports of pods cannot be repaired: nobody answers',
};

describe('the log', () => {
  for (const [kind, line] of Object.entries(podLines)) {
    it(`has a line for attachments of pods: ${kind}`, () => {
      const [found, ...others] = logged((log) => logPodReport(log, podReports[kind as PodReport['kind']]));
      expect(`${found?.level} ${found?.msg}`).to.equal(line);
      expect(others).to.deep.equal([]);
    });
  }

  it('has why a call failed, and only at level debug that runtimes ask whether all is well', () => {
    const error = { code: 11, message: 'the pod cannot be attached', details: 'this node has no id yet' } as const;
    const [failed] = logged((log) => logPodReport(log, { ...podReports.answered, error }));
    const call = { command: 'ADD', pod: 'Pod/demo/web', network: 'cluster_udn_blue', milliseconds: 250 };
    expect(failed).to.deep.include({ ...call, level: 'warn', code: 11 });
    expect(failed?.msg).to.equal('ADD Pod/demo/web: the pod cannot be attached: this node has no id yet');
    const [status] = logged((log) => logPodReport(log, { kind: 'answered', command: 'STATUS', milliseconds: 1 }));
    expect(status).to.include({ level: 'debug', msg: 'STATUS' });
  });

  for (const [kind, line] of Object.entries(nodeLines)) {
    it(`of a node has for ${kind}: ${line}`, () => {
      const lines = logged((log) => {
        logNodeReport(log, nodeReports[kind as NodeReport['kind']]);
      });
      expect(lines.map(({ level, msg }) => `${level} ${msg}`)).to.deep.equal([line]);
    });
  }

  for (const [kind, line] of Object.entries(clusterLines)) {
    it(`of the cluster has for ${kind}: ${line}`, () => {
      const lines = logged((log) => {
        logClusterReport(log, clusterReports[kind as ClusterReport['kind']]);
      });
      expect(lines.map(({ level, msg }) => `${level} ${msg}`)).to.deep.equal([line]);
    });
  }

  it('has no line for an observation', () => {
    const lines = logged((log) => {
      logNodeReport(log, nodeReports.observed);
    });
    expect(lines).to.deep.equal([]);
  });

  it('has network and uplink as fields', () => {
    const [line] = logged((log) => {
      logNodeReport(log, nodeReports.network);
    });
    expect(line).to.include({ network: 'blue', uplink: 'u', reason: 'PrerequisiteMissing' });
  });

  describe('of an operation', () => {
    const kinds = ['applied', 'refused', 'superseded', 'failed', 'drift', 'drift-repaired'] as const;
    const fields = (networks: readonly string[], uplinks: readonly string[]) =>
      kinds.flatMap((kind) =>
        logged((log) => {
          logNodeReport(log, {
            ...nodeReports[kind],
            operation: { ...rule, networks: networks.map(clusterNetworkKey) },
            uplinks,
          });
        }),
      );

    it('has network and uplink as fields as well', () => {
      for (const line of fields(['blue'], ['u']))
        expect(line).to.include({ network: 'blue', uplink: 'u', operation: 'add-rule' });
    });

    it('has several as one text, in name order', () => {
      for (const line of fields(['red', 'blue'], ['v', 'u']))
        expect(line).to.include({ network: 'blue,red', uplink: 'u,v' });
    });

    it('has no empty fields', () => {
      for (const line of fields([], [])) expect(line).to.not.have.any.keys('network', 'uplink');
    });
  });

  it('has the same type for a field in all lines', () => {
    const types = new Map<string, Set<string>>();
    const lines = logged((log) => {
      for (const report of Object.values(nodeReports)) logNodeReport(log, report);
      for (const report of Object.values(clusterReports)) logClusterReport(log, report);
    });
    for (const [field, value] of lines.flatMap((line) => Object.entries(line)))
      types.set(field, (types.get(field) ?? new Set()).add(typeof value));
    expect([...types].filter(([, { size }]) => size > 1).map(([field]) => field)).to.deep.equal([]);
  });

  it('has the number of networks by reason', () => {
    const [line] = logged((log) => {
      logNodeReport(log, nodeReports.settled);
    });
    expect(line?.['networksByReason']).to.deep.equal({ Ready: 2 });
  });

  it('of the cluster has network and uplink as fields', () => {
    const lines = logged((log) => {
      logClusterReport(log, clusterReports.condition);
      logClusterReport(log, { ...clusterReports.condition, object: 'ClusterUserDefinedNetwork/red' });
    });
    expect(lines.map(({ uplink, network }) => ({ uplink, network }))).to.deep.equal([
      { uplink: 'blue', network: undefined },
      { uplink: undefined, network: 'red' },
    ]);
  });

  it('has a debug line if nothing was to be done', () => {
    const [line] = logged((log) => {
      logNodeReport(log, { kind: 'settled', networks: new Map() });
    });
    expect(line?.level).to.equal('debug');
  });

  it('has no warning for a ready network or a good condition', () => {
    const lines = logged((log) => {
      logNodeReport(log, { ...nodeReports.network, reason: 'Ready', message: '' });
      logClusterReport(log, { ...clusterReports.condition, status: 'False', reason: 'AllNodesReady', message: '' });
      logClusterReport(log, { ...clusterReports.condition, type: 'UplinksReady' });
    });
    expect(lines.map(({ level }) => level)).to.deep.equal(['info', 'info', 'info']);
  });
});
