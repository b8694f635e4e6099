import { ip, ovsVsctl } from './commands.ts';
import type { ArgumentVector } from './node.ts';

/** What a bridge is made with. */
export interface BridgeOptions {
  /** Addresses of its local port, with the length of the prefix. */
  readonly addresses?: readonly string[];
  /** A device that the bridge shall have as a port; it is made, and stands for a network card. */
  readonly physicalPort?: string;
  /** Its MAC address and that of its physical port: one made by chance where nobody says otherwise. */
  readonly macAddress?: string;
}

/** The commands by which an administrator makes a bridge that is up. Its datapath is the one that needs nothing of the kernel. */
export function bridge(
  name: string,
  { addresses = [], physicalPort, macAddress }: BridgeOptions = {},
): readonly ArgumentVector[] {
  const card =
    physicalPort === undefined
      ? []
      : [
          [
            ...ip`link add ${physicalPort}`,
            ...(macAddress === undefined ? [] : ['address', macAddress]),
            'type',
            'dummy',
          ],
          ip`link set ${physicalPort} up`,
        ];
  const port = physicalPort === undefined ? [] : ovsVsctl`-- add-port ${name} ${physicalPort}`.slice(1);
  const address = macAddress === undefined ? [] : [`other_config:hwaddr="${macAddress}"`];
  return [
    ...card,
    [...ovsVsctl`add-br ${name} -- set Bridge ${name} datapath_type=netdev`, ...address, ...port],
    ip`link set ${name} up`,
    ...addresses.map((address) => ip`address add ${address} dev ${name}`),
  ];
}
