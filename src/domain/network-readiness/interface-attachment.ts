/**
 * The interface can go where the network wants it: into the VRF, or out of the one that we put it into. (docs/design/ownership.md, "Three
 * rules"; docs/design/enslaving.md, "Never cut the node off")
 */
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { compareAddresses } from '../basics/addresses/ip-address.ts';
import { isOwnMembership } from '../entities/kernel/membership.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { tunnelEndOn } from '../snapshot/tunnel-addresses.ts';
import { irreplaceableOn } from './irreplaceable.ts';
import type { NetworkCheck, NetworkCheckInput, NetworkFailure } from './network-check.ts';
import { cycledInterfaces } from './cycled-interfaces.ts';

const reason = 'UplinkVRFAttachmentFailed';

/** The node would lose an address by which the cluster knows it, if only for as long as the link is down. */
function cutOff(device: string, vrf: string, { internalIps, node }: NetworkCheckInput): NetworkFailure | undefined {
  const bearers = cycledInterfaces(device, node);
  for (const address of [...internalIps].sort(compareAddresses)) {
    const bearer = bearers.find(({ addresses }) =>
      addresses.some((assigned) => compareAddresses(assigned.address, address) === 0),
    );
    if (bearer === undefined) continue;
    const by = { address, ...(bearer.name !== device && { vlan: bearer.name }) };
    return { reason, cause: 'cuts-node-off', device, vrf, by };
  }
  return undefined;
}

/**
 * The sockets of tunnels are in the default VRF: they get nothing that comes in by a VRF (Linux, ip-sysctl, udp_l3mdev_accept), and the main table has
 * no route to the other ends any more.
 */
function cutsTunnels(link: Link, vrf: string, node: NodeView): NetworkFailure | undefined {
  const address = tunnelEndOn(link, node.snapshot);
  return address === undefined ? undefined : { reason, cause: 'cuts-tunnels', device: link.name, vrf, address };
}

function attachmentFailure(
  link: Link,
  { vrf }: NetworkDataplane,
  input: NetworkCheckInput,
): NetworkFailure | undefined {
  const { name: device, master } = link;
  const { node } = input;
  const wanted = vrf.enslaves ? vrf.name : undefined;
  // The interface is released from a managed VRF that is recreated with another table, and enslaved again.
  const isMadeAgain = wanted !== undefined && node.link(wanted)?.vrfTable !== vrf.table;
  const stays = master === wanted && !isMadeAgain;
  if (master !== undefined && !isOwnMembership(device, master, node.snapshot.ledger)) {
    if (stays) return undefined;
    return { reason, cause: 'other-master', device, master, ...(wanted !== undefined && { vrf: wanted }) };
  }
  const cut = wanted === undefined || master !== undefined ? undefined : cutOff(device, wanted, input);
  const failure = cut ?? (wanted === undefined ? undefined : cutsTunnels(link, wanted, node));
  return failure ?? (stays ? undefined : irreplaceableOn(device, vrf.enslaves ? vrf.table : undefined, node));
}

/** The interface can be enslaved to, or released from, what the plan requires. */
export const interfaceAttachment: NetworkCheck = (input) => {
  const { dataplane, node } = input;
  const link = dataplane && node.link(dataplane.device);
  return link && attachmentFailure(link, dataplane, input);
};
