/** Settings that ovn-controller reads in Open vSwitch's database where ovn-uplinks runs it (ovn-controller(8), Configuration). */
import { CHASSIS_KEY, OWN_CONTROLLER_KEY } from '../../domain/basics/conventions.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { type DatabaseServer, serverText } from '../ovsdb/server.ts';
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

function wantedSettings({ southbound, encapsulationIp }: ControllerSettings): Readonly<Record<string, string>> {
  return {
    'ovn-remote': southbound,
    'ovn-encap-type': 'geneve',
    'ovn-encap-ip': encapsulationIp,
    // The database is of this node alone.
    'ovn-monitor-all': 'true',
  };
}

const KEYS = Object.keys(wantedSettings({ southbound: '', encapsulationIp: '' }));

/** The external_ids of Open_vSwitch. */
type ExternalIds = ReadonlyMap<unknown, unknown>;

/** Which of the settings ovn-uplinks has written. */
function writtenKeys(found: ExternalIds): readonly string[] {
  const stored = found.get(OWN_CONTROLLER_KEY);
  if (typeof stored !== 'string') return [];
  // Former versions wrote all of them, and no list.
  if (stored === 'true') return KEYS;
  const listed = stored.split(',');
  return KEYS.filter((key) => listed.includes(key));
}

/** Deletes those, and the list of them. */
const deletionOf = (written: readonly string[]) =>
  ['external_ids', 'delete', ['set', [...written, OWN_CONTROLLER_KEY]]] as const;

/** One mutation of the only row of Open_vSwitch, if conditions hold of it. */
const mutation = (where: readonly unknown[], ...mutations: readonly unknown[]) => ({
  op: 'mutate',
  table: 'Open_vSwitch',
  where,
  mutations,
});

type FailedTransaction = Exclude<TransactionResult, { readonly outcome: 'done' }>;

function refused(ovsdb: DatabaseServer, error: string): ApplyResult {
  return { done: false, error: `${serverText(ovsdb)}: ${error}`, isRefused: true };
}

const unanswered = (ovsdb: DatabaseServer, result: FailedTransaction): ApplyResult =>
  refused(ovsdb, `ovsdb-server ${'reason' in result ? result.reason : result.error}`);

/** The external_ids of Open_vSwitch, or why they cannot be read. */
async function readExternalIds(ovsdb: DatabaseServer): Promise<ExternalIds | ApplyResult> {
  const select = { op: 'select', table: 'Open_vSwitch', where: [], columns: ['external_ids'] };
  const selected = await transactOnce(ovsdb, 'Open_vSwitch', [select]);
  if (selected.outcome !== 'done') return unanswered(ovsdb, selected);
  const [row] = selectedRows(selected.results[0]);
  if (row === undefined) return refused(ovsdb, `ovsdb-server ${NOT_INITIALIZED}`);
  const value = readValue(row['external_ids']);
  return new Map<unknown, unknown>(value?.kind === 'map' ? value.pairs : []);
}

/** Whether ovn-controller is that of ovn-uplinks with a setting of the node's chassis: of the lists of types and addresses one has to be the wanted one. */
function isCompatible(key: string, value: string, wanted: string): boolean {
  if (key === 'ovn-monitor-all') return true;
  return key === 'ovn-remote' ? value === wanted : value.split(',').includes(wanted);
}

/** The settings of the node's chassis alone that override those that are wanted (ovn-controller(8), Configuration) and contradict them, with their values. */
function contradictingSettings(found: ExternalIds, wanted: Readonly<Record<string, string>>): readonly string[] {
  const chassis = found.get(CHASSIS_KEY);
  return Object.entries(wanted).flatMap(([key, expected]) => {
    const ofChassis = `${key}-${String(chassis)}`;
    const value = found.get(ofChassis);
    const isContradicting = typeof value === 'string' && !isCompatible(key, value, expected);
    return isContradicting ? [`${ofChassis} is ${value}, expected ${expected}`] : [];
  });
}

/** Why the settings cannot be written beside those that are there. */
function refusalOf(found: ExternalIds, wanted: Readonly<Record<string, string>>): string | undefined {
  if (!found.has(CHASSIS_KEY))
    return 'external_ids of Open_vSwitch has no system-id: start Open vSwitch by its service, which writes it';
  const overriding = contradictingSettings(found, wanted);
  if (overriding.length > 0)
    return `external_ids of Open_vSwitch has settings for this chassis alone, which override those of ovn-uplinks: ${overriding.join('; ')}; set them as expected, or remove them by ovs-vsctl remove Open_vSwitch . external_ids KEY`;
  const [remote, expected = ''] = [found.get('ovn-remote'), wanted['ovn-remote']];
  if (typeof remote === 'string' && remote !== expected)
    return `external_ids:ovn-remote of Open_vSwitch is ${remote}, expected ${expected}: this Open vSwitch belongs to another OVN, and cannot have two controllers; remove that one and its ovn-remote`;
  if (typeof remote === 'string' && !found.has(OWN_CONTROLLER_KEY))
    return `external_ids:ovn-remote of Open_vSwitch is ${remote}, and ovn-uplinks did not write it: another OVN may run here, and this Open vSwitch cannot have two controllers; remove that one, and its setting by ovs-vsctl remove Open_vSwitch . external_ids ovn-remote`;
  const written = writtenKeys(found);
  const others = KEYS.filter((key) => found.has(key) && found.get(key) !== wanted[key] && !written.includes(key));
  if (others.length === 0) return undefined;
  const differences = others.map((key) => `${key} is ${String(found.get(key))}, expected ${wanted[key] ?? ''}`);
  return `external_ids of Open_vSwitch has settings that ovn-uplinks did not write, and does not replace: ${differences.join('; ')}; set them as expected, or remove them by ovs-vsctl remove Open_vSwitch . external_ids ${others.join(' ')}`;
}

/**
 * Writes the settings of the ovn-controller of a node, but for the tunnels to other zones, which come with the first network
 * (src/domain/entities/interconnection.ts). Refuses where Open vSwitch has none of its own name, is or may be that of another OVN – two of its controllers
 * would undo each other's flows –, or has other settings than these which ovn-uplinks did not write. Never rejects.
 */
export async function configureController(ovsdb: DatabaseServer, settings: ControllerSettings): Promise<ApplyResult> {
  const found = await readExternalIds(ovsdb);
  if ('done' in found) return found;
  const wanted = wantedSettings(settings);
  const refusal = refusalOf(found, wanted);
  if (refusal !== undefined) return refused(ovsdb, refusal);
  const before = writtenKeys(found);
  const written = KEYS.filter((key) => !found.has(key) || before.includes(key));
  const pairs = [...written.map((key) => [key, wanted[key]]), [OWN_CONTROLLER_KEY, written.join(',')]];
  const insertion = ['external_ids', 'insert', ['map', pairs]];
  const result = await transactOnce(ovsdb, 'Open_vSwitch', [mutation([], deletionOf(written), insertion)]);
  return result.outcome === 'done' ? { done: true } : unanswered(ovsdb, result);
}

/** Removes those of the settings that ovn-uplinks has written. Never rejects. */
export async function removeControllerSettings(ovsdb: DatabaseServer): Promise<ApplyResult> {
  const found = await readExternalIds(ovsdb);
  if ('done' in found) return found;
  if (!found.has(OWN_CONTROLLER_KEY)) return { done: true };
  const result = await transactOnce(ovsdb, 'Open_vSwitch', [mutation([], deletionOf(writtenKeys(found)))]);
  return result.outcome === 'done' ? { done: true } : unanswered(ovsdb, result);
}
