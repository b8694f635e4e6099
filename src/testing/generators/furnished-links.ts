/**
 * The devices of a node with what comes to them: addresses that the kernel, a router or a hand gave, and VLAN devices on top.
 */
import { linkLocalAddressOf } from '../../domain/ip-address.ts';
import type { Link } from '../../domain/snapshot/node-snapshot.ts';
import type { Furnishing } from './furnishings.ts';

/** The device with the address that the kernel gives it, and with what the furnishing brings where it is about this one. */
function furnishedLink(link: Link, { device, lifetime, handMade }: Furnishing): Link {
  const made = linkLocalAddressOf(link.macAddress ?? '');
  const hasIpv6 = link.addresses.some(({ address }) => address.includes(':'));
  const own = made !== undefined && hasIpv6 ? [{ address: made, prefixLength: 64, scope: 'link', flags: [] }] : [];
  if (link.name !== device) return { ...link, addresses: [...link.addresses, ...own] };
  return {
    ...link,
    addresses: [
      ...link.addresses,
      ...own,
      ...(lifetime
        ? [
            {
              address: '2001:db8:5::7',
              prefixLength: 64,
              scope: 'global',
              flags: ['dynamic'],
              validSeconds: 3000,
              preferredSeconds: 2000,
            },
          ]
        : []),
      ...(handMade ? [{ address: 'fe80::1', prefixLength: 64, scope: 'link', flags: [] }] : []),
    ],
  };
}

/** A VLAN device on another one. */
function vlanOn(lower: Link, index: number, state: 'up' | 'down'): Link {
  const up = lower.up && state === 'up';
  return {
    index,
    name: `${lower.name.slice(0, 11)}.5`,
    kind: 'vlan',
    lowerDevice: lower.name,
    up,
    operationalState: up ? 'up' : 'down',
    mtu: lower.mtu,
    type: 'ether',
    macAddress: lower.macAddress ?? '',
    addresses: [
      { address: '198.51.120.1', prefixLength: 24, scope: 'global', flags: [] },
      { address: '2001:db8:7::1', prefixLength: 64, scope: 'global', flags: [] },
    ],
  };
}

/** The default bridge's own device with the host's masquerade addresses, as OVN-Kubernetes keeps it. */
function defaultBridge(index: number): Link {
  const address = (text: string, prefixLength: number) => ({
    address: text,
    prefixLength,
    scope: 'global',
    flags: text.includes(':') ? ['nodad'] : [],
  });
  return {
    index,
    name: 'br-ex',
    up: true,
    operationalState: 'unknown',
    mtu: 1500,
    type: 'ether',
    macAddress: '02:00:00:00:02:01',
    addresses: [address('198.51.100.10', 24), address('169.254.0.2', 17), address('fd69::2', 112)],
  };
}

/** The device without a master that is not there. */
function withoutLostMaster({ master, ...link }: Link, links: readonly Link[]): Link {
  return links.some(({ name }) => name === master) ? { ...link, ...(master !== undefined && { master }) } : link;
}

/** The devices, none of which has a master that is not there. */
export function withoutLostMasters(links: readonly Link[]): readonly Link[] {
  return links.map((link) => withoutLostMaster(link, links));
}

/** The devices with what comes to them, and those that come besides: perhaps a VLAN device, and the default bridge. */
export function furnishedLinks(links: readonly Link[], furnishing: Furnishing): readonly Link[] {
  const lower = links.find(({ name }) => name === furnishing.device);
  const vlans =
    lower !== undefined && furnishing.vlan !== 'none' ? [vlanOn(lower, links.length + 1, furnishing.vlan)] : [];
  return [
    ...links.map((link) => furnishedLink(link, furnishing)),
    ...vlans,
    defaultBridge(links.length + vlans.length + 1),
  ];
}
