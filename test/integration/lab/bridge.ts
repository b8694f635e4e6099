import { ip, ovsVsctl } from './commands.ts';
import type { ArgumentVector } from './node.ts';

/** The options that a bridge is made with. */
export interface BridgeOptions {
  /** Addresses of its local port, with the length of the prefix. */
  readonly addresses?: readonly string[];
  /** A device that the bridge shall have as a port; it is made, and stands for a network card. */
  readonly physicalPort?: string;
  /** Its MAC address and that of its physical port: made by chance by default. */
  readonly macAddress?: string;
}

/** The command by which a network card comes; it is a dummy. */
function networkCard(name: string, macAddress?: string): ArgumentVector {
  const address = macAddress === undefined ? [] : ['address', macAddress];
  return [...ip`link add ${name} up`, ...address, 'type', 'dummy'];
}

/** The commands by which a network card comes into a bridge. */
export function physicalPort(bridge: string, name: string, macAddress?: string): readonly ArgumentVector[] {
  return [networkCard(name, macAddress), ovsVsctl`add-port ${bridge} ${name}`];
}

/**
 * The commands by which an administrator makes a bridge that is up. Commands of a program follow each other, for the sake of `prepare`.
 */
export function bridge(
  name: string,
  { addresses = [], physicalPort: port, macAddress }: BridgeOptions = {},
): readonly ArgumentVector[] {
  const address =
    macAddress === undefined ? [] : [...['--', 'set', 'Bridge', name], `other_config:hwaddr="${macAddress}"`];
  return [
    ...(port === undefined ? [] : [networkCard(port, macAddress)]),
    [...ovsVsctl`add-br ${name}`, ...address],
    ...(port === undefined ? [] : [ovsVsctl`add-port ${name} ${port}`]),
    ip`link set ${name} up`,
    ...addresses.map((each) => ip`address add ${each} dev ${name}`),
  ];
}
