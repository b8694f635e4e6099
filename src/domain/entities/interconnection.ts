import { INTERCONNECTION_KEY, OWN_INTERCONNECTION_KEY } from '../conventions.ts';
import { type ExternalIds, withExternalIds } from '../node-model/switch-external-ids.ts';
import { capturedFiles } from '../snapshot/captured-files.ts';
import { chassisKeyOf } from '../snapshot/controller-keys.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { dependency } from './dependencies.ts';
import type { EntityChange, EntityKind } from './entity-kind.ts';

/**
 * The setting by which ovn-controller makes tunnels to chassis of other zones (ovn-controller(8), external_ids:ovn-is-interconn). It may be there already,
 * for networks of others: then it is used, and stays.
 */
export interface InterconnectionEntity {
  readonly kind: 'interconnection';
  /** The key of the node's chassis, which another program has set, and which overrides the one without a chassis; absent for the latter. */
  readonly overriding?: string;
  /** The value; absent if another program has removed it. */
  readonly value?: string;
  /** Present if ovn-uplinks has set it, under a key of its own. */
  readonly isSigned?: true;
}

const ENABLED = 'true';

/** The setting as it is needed. */
export const enabledInterconnection: InterconnectionEntity = {
  kind: 'interconnection',
  value: ENABLED,
  isSigned: true,
};

const none: ExternalIds = { [INTERCONNECTION_KEY]: undefined, [OWN_INTERCONNECTION_KEY]: undefined };

function idsOf({ overriding, value, isSigned }: InterconnectionEntity): ExternalIds {
  if (overriding !== undefined) return { [overriding]: value };
  return { [INTERCONNECTION_KEY]: value, [OWN_INTERCONNECTION_KEY]: isSigned === true ? ENABLED : undefined };
}

function found({
  [INTERCONNECTION_KEY]: value,
  [OWN_INTERCONNECTION_KEY]: own,
}: NodeSnapshot['switchExternalIds']): InterconnectionEntity | undefined {
  if (value === undefined && own === undefined) return undefined;
  return {
    kind: 'interconnection',
    ...(value !== undefined && { value }),
    ...(own !== undefined && { isSigned: true }),
  };
}

/** Settings of another program for the node's chassis alone. */
function foundOverriding(externalIds: NodeSnapshot['switchExternalIds']): InterconnectionEntity | undefined {
  const overriding = chassisKeyOf(INTERCONNECTION_KEY, externalIds);
  const value = overriding === undefined ? undefined : externalIds[overriding];
  return overriding === undefined || value === undefined ? undefined : { kind: 'interconnection', overriding, value };
}

const keyOf = ({ overriding }: InterconnectionEntity) => overriding ?? INTERCONNECTION_KEY;

/**
 * The external_ids after a change of the current ones, which may differ from the planned ones; undefined if nothing is left to do. What another program has
 * enabled is used and not adopted, and what it has set is not removed.
 */
export function interconnectionChange(
  verb: 'add' | 'replace' | 'remove',
  now: NodeSnapshot['switchExternalIds'],
): ExternalIds | undefined {
  if (verb === 'remove') return found(now)?.isSigned === true ? none : undefined;
  return now[INTERCONNECTION_KEY] === ENABLED ? undefined : idsOf(enabledInterconnection);
}

const enabling: EntityChange<InterconnectionEntity> = {
  name: 'enable-interconnection',
  mark: '~',
  dependencies: () => ({ makes: [dependency('interconnection', INTERCONNECTION_KEY)] }),
  command: (entity) => ({
    program: 'ovs-vsctl',
    arguments: [
      ...['set', 'Open_vSwitch', '.'],
      ...Object.entries(idsOf(entity)).flatMap(([key, value]) =>
        value === undefined ? [] : [`external_ids:${key}=${value}`],
      ),
    ],
  }),
};

export const interconnection: EntityKind<InterconnectionEntity, 'switchDatabase'> = {
  kind: 'interconnection',
  parts: ['switchExternalIds'],
  identity: keyOf,
  // The one of the chassis is in force.
  place: () => INTERCONNECTION_KEY,
  serves: ({ value }) => value === ENABLED,
  all: ({ switchExternalIds }) => [found(switchExternalIds) ?? [], foundOverriding(switchExternalIds) ?? []].flat(),
  put: (node, entities) => entities.reduce((before, entity) => withExternalIds(before, idsOf(entity)), node),
  take: (node, entities) =>
    entities.reduce(
      (before, { overriding }) =>
        withExternalIds(before, overriding === undefined ? none : { [overriding]: undefined }),
      node,
    ),
  undoneByOthers: (_, node) => withExternalIds(node, { [INTERCONNECTION_KEY]: undefined }),
  isOurs: ({ isSigned }) => isSigned === true,
  conflictText: ({ value = '', ...entity }) =>
    `external_ids:${keyOf(entity)} of Open_vSwitch is ${value}, expected ${ENABLED}; it is not managed by ovn-uplinks`,
  // For all other nodes.
  anchor: () => ({ node: '' }),
  port: 'switchDatabase',
  failureReason: 'InterconnectionFailed',
  capturedIn: () => [capturedFiles.switchDatabase],
  text: () => `tunnels to chassis of other zones (${INTERCONNECTION_KEY})`,
  add: enabling,
  replace: {
    ...enabling,
    inverse: (_, { switchExternalIds }) => {
      const before = found(switchExternalIds);
      return before === undefined ? [] : [{ verb: 'replace', entity: before }];
    },
  },
  remove: {
    name: 'disable-interconnection',
    mark: '~',
    dependencies: () => ({ ends: [dependency('interconnection', INTERCONNECTION_KEY)] }),
    command: () => ({
      program: 'ovs-vsctl',
      arguments: [
        ...['remove', 'Open_vSwitch', '.', 'external_ids', INTERCONNECTION_KEY],
        ...['--', 'remove', 'Open_vSwitch', '.', 'external_ids', OWN_INTERCONNECTION_KEY],
      ],
    }),
  },
};
