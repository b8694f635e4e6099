import { deleteLink } from '../node-model/link.ts';
import { withDisplaced } from '../ownership/displace.ts';
import { isOurs } from '../ownership/is-ours.ts';
import { signedName, vrfSignature } from '../ownership/vrf-signature.ts';
import { withoutEntries } from '../ownership/write-ledger.ts';
import type { Operation } from './operation-kinds.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Removes a VRF device of ours that nothing is in. */
export interface DeleteVrf extends OperationBase {
  readonly kind: 'delete-vrf';
  readonly vrf: string;
}

export const deleteVrf: OperationKind<DeleteVrf> = {
  mark: '-',
  dependencies: ({ vrf, networks }) => ({ ends: [`link ${vrf}`, ...networks.map((name) => `mapped ${name}`)] }),
  obstacle: ({ vrf }, { links, ledger }) => {
    const link = links.find(({ name }) => name === vrf);
    if (link === undefined) return `there is no device ${vrf}`;
    if (!isOurs({ kind: 'link', link }, ledger)) return `VRF ${vrf} is not ours`;
    const slave = links.find(({ master }) => master === vrf);
    return slave && `${slave.name} is still in VRF ${vrf}`;
  },
  // Nothing is in it when this is planned; what somebody put in since then comes out with it.
  announce: ({ vrf }, node) =>
    node.links
      .filter(({ master }) => master === vrf)
      .reduce((ledger, { name }) => withDisplaced({ ...node, ledger }, name), node.ledger),
  effect: ({ vrf }, node) => deleteLink(node, vrf),
  confirm: ({ vrf }, { ledger }) =>
    withoutEntries(
      ledger,
      (entry) =>
        (entry.kind === 'unsigned-vrf' && entry.name === vrf) || (entry.kind === 'address' && entry.device === vrf),
    ),
  inverse: ({ networks, vrf }, { links }): readonly Operation[] => {
    const link = links.find(({ name }) => name === vrf);
    if (link?.vrfTable === undefined) return [];
    const networkName = signedName(link.alias ?? '');
    return [
      { kind: 'add-vrf', networks, vrf, table: link.vrfTable, networkName },
      { kind: 'sign-vrf', networks, vrf, alias: vrfSignature(networkName) },
    ];
  },
  disruption: () => 'none',
  dropsThings: true,
  command: ({ vrf }) => ({ program: 'ip', arguments: ['link', 'delete', 'dev', vrf] }),
  summary: ({ vrf }) => `VRF ${vrf}`,
};
