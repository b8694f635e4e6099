import type { AttachmentProblem } from '../pods/pod-attachment.ts';
import type { PodAddresses } from '../pods/pod-addresses.ts';
import { unsupportedMessage } from './network-created.ts';

/** Why a pod cannot be attached, and what to do about it. */
export function attachmentSentence(problem: AttachmentProblem, pod: string, namespace: string): string {
  switch (problem.kind) {
    case 'node-unknown':
      return 'the agent has not read the Node of this node yet';
    case 'node-without-id':
      return 'this node has no id yet; the cluster manager allocates it';
    case 'pod-unknown':
      return `${pod} is not known to the agent yet`;
    case 'pod-replaced':
      return `${pod} has been replaced: the agent knows the one with uid ${problem.uid}`;
    case 'on-other-node':
      return `${pod} is scheduled to node ${problem.node}`;
    case 'namespace-unknown':
      return `Namespace/${namespace} is not known to the agent yet`;
    case 'label-missing':
      return `Namespace/${namespace} has no label k8s.ovn.org/primary-user-defined-network, so its pods are in the default network only; remove the network from the annotation of the pod`;
    case 'none':
      return `no primary network selects Namespace/${namespace} yet; create a ClusterUserDefinedNetwork or UserDefinedNetwork for it`;
    case 'several':
      return `several primary networks select Namespace/${namespace}: ${problem.networks.join(', ')}; change or delete all but one`;
    case 'being-deleted':
      return `${problem.network} is being deleted`;
    case 'unsupported':
      return `${problem.network}: ${unsupportedMessage(problem.unsupported)}`;
    case 'no-subnets':
      return `the subnets of network ${problem.network} have no part with addresses for pods for this node, whose id is ${problem.nodeId}; recreate the network with a larger cidr or another hostSubnet`;
  }
}

/** Why there is no address. */
export function exhaustedSentence(
  { subnets, resting }: Extract<PodAddresses, { readonly kind: 'exhausted' }>,
  network: string,
): string {
  const soon =
    resting === 0
      ? 'delete pods of the network on this node, or recreate it with a shorter hostSubnet'
      : `${resting} of its addresses can be allocated within a minute`;
  return `network ${network} has no free address on this node in ${subnets.join(', ')}; ${soon}`;
}
