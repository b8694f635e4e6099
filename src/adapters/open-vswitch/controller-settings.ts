/** What ovn-controller reads in Open vSwitch's database where ovn-uplinks runs it (ovn-controller(8), Configuration). */
import { OWN_CONTROLLER_KEY } from '../../domain/conventions.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { type Server, serverText } from '../ovsdb/server.ts';
import { transactOnce } from '../ovsdb/transact-once.ts';
import { selectedRows, type TransactionResult } from '../ovsdb/transaction-result.ts';
import { readValue } from '../ovsdb/values.ts';
import { NOT_INITIALIZED } from './external-ids-change.ts';

/** Settings of the ovn-controller of a node. */
export interface ControllerSettings {
  /** Where it finds the Southbound database, such as `unix:/run/ovn/ovnsb_db.sock`. */
  readonly southbound: string;
  /** The address of the node that other nodes send tunnel packets to. */
  readonly encapsulationIp: string;
}

function written({ southbound, encapsulationIp }: ControllerSettings): Readonly<Record<string, string>> {
  return {
    'ovn-remote': southbound,
    'ovn-encap-type': 'geneve',
    'ovn-encap-ip': encapsulationIp,
    // The database is of this node alone.
    'ovn-monitor-all': 'true',
    [OWN_CONTROLLER_KEY]: 'true',
  };
}

const keys = Object.keys(written({ southbound: '', encapsulationIp: '' }));

const deletion = ['external_ids', 'delete', ['set', keys]] as const;

/** One mutation of the only row of Open_vSwitch, if conditions hold of it. */
const mutation = (where: readonly unknown[], ...mutations: readonly unknown[]) => ({
  op: 'mutate',
  table: 'Open_vSwitch',
  where,
  mutations,
});

type Failure = Exclude<TransactionResult, { readonly outcome: 'done' }>;

function refused(ovsdb: Server, error: string): ApplyResult {
  return { done: false, error: `${serverText(ovsdb)}: ${error}`, isRefused: true };
}

const unanswered = (ovsdb: Server, result: Failure): ApplyResult =>
  refused(ovsdb, `ovsdb-server ${'reason' in result ? result.reason : result.error}`);

/**
 * Writes the settings of the ovn-controller of a node, but for the tunnels to other zones, which come with the first network
 * (src/domain/entities/interconnection.ts). Refuses where Open vSwitch has none of its own name, or is that of another OVN: two of its controllers
 * would undo each other's flows. Never rejects.
 */
export async function configureController(ovsdb: Server, settings: ControllerSettings): Promise<ApplyResult> {
  const select = { op: 'select', table: 'Open_vSwitch', where: [], columns: ['external_ids'] };
  const selected = await transactOnce(ovsdb, 'Open_vSwitch', [select]);
  if (selected.outcome !== 'done') return unanswered(ovsdb, selected);
  const [row] = selectedRows(selected.results[0]);
  if (row === undefined) return refused(ovsdb, `ovsdb-server ${NOT_INITIALIZED}`);
  const value = readValue(row['external_ids']);
  const found = new Map<unknown, unknown>(value?.kind === 'map' ? value.pairs : []);
  if (!found.has('system-id'))
    return refused(
      ovsdb,
      'external_ids of Open_vSwitch has no system-id: start Open vSwitch by its service, which writes it',
    );
  const remote = found.get('ovn-remote');
  if (typeof remote === 'string' && remote !== settings.southbound)
    return refused(
      ovsdb,
      `external_ids:ovn-remote of Open_vSwitch is ${remote}, expected ${settings.southbound}: this Open vSwitch belongs to another OVN, and cannot have two controllers; remove that one and its ovn-remote`,
    );
  const insertion = ['external_ids', 'insert', ['map', Object.entries(written(settings))]];
  const result = await transactOnce(ovsdb, 'Open_vSwitch', [mutation([], deletion, insertion)]);
  return result.outcome === 'done' ? { done: true } : unanswered(ovsdb, result);
}

/** Removes these settings where they are managed. Never rejects. */
export async function removeControllerSettings(ovsdb: Server): Promise<ApplyResult> {
  const isManaged = ['external_ids', 'includes', ['map', [[OWN_CONTROLLER_KEY, 'true']]]];
  const result = await transactOnce(ovsdb, 'Open_vSwitch', [mutation([isManaged], deletion)]);
  return result.outcome === 'done' ? { done: true } : unanswered(ovsdb, result);
}
