import { INTERCONNECTION_KEY } from '../../basics/conventions.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { type Chassis, CHASSIS_OWNER_KEY } from '../../snapshot/chassis.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import type { Command } from '../command.ts';
import { dependency } from '../dependencies.ts';
import type { EntityStep, SetKind } from '../entity-kind.ts';
import type { DatabaseOperation } from '../../datapath/ovsdb/database-operation.ts';

/** The chassis of another node in OVN's Southbound database, by which ports of that node are reached (ovn-sb(5), Chassis, is-remote). */
export interface RemoteChassisEntity {
  readonly kind: 'remote-chassis';
  readonly chassis: Chassis;
}

/** A chassis as an entity. */
export const remoteChassisEntity = lazyByObject((chassis: Chassis): RemoteChassisEntity => ({
  kind: 'remote-chassis',
  chassis,
}));

const tunnels = dependency('interconnection', INTERCONNECTION_KEY);

/** All are in one database, and are changed in one transaction. */
const SET = 'southbound';

const named = (name: string) => ['name', '==', name] as const;

/** The chassis that is managed for a Node: nothing else is deleted or changed. */
function managed({ name, node = '' }: Chassis): readonly unknown[] {
  return [named(name), ['external_ids', 'includes', ['map', [[CHASSIS_OWNER_KEY, node]]]]];
}

/** The tunnels of a chassis, and references to them. Those that nothing refers to any more are deleted with the reference (ovn-sb(5), Encap). */
function encapsulations({ name, addresses }: Chassis, place: number) {
  const nameOf = (index: number) => `tunnel${String(place)}_${String(index)}`;
  return {
    inserted: addresses.map((ip, index): DatabaseOperation => ({
      op: 'insert',
      table: 'Encap',
      'uuid-name': nameOf(index),
      // As ovn-controller has it for its own.
      row: { type: 'geneve', ip, chassis_name: name, options: ['map', [['csum', 'true']]] },
    })),
    references: ['set', addresses.map((_, index) => ['named-uuid', nameOf(index)])],
  };
}

/** The operations of a change; conditions first, by which the server refuses it if another program has changed what it was decided on. */
function operationsOf({ verb, entity: { chassis } }: EntityStep<RemoteChassisEntity>, place: number) {
  const { name, hostname, node = '' } = chassis;
  if (verb === 'remove') return [{ op: 'delete', table: 'Chassis', where: managed(chassis) }];
  const { inserted, references } = encapsulations(chassis, place);
  const wait = { op: 'wait', table: 'Chassis', timeout: 0, columns: ['name'], until: '==' };
  if (verb === 'add') {
    const maps = {
      other_config: ['map', [['is-remote', 'true']]],
      external_ids: ['map', [[CHASSIS_OWNER_KEY, node]]],
    };
    const row = { name, hostname, encaps: references, ...maps };
    return [{ ...wait, where: [named(name)], rows: [] }, ...inserted, { op: 'insert', table: 'Chassis', row }];
  }
  return [
    { ...wait, where: managed(chassis), rows: [{ name }] },
    ...inserted,
    { op: 'update', table: 'Chassis', where: managed(chassis), row: { hostname, encaps: references } },
    {
      op: 'mutate',
      table: 'Chassis',
      where: managed(chassis),
      mutations: [
        ['other_config', 'delete', ['set', ['is-remote']]],
        ['other_config', 'insert', ['map', [['is-remote', 'true']]]],
      ],
    },
  ];
}

/** The transaction that makes changes of chassis (RFC 7047, 5.2). */
export function chassisTransaction(changes: readonly EntityStep<RemoteChassisEntity>[]): readonly DatabaseOperation[] {
  return changes.flatMap(operationsOf);
}

function command(changes: readonly EntityStep<RemoteChassisEntity>[]): Command {
  return {
    program: 'ovsdb-client',
    arguments: [
      'transact',
      'unix:/var/run/ovn/ovnsb_db.sock',
      JSON.stringify(['OVN_Southbound', ...chassisTransaction(changes)]),
    ],
  };
}

function without(node: NodeSnapshot, entities: readonly RemoteChassisEntity[]): NodeSnapshot {
  const taken = new Set(entities.map(({ chassis: { name } }) => name));
  return { ...node, chassis: node.chassis.filter(({ name }) => !taken.has(name)) };
}

export const remoteChassis: SetKind<RemoteChassisEntity, 'southbound'> = {
  kind: 'remote-chassis',
  parts: ['chassis'],
  identity: ({ chassis: { name } }) => name,
  satisfies: ({ chassis: found }, { chassis: desired }) =>
    found.isRemote &&
    found.node === desired.node &&
    found.hostname === desired.hostname &&
    found.addresses.join(' ') === desired.addresses.join(' '),
  all: ({ chassis }) => chassis.map(remoteChassisEntity),
  put: (node, entities) => {
    const left = without(node, entities);
    return { ...left, chassis: [...left.chassis, ...entities.map(({ chassis }) => chassis)] };
  },
  take: without,
  source: ({ chassis }) => chassis,
  isOurs: ({ chassis: { node } }) => node !== undefined,
  anchor: ({ chassis: { node = '' } }) => ({ node }),
  set: {
    of: () => SET,
    names: ['change-chassis'],
    nameOf: () => 'change-chassis',
    summary: ({ length }) => (length === 1 ? '1 chassis of another node' : `${length} chassis of other nodes`),
    command,
  },
  port: 'southbound',
  capturedIn: () => [capturedFiles.southbound],
  text: ({ chassis: { name, addresses } }) => `chassis ${name} at ${addresses.join(' ')}`,
  add: {
    name: 'add-chassis',
    mark: '+',
    dependencies: ({ chassis: { name } }) => ({ makes: [dependency('chassis', name)], needs: [tunnels] }),
    command: (entity) => command([{ verb: 'add', entity }]),
  },
  replace: {
    name: 'set-chassis',
    mark: '~',
    dependencies: ({ chassis: { name } }) => ({ makes: [dependency('chassis', name)], needs: [tunnels] }),
    command: (entity) => command([{ verb: 'replace', entity }]),
    inverse: ({ chassis: { name } }, { chassis }) => {
      const found = chassis.find((each) => each.name === name);
      return found === undefined ? [] : [{ verb: 'replace', entity: remoteChassisEntity(found) }];
    },
  },
  remove: {
    name: 'delete-chassis',
    mark: '-',
    dependencies: ({ chassis: { name } }) => ({ ends: [dependency('chassis', name)], uses: [tunnels] }),
    command: (entity) => command([{ verb: 'remove', entity }]),
  },
};
