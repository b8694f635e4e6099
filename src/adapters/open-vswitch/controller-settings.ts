/** What ovn-controller reads in Open vSwitch's database where ovn-uplinks runs it (ovn-controller(8), Configuration). */
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

/**
 * Writes the settings of the ovn-controller of a node. Refuses where Open vSwitch has none of its own name, or is that of another OVN: two of its controllers
 * would undo each other's flows. Never rejects.
 */
export async function configureController(ovsdb: Server, settings: ControllerSettings): Promise<ApplyResult> {
  const file = serverText(ovsdb);
  const refused = (error: string): ApplyResult => ({ done: false, error: `${file}: ${error}`, isRefused: true });
  const unanswered = (result: Exclude<TransactionResult, { readonly outcome: 'done' }>) =>
    refused(`ovsdb-server ${'reason' in result ? result.reason : result.error}`);
  const select = { op: 'select', table: 'Open_vSwitch', where: [], columns: ['external_ids'] };
  const selected = await transactOnce(ovsdb, 'Open_vSwitch', [select]);
  if (selected.outcome !== 'done') return unanswered(selected);
  const [row] = selectedRows(selected.results[0]);
  if (row === undefined) return refused(`ovsdb-server ${NOT_INITIALIZED}`);
  const value = readValue(row['external_ids']);
  const found = new Map<unknown, unknown>(value?.kind === 'map' ? value.pairs : []);
  if (!found.has('system-id'))
    return refused('external_ids of Open_vSwitch has no system-id: start Open vSwitch by its service, which writes it');
  const remote = found.get('ovn-remote');
  if (typeof remote === 'string' && remote !== settings.southbound)
    return refused(
      `external_ids:ovn-remote of Open_vSwitch is ${remote}, expected ${settings.southbound}: this Open vSwitch belongs to another OVN, and cannot have two controllers; remove that one and its ovn-remote`,
    );
  const written = {
    'ovn-remote': settings.southbound,
    'ovn-encap-type': 'geneve',
    'ovn-encap-ip': settings.encapsulationIp,
    // The networks of other nodes are those of other zones.
    'ovn-is-interconn': 'true',
    // The database is of this node alone.
    'ovn-monitor-all': 'true',
  };
  const mutate = {
    op: 'mutate',
    table: 'Open_vSwitch',
    where: [],
    mutations: [
      ['external_ids', 'delete', ['set', Object.keys(written)]],
      ['external_ids', 'insert', ['map', Object.entries(written)]],
    ],
  };
  const result = await transactOnce(ovsdb, 'Open_vSwitch', [mutate]);
  return result.outcome === 'done' ? { done: true } : unanswered(result);
}
