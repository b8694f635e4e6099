/**
 * A neighbour in the words of ip-neighbour(8).
 */
import { lastingState } from '../node-model/lasting-neighbour.ts';
import type { Neighbour } from '../snapshot/node-snapshot.ts';
import type { Command } from './operation.ts';

/** `ip neighbour replace`: adds the entry, which lasts, or makes one that the kernel learned into it. */
export function putNeighbourCommand(neighbour: Neighbour): Command {
  const { address, device, macAddress = '', router, protocol } = neighbour;
  return {
    program: 'ip',
    arguments: [
      'neighbour',
      'replace',
      address,
      'lladdr',
      macAddress,
      'dev',
      device,
      'nud',
      lastingState(neighbour),
      ...(router === true ? ['router'] : []),
      ...(protocol === undefined ? [] : ['protocol', protocol]),
    ],
  };
}

/** `ip neighbour delete`. */
export function deleteNeighbourCommand({ address, device }: Neighbour): Command {
  return { program: 'ip', arguments: ['neighbour', 'delete', address, 'dev', device] };
}

/** The entry for a person. */
export function neighbourText({ address, device, macAddress }: Neighbour): string {
  return `neighbour ${address}${macAddress === undefined ? '' : ` at ${macAddress}`} on ${device}`;
}
