/** Input of the decisions about one network on an uplink, which do not follow from the whole cluster, where other networks change. */
import type { Network } from '../../network/network.ts';
import type { Advertisement } from '../../routing-domain/advertisement.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';
import type { ClusterView } from '../view/cluster-view.ts';
import type { NodeInput } from '../node-input.ts';

/** The input of a network on an uplink from the cluster, besides the two. */
export interface ClusterFacts {
  readonly settings: ClusterSettings;
  readonly hasUplink: boolean;
  readonly networkId: number | undefined;
  readonly nodeId: number | undefined;
  readonly nodeAddresses: ClusterView['nodeAddresses'];
  readonly advertisements: readonly Advertisement[];
}

/** The facts about a network on an uplink. */
export function clusterFacts(
  { view, object }: Pick<NodeInput, 'view' | 'object'>,
  network: Network,
  uplinkName: string,
): ClusterFacts {
  return {
    settings: view.settings,
    hasUplink: view.table(uplinkName) !== undefined,
    networkId: view.networkId(network),
    nodeId: view.nodeId(object),
    nodeAddresses: view.nodeAddresses,
    advertisements: view.advertisements(network),
  };
}

/** The input of the decisions about one network. */
export type CandidateInput = Omit<NodeInput, 'view' | 'reservedBridges'> & { readonly facts: ClusterFacts };
