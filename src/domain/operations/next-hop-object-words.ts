/**
 * A nexthop object in the words of ip-nexthop(8).
 */
import type { NextHopObject } from '../snapshot/node-snapshot.ts';
import type { Command } from './operation.ts';

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

/** `ip nexthop replace`: adds the object, or makes it as it shall be. */
export function putNextHopObjectCommand(object: NextHopObject): Command {
  return {
    program: 'ip',
    arguments: [
      // A group has no family of its own.
      ...(object.family === undefined ? [] : [`-${object.family}`]),
      'nexthop',
      'replace',
      'id',
      `${object.id}`,
      ...contentWords(object),
      'proto',
      object.protocol,
    ],
  };
}

/** `ip nexthop delete`. */
export function deleteNextHopObjectCommand({ id }: NextHopObject): Command {
  return { program: 'ip', arguments: ['nexthop', 'delete', 'id', `${id}`] };
}

/** The object for a person. */
export function nextHopObjectText(object: NextHopObject): string {
  return ['next hop object', `${object.id}`, ...contentWords(object)].join(' ');
}
