import { partOf, stringEnum } from '../../api/schema.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { addAddress, deleteAddress, putAddress } from '../../node-model/address.ts';
import { type DisplacedEntity, entryOf, type Ledger } from '../../snapshot/ledger.ts';
import type { Address, Link } from '../../snapshot/node-snapshot.ts';
import { type Command, ip, option } from '../command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { DisplaceableKind } from '../entity-kind.ts';
import { optionalText, optionalWhole, text, texts, whole } from '../ledger-schema.ts';
import { withLinks, without } from '../parts.ts';

/** An address on a device. Managed ones are on VRF devices and management ports only. */
export type AddressEntity = Extract<DisplacedEntity, { kind: 'address' }>;

const ofLink = lazyByObject(({ name: device, addresses }: Link): readonly AddressEntity[] =>
  addresses.map((address) => ({ kind: 'address', device, address })),
);

/** Whether ovn-uplinks added an address to a device. */
export function isOwnAddress({ device, address }: Omit<AddressEntity, 'kind'>, ledger: Ledger): boolean {
  return (
    entryOf(
      ledger,
      'address',
      device,
      (entry) => entry.address === address.address && entry.prefixLength === address.prefixLength,
    ) !== undefined
  );
}

/** Flags that can be set; the kernel sets the others (ip-address(8), CONFFLAG-LIST). */
const settableFlags: ReadonlySet<string> = new Set([
  'home',
  'mngtmpaddr',
  'nodad',
  'noprefixroute',
  'optimistic',
  'autojoin',
]);

function addressWords({ address, prefixLength, peer }: Address): readonly string[] {
  return peer === undefined ? [`${address}/${prefixLength}`] : [address, 'peer', `${peer}/${prefixLength}`];
}

/** `ip address add`, or `ip address replace`, which changes the attributes of an existing address. */
function addressCommand(verb: 'add' | 'replace', { device, address }: AddressEntity): Command {
  const { broadcast, label, scope, metric, protocol, validSeconds, preferredSeconds, flags } = address;
  return ip(
    ['address', verb, ...addressWords(address)],
    option('broadcast', broadcast),
    option('label', label),
    option('scope', familyOf(address.address) === 4 ? scope : undefined),
    option('metric', metric),
    option('proto', protocol),
    option('valid_lft', validSeconds),
    option('preferred_lft', preferredSeconds),
    flags.filter((flag) => settableFlags.has(flag)),
    ['dev', device],
  );
}

/** Whether the kernel runs duplicate address detection for an address (RFC 4862, section 5.4). */
export function isDetected({ address: { address, flags } }: AddressEntity): boolean {
  return familyOf(address) === 6 && !flags.includes('nodad');
}

function key({ device, address: { address, prefixLength } }: AddressEntity): string {
  return `${device} ${address}/${prefixLength}`;
}

function remaining(seconds: number, elapsed: number): number {
  return Math.max(0, seconds - elapsed);
}

const schema = partOf({
  kind: stringEnum(['address']),
  device: text,
  address: partOf({
    address: text,
    prefixLength: whole,
    scope: text,
    label: optionalText,
    flags: texts,
    peer: optionalText,
    broadcast: optionalText,
    metric: optionalWhole,
    protocol: optionalText,
    validSeconds: optionalWhole,
    preferredSeconds: optionalWhole,
  }),
});

export const address: DisplaceableKind<AddressEntity> = {
  kind: 'address',
  parts: ['links'],
  identity: key,
  satisfies: () => true,
  all: ({ links }) => links.flatMap(ofLink),
  put: (node, entities) => {
    const added = groupBy(entities, ({ device }) => device);
    return withLinks(node, (link) => {
      const ofLink = added.get(link.name);
      if (ofLink === undefined) return link;
      return { ...link, addresses: [...link.addresses, ...ofLink.map(({ address }) => address)] };
    });
  },
  take: (node, entities) => {
    const taken = groupBy(entities, ({ device }) => device);
    return withLinks(node, (link) => {
      const ofLink = taken.get(link.name);
      return ofLink === undefined
        ? link
        : { ...link, addresses: without(link.addresses, ofLink, ({ address }) => address) };
    });
  },
  // An address is tentative for two seconds.
  comparable: ({ device, address: { flags, ...address } }) => ({
    device,
    ...address,
    flags: flags.filter((flag) => flag !== 'tentative'),
  }),
  isOurs: isOwnAddress,
  anchor: ({ device }) => ({ device }),
  basis: ({ device }) => [`management-port ${device}`, `vrf ${device}`],
  ledger: {
    entry: ({ device, address: { address, prefixLength } }) => ({ kind: 'address', device, address, prefixLength }),
    isAbout: (entry, { device, address }) =>
      entry.kind === 'address' && entry.device === device && entry.address === address.address,
    until: ['remove'],
  },
  port: 'hostNetwork',
  capturedIn: () => [capturedFiles.addresses],
  text: ({ device, address: { address, prefixLength } }) => `address ${address}/${prefixLength} on ${device}`,
  add: {
    name: 'add-address',
    mark: '+',
    dependencies: ({ device, address: { address } }, networks) => ({
      makes: [
        dependency('on-link', device),
        ...dependencies('network', networks),
        ...networks.map((name) => dependency('own-address', `${address} ${name}`)),
      ],
      needs: [
        dependency('link', device),
        dependency('up', device),
        dependency('after-cycle', device),
        dependency('ipv6', device),
      ],
    }),
    effect: ({ device, address }, node) => addAddress(node, device, address),
    disruption: (entity) => (isDetected(entity) ? 'address-detection' : 'none'),
    // Never `replace`: for an existing address of full prefix length in a VRF it removes the local route. The
    // kernel mistakes that for the route to the subnet, which is in the same table (net/ipv6/addrconf.c, addrconf_get_prefix_route).
    command: (entity) => addressCommand('add', entity),
  },
  remove: {
    name: 'delete-address',
    mark: '-',
    dependencies: ({ device, address: { address } }, networks) => ({
      uses: [
        dependency('link', device),
        dependency('up', device),
        dependency('before-cycle', device),
        dependency('ipv6', device),
      ],
      ends: [
        dependency('on-link', device),
        ...dependencies('traffic', networks),
        ...networks.map((name) => dependency('own-address', `${address} ${name}`)),
      ],
    }),
    refusal: (entity, { ledger }) =>
      isOwnAddress(entity, ledger) ? undefined : `${address.text(entity)} is not managed by ovn-uplinks`,
    effect: ({ device, address }, node) => deleteAddress(node, device, address.address, address.prefixLength),
    command: ({ device, address }) => ip(['address', 'delete', ...addressWords(address), 'dev', device]),
  },
  displaced: {
    schema,
    key: (entity) => `address ${key(entity)}`,
    name: ({ address }) => address.address,
    device: ({ device }) => device,
    // The kernel derives temporary addresses from other addresses.
    isPutBack: ({ address }) => !address.flags.includes('temporary'),
    lifetime: ({ address }) => address.validSeconds,
    aged: ({ address: { validSeconds, preferredSeconds, ...address }, ...entity }, elapsed) => ({
      ...entity,
      address: {
        ...address,
        ...(validSeconds !== undefined && { validSeconds: remaining(validSeconds, elapsed) }),
        ...(preferredSeconds !== undefined && { preferredSeconds: remaining(preferredSeconds, elapsed) }),
      },
    }),
    dependencies: ({ device, address: { address } }) => ({
      makes: [dependency('on-link', device), dependency('address', address)],
    }),
    restore: ({ device, address }, node) => putAddress(node, device, address),
    restoreCommand: (entity) => addressCommand('replace', entity),
  },
};
