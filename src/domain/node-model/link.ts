import { ALIAS_BYTES, MAIN_TABLE } from '../basics/conventions.ts';
import { utf8Length } from '../basics/names/interface-name.ts';
import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';
import { cycle } from './cycle.ts';
import { hasCarrier, isVrf, linkOf, vrfTableOf, withLink } from './device.ts';
import { withoutDeviceSettings } from '../snapshot/device-settings.ts';
import { routesWithout, routesWithoutSources } from './dropped-routes.ts';
import { takeDown } from './link-down.ts';
import { bringUp } from './link-up.ts';
import { withoutMaster } from './membership.ts';
import { rulesAfterDevice } from './rules/rule.ts';
import { isStacked, vlansOn } from './stacked-devices.ts';

/** Sets the alias of a device, or removes it with an empty text: `ip link set dev NAME alias ALIAS`. */
export function setAlias(node: NodeSnapshot, name: string, alias: string): Change {
  if (linkOf(node, name) === undefined) return refused('Cannot find device', name);
  if (utf8Length(alias) > ALIAS_BYTES) return refused(`longer than ${ALIAS_BYTES} bytes`, `alias of ${name}`);
  return done(
    withLink(node, name, ({ alias: _alias, ...link }): Link => ({ ...link, ...(alias !== '' && { alias }) })),
  );
}

/**
 * Sets a device administratively up, and the VLAN devices on it with it: `ip link set dev NAME up`. Other devices on it that are up get their
 * carrier. A VLAN device without `loose_binding` comes up only on a device that is up (net/8021q/vlan_dev.c, vlan_dev_open).
 */
export function setUp(node: NodeSnapshot, name: string): Change {
  const link = linkOf(node, name);
  if (link === undefined) return refused('Cannot find device', name);
  if (link.up) return done(node);
  if (link.kind === 'vlan' && link.looseBinding !== true && linkOf(node, link.lowerDevice ?? '')?.up === false) {
    return refused('Network is down', name);
  }
  const raised = new Set([name, ...vlansOn(node, name).map((vlan) => vlan.name)]);
  const waiting = node.links.filter((other) => isWaitingFor(other, raised)).map((other) => other.name);
  return done(bringUp(node, new Set([...raised, ...waiting]), node));
}

function isWaitingFor(link: Link, raised: ReadonlySet<string>): boolean {
  return link.up && isStacked(link) && !hasCarrier(link) && raised.has(link.lowerDevice ?? '');
}

/**
 * Removes a VRF device: `ip link delete dev NAME`. Devices of other kinds are refused.
 *
 * The kernel releases its members first, each with a cycle of its link (drivers/net/vrf.c, vrf_dellink). Removed with the device are its
 * addresses, with the IPv4 routes of the table that have one as their source; routes out of it; its settings. Routes without a device
 * and rules stay.
 */
export function deleteLink(node: NodeSnapshot, name: string): Change {
  const link = linkOf(node, name);
  if (link === undefined) return refused('Cannot find device', name);
  if (!isVrf(link)) return refused(`${name} is no VRF device`);
  const slaves = node.links.filter(({ master }) => master === name);
  return done(
    withoutLink(
      slaves.reduce((current, slave) => cycle(current, slave.name, withoutMaster), node),
      link,
    ),
  );
}

/** The node without a device that has no members: with it go its addresses, the routes of its table with one as their source, routes out of it, and its settings. */
export function withoutLink(node: NodeSnapshot, link: Link): NodeSnapshot {
  const { name } = link;
  const downed = takeDown(node, { down: new Set([name]), moving: name });
  const gone = { ...downed, routes: routesWithout(downed, name) };
  const sources = new Set(link.addresses.map(({ address }) => address));
  const links = gone.links.filter((other) => other.name !== name);
  return {
    ...gone,
    links,
    rules: rulesAfterDevice({ links, rules: gone.rules }, name),
    routes: routesWithoutSources(gone, sources, vrfTableOf(node, link) ?? MAIN_TABLE),
    sysctls: withoutDeviceSettings(gone.sysctls, name),
  };
}
