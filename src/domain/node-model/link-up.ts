import { canonicalAddress, familyOf } from '../basics/addresses/ip-address.ts';
import type { Link, NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { withDeviceRoutes } from './added-routes.ts';
import { hasCarrier, vrfTableOf } from './device.ts';
import { ipv4DeviceRoutes } from './ipv4/ipv4-device-routes.ts';
import { ipv6DeviceRoutes, settled } from './ipv6/ipv6-device-routes.ts';
import { linkLocalAddresses } from './ipv6/link-local.ts';
import { isStacked } from './stacked-devices.ts';

/** Kinds of devices whose operational state the kernel does not know (RFC 2863, `unknown`). */
const KINDS_WITHOUT_STATE: readonly (string | undefined)[] = ['dummy', 'tun', 'openvswitch'];

/**
 * The node after links came up, with link-local addresses and the routes of all addresses, as of the end of duplicate address
 * detection.
 *
 * @param names the devices that come up
 * @param before the node before any of them went down
 */
export function bringUp(node: NodeSnapshot, names: ReadonlySet<string>, before: NodeSnapshot): NodeSnapshot {
  const risen = withLinksUp(node, names, before);
  const routes = risen.links
    .filter(({ name }) => names.has(name))
    .flatMap((link) => [...ipv4DeviceRoutes(link, vrfTableOf(risen, link)), ...ipv6DeviceRoutes(risen, link)]);
  return withDeviceRoutes(risen, routes);
}

/** Brings up devices without their routes: their states and addresses. */
export function withLinksUp(node: NodeSnapshot, names: ReadonlySet<string>, before: NodeSnapshot): NodeSnapshot {
  const were = new Map(before.links.filter(({ name }) => names.has(name)).map((link) => [link.name, link]));
  const risen = withStates(node, were);
  return { ...risen, links: risen.links.map((link) => withAddresses(risen, link, were.get(link.name))) };
}

/** With the devices up: a stacked one has the state of its lower device, also if it was up before. */
function withStates(node: NodeSnapshot, were: ReadonlyMap<string, Link>): NodeSnapshot {
  const byName = new Map(node.links.map((link) => [link.name, link]));
  const stateOf = (link: Link): string => {
    const was = were.get(link.name);
    const lower = isStacked(link) ? byName.get(link.lowerDevice ?? '') : undefined;
    if (lower !== undefined) {
      const isConcerned = was !== undefined || (link.up && were.has(lower.name));
      return isConcerned ? stackedState(stateOf(lower)) : link.operationalState;
    }
    if (was === undefined || was.up) return link.operationalState;
    return KINDS_WITHOUT_STATE.includes(link.kind) ? 'unknown' : 'up';
  };
  const links = node.links.map((link) => {
    const operationalState = stateOf(link);
    const up = link.up || were.has(link.name);
    return up === link.up && operationalState === link.operationalState ? link : { ...link, up, operationalState };
  });
  return { ...node, links };
}

function stackedState(lower: string): string {
  return hasCarrier({ operationalState: lower }) ? 'up' : 'lowerlayerdown';
}

function withAddresses(node: NodeSnapshot, link: Link, was: Link | undefined): Link {
  if (was === undefined) return link;
  const present = new Set(link.addresses.map(({ address }) => canonicalAddress(address)));
  const made = linkLocalAddresses(node, link, was).filter(({ address }) => !present.has(address));
  const addresses = [...link.addresses, ...made].map((address) =>
    familyOf(address.address) === 6 ? settled(node, link, address) : address,
  );
  return { ...link, addresses };
}
