/** Warnings about hosts on the link of an uplink that have addresses of the network. */
import { nameOfNetwork } from '../../network/key.ts';
import type { UsedTwice } from '../../network/provision/used-subnets.ts';
import { withinUplinkSentence } from '../../status/sentences/used-twice-sentence.ts';
import type { Examined } from '../uplinks/examined-candidates.ts';
import type { Warning } from '../view/warning.ts';

/** A warning for each subnet of a programmed network that is part of a subnet of its uplink. */
export function hiddenHostsWarnings(networks: readonly Examined[], nodeName: string): readonly Warning[] {
  const warning = (network: string, overlap: UsedTwice): Warning => ({
    object: `Node/${nodeName}`,
    message: withinUplinkSentence(network, overlap),
    seenOnNode: true,
  });
  return networks
    .filter(({ failure }) => failure === undefined)
    .flatMap(({ network, withinUplink }) =>
      withinUplink.map((overlap) => warning(nameOfNetwork(network.key), overlap)),
    );
}
