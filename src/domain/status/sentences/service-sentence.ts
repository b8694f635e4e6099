/** Sentences about Services in networks. */
import type { EndpointUse } from '../../services/endpoint-choice.ts';
import type { OutsideRefusal } from '../../services/exposed-addresses.ts';
import type { ClusterIpRefusal } from '../../services/load-balancers.ts';
import type { LeftOutReason } from '../../services/mirror.ts';
import type { ServiceScope } from '../../services/service-scope.ts';

const undecided: Readonly<Record<Extract<ServiceScope, { readonly kind: 'undecided' }>['why'], string>> = {
  unreadable: 'the namespace, or a network that may select it, cannot be read',
  'several-networks': 'several networks select the namespace',
  'being-deleted': 'the network of the namespace is being deleted',
  unsupported: 'this version does not provide the network of the namespace',
  left: 'no network selects the namespace any more, and one stays there until its last pod has ended',
  'no-id': 'the network of the namespace has no id yet',
};

/** Says whose a Service is. */
export function scopeSentence(scope: ServiceScope): string {
  switch (scope.kind) {
    case 'default-network':
      return 'no primary network selects the namespace: the Service is one of the default network';
    case 'of-others':
      return `another implementation provides ${scope.network}, and serves the Service`;
    case 'other-proxy':
      return `the Service is left to proxy ${scope.proxy}`;
    case 'undecided':
      return `${undecided[scope.why]}; mirrors that there are stay as they are`;
    case 'without-address':
      return scope.isHeadless
        ? 'the Service has no address: DNS answers with those of its EndpointSlices'
        : 'the Service has no address in the cluster';
    case 'served':
      return `the Service is in ${scope.network.key}, with id ${String(scope.networkId)}`;
  }
}

const leftOut: Readonly<Record<LeftOutReason, string>> = {
  PodNotFound: 'there is no such pod',
  PodReplaced: 'the pod of that name is another one',
  PodOfOtherNamespace: 'the pod is in another namespace',
  PodEnded: 'the pod has ended',
  HostNetworkEndpoint: 'the pod uses the network of its node',
  NoAddress: 'the pod has no address of the family in the network, or none yet',
  EndpointOutsideNetwork: 'the address is in no subnet of the network',
};

/** Says why an endpoint is not in the mirror of its slice. */
export function leftOutSentence(reason: LeftOutReason): string {
  return leftOut[reason];
}

const uses: Readonly<Record<EndpointUse, string>> = {
  used: 'it gets connections',
  'no-port': 'its slice does not have the port, by name and protocol',
  unmapped: 'no mirror has an address of it',
  outside: 'its address is in no subnet of the network',
  'not-local': 'it is on another node, and internalTrafficPolicy is Local',
  'not-ready': 'it is not ready',
  terminating: 'it is terminating, and others are ready',
  hint: 'its hints are for other nodes or zones, and others are for this one',
};

/** Says why an endpoint is used on a node or not. */
export function useSentence(use: EndpointUse): string {
  return uses[use];
}

const refusals: Readonly<Record<ClusterIpRefusal, string>> = {
  'no-address': 'it is no address',
  'other-family': 'ipFamilies of the Service does not have its family',
  'in-network': 'it is in a subnet of the network, whose addresses are those of pods',
  'second-of-family': 'the Service has another address of the family',
  shared: 'another Service of the network has it too, and none of them is served there',
};

/** Says why an address of a Service is not served. */
export function refusedAddressSentence(refusal: ClusterIpRefusal): string {
  return refusals[refusal];
}

const outsideRefusals: Readonly<Record<OutsideRefusal, string>> = {
  'no-address': 'it is no address',
  'other-family': 'ipFamilies of the Service does not have its family',
  'not-allowed': 'an administrator has not allowed it (--external-ips)',
  'ranges-invalid':
    'loadBalancerSourceRanges has a text that is no subnet, so that it is not known from where it may be reached',
  special: 'it is not one of a single host',
  pods: 'it is in a subnet of the network, whose addresses are those of pods',
  join: 'it is one of the routers of the network',
  transit: 'it is one of routers',
  'default-network-join': 'it is one of routers',
  masquerade: 'it is a masquerade address',
  services: 'it is in a subnet of Services',
  uplink: 'an uplink has it',
  gateway: 'the default gateway of an uplink has it',
  node: 'a node has it',
  cluster: 'it is one of pods of the default network',
  'default-network': 'it is one of pods of the default network',
  advertised: 'it is one of pods of another network that are reached by it',
};

/** Says why a Service is not reached at an address outside of its network. */
export function refusedOutsideSentence(refusal: OutsideRefusal): string {
  return outsideRefusals[refusal];
}
