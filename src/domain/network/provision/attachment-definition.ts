/**
 * The NetworkAttachmentDefinition of a network in a namespace (OKEP-5193, NetworkAttachmentDefinition Rendering; OVN-Kubernetes,
 * userdefinednetwork/template).
 *
 * Other programs read it. ovn-uplinks itself bases no decision on its content, since tenants may be able to write others.
 */
import type { Network } from '../network.ts';
import { joinSubnet } from '../allocation/addresses.ts';
import {
  CNI_PLUGIN,
  CNI_VERSION,
  NETWORK_FINALIZER,
  NETWORK_ID_ANNOTATION,
  NETWORK_LABEL,
  NETWORK_NAME_ANNOTATION,
  OWN_DEFINITION_LABEL,
} from '../../basics/conventions.ts';

/** A desired NetworkAttachmentDefinition. */
export interface DesiredAttachmentDefinition {
  readonly apiVersion: 'k8s.cni.cncf.io/v1';
  readonly kind: 'NetworkAttachmentDefinition';
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    /** Of the one that is there and is restored; absent if it is created. */
    readonly uid?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly finalizers: readonly string[];
    readonly ownerReferences: readonly {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly uid: string;
      readonly controller: true;
      readonly blockOwnerDeletion: true;
    }[];
  };
  readonly spec: { readonly config: string };
}

function configText(network: Network, namespace: string): string {
  const { metadata, networkName, mtu, joinSubnets, uplinks } = network;
  // The only topology that is supported.
  const subnets = network.topology === 'Layer3' ? network.subnets : [];
  return JSON.stringify({
    cniVersion: CNI_VERSION,
    joinSubnet: ([4, 6] as const).flatMap((family) => joinSubnet(joinSubnets, family) ?? []).join(','),
    ...(mtu !== undefined && { mtu }),
    name: networkName,
    netAttachDefName: `${namespace}/${metadata.name}`,
    role: 'primary',
    subnets: subnets
      .map(({ cidr, hostSubnet }) => (hostSubnet === undefined ? cidr : `${cidr}/${hostSubnet}`))
      .join(','),
    topology: 'layer3',
    type: CNI_PLUGIN,
    ...(uplinks[0] !== undefined && { uplink: uplinks[0] }),
  });
}

/** The NetworkAttachmentDefinition of a network in a namespace. */
export function attachmentDefinition(
  network: Network,
  namespace: string,
  networkId: number,
  uid: string | undefined,
): DesiredAttachmentDefinition {
  const { kind, metadata, networkName } = network;
  return {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: {
      namespace,
      name: metadata.name,
      ...(uid !== undefined && { uid }),
      labels: { [NETWORK_LABEL]: '', [OWN_DEFINITION_LABEL]: '' },
      annotations: { [NETWORK_ID_ANNOTATION]: String(networkId), [NETWORK_NAME_ANNOTATION]: networkName },
      finalizers: [NETWORK_FINALIZER],
      ownerReferences: [
        {
          apiVersion: 'k8s.ovn.org/v1',
          kind,
          name: metadata.name,
          uid: metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: { config: configText(network, namespace) },
  };
}
