/** Warnings about subnets of networks that have bits after their prefix, and so stand for other ones. */
import { clusterNetworkKey, keyOfNetwork } from '../../network/key.ts';
import type { UserDefinedNetwork } from '../../api/user-defined-network.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import { hostBitsSentence } from '../../status/sentences/host-bits-sentence.ts';
import type { Warning } from '../view/warning.ts';

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

/** A warning for each subnet of a network that has host bits. */
export function hostBitsWarnings({
  clusterUserDefinedNetworks,
  userDefinedNetworks,
}: Pick<ClusterSnapshot, 'clusterUserDefinedNetworks' | 'userDefinedNetworks'>): readonly Warning[] {
  const parts = [
    ...clusterUserDefinedNetworks.map(({ metadata, spec }) => ({
      object: clusterNetworkKey(metadata.name),
      path: 'spec.network',
      part: spec.network,
    })),
    ...userDefinedNetworks.map(({ metadata, spec }) => ({
      object: keyOfNetwork({ kind: 'UserDefinedNetwork', metadata }),
      path: 'spec',
      part: spec,
    })),
  ];
  return parts.flatMap(({ object, path, part }) =>
    placesOf(part).flatMap(([place, cidr]) => {
      const message = hostBitsSentence(cidr);
      return message === undefined ? [] : [{ object, path: `${path}.${place}`, message }];
    }),
  );
}
