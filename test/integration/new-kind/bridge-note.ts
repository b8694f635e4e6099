/**
 * A kind of entity that only a test adds to the table of kinds. Its imports are right here and in src/domain/entities, where the test copies it.
 */
import type { Command } from '../../../src/domain/entities/command.ts';
import { dependencies } from '../../../src/domain/entities/dependencies.ts';
import type { EntityChange, EntityKind } from '../../../src/domain/entities/entity-kind.ts';
import type { NodeSnapshot } from '../../../src/domain/snapshot/node-snapshot.ts';

const KEY = 'note';
const SIGNATURE = 'ovn-uplinks: ';

/** A note on a bridge of Open vSwitch, which has one. Managed ones begin with a signature. */
export interface BridgeNoteEntity {
  readonly kind: 'bridge-note';
  readonly bridge: string;
  readonly text: string;
}

/** The note that a network needs on its bridge. */
export function wantedNote(bridge: string): BridgeNoteEntity {
  return { kind: 'bridge-note', bridge, text: `${SIGNATURE}hello` };
}

/** The node with other notes on some bridges; a bridge whose note is undefined loses it. */
function withNotes(node: NodeSnapshot, notes: ReadonlyMap<string, string | undefined>): NodeSnapshot {
  const bridges = node.bridges.map((bridge) => {
    if (!notes.has(bridge.name)) return bridge;
    const { [KEY]: _, ...others } = bridge.externalIds;
    const text = notes.get(bridge.name);
    return { ...bridge, externalIds: text === undefined ? others : { ...others, [KEY]: text } };
  });
  return { ...node, bridges };
}

function command(...words: readonly string[]): Command {
  return { program: 'ovs-vsctl', arguments: words };
}

const addition: Omit<EntityChange<BridgeNoteEntity>, 'name' | 'mark'> = {
  dependencies: (_entity, networks) => ({ makes: dependencies('network', networks) }),
  command: ({ bridge, text }) => command('br-set-external-id', bridge, KEY, text),
};

export const bridgeNote: EntityKind<BridgeNoteEntity, 'hostNetwork'> = {
  kind: 'bridge-note',
  parts: ['bridges'],
  identity: ({ bridge }) => bridge,
  satisfies: (found, desired) => found.text === desired.text,
  all: ({ bridges }) =>
    bridges.flatMap(({ name, externalIds: { [KEY]: text } }) =>
      text === undefined ? [] : [{ kind: 'bridge-note', bridge: name, text }],
    ),
  put: (node, entities) => withNotes(node, new Map(entities.map(({ bridge, text }) => [bridge, text]))),
  take: (node, entities) => withNotes(node, new Map(entities.map(({ bridge }) => [bridge, undefined]))),
  isOurs: ({ text }) => text.startsWith(SIGNATURE),
  anchor: ({ bridge }) => ({ bridge }),
  port: 'hostNetwork',
  capturedIn: () => ['ovsdb.json'],
  text: ({ bridge, text }) => `note on ${bridge}: ${text}`,
  add: { ...addition, name: 'add-bridge-note', mark: '+' },
  replace: {
    ...addition,
    name: 'set-bridge-note',
    mark: '~',
    inverse: (entity, before) =>
      bridgeNote
        .all(before)
        .filter(({ bridge }) => bridge === entity.bridge)
        .map((found) => ({ verb: 'replace', entity: found })),
  },
  remove: {
    name: 'remove-bridge-note',
    mark: '-',
    dependencies: (_entity, networks) => ({ ends: dependencies('traffic', networks) }),
    command: ({ bridge }) => command('br-set-external-id', bridge, KEY),
  },
};
