/**
 * Chains of other programs that drop what passes the node unless a rule of theirs accepts it, as Docker's do (docs/design/node-egress.md, "The filter"). Whether one accepts
 * packets of networks is not known.
 */
import { addressFamilies, type AddressFamily } from '../../basics/addresses/ip-address.ts';
import { subnetOfFamily } from '../../network/allocation/addresses.ts';
import type { ForwardDrop } from '../../snapshot/datapath.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import type { PlannedNetwork } from '../parts/part.ts';
import type { Warning } from '../view/warning.ts';

/** The families of the packets that a chain sees. */
function familiesOf({ family }: ForwardDrop): readonly AddressFamily[] {
  if (family === 'inet') return addressFamilies;
  return [family === 'ip' ? 4 : 6];
}

/** Commands that make a chain of iptables accept packets of networks, in both directions: they have masquerade addresses where it sees them. */
function remedy(drop: ForwardDrop, masqueradeSubnets: readonly string[]): string {
  const commands = familiesOf(drop).flatMap((family) => {
    const subnet = subnetOfFamily(masqueradeSubnets, family);
    const program = family === 4 ? 'iptables' : 'ip6tables';
    return subnet === undefined
      ? []
      : ['-s', '-d'].map((direction) => `"${program} -I FORWARD ${direction} ${subnet} -j ACCEPT"`);
  });
  return drop.chain === 'FORWARD' && drop.table === 'filter'
    ? `where none does, ${commands.join(' and ')} help; with Docker, in chain DOCKER-USER`
    : `where none does, add rules that accept packets from and to ${familiesOf(drop)
        .flatMap((family) => subnetOfFamily(masqueradeSubnets, family) ?? [])
        .join(' and ')}`;
}

/** Warnings about such chains, where networks leave by the node. */
export function forwardWarnings(
  provided: readonly PlannedNetwork[],
  { nodeName, forwardDrops }: NodeSnapshot,
  { masqueradeSubnets }: Pick<NodeSettings, 'masqueradeSubnets'>,
): readonly Warning[] {
  if (!provided.some(({ egress }) => egress?.isProgrammed === true)) return [];
  return forwardDrops.map((drop) => ({
    object: `Node/${nodeName}`,
    message: `chain ${drop.chain} of table ${drop.family} ${drop.table} drops what passes the node unless a rule accepts it: pods leave by the node only if one does; ${remedy(drop, masqueradeSubnets)}`,
    seenOnNode: true,
  }));
}
