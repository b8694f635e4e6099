import { clusterNetworkKey } from '../../../src/domain/network/key.ts';
import type { Operation } from '../../../src/domain/index.ts';
import type { ClusterReport } from '../../../src/ports/cluster/cluster-report.ts';
import type { NodeReport } from '../../../src/ports/node/node-report.ts';
import type { PodReport } from '../../../src/ports/pods/pod-report.ts';
import { inFile } from '../../../src/ports/input-problem.ts';

/** An operation for network blue. */
export const rule: Operation = {
  verb: 'add',
  networks: [clusterNetworkKey('blue')],
  entity: { kind: 'rule', rule: { family: 4, priority: 1999, table: 1007, protocol: '94', mark: 0x1001, others: {} } },
};

/** A report of each kind that a node's loop makes. */
export const nodeReports: { readonly [Kind in NodeReport['kind']]: Extract<NodeReport, { kind: Kind }> } = {
  'plan-duration': { kind: 'plan-duration', milliseconds: 12.34 },
  observed: { kind: 'observed' },
  ways: { kind: 'ways', ways: [], held: [] },
  unreadable: { kind: 'unreadable', problems: [{ origin: inFile('/run/db.sock'), message: 'nobody answers' }] },
  planned: { kind: 'planned', plan: 3, networks: 2, operations: 7 },
  warning: { kind: 'warning', text: 'Node/worker-a: odd' },
  applied: { kind: 'applied', operation: rule, uplinks: ['u'], milliseconds: 1.26 },
  refused: { kind: 'refused', operation: rule, uplinks: ['u'], error: 'File exists' },
  superseded: { kind: 'superseded', operation: rule, uplinks: ['u'], error: 'File exists' },
  failed: { kind: 'failed', operation: rule, uplinks: ['u'], error: 'No buffer space', retryIn: 2000 },
  drift: {
    kind: 'drift',
    operation: rule,
    uplinks: ['u'],
    discrepancy: { path: 'IPv4 rule 1999', found: 'absent', wanted: 'present' },
  },
  'drift-repaired': { kind: 'drift-repaired', operation: rule, uplinks: ['u'], milliseconds: 30 },
  settled: { kind: 'settled', networks: new Map([['Ready', 2]]), milliseconds: 250 },
  network: { kind: 'network', network: 'blue', uplink: 'u', reason: 'PrerequisiteMissing', message: 'no port' },
  'ledger-unwritten': { kind: 'ledger-unwritten', error: 'disk is full' },
  unpublished: { kind: 'unpublished', refused: new Map([['UplinkState/u.worker-a', 'disk is full']]) },
};

const web = { namespace: 'demo', name: 'web', uid: '1' };

/** A report of each kind about attachments of pods. */
export const podReports: { readonly [Kind in PodReport['kind']]: Extract<PodReport, { kind: Kind }> } = {
  answered: {
    kind: 'answered',
    command: 'ADD',
    pod: 'Pod/demo/web',
    network: 'cluster_udn_blue',
    containerId: 'c0ffee',
    milliseconds: 250.04,
  },
  'attach-step': { kind: 'attach-step', step: 'flows', pod: { namespace: 'demo', name: 'web' }, milliseconds: 120.04 },
  serving: { kind: 'serving', socket: '/run/ovn-uplinks/cni.sock' },
  'leftover-removed': { kind: 'leftover-removed', port: 'ovu1', pod: web },
  'port-restored': { kind: 'port-restored', port: 'demo.blue_demo_web', pod: web },
  'lock-repaired': { kind: 'lock-repaired', interface: 'veth0', pod: web, wasMissing: true },
  detached: { kind: 'detached', port: 'ovu1', pod: web },
  'detach-failed': { kind: 'detach-failed', error: 'nobody answers' },
  warning: { kind: 'warning', text: 'nft monitor exited' },
  attached: { kind: 'attached', pods: 7 },
  'repair-failed': { kind: 'repair-failed', error: 'nobody answers', retryIn: 1000 },
};

/** A report of each kind that the cluster's loop makes. */
export const clusterReports: { readonly [Kind in ClusterReport['kind']]: Extract<ClusterReport, { kind: Kind }> } = {
  'standing-by': { kind: 'standing-by' },
  leading: { kind: 'leading' },
  'leadership-lost': { kind: 'leadership-lost', reason: 'the API server does not answer' },
  'plan-duration': { kind: 'plan-duration', milliseconds: 12.34 },
  unreadable: { kind: 'unreadable', problems: [{ origin: inFile('m'), message: 'is not there' }] },
  warning: { kind: 'warning', text: 'Uplink/blue: odd' },
  'object-warning': {
    kind: 'object-warning',
    warning: { kind: 'Service', ...web, reason: 'AffinityShortened', message: 'too long' },
  },
  condition: {
    kind: 'condition',
    object: 'Uplink/blue',
    type: 'Degraded',
    status: 'True',
    reason: 'UplinkStateMissing',
    message: 'worker-a',
  },
  provision: { kind: 'provision', object: 'NetworkAttachmentDefinition/demo/blue', isDeletion: false },
  deleted: { kind: 'deleted', state: 'u.worker-a' },
  settled: {
    kind: 'settled',
    refused: new Map([['Uplink/blue', 'disk is full']]),
    conditions: new Map([['Uplink UplinkStateMissing', 1]]),
  },
};
