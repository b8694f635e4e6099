import { canonicalAddress, familyOf } from '../basics/addresses/ip-address.ts';
import { MAIN_TABLE } from '../basics/conventions.ts';
import type { NextHop, NextHopObject, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';
import { type Checked, invalid, valid } from './checked.ts';
import { hasCarrier, linkOf, vrfTableOf } from './device.ts';
import { checkIpv4Hop } from './ipv4/ipv4-next-hop.ts';
import { checkIpv6Hop } from './ipv6/ipv6-next-hop.ts';
import { withNextHopObjects, withoutNextHopObjects } from './next-hop-removal.ts';
import { isIpv4 } from './object-route.ts';

/**
 * Makes a next hop object, or changes the one of its id: `ip nexthop replace id ID` (net/ipv4/nexthop.c, rtm_new_nexthop). Routes and groups
 * that use it follow.
 */
export function putNextHopObject(node: NodeSnapshot, object: NextHopObject): Change {
  const checked = object.group === undefined ? checkObject(node, object) : checkGroup(node, object, object.group);
  if (!checked.valid) return refused(checked.refusal, `nexthop ${object.id}`);
  const objects = node.nextHopObjects;
  const old = objects.find(({ id }) => id === object.id);
  if (old === undefined) return done({ ...node, nextHopObjects: [...objects, checked.value] });
  const refusal = replacementRefusal(node, old, checked.value);
  if (refusal !== undefined) return refused(refusal, `nexthop ${object.id}`);
  return done(
    withNextHopObjects(
      node,
      objects.map((other) => (other === old ? checked.value : other)),
    ),
  );
}

/** Removes a next hop object, and the routes that use it: `ip nexthop delete id ID`. */
export function deleteNextHopObject(node: NodeSnapshot, id: number): Change {
  if (!node.nextHopObjects.some((object) => object.id === id)) {
    return refused('No such file or directory', `nexthop ${id}`);
  }
  return done(withoutNextHopObjects(node, (object) => object.id === id));
}

function checkObject(node: NodeSnapshot, object: NextHopObject): Checked<NextHopObject> {
  const { family: _family, ...unseen } = object;
  if (object.blackhole !== true) return checkHop(node, object);
  // The kernel does not print the family of a blackhole.
  return object.device === undefined && object.gateway === undefined
    ? valid(unseen)
    : invalid('a blackhole has no way out');
}

/** Unlike a route's next hop it needs a device with a carrier (net/ipv4/nexthop.c, rtm_to_nh_config). */
function checkHop(node: NodeSnapshot, object: NextHopObject): Checked<NextHopObject> {
  const { device, gateway, onlink } = object;
  const link = linkOf(node, device ?? '');
  if (device === undefined) return invalid('Device attribute required for non-blackhole and non-fdb nexthops');
  if (link === undefined) return invalid(`${device}: Cannot find device`);
  if (!link.up) return invalid('Nexthop device is not up');
  if (!hasCarrier(link)) return invalid('Carrier for nexthop device is down');
  if (onlink === true && gateway === undefined) {
    return invalid('ONLINK flag can not be set for nexthop without a gateway');
  }
  const hop: NextHop = {
    device,
    ...(gateway !== undefined && { gateway: canonicalAddress(gateway) }),
    ...(onlink !== undefined && { onlink }),
  };
  const family = gateway === undefined ? (object.family ?? 4) : familyOf(gateway);
  const table = vrfTableOf(node, link) ?? MAIN_TABLE;
  const checked = family === 6 ? checkIpv6Hop(node, table, hop) : checkIpv4Hop(node, { table, scope: 0 }, hop);
  return checked.valid ? valid({ ...object, ...hop, ...(family !== undefined && { family }) }) : checked;
}

/** (net/ipv4/nexthop.c, nh_check_attr_group) */
function checkGroup(
  { nextHopObjects }: NodeSnapshot,
  object: NextHopObject,
  group: NonNullable<NextHopObject['group']>,
): Checked<NextHopObject> {
  const members = group.map(({ id }) => nextHopObjects.find((other) => other.id === id));
  if (members.length === 0) return invalid('Invalid length for nexthop group attribute');
  if (new Set(group.map(({ id }) => id)).size < group.length)
    return invalid('Nexthop id can not be used twice in a group');
  if (members.includes(undefined)) return invalid('Invalid nexthop id');
  if (members.some((member) => member?.group !== undefined))
    return invalid('a group can not be a nexthop within a group');
  const hasBlackhole = members.some((member) => member?.blackhole === true);
  return hasBlackhole && group.length > 1
    ? invalid('Blackhole nexthop can not be used in a group with more than 1 path')
    : valid(object);
}

/** Why an object can not take the place of another of its id; absent where it can (net/ipv4/nexthop.c, replace_nexthop). */
function replacementRefusal(node: NodeSnapshot, old: NextHopObject, object: NextHopObject): string | undefined {
  if (old.group === undefined && object.group !== undefined) return 'Can not replace a nexthop with a nexthop group';
  if (old.group !== undefined && object.group === undefined) return 'Can not replace a nexthop group with a nexthop';
  const groups = node.nextHopObjects.filter(({ group }) => group?.some(({ id }) => id === old.id) === true);
  if (object.blackhole === true && groups.some(({ group = [] }) => group.length > 1)) {
    return 'Blackhole nexthop can not be a member of a group with more than one path';
  }
  const users = new Set([old.id, ...groups.map(({ id }) => id)]);
  const hasIpv6Route = node.routes.some(({ family, nextHopObject }) => family === 6 && users.has(nextHopObject ?? 0));
  return hasIpv6Route && isIpv4(node.nextHopObjects, object) ? 'IPv6 routes can not use an IPv4 nexthop' : undefined;
}
