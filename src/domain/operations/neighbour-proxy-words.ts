/**
 * A neighbour that a device answers for, in the words of ip-neighbour(8).
 */
import type { NeighbourProxy } from '../snapshot/node-snapshot.ts';
import type { Command } from './operation.ts';

/** `ip neighbour add proxy`, which an entry that is there does not hinder. */
export function addNeighbourProxyCommand({ address, device, router, protocol }: NeighbourProxy): Command {
  return {
    program: 'ip',
    arguments: [
      'neighbour',
      'add',
      'proxy',
      address,
      'dev',
      device,
      ...(router === true ? ['router'] : []),
      ...(protocol === undefined ? [] : ['protocol', protocol]),
    ],
  };
}

/** `ip neighbour delete proxy`. */
export function deleteNeighbourProxyCommand({ address, device }: NeighbourProxy): Command {
  return { program: 'ip', arguments: ['neighbour', 'delete', 'proxy', address, 'dev', device] };
}

/** The entry for a person. */
export function neighbourProxyText({ address, device }: NeighbourProxy): string {
  return `proxy entry for neighbour ${address} on ${device}`;
}
