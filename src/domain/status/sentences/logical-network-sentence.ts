import type { DisputedId, LogicalNetworkFailure } from '../../dataplane/logical-network/logical-network-failure.ts';
import { conflictText } from '../../entities/conflict.ts';
import { nodeIdsText } from '../network-allocation.ts';
import { unsupportedMessage } from '../network-created.ts';
import { nameSample } from '../node-sample.ts';
import { usedTwiceSentence } from './used-twice-sentence.ts';
import { vrfSentence } from './vrf-sentence.ts';

/** Addresses of which a network has none for a node. */
const exhausted = {
  'pod-subnets': 'the subnets of the network are exhausted: none is left for the pods',
  'join-subnets': 'the join subnets of the network are exhausted: no address is left for the gateway router',
} as const;

/** Why a node has no id of its own whose annotation has one. */
export function disputedIdSentence(node: string, { id, holder }: DisputedId): string {
  const why = holder === undefined ? `is not one of ${nodeIdsText}` : `belongs to ${holder}`;
  return `the annotation of Node ${node} has node id ${id}, which ${why}: no id is claimed for ${node} until the annotation is removed`;
}

/** Why no address of the node is of IPv6. */
export const noIpv6Sentence =
  'the kernel of the node has no IPv6; boot it without ipv6.disable=1, or recreate the network with IPv4 subnets alone';

/** Why a network that ovn-uplinks provides is not programmed on a node. */
export function logicalNetworkSentence(failure: LogicalNetworkFailure): string {
  switch (failure.cause) {
    case 'unsupported':
      return unsupportedMessage(failure.unsupported);
    case 'no-network-id':
      return 'no id is claimed for the network yet; the cluster manager claims it';
    case 'no-node-id':
      return failure.annotated === undefined
        ? `no id is claimed for Node ${failure.node} yet; the cluster manager claims it`
        : disputedIdSentence(failure.node, failure.annotated);
    case 'not-reported':
      return `the node has not reported yet that it uses network id ${failure.networkId} (${failure.report}); its agent does`;
    case 'subnets-overlap':
      return usedTwiceSentence(failure.usedTwice);
    case 'exhausted':
      return `${exhausted[failure.exhausted]} of Node ${failure.node}`;
    case 'equal-names':
      return `OVN gives entities of ${nameSample(failure.networks)} the same names, which begin with ${failure.prefix}; rename all but one of these networks`;
    case 'no-bridge':
      return `bridge ${failure.bridge} does not exist; start ovn-controller, which creates it`;
    case 'no-ipv6':
      return noIpv6Sentence;
    case 'equal-vrfs':
      return `${nameSample(failure.networks)} have the same VRF ${failure.vrf}; rename one of these networks`;
    case 'vrf':
      return vrfSentence(failure.failure);
    case 'in-the-way':
      return conflictText(failure.conflict);
  }
}
