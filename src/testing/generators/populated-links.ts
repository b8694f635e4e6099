/**
 * The devices of a node with their addresses, given by the kernel, a router or an administrator, and with VLAN devices on top.
 */
import { linkLocalAddressOf } from '../../domain/basics/addresses/ip-address.ts';
import type { Link } from '../../domain/snapshot/node-snapshot.ts';
import type { NodeContent } from './node-contents.ts';

/** The address that the kernel makes of a MAC address. */
function madeAddresses({ macAddress = '' }: Link): Link['addresses'] {
  const made = linkLocalAddressOf(macAddress);
  return made === undefined ? [] : [{ address: made, prefixLength: 64, scope: 'link', flags: [] }];
}

/** One that it makes of a secret. That of the MAC address, which a device had before the setting was changed, stays until it goes down. */
const ofSecret = {
  address: 'fe80::5bdc:8931:6fc9:5d64',
  prefixLength: 64,
  scope: 'link',
  flags: ['stable-privacy'],
};

/** The device with the address that the kernel gives it, and with the content that is for it. */
function populatedLink(link: Link, { device, lifetime, handMade, addressGeneration }: NodeContent): Link {
  const own = link.addresses.some(({ address }) => address.includes(':')) ? madeAddresses(link) : [];
  if (link.name !== device) return { ...link, addresses: [...link.addresses, ...own] };
  return {
    ...link,
    ...(own.length > 0 && addressGeneration !== undefined && { addressGeneration }),
    addresses: [
      ...link.addresses,
      ...own,
      ...(addressGeneration === 'random' && own.length > 0 ? [ofSecret] : []),
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
function vlanOn(lower: Link, index: number, state: Exclude<NodeContent['vlan'], 'none'>): Link {
  const up = lower.up && (state === 'up' || state === 'loose');
  return {
    index,
    name: `${lower.name.slice(0, 11)}.5`,
    kind: 'vlan',
    lowerDevice: lower.name,
    ...(state.startsWith('loose') && { looseBinding: true }),
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

/** The default bridge's own device with the host's masquerade addresses, as OVN-Kubernetes keeps it, and with other names that it goes by. */
function defaultBridge(index: number, alternativeNames: readonly string[]): Link {
  const address = (text: string, prefixLength: number) => ({
    address: text,
    prefixLength,
    scope: 'global',
    flags: text.includes(':') ? ['nodad'] : [],
  });
  return {
    index,
    name: 'br-ex',
    ...(alternativeNames.length > 0 && { alternativeNames }),
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

/**
 * The devices with their content, and further ones: perhaps a VLAN device, and the default bridge.
 *
 * @param otherName another name that the default bridge goes by, if no device has it
 */
export function populatedLinks(links: readonly Link[], content: NodeContent, otherName?: string): readonly Link[] {
  const alternativeNames = otherName === undefined || links.some(({ name }) => name === otherName) ? [] : [otherName];
  const lower = links.find(({ name }) => name === content.device);
  const vlans = lower !== undefined && content.vlan !== 'none' ? [vlanOn(lower, links.length + 1, content.vlan)] : [];
  return [
    ...links.map((link) => populatedLink(link, content)),
    ...vlans,
    defaultBridge(links.length + vlans.length + 1, alternativeNames),
  ];
}
