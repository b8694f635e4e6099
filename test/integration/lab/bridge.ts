import { ip, ovsVsctl } from './commands.ts';
import type { ArgumentVector } from './node.ts';

/** What a bridge is made with. */
export interface BridgeOptions {
  /** Addresses of its local port, with the length of the prefix. */
  readonly addresses?: readonly string[];
  /** A device that the bridge shall have as a port; it is made, and stands for a network card. */
  readonly physicalPort?: string;
}

/** The commands by which an administrator makes a bridge that is up. Its datapath is the one that needs nothing of the kernel. */
export function bridge(name: string, { addresses = [], physicalPort }: BridgeOptions = {}): readonly ArgumentVector[] {
  const card =
    physicalPort === undefined ? [] : [ip`link add ${physicalPort} type dummy`, ip`link set ${physicalPort} up`];
  const port = physicalPort === undefined ? [] : ovsVsctl`-- add-port ${name} ${physicalPort}`.slice(1);
  return [
    ...card,
    [...ovsVsctl`add-br ${name} -- set Bridge ${name} datapath_type=netdev`, ...port],
    ip`link set ${name} up`,
    ...addresses.map((address) => ip`address add ${address} dev ${name}`),
  ];
}
