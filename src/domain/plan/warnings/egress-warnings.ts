/** Warnings where pods leave by the node (docs/design/node-egress.md): by one family only, or past chains of other programs, as those of Docker, that may drop them. */
import { addressFamilies, type AddressFamily } from '../../basics/addresses/ip-address.ts';
import { subnetOfFamily } from '../../network/allocation/addresses.ts';
import type { ForwardDrop } from '../../snapshot/datapath.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import type { PlannedNetwork } from '../parts/part.ts';
import { egressSentence } from '../../status/sentences/egress-sentence.ts';
import type { Warning } from '../view/warning.ts';

/** The families of the packets that a chain sees. */
function familiesOf({ family }: ForwardDrop): readonly AddressFamily[] {
  if (family === 'inet') return addressFamilies;
  return [family === 'ip' ? 4 : 6];
}

/** The program that changes a chain of iptables. */
function programOf({ isLegacy }: ForwardDrop, family: AddressFamily): string {
  return `${family === 4 ? 'iptables' : 'ip6tables'}${isLegacy === true ? '-legacy' : ''}`;
}

/** Commands that make a chain of iptables accept packets of networks, in both directions: they have masquerade addresses where it sees them. */
function remedy(drop: ForwardDrop, masqueradeSubnets: readonly string[]): string {
  const commands = familiesOf(drop).flatMap((family) => {
    const subnet = subnetOfFamily(masqueradeSubnets, family);
    const program = programOf(drop, family);
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

/** Pods that leave by the node, past a chain of another program. */
function dropSentence(drop: ForwardDrop, masqueradeSubnets: readonly string[]): string {
  const chain = `chain ${drop.chain} of table ${drop.family} ${drop.table}`;
  const help = remedy(drop, masqueradeSubnets);
  if (drop.isLegacy !== true)
    return `${chain} drops what passes the node unless a rule accepts it: pods leave by the node only if one does; ${help}`;
  const look = familiesOf(drop).map((family) => `"${programOf(drop, family)} -S ${drop.chain}"`);
  return `${chain} is one of iptables-legacy, which cannot be read: if it drops what passes the node, as ${look.join(' and ')} shows, pods leave by the node only where a rule accepts it; ${help}`;
}

/** Warnings about networks that leave by the node. */
export function egressWarnings(
  provided: readonly PlannedNetwork[],
  { nodeName, forwardDrops }: NodeSnapshot,
  { masqueradeSubnets }: Pick<NodeSettings, 'masqueradeSubnets'>,
): readonly Warning[] {
  const leaving = provided.flatMap(({ egress }) => (egress?.isProgrammed === true ? [egress] : []));
  if (leaving.length === 0) return [];
  const families = new Set(leaving.flatMap(({ networkAddresses }) => networkAddresses.map(({ family }) => family)));
  const drops = forwardDrops.filter((drop) => familiesOf(drop).some((family) => families.has(family)));
  const messages = [
    ...drops.map((drop) => dropSentence(drop, masqueradeSubnets)),
    // The same for all networks.
    ...leaving.flatMap(({ failureOfSecond }) =>
      failureOfSecond === undefined ? [] : [egressSentence(failureOfSecond)],
    ),
  ];
  return messages.map((message) => ({ object: `Node/${nodeName}`, message, seenOnNode: true }));
}
