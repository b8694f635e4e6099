import type { EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import type { Service } from '../../../domain/api/service.ts';
import { ZONE_LABEL } from '../../../domain/basics/conventions.ts';
import { clusterNetwork, type Network } from '../../../domain/network/network.ts';
import type { NodePlace } from '../../../domain/services/endpoint-choice.ts';
import { isMirror } from '../../../domain/services/slices.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { StoredSlices, writesOfServices } from '../../stored-slices.ts';

/** The slices of a cluster once its mirrors are written, and the Services that are in a network. */
export interface ServedServices {
  readonly sources: readonly EndpointSlice[];
  readonly mirrors: readonly EndpointSlice[];
  readonly nodes: readonly NodePlace[];
  readonly services: readonly { readonly service: Service; readonly network: Network }[];
}

/** The networks in a namespace: those of the tenant whose label the namespace has. */
function networksIn(namespace: string, { cluster, settings }: Case): readonly Network[] {
  const found = cluster.namespaces.find(({ metadata }) => metadata.name === namespace);
  const tenant = found?.metadata.labels?.['tenant'];
  return cluster.clusterUserDefinedNetworks
    .filter(({ spec }) => tenant !== undefined && spec.namespaceSelector.matchLabels?.['tenant'] === tenant)
    .map((object) => clusterNetwork(object, settings));
}

/** The Services in networks, with all slices of the cluster. */
export function servedServices(engine: Engine, subject: Case): ServedServices {
  const { cluster, settings } = subject;
  const stored = new StoredSlices(cluster.endpointSlices);
  const { provision } = engine.planCluster(cluster, settings);
  for (const write of provision === undefined ? [] : writesOfServices(provision.services)) stored.write(write);
  return {
    sources: stored.list.filter((slice) => !isMirror(slice)),
    mirrors: stored.list.filter(isMirror),
    nodes: cluster.nodes.map(({ metadata: { name, labels } }) => {
      const zone = labels?.[ZONE_LABEL];
      return { name, ...(zone !== undefined && { zone }) };
    }),
    services: cluster.services.flatMap((service) => {
      const [network, ...others] = networksIn(service.metadata.namespace ?? 'default', subject);
      return network === undefined || others.length > 0 ? [] : [{ service, network }];
    }),
  };
}
