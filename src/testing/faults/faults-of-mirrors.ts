/**
 * Faults in what is written for Services: they break the laws on mirrors.
 */
import type { ClusterSnapshot, KindKey } from '../../domain/index.ts';
import { POD_NETWORKS_ANNOTATION, SOURCE_SLICE_ANNOTATION } from '../../domain/basics/conventions.ts';
import type { ServicesPlan } from '../../domain/plan/cluster/services-plan.ts';
import { isMirror } from '../../domain/services/slices.ts';
import { type Engine, engine } from '../engine.ts';
import type { SeededFault } from './faulty-engine.ts';

/** An engine that writes something else for Services. */
function withServices(change: (plan: ServicesPlan, cluster: ClusterSnapshot) => ServicesPlan): Engine {
  return {
    ...engine,
    planCluster: (cluster, settings) => {
      const { provision, ...plan } = engine.planCluster(cluster, settings);
      if (provision === undefined) return plan;
      return { ...plan, provision: { ...provision, services: change(provision.services, cluster) } };
    },
  };
}

/** An engine that plans from another cluster than it is given. */
function withOtherCluster(see: (cluster: ClusterSnapshot) => ClusterSnapshot): Engine {
  return { ...engine, planCluster: (cluster, settings) => engine.planCluster(see(cluster), settings) };
}

type Mirror = ServicesPlan['mirrors'][number];

/** An engine that gives each mirror that it creates another name. */
function withGeneratedNames(): Engine {
  let made = 0;
  return withServices(({ mirrors, ...plan }, { endpointSlices }) => {
    const there = new Set(
      endpointSlices.filter(isMirror).map(({ metadata }) => metadata.annotations?.[SOURCE_SLICE_ANNOTATION]),
    );
    const named = ({ metadata, ...mirror }: Mirror): Mirror => {
      made += 1;
      return { ...mirror, metadata: { ...metadata, name: `${metadata.name}-${String(made)}` } };
    };
    const isThere = ({ metadata }: Mirror) => there.has(metadata.annotations[SOURCE_SLICE_ANNOTATION]);
    return { ...plan, obsoleteMirrors: [], mirrors: mirrors.filter((mirror) => !isThere(mirror)).map(named) };
  });
}

/** An engine that gives each slice of names that it creates another number. */
function withGeneratedNumbers(): Engine {
  let made = 1;
  return withServices(({ names, ...plan }) => ({
    ...plan,
    names: names.map(({ metadata, ...slice }) => {
      if (metadata.uid !== undefined) return { ...slice, metadata };
      made += 1;
      return { ...slice, metadata: { ...metadata, name: metadata.name.replace(/[0-9]+$/, String(made)) } };
    }),
  }));
}

/** An engine that reads some kinds as if all objects of them could be read. */
const ignoringUnreadable = (...kinds: readonly KindKey[]): Engine =>
  withOtherCluster(({ unreadable = [], ...cluster }) => ({
    ...cluster,
    unreadable: unreadable.filter(({ kind }) => !kinds.includes(kind)),
  }));

const sourceOf = ({ metadata }: Mirror, { endpointSlices }: ClusterSnapshot) =>
  endpointSlices.find(
    (slice) =>
      slice.metadata.namespace === metadata.namespace &&
      slice.metadata.name === metadata.annotations[SOURCE_SLICE_ANNOTATION],
  );

/** Each breaks the law that it names. */
export const faultsOfMirrors: readonly SeededFault[] = [
  { law: 'one mirror', fault: 'A mirror gets a name that is made up', engine: withGeneratedNames() },
  {
    law: 'one mirror',
    fault: 'A mirror that is there is right, whatever it has',
    engine: withServices(({ mirrors, ...plan }) => ({
      ...plan,
      mirrors: mirrors.filter(({ metadata }) => metadata.uid === undefined),
    })),
  },
  {
    law: 'one mirror',
    fault: 'A mirror without a source stays',
    engine: withServices((plan) => ({ ...plan, obsoleteMirrors: [] })),
  },
  { law: 'one mirror', fault: 'A slice of names gets a number that is made up', engine: withGeneratedNumbers() },
  {
    law: 'confined',
    fault: 'Names lead to all pods of the namespace',
    engine: withOtherCluster((cluster) => ({
      ...cluster,
      pods: cluster.pods.map(({ metadata, ...pod }) => ({
        ...pod,
        metadata: { ...metadata, labels: { app: 'peers' } },
      })),
    })),
  },
  {
    law: 'confined',
    fault: 'An endpoint keeps its address in the default network',
    engine: withServices((plan, cluster) => ({
      ...plan,
      mirrors: plan.mirrors.map((mirror) => ({ ...mirror, endpoints: sourceOf(mirror, cluster)?.endpoints ?? [] })),
    })),
  },
  {
    law: 'confined',
    fault: 'A pod of the same name is taken for the former one',
    engine: withOtherCluster((cluster) => ({
      ...cluster,
      pods: cluster.pods.flatMap((pod) =>
        ['a', 'b'].map((generation) => ({
          ...pod,
          metadata: { ...pod.metadata, uid: `uid-${pod.metadata.name}-${generation}` },
        })),
      ),
    })),
  },
  {
    law: 'confined',
    fault: 'The subnets of a network are not looked at',
    engine: withOtherCluster((cluster) => ({
      ...cluster,
      clusterUserDefinedNetworks: cluster.clusterUserDefinedNetworks.map(({ spec, ...network }) => ({
        ...network,
        spec: {
          ...spec,
          network: { ...spec.network, layer3: { role: 'Primary', subnets: [{ cidr: '0.0.0.0/0' }] } },
        },
      })),
    })),
  },
  {
    law: 'confined',
    fault: 'An address of any network of a pod counts',
    engine: withOtherCluster((cluster) => ({
      ...cluster,
      pods: cluster.pods.map(({ metadata, ...pod }) => ({
        ...pod,
        metadata: {
          ...metadata,
          annotations: {
            [POD_NETWORKS_ANNOTATION]: (metadata.annotations?.[POD_NETWORKS_ANNOTATION] ?? '').replace(
              /\/other"/,
              `/${metadata.namespace ?? ''}"`,
            ),
          },
        },
      })),
    })),
  },
  {
    law: 'fails static',
    fault: 'A network that cannot be read is one that is gone',
    engine: ignoringUnreadable('clusterUserDefinedNetworks'),
  },
  { law: 'fails static', fault: 'A pod that cannot be read is one that is gone', engine: ignoringUnreadable('pods') },
  {
    law: 'fails static',
    fault: 'A slice that cannot be read is one that is gone',
    engine: ignoringUnreadable('endpointSlices'),
  },
];
