import { bridge } from './bridge.ts';
import { ip, ovsVsctl } from './commands.ts';
import type { ArgumentVector } from './node.ts';

/** Creates the default bridge and the management ports of networks 1 to 3, as OVN-Kubernetes does. The tables of the networks are 1011 to 1013. */
export const clusterNode: readonly ArgumentVector[] = [
  ...[1, 2, 3].map((id) => ip`link add ovn-k8s-mp${id} up index ${10 + id} type dummy`),
  ...bridge('br-ex', { addresses: ['198.51.100.10/24', '169.254.0.2/17'], physicalPort: 'eth0' }),
  ip`address add fd69::2/112 dev br-ex nodad`,
  ip`route add default via 198.51.100.1 dev br-ex metric 48`,
  ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-ex'}`,
];
