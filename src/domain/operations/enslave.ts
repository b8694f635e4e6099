import { enslave as enslaveIn } from '../node-model/membership.ts';
import { withDisplaced } from '../ownership/displace.ts';
import { withEntries } from '../ownership/write-ledger.ts';
import { putBacksFor } from './put-back.ts';
import type { Operation } from './operation-kinds.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Makes an uplink's interface a slave of a VRF. The kernel takes its link down and up, and drops what put-back operations bring back. */
export interface Enslave extends OperationBase {
  readonly kind: 'enslave';
  readonly device: string;
  readonly vrf: string;
  readonly table: number;
  /** Network name of the network that wants it. */
  readonly networkName: string;
}

export const enslave: OperationKind<Enslave> = {
  mark: '+',
  dependencies: ({ device, vrf, networks }) => ({
    makes: [`cycled ${device}`, ...networks.map((name) => `network ${name}`)],
    needs: [`link ${vrf}`, `up ${vrf}`, `free ${device}`, `kept addresses ${device}`],
    ends: [`uncycled ${device}`],
  }),
  obstacle: ({ device }, { links }) => {
    const master = links.find(({ name }) => name === device)?.master;
    return master && `${device} is a slave of ${master}`;
  },
  announce: ({ device, vrf, table, networkName }, before) =>
    withEntries(withDisplaced(before, device), [{ kind: 'membership', device, vrf, table, network: networkName }]),
  effect: ({ device, vrf }, node) => enslaveIn(node, device, vrf),
  inverse: ({ networks, device, vrf }, before): readonly Operation[] => [
    { kind: 'release', networks, device, vrf },
    ...putBacksFor(networks, device, before),
  ],
  disruption: () => 'link-cycle',
  dropsThings: true,
  command: ({ device, vrf }) => ({ program: 'ip', arguments: ['link', 'set', 'dev', device, 'master', vrf] }),
  summary: ({ device, vrf }) => `${device} into VRF ${vrf}`,
};
