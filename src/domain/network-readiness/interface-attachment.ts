/**
 * The interface can go where the network wants it: into the VRF, or out of the one that we put it into. (Node design, Ownership, rule 3;
 * Never cut the node off)
 */
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { surroundings } from '../discovery/surroundings.ts';
import { compareAddresses } from '../ip-address.ts';
import { vlansOn } from '../node-model/stacked-devices.ts';
import { thingText } from '../operations/displaced-thing-change.ts';
import { byName } from '../ordering.ts';
import { displacedBy } from '../ownership/displace.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { DisplacedThing } from '../ownership/ledger.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { NetworkCheck, NetworkCheckInput, NetworkFailure } from './network-check.ts';
import { takenDownWith } from './taken-down-with.ts';

const reason = 'UplinkVRFAttachmentFailed';

/** The node would lose an address by which the cluster knows it, if only for as long as the link is down. */
function cutOff(device: string, vrf: string, { internalIps, node }: NetworkCheckInput): NetworkFailure | undefined {
  const bearers = takenDownWith(device, node);
  for (const address of [...internalIps].sort(compareAddresses)) {
    const bearer = bearers.find(({ addresses }) =>
      addresses.some((borne) => compareAddresses(borne.address, address) === 0),
    );
    if (bearer === undefined) continue;
    const by = { address, ...(bearer.name !== device && { vlan: bearer.name }) };
    return { reason, cause: 'cuts-node-off', device, vrf, by };
  }
  return undefined;
}

function unknownAttributesOf(thing: DisplacedThing): readonly string[] {
  if (thing.type === 'route') return thing.route.unknownAttributes ?? [];
  return thing.type === 'next-hop-object' ? (thing.object.unknownAttributes ?? []) : [];
}

/** What a membership change of the device would make the kernel change or drop and nobody could make again as it is. */
export function irreplaceableOn(
  device: string,
  view: NetworkCheckInput['node'],
): (NetworkFailure & { readonly cause: 'cannot-be-put-back' | 'takes-up' }) | undefined {
  const around = surroundings(view, [device]);
  const [stacked] = vlansOn(around, device)
    .filter(({ up }) => !up)
    .map(({ name }) => name)
    .sort(byName);
  if (stacked !== undefined && view.link(device)?.up === true) return { reason, cause: 'takes-up', device, stacked };
  const thing = displacedBy(around, device).find((candidate) => unknownAttributesOf(candidate).length > 0);
  if (thing === undefined) return undefined;
  return {
    reason,
    cause: 'cannot-be-put-back',
    device,
    thing: thingText(thing),
    attributes: unknownAttributesOf(thing),
  };
}

function attachmentFailure(
  link: Link,
  { enslaved, vrf }: NetworkDataplane,
  input: NetworkCheckInput,
): NetworkFailure | undefined {
  const { name: device, master } = link;
  const wanted = enslaved ? vrf.name : undefined;
  // A VRF of ours that is made again with another table is left and entered anew.
  const isMadeAgain = wanted !== undefined && input.node.link(wanted)?.vrfTable !== vrf.table;
  if (master === wanted && !isMadeAgain) return undefined;
  if (master !== undefined && !isOurs({ kind: 'membership', device, master }, input.node.snapshot.ledger)) {
    return { reason, cause: 'other-master', device, master, ...(wanted !== undefined && { vrf: wanted }) };
  }
  return (
    (wanted === undefined || master !== undefined ? undefined : cutOff(device, wanted, input)) ??
    irreplaceableOn(device, input.node)
  );
}

/** The interface can be made, or left, a slave of what it has to be. */
export const interfaceAttachment: NetworkCheck = (input) => {
  const { dataplane, node } = input;
  const link = dataplane && node.link(dataplane.device);
  return link && attachmentFailure(link, dataplane, input);
};
