import { InvalidArgumentError } from 'commander';
import { readTunnelAddress } from '../../domain/basics/addresses/tunnel-address.ts';

/** The address of a node that other nodes send tunnel packets to. */
export interface EncapsulationAddress {
  readonly address: string;
  /** Why other nodes do not reach it: it is one of the loopback interface, which clusters of one node may use. */
  readonly warning?: string;
}

/** Reads an option with such an address. @throws InvalidArgumentError with the reason where no tunnel can end there */
export function encapsulationAddress(text: string): EncapsulationAddress {
  const reading = readTunnelAddress(text);
  if ('address' in reading) return reading;
  const { problem, loopback } = reading;
  if (loopback !== undefined)
    return { address: loopback, warning: `${text} ${problem}; other nodes do not reach this one` };
  throw new InvalidArgumentError(`It ${problem}; expected an address of the node that other nodes reach.`);
}
