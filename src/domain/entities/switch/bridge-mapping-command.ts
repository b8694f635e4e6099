/**
 * Entries of the bridge mappings, one string that is shared with other programs: their entries keep their text and order. (docs/design/ownership.md,
 * "What is whose"; ovn-controller(8), ovn-bridge-mappings)
 */
import { BRIDGE_MAPPINGS_KEY } from '../../basics/conventions.ts';
import { type MappingKeyPair, mappingKeyPairs, parseBridgeMappings } from '../../snapshot/bridge-mappings.ts';
import type { ExternalIds } from '../../node-model/switch/switch-external-ids.ts';
import { by } from '../../basics/names/ordering.ts';
import type { Command } from '../command.ts';

/** Whether ovn-controller reads an entry. */
function isRead(text: string, entry: string): boolean {
  return parseBridgeMappings(text).some(([network, bridge]) => `${network}:${bridge}` === entry);
}

/** Adds an entry at the end; or at the beginning, if ovn-controller stops reading before the end. Removing it again restores the previous text. */
export function withMapping(text: string, entry: string): string {
  if (text === '') return entry;
  const isReadToTheEnd = parseBridgeMappings(text).length === text.split(',').length;
  return isReadToTheEnd ? `${text},${entry}` : `${entry},${text}`;
}

/** Removes an entry once, with one comma. An equal entry of another program comes after the managed one. */
export function withoutMapping(text: string, entry: string): string {
  const entries = text.split(',');
  const at = entries.indexOf(entry);
  return at === -1 ? text : entries.toSpliced(at, 1).join(',');
}

/** The keys of the external_ids after a change; an absent key is undefined. */
export type MappingKeys = Readonly<Record<string, string | undefined>>;

/** The managed list of a pair of keys that has an entry. */
const hasOwn = (externalIds: ExternalIds, { own }: MappingKeyPair, entry: string) =>
  (externalIds[own] ?? '').split(',').includes(entry);

/** Both keys of a pair after a change. The list of the chassis stays, also without entries: without it the common one would be in force. */
function changed(
  externalIds: ExternalIds,
  { mappings, own }: MappingKeyPair,
  change: (text: string) => string,
): MappingKeys {
  const after = (key: string) => change(externalIds[key] ?? '') || undefined;
  const isOfChassis = mappings !== BRIDGE_MAPPINGS_KEY && externalIds[mappings] !== undefined;
  return { [mappings]: after(mappings) ?? (isOfChassis ? '' : undefined), [own]: after(own) };
}

/** Whether the list that ovn-controller reads, or the other one, has a managed entry. */
export function isOwnMapping(externalIds: ExternalIds, entry: string): boolean {
  return mappingKeyPairs(externalIds).some((pair) => pair !== undefined && hasOwn(externalIds, pair, entry));
}

/** The pair of keys that ovn-controller does not read, without a managed entry; nothing where it has none. */
function withoutStrayMapping(externalIds: ExternalIds, entry: string): MappingKeys {
  const [, other] = mappingKeyPairs(externalIds);
  if (other === undefined || !hasOwn(externalIds, other, entry)) return {};
  return changed(externalIds, other, (text) => withoutMapping(text, entry));
}

/**
 * The keys with a managed entry, which is repeated under the key of ovn-uplinks. An entry that another program moved to
 * where ovn-controller does not read it is moved back, also one in a list that the one of the chassis overrides.
 */
export function withOwnMapping(externalIds: ExternalIds, entry: string): MappingKeys {
  const [inForce] = mappingKeyPairs(externalIds);
  const isOurs = isRead(externalIds[inForce.own] ?? '', entry);
  return {
    ...withoutStrayMapping(externalIds, entry),
    ...changed(externalIds, inForce, (text) =>
      isRead(text, entry) ? text : withMapping(isOurs ? withoutMapping(text, entry) : text, entry),
    ),
  };
}

/** The keys without a managed entry. One of another program in a list that has no managed one stays. */
export function withoutOwnMapping(externalIds: ExternalIds, entry: string): MappingKeys {
  const [inForce] = mappingKeyPairs(externalIds);
  const stray = withoutStrayMapping(externalIds, entry);
  if (Object.keys(stray).length > 0 && !hasOwn(externalIds, inForce, entry)) return stray;
  return { ...stray, ...changed(externalIds, inForce, (text) => withoutMapping(text, entry)) };
}

function asMap(values: MappingKeys): unknown {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return ['map', present.sort(by(([key]) => key))];
}

/**
 * The transaction that changes external_ids from one value to another, as operations of RFC 7047, 5.2. If another program has changed them meanwhile
 * its first operation, `wait`, fails (5.2.6), nothing is changed, and the change is planned again.
 */
export function externalIdsTransaction(
  before: ExternalIds,
  wanted: MappingKeys,
): readonly Readonly<Record<string, unknown>>[] {
  return [
    {
      op: 'wait',
      table: 'Open_vSwitch',
      timeout: 0,
      where: [],
      columns: ['external_ids'],
      until: '==',
      rows: [{ external_ids: asMap(before) }],
    },
    {
      op: 'mutate',
      table: 'Open_vSwitch',
      where: [],
      mutations: [
        ['external_ids', 'delete', ['set', Object.keys(wanted)]],
        ['external_ids', 'insert', asMap(wanted)],
      ],
    },
  ];
}

/** The command that runs such a transaction. */
export function externalIdsCommand(before: ExternalIds, wanted: MappingKeys): Command {
  const transaction = ['Open_vSwitch', ...externalIdsTransaction(before, wanted)];
  return { program: 'ovsdb-client', arguments: ['transact', JSON.stringify(transaction)] };
}
