import { release as releaseFrom } from '../node-model/membership.ts';
import { withDisplaced } from '../ownership/displace.ts';
import { entryOf, isOurs } from '../ownership/is-ours.ts';
import { withoutEntries } from '../ownership/write-ledger.ts';
import { putBacksFor } from './put-back.ts';
import type { Operation } from './operation-kinds.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Takes an interface out of the VRF that we put it into. The kernel takes its link down and up, as on the way in. */
export interface Release extends OperationBase {
  readonly kind: 'release';
  readonly device: string;
  readonly vrf: string;
}

export const release: OperationKind<Release> = {
  mark: '-',
  dependencies: ({ device, vrf, networks }) => ({
    makes: [`cycled ${device}`, `free ${device}`],
    uses: [`link ${vrf}`],
    ends: [`uncycled ${device}`, ...networks.map((name) => `mapped ${name}`)],
  }),
  obstacle: ({ device, vrf }, { links, ledger }) => {
    const master = links.find(({ name }) => name === device)?.master;
    if (master !== vrf) return `${device} is not in VRF ${vrf}`;
    return isOurs({ kind: 'membership', device, master: vrf }, ledger)
      ? undefined
      : `${device} was not put into VRF ${vrf} by us`;
  },
  announce: ({ device }, before) => withDisplaced(before, device),
  effect: ({ device }, node) => releaseFrom(node, device),
  confirm: ({ device }, { ledger }) =>
    withoutEntries(ledger, (entry) => entry.kind === 'membership' && entry.device === device),
  inverse: ({ networks, device, vrf }, before): readonly Operation[] => {
    const membership = entryOf(before.ledger, 'membership', device);
    if (membership === undefined) return [];
    const { table, network: networkName } = membership;
    return [{ kind: 'enslave', networks, device, vrf, table, networkName }, ...putBacksFor(networks, device, before)];
  },
  disruption: () => 'link-cycle',
  dropsThings: true,
  command: ({ device }) => ({ program: 'ip', arguments: ['link', 'set', 'dev', device, 'nomaster'] }),
  summary: ({ device, vrf }) => `${device} out of VRF ${vrf}`,
};
