import { ip, ovsVsctl } from './commands.ts';
import type { ArgumentVector } from './node.ts';

/** Options of a bridge that a test creates. */
export interface BridgeOptions {
  /** Addresses of its local port, with prefix lengths. */
  readonly addresses?: readonly string[];
  /** Name of a dummy device that is created and added as a port; it represents a network card. */
  readonly physicalPort?: string;
  /** The MAC address of the bridge and of its physical port; random by default. */
  readonly macAddress?: string;
}

/** The command that creates a dummy device, which represents a network card. */
function networkCard(name: string, macAddress?: string): ArgumentVector {
  const address = macAddress === undefined ? [] : ['address', macAddress];
  return [...ip`link add ${name} up`, ...address, 'type', 'dummy'];
}

/** The commands that create a network card and add it to a bridge. */
export function physicalPort(bridge: string, name: string, macAddress?: string): readonly ArgumentVector[] {
  return [networkCard(name, macAddress), ovsVsctl`add-port ${bridge} ${name}`];
}

/**
 * The commands by which an administrator makes a bridge that is up. Its datapath is the one that needs nothing of the kernel. Commands of a program
 * follow each other, for the sake of `prepare`.
 */
export function bridge(
  name: string,
  { addresses = [], physicalPort: port, macAddress }: BridgeOptions = {},
): readonly ArgumentVector[] {
  const address = macAddress === undefined ? [] : [`other_config:hwaddr="${macAddress}"`];
  return [
    ...(port === undefined ? [] : [networkCard(port, macAddress)]),
    [...ovsVsctl`add-br ${name} -- set Bridge ${name} datapath_type=netdev`, ...address],
    ...(port === undefined ? [] : [ovsVsctl`add-port ${name} ${port}`]),
    ip`link set ${name} up`,
    ...addresses.map((each) => ip`address add ${each} dev ${name}`),
  ];
}
