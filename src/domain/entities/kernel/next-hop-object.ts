import Type from 'typebox';
import { partOf, stringEnum } from '../../api/schema.ts';
import { OWN_ROUTE_PROTOCOL } from '../../basics/conventions.ts';
import { deleteNextHopObject, putNextHopObject } from '../../node-model/next-hop-object.ts';
import type { DisplacedEntity } from '../../snapshot/ledger.ts';
import type { NextHopObject } from '../../snapshot/node-snapshot.ts';
import { type Command, ip } from '../command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { type Dependencies, dependencies, dependency } from '../dependencies.ts';
import type { DisplaceableKind } from '../entity-kind.ts';
import { family, optionalText, optionalTexts, text, whole, yes } from '../ledger-schema.ts';
import { without } from '../parts.ts';
import { isRestoredByOwner } from './self-restoring-protocols.ts';

/** A nexthop object (ip-nexthop(8)). ovn-uplinks adds none. */
export type NextHopObjectEntity = Extract<DisplacedEntity, { kind: 'next-hop-object' }>;

/** A nexthop object as an entity. */
export function nextHopObjectEntity(object: NextHopObject): NextHopObjectEntity {
  return { kind: 'next-hop-object', object };
}

function contentWords({ device, gateway, onlink, blackhole, group }: NextHopObject): readonly string[] {
  if (group !== undefined) {
    return ['group', group.map(({ id, weight }) => (weight === 1 ? `${id}` : `${id},${weight}`)).join('/')];
  }
  if (blackhole === true) return ['blackhole'];
  return [
    ...(gateway === undefined ? [] : ['via', gateway]),
    ...(device === undefined ? [] : ['dev', device]),
    ...(onlink === true ? ['onlink'] : []),
  ];
}

/** `ip nexthop replace`: adds the object, or changes the one with its id. A group has no family. */
function replaceCommand({ object }: NextHopObjectEntity): Command {
  const family = object.family === undefined ? [] : [`-${object.family}`];
  return ip(family, 'nexthop', 'replace', 'id', `${object.id}`, contentWords(object), 'proto', object.protocol);
}

function makes({ object: { id, device, gateway, group = [] } }: NextHopObjectEntity): Dependencies {
  return {
    makes: [dependency('next-hop-object', id)],
    needs: [
      ...group.map((member) => dependency('next-hop-object', member.id)),
      ...(device === undefined || gateway === undefined ? [] : [dependency('on-link', device)]),
    ],
  };
}

const schema = partOf({
  kind: stringEnum(['next-hop-object']),
  object: partOf({
    id: whole,
    family: Type.Optional(family),
    device: optionalText,
    gateway: optionalText,
    onlink: yes,
    blackhole: yes,
    protocol: text,
    group: Type.Optional(Type.Array(partOf({ id: whole, weight: whole }))),
    unknownAttributes: optionalTexts,
  }),
});

export const nextHopObject: DisplaceableKind<NextHopObjectEntity> = {
  kind: 'next-hop-object',
  parts: ['nextHopObjects'],
  identity: ({ object }) => `${object.id}`,
  satisfies: (found, desired) =>
    JSON.stringify(contentWords(found.object)) === JSON.stringify(contentWords(desired.object)),
  all: ({ nextHopObjects }) => nextHopObjects.map(nextHopObjectEntity),
  put: (node, entities) => ({
    ...node,
    nextHopObjects: [...node.nextHopObjects, ...entities.map(({ object }) => object)],
  }),
  take: (node, entities) => ({
    ...node,
    nextHopObjects: without(node.nextHopObjects, entities, ({ object }) => object),
  }),
  comparable: ({ object }) => object,
  source: ({ object }) => object,
  isOurs: ({ object }) => object.protocol === OWN_ROUTE_PROTOCOL,
  // None is managed: ovn-uplinks never adds one.
  own: () => [],
  anchor: ({ object: { device = '' } }) => ({ device }),
  port: 'hostNetwork',
  capturedIn: () => [capturedFiles.nextHopObjects],
  text: ({ object }) => ['next hop object', `${object.id}`, ...contentWords(object)].join(' '),
  add: {
    name: 'add-next-hop-object',
    mark: '+',
    dependencies: makes,
    effect: ({ object }, node) => putNextHopObject(node, object),
    command: replaceCommand,
  },
  remove: {
    name: 'delete-next-hop-object',
    mark: '-',
    dependencies: ({ object: { device } }) => ({
      uses: device === undefined ? [] : dependencies('before-cycle', [device]),
    }),
    effect: ({ object }, node) => deleteNextHopObject(node, object.id),
    command: ({ object }) => ip('nexthop', 'delete', 'id', `${object.id}`),
  },
  displaced: {
    schema,
    key: ({ object }) => `next-hop-object ${object.id} ${(object.group ?? []).map(({ id }) => id).join(' ')}`,
    name: ({ object }) => `${object.id}`,
    device: ({ object }) => object.device,
    isPutBack: ({ object }) => !isRestoredByOwner(object.protocol),
    unknownAttributes: ({ object }) => object.unknownAttributes ?? [],
    dependencies: makes,
    restore: ({ object }, node) => putNextHopObject(node, object),
    restoreCommand: replaceCommand,
  },
};
