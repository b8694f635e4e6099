import type { EgressFailure } from '../../dataplane/egress/egress-failure.ts';

/** Why a network that leaves by the node does not get out there. */
export function egressSentence(failure: EgressFailure): string {
  switch (failure.cause) {
    case 'cluster-subnets-unknown':
      return 'pods do not leave by the node: no Node has spec.podCIDRs, so the pods of the default network cannot be denied; set --cluster-cidr to their subnets';
    case 'no-chassis':
      return 'pods do not leave by the node: external_ids of Open vSwitch has no system-id; set it to the name of the chassis, and start ovn-controller';
    case 'forwarding-disabled':
      return `pods do not leave by the node: ${failure.setting} is 0, and the kernel forwards no IPv${failure.family} packet; set it to 1`;
    case 'no-default-route':
      return `pods do not leave by the node: the main table has no IPv${failure.family} default route; add one, or name a device that other routes lead to (--egress-devices)`;
  }
}
