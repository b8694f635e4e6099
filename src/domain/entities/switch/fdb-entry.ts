import type { FdbEntry } from '../../snapshot/datapath.ts';
import { entriesOf, entryOf } from '../../snapshot/ledger.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies } from '../dependencies.ts';
import type { EntityKind } from '../entity-kind.ts';

/** A static entry in the MAC learning table of a bridge, so that no other host can take over the MAC address of a host interface. */
export interface FdbEntryEntity extends FdbEntry {
  readonly kind: 'fdb-entry';
}

function keyOf({ bridge, vlan, macAddress }: Omit<FdbEntry, 'port'>): string {
  return `${bridge} ${String(vlan)} ${macAddress}`;
}

function plain({ bridge, port, vlan, macAddress }: FdbEntry): FdbEntry {
  return { bridge, port, vlan, macAddress };
}

export const fdbEntry: EntityKind<FdbEntryEntity, 'flowTables'> = {
  kind: 'fdb-entry',
  parts: ['fdbEntries'],
  identity: keyOf,
  satisfies: (found, desired) => found.port === desired.port,
  all: ({ fdbEntries }) => fdbEntries.map((entry) => ({ kind: 'fdb-entry', ...entry })),
  put: (node, entities) => {
    const taken = new Set(entities.map(keyOf));
    return {
      ...node,
      fdbEntries: [...node.fdbEntries.filter((entry) => !taken.has(keyOf(entry))), ...entities.map(plain)],
    };
  },
  take: (node, entities) => {
    const taken = new Set(entities.map(keyOf));
    return { ...node, fdbEntries: node.fdbEntries.filter((entry) => !taken.has(keyOf(entry))) };
  },
  comparable: plain,
  isOurs: (entity, ledger) =>
    entryOf(
      ledger,
      'fdb-entry',
      entity.bridge,
      (entry) => keyOf(entry) === keyOf(entity) && entry.port === entity.port,
    ) !== undefined,
  own: ({ ledger, fdbEntries }) => {
    const known = new Set(entriesOf(ledger, 'fdb-entry').map((entry) => `${keyOf(entry)} ${entry.port}`));
    return fdbEntries
      .filter((entry) => known.has(`${keyOf(entry)} ${entry.port}`))
      .map((entry) => ({ kind: 'fdb-entry', ...entry }));
  },
  anchor: ({ bridge }) => ({ bridge }),
  ledger: {
    entry: (entity) => ({ kind: 'fdb-entry', ...plain(entity) }),
    isAbout: (entry, entity) => entry.kind === 'fdb-entry' && keyOf(entry) === keyOf(entity),
    until: ['remove'],
  },
  port: 'flowTables',
  capturedIn: ({ bridge }) => [`${capturedFiles.fdb}${bridge}.txt`],
  text: ({ bridge, port, vlan, macAddress }) =>
    `static FDB entry ${macAddress}${vlan === 0 ? '' : ` in VLAN ${String(vlan)}`} on port ${port} of ${bridge}`,
  add: {
    name: 'add-fdb-entry',
    mark: '+',
    dependencies: (_entity, networks) => ({ makes: dependencies('flows', networks) }),
    command: ({ bridge, port, vlan, macAddress }) => ({
      program: 'ovs-appctl',
      arguments: ['fdb/add', bridge, port, String(vlan), macAddress],
    }),
    inverse: (entity, { fdbEntries }) => {
      const found = fdbEntries.find((entry) => keyOf(entry) === keyOf(entity));
      return found === undefined
        ? [{ verb: 'remove', entity }]
        : [{ verb: 'add', entity: { kind: 'fdb-entry', ...found } }];
    },
  },
  remove: {
    name: 'delete-fdb-entry',
    mark: '-',
    dependencies: (_entity, networks) => ({ ends: dependencies('flows', networks) }),
    command: ({ bridge, vlan, macAddress }) => ({
      program: 'ovs-appctl',
      arguments: ['fdb/del', bridge, String(vlan), macAddress],
    }),
  },
};
