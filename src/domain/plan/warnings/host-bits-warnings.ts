/** Warnings about subnets of networks that have bits after their prefix, and so stand for other ones. */
import { clusterNetworkKey, keyOfNetwork, type NetworkKey } from '../../network/key.ts';
import type { ClusterUserDefinedNetwork } from '../../api/cluster-user-defined-network.ts';
import type { UserDefinedNetwork } from '../../api/user-defined-network.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import { hostBitsSentence } from '../../status/sentences/host-bits-sentence.ts';
import { type Warning, warningsOfEach } from '../view/warning.ts';

/** The subnets of a network, CIDR, by where they are in it. */
function placesOf({ layer2, layer3 }: Pick<UserDefinedNetwork['spec'], 'layer2' | 'layer3'>) {
  const listed = (path: string, subnets: readonly string[] = []) =>
    subnets.map((cidr, index) => [`${path}[${index}]`, cidr] as const);
  return [
    ...listed('layer2.subnets', layer2?.subnets),
    ...listed('layer2.joinSubnets', layer2?.joinSubnets),
    ...(layer3?.subnets ?? []).map(({ cidr }, index) => [`layer3.subnets[${index}].cidr`, cidr] as const),
    ...listed('layer3.joinSubnets', layer3?.joinSubnets),
  ];
}

function warningsOf(object: NetworkKey, path: string, part: Pick<UserDefinedNetwork['spec'], 'layer2' | 'layer3'>) {
  return placesOf(part).flatMap(([place, cidr]): readonly Warning[] => {
    const message = hostBitsSentence(cidr);
    return message === undefined ? [] : [{ object, path: `${path}.${place}`, message }];
  });
}

const ofClusterNetworks = warningsOfEach(({ metadata, spec }: ClusterUserDefinedNetwork) =>
  warningsOf(clusterNetworkKey(metadata.name), 'spec.network', spec.network),
);

const ofNamespacedNetworks = warningsOfEach(({ metadata, spec }: UserDefinedNetwork) =>
  warningsOf(keyOfNetwork({ kind: 'UserDefinedNetwork', metadata }), 'spec', spec),
);

/** A warning for each subnet of a network that has host bits. */
export function hostBitsWarnings({
  clusterUserDefinedNetworks,
  userDefinedNetworks,
}: Pick<ClusterSnapshot, 'clusterUserDefinedNetworks' | 'userDefinedNetworks'>): readonly Warning[] {
  return [...ofClusterNetworks(clusterUserDefinedNetworks), ...ofNamespacedNetworks(userDefinedNetworks)];
}
