import { INTERCONNECTION_KEY, OWN_INTERCONNECTION_KEY } from '../../basics/conventions.ts';
import { type ExternalIds, withExternalIds } from '../../node-model/switch/switch-external-ids.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { isSwitchedOn, isTrue, switchKeyInForce } from '../../snapshot/controller-keys.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { dependency } from '../dependencies.ts';
import type { EntityChange, EntityKind } from '../entity-kind.ts';

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

/** The setting for all chassis. */
function commonIn({
  [INTERCONNECTION_KEY]: value,
  [OWN_INTERCONNECTION_KEY]: own,
}: NodeSnapshot['switchExternalIds']): readonly InterconnectionEntity[] {
  if (value === undefined && own === undefined) return [];
  const isSigned = own !== undefined && ({ isSigned: true } as const);
  return [{ kind: 'interconnection', ...(value !== undefined && { value }), ...isSigned }];
}

const hasSigned = (entities: readonly InterconnectionEntity[]) => entities.some(({ isSigned }) => isSigned === true);

/** The setting that counts, and that of ovn-uplinks, which another program may have overridden. */
function settingsIn(externalIds: NodeSnapshot['switchExternalIds']): readonly InterconnectionEntity[] {
  const common = commonIn(externalIds);
  const key = switchKeyInForce(INTERCONNECTION_KEY, externalIds);
  const value = externalIds[key];
  if (key === INTERCONNECTION_KEY || value === undefined) return common;
  return [...(hasSigned(common) ? common : []), { kind: 'interconnection', overriding: key, value }];
}

/**
 * The external_ids after a change of the current ones, which may differ from the planned ones; undefined if nothing is left to do. What another program has
 * enabled is used and not adopted, and what it has set is not removed.
 */
export function interconnectionChange(
  verb: 'add' | 'replace' | 'remove',
  now: NodeSnapshot['switchExternalIds'],
): ExternalIds | undefined {
  if (verb === 'remove') return hasSigned(commonIn(now)) ? none : undefined;
  return isSwitchedOn(INTERCONNECTION_KEY, now) ? undefined : idsOf(enabledInterconnection);
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
  // ovn-controller reads one setting, from whichever key.
  identity: () => INTERCONNECTION_KEY,
  satisfies: ({ value }) => isTrue(value),
  all: ({ switchExternalIds }) => settingsIn(switchExternalIds),
  put: (node, entities) => entities.reduce((before, entity) => withExternalIds(before, idsOf(entity)), node),
  take: (node, entities) =>
    entities.reduce(
      (before, { overriding }) =>
        withExternalIds(before, overriding === undefined ? none : { [overriding]: undefined }),
      node,
    ),
  undoneByOthers: (_, node) => withExternalIds(node, { [INTERCONNECTION_KEY]: undefined }),
  isOurs: ({ isSigned }) => isSigned === true,
  conflictText: ({ overriding, value = '' }) =>
    `external_ids:${overriding ?? INTERCONNECTION_KEY} of Open_vSwitch is ${value}, expected ${ENABLED}; it is not managed by ovn-uplinks`,
  // For all other nodes.
  anchor: () => ({ node: '' }),
  port: 'switchDatabase',
  capturedIn: () => [capturedFiles.switchDatabase],
  text: () => `tunnels to chassis of other zones (${INTERCONNECTION_KEY})`,
  add: enabling,
  replace: {
    ...enabling,
    inverse: (_, { switchExternalIds }) =>
      commonIn(switchExternalIds).map((entity) => ({ verb: 'replace' as const, entity })),
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
