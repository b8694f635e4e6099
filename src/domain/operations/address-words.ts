/**
 * An address in the words of ip-address(8).
 */
import { familyOf } from '../ip-address.ts';
import type { Address } from '../snapshot/node-snapshot.ts';
import type { Command } from './operation.ts';

/** Flags that can be asked for; the others are the kernel's to set (ip-address(8), CONFFLAG-LIST). */
const settableFlags: ReadonlySet<string> = new Set([
  'home',
  'mngtmpaddr',
  'nodad',
  'noprefixroute',
  'optimistic',
  'autojoin',
]);

function addressWord({ address, prefixLength, peer }: Address): readonly string[] {
  return peer === undefined ? [`${address}/${prefixLength}`] : [address, 'peer', `${peer}/${prefixLength}`];
}

/** `ip address add`, or `ip address replace`, which makes an address that is there as it shall be. */
export function addressCommand(change: 'add' | 'replace', device: string, address: Address): Command {
  const { broadcast, label, scope, metric, protocol, validSeconds, preferredSeconds, flags } = address;
  return {
    program: 'ip',
    arguments: [
      'address',
      change,
      ...addressWord(address),
      ...(broadcast === undefined ? [] : ['broadcast', broadcast]),
      ...(label === undefined ? [] : ['label', label]),
      ...(familyOf(address.address) === 4 ? ['scope', scope] : []),
      ...(metric === undefined ? [] : ['metric', `${metric}`]),
      ...(protocol === undefined ? [] : ['proto', protocol]),
      ...(validSeconds === undefined ? [] : ['valid_lft', `${validSeconds}`]),
      ...(preferredSeconds === undefined ? [] : ['preferred_lft', `${preferredSeconds}`]),
      ...flags.filter((flag) => settableFlags.has(flag)),
      'dev',
      device,
    ],
  };
}

/** `ip address delete`. */
export function deleteAddressCommand(device: string, address: Address): Command {
  return { program: 'ip', arguments: ['address', 'delete', ...addressWord(address), 'dev', device] };
}

/** The address for a person. */
export function addressText(device: string, { address, prefixLength }: Address): string {
  return `address ${address}/${prefixLength} on ${device}`;
}
