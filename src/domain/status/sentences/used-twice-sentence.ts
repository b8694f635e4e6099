import type { SubnetUse, UsedSubnet, UsedTwice } from '../../network/provision/used-subnets.ts';

const uses: Readonly<Record<SubnetUse, string>> = {
  pods: 'of its pods',
  join: 'between its routers',
  transit: 'between the nodes of all networks',
  masquerade: 'of masquerade addresses',
  services: 'of services',
  uplink: 'of Uplink',
  'default-network': 'of pods of the default network on Node',
  cluster: 'of pods of the default network',
  'default-network-join': 'between the routers of the default network',
  node: 'of Node',
};

function subnetText({ use, subnet, of }: UsedSubnet): string {
  return `${subnet} ${uses[use]}${of === undefined ? '' : ` ${of}`}`;
}

/** Which subnet of a network overlaps with which. */
export function usedTwiceSentence({ own, other }: UsedTwice): string {
  return `subnet ${subnetText(own)} overlaps with ${subnetText(other)}`;
}

/** The warning that hosts on the link are hidden by a subnet of a network that is part of one of its uplink. */
export function withinUplinkSentence(network: string, { own, other }: UsedTwice): string {
  return `pods of ${network} do not reach hosts on the link with addresses in ${subnetText(own)}, which is part of ${subnetText(other)}: packets for these stay in the network; if there are such hosts, give them other addresses, or recreate the network with other subnets`;
}
