/**
 * Faults in the endpoints and load balancers of Services on a node: they break the laws on them.
 */
import type { Endpoint, EndpointSlice } from '../../domain/api/endpoint-slice.ts';
import { PROXY_OF_SOURCE_ANNOTATION } from '../../domain/basics/conventions.ts';
import type { ServiceSlices } from '../../domain/services/placed-endpoints.ts';
import type { ServedObjects } from '../../domain/services/services-on-node.ts';
import { isMirror } from '../../domain/services/slices.ts';
import { type Engine, engine } from '../engine.ts';
import type { SeededFault } from './faulty-engine.ts';

type ChoiceInput = Parameters<Engine['chooseEndpoints']>[0];
type Chosen = ReturnType<Engine['chooseEndpoints']>;
type LoadBalancersInput = Parameters<Engine['loadBalancersOf']>[0];
type LoadBalancer = ReturnType<Engine['loadBalancersOf']>[number];

/** An engine that chooses endpoints otherwise. */
const choosing = (choose: (input: ChoiceInput) => Chosen): Engine => ({ ...engine, chooseEndpoints: choose });

/** An engine that chooses from other slices than it is given. */
const choosingFrom = (see: (slices: ServiceSlices) => ServiceSlices): Engine =>
  choosing((input) => engine.chooseEndpoints({ ...input, slices: see(input.slices) }));

/** An engine that chooses from endpoints of EndpointSlices as if they were others. */
const seeing = (see: (endpoint: Endpoint) => Endpoint): Engine =>
  choosingFrom(({ sources, ...slices }) => ({
    ...slices,
    sources: sources.map((slice) => ({ ...slice, endpoints: (slice.endpoints ?? []).map(see) })),
  }));

/** An engine with other load balancers. */
const balancing = (change: (balancer: LoadBalancer, input: LoadBalancersInput) => LoadBalancer): Engine => ({
  ...engine,
  loadBalancersOf: (input) => engine.loadBalancersOf(input).map((balancer) => change(balancer, input)),
});

type NodeServices = ReturnType<Engine['servicesOnNode']>;

/** An engine with other Services on nodes. */
const withServices = (change: (services: NodeServices) => NodeServices): Engine => ({
  ...engine,
  servicesOnNode: () => change(engine.servicesOnNode()),
});

/** An engine with other Services on nodes, which follow from the keys of all. */
const withKeys = (change: (services: NodeServices, keys: () => readonly string[]) => Partial<NodeServices>): Engine =>
  withServices((services) => {
    let keys: readonly string[] = [];
    const known: NodeServices = {
      desired: (key) => services.desired(key),
      take: (objects, surroundings) => {
        keys = objects.services.map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`).sort();
        return services.take(objects, surroundings);
      },
    };
    return { ...known, ...change(known, () => keys) };
  });

type DesiredService = ReturnType<NodeServices['desired']>;

/** A Service with other load balancers. */
const withBalancers = (
  { loadBalancers, ...others }: DesiredService,
  change: (balancer: LoadBalancer) => LoadBalancer,
): DesiredService => ({
  ...others,
  loadBalancers: { ...loadBalancers, balancers: loadBalancers.balancers.map(change) },
});

const namespaceOf = (key: string) => key.split('/')[0];

/** A load balancer that leads elsewhere. */
const leadingTo = ({ vips, ...balancer }: LoadBalancer, endpoints: string): LoadBalancer => ({
  ...balancer,
  vips: Object.fromEntries(Object.keys(vips).map((place) => [place, endpoints])),
});

const addressesIn = (slices: readonly EndpointSlice[]) =>
  slices
    .filter(({ addressType }) => addressType === 'IPv4')
    .flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses))
    .map((address) => `${address}:8080`)
    .join(',');

const isReady = ({ conditions }: Endpoint) => conditions?.ready !== false;

/** Each breaks the law that it names. */
export const faultsOfLoadBalancers: readonly SeededFault[] = [
  {
    law: 'chosen',
    fault: 'An endpoint that terminates is used beside those that are ready',
    engine: seeing((endpoint) =>
      endpoint.conditions?.terminating === true && endpoint.conditions.serving !== false
        ? { ...endpoint, conditions: {} }
        : endpoint,
    ),
  },
  {
    law: 'chosen',
    fault: 'An endpoint that terminates is not used where none is ready',
    engine: seeing((endpoint) => (isReady(endpoint) ? endpoint : { ...endpoint, conditions: { ready: false } })),
  },
  {
    law: 'chosen',
    fault: 'Hints count where an endpoint has none',
    engine: seeing((endpoint) =>
      endpoint.hints === undefined ? { ...endpoint, hints: { forZones: [{ name: 'nowhere' }] } } : endpoint,
    ),
  },
  {
    law: 'chosen',
    fault: 'Hints for nodes are ignored',
    engine: seeing(({ hints, ...endpoint }) => ({
      ...endpoint,
      ...(hints?.forZones && { hints: { forZones: hints.forZones } }),
    })),
  },
  {
    law: 'chosen',
    fault: 'Endpoints on other nodes are used where none is on the own one',
    engine: choosing((input) => {
      const found = engine.chooseEndpoints(input);
      if (found.length > 0) return found;
      const { spec, ...service } = input.slices.service;
      const anywhere = { ...service, spec: { ...spec, internalTrafficPolicy: 'Cluster' } };
      return engine.chooseEndpoints({ ...input, slices: { ...input.slices, service: anywhere } });
    }),
  },
  {
    law: 'chosen',
    fault: 'An endpoint is ready as long as its mirror says so',
    engine: choosingFrom((slices) => ({ ...slices, sources: [] })),
  },
  {
    law: 'chosen',
    fault: 'An endpoint of a slice that nodes do not see is gone',
    engine: choosingFrom(({ mirrors, ...slices }) => ({
      ...slices,
      mirrors: mirrors.filter(({ metadata: { name } }) =>
        slices.sources.some((source) => name === `ovn-uplinks-${source.metadata.name}`),
      ),
    })),
  },
  {
    law: 'chosen',
    fault: 'An endpoint of a slice that is gone is there as long as its mirror',
    engine: choosingFrom(({ mirrors, ...slices }) => ({
      ...slices,
      mirrors: mirrors.map(({ metadata, ...mirror }) => {
        const annotations = { ...metadata.annotations, [PROXY_OF_SOURCE_ANNOTATION]: '' };
        return { ...mirror, metadata: { ...metadata, annotations } };
      }),
    })),
  },
  {
    law: 'chosen',
    fault: 'Endpoints are in the order of the slices',
    engine: choosing((input) => engine.chooseEndpoints(input).toReversed()),
  },
  {
    law: 'source kept',
    fault: 'The source of packets from the wire is translated, whatever the policy',
    engine: balancing(({ options: { skip_snat: _, ...options }, ...balancer }) => ({ ...balancer, options })),
  },
  {
    law: 'source kept',
    fault: 'The source of no packet from the wire is translated',
    engine: balancing((balancer) =>
      balancer.place === 'router' ? { ...balancer, options: { ...balancer.options, skip_snat: 'true' } } : balancer,
    ),
  },
  {
    law: 'source kept',
    fault: 'Packets from the wire lead to endpoints on other nodes where none is on the own one',
    engine: {
      ...engine,
      loadBalancersOf: (input) => {
        const { spec, ...service } = input.slices.service;
        const anywhere = { ...service, spec: { ...spec, externalTrafficPolicy: 'Cluster' } };
        const others = engine.loadBalancersOf({ ...input, slices: { ...input.slices, service: anywhere } });
        return engine.loadBalancersOf(input).map((balancer) => {
          const other = others.find(
            ({ place, protocol }) => place === balancer.place && protocol === balancer.protocol,
          );
          const vips = Object.fromEntries(
            Object.entries(balancer.vips).map(([vip, text]) => [vip, text === '' ? (other?.vips[vip] ?? '') : text]),
          );
          return { ...balancer, vips };
        });
      },
    },
  },
  {
    law: 'source kept',
    fault: 'Pods of the network reach addresses outside as packets from the wire do',
    engine: {
      ...engine,
      loadBalancersOf: (input) => {
        const balancers = engine.loadBalancersOf(input);
        return balancers.map((balancer) => {
          const other = balancers.find(({ place, protocol }) => place === 'router' && protocol === balancer.protocol);
          return balancer.place === 'switch' ? { ...balancer, vips: { ...balancer.vips, ...other?.vips } } : balancer;
        });
      },
    },
  },
  {
    law: 'confined',
    fault: 'A load balancer leads to addresses in the default network',
    engine: balancing((balancer, { slices }) => leadingTo(balancer, addressesIn(slices.sources))),
  },
  {
    law: 'confined',
    fault: 'A load balancer leads to mirrors of other Services too',
    engine: balancing((balancer, { slices }) => leadingTo(balancer, addressesIn(slices.mirrors))),
  },
  {
    law: 'confined',
    fault: 'A load balancer is in another network',
    engine: {
      ...engine,
      loadBalancersOf: ({ network, ...input }) => {
        const networkName = network.networkName === 'cluster_udn_red' ? 'cluster_udn_blue' : 'cluster_udn_red';
        return engine.loadBalancersOf({ ...input, network: { ...network, networkName } });
      },
    },
  },
  {
    law: 'confined',
    fault: 'A load balancer takes the address of a Service of the default network',
    engine: balancing((balancer) => ({ ...balancer, vips: { ...balancer.vips, '10.96.0.1:443': '' } })),
  },
  {
    law: 'confined',
    fault: 'A load balancer takes the address of a pod',
    engine: {
      ...engine,
      loadBalancersOf: (input) => {
        const { clusterIPs = [] } = input.slices.service.spec;
        return engine
          .loadBalancersOf({
            ...input,
            network: { ...input.network, topology: 'other', topologyName: '', subnets: [] },
          })
          .map(({ vips, ...balancer }) => ({ ...balancer, vips: { ...vips, [`${clusterIPs[0] ?? ''}:80`]: '' } }));
      },
    },
  },
  {
    law: 'confined',
    fault: 'A load balancer leads to whatever a mirror has',
    engine: {
      ...engine,
      loadBalancersOf: ({ network, ...input }) =>
        engine.loadBalancersOf({
          ...input,
          network: { ...network, topology: 'Layer3', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: '10.244.0.0/16' }] },
        }),
    },
  },
  {
    law: 'fails static',
    fault: 'A network that selects a namespace no more has left it',
    engine: {
      ...engine,
      networkOfServices: (namespace, cluster, settings) =>
        engine.networkOfServices(namespace, { ...cluster, networkAttachmentDefinitions: [] }, settings),
    },
  },
  {
    law: 'fails static',
    fault: 'A network of which it cannot be read where it is has left',
    engine: {
      ...engine,
      networkOfServices: (namespace, { unreadable = [], ...cluster }, settings) =>
        engine.networkOfServices(
          namespace,
          { ...cluster, unreadable: unreadable.filter(({ kind }) => kind !== 'networkAttachmentDefinitions') },
          settings,
        ),
    },
  },
  {
    law: 'fails static',
    fault: 'A Service that an agent cannot read is one that is gone',
    engine: withServices((services) => ({
      desired: (key) => services.desired(key),
      take: (objects, surroundings) =>
        services.take({ ...objects, unreadable: { services: [], slices: [] } }, surroundings),
    })),
  },
  {
    law: 'local cost',
    fault: 'A Service that changes has all of its namespace judged again',
    engine: withKeys((services, keys) => ({
      take: (objects, surroundings) => {
        const judged = services.take(objects, surroundings);
        const namespaces = new Set([...judged].map(namespaceOf));
        return new Set([...judged, ...keys().filter((key) => namespaces.has(namespaceOf(key)))]);
      },
    })),
  },
  {
    law: 'local cost',
    fault: 'Of Services with one address the first one has it',
    engine: withServices((services) => ({
      desired: (key) => services.desired(key),
      take: ({ services: all, ...objects }, surroundings) => {
        const texts = all.map(({ metadata, spec }) => `${metadata.namespace ?? ''} ${(spec.clusterIPs ?? []).join()}`);
        const first = all.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
        return services.take({ ...objects, services: first }, surroundings);
      },
    })),
  },
  {
    law: 'local cost',
    fault: 'The Services of a namespace have one load balancer',
    engine: withKeys((services, keys) => ({
      desired: (key) => {
        const together = keys().filter((each) => namespaceOf(each) === namespaceOf(key));
        const balancers = together.flatMap((each) => services.desired(each).loadBalancers.balancers);
        const vips = Object.fromEntries(balancers.flatMap((each) => Object.entries(each.vips)));
        return withBalancers(services.desired(key), (balancer) => ({ ...balancer, vips }));
      },
    })),
  },
  {
    law: 'local cost',
    fault: 'Load balancers are numbered in the order of the Services',
    engine: withKeys((services, keys) => ({
      desired: (key) =>
        withBalancers(services.desired(key), ({ name, ...balancer }) => ({
          ...balancer,
          name: `${name}_${String(keys().indexOf(key))}`,
        })),
    })),
  },
  {
    law: 'local cost',
    fault: 'A mirror that changes is not looked at again',
    engine: withServices((services) => {
      let first: ServedObjects | undefined;
      return {
        desired: (key) => services.desired(key),
        take: ({ slices, ...objects }, surroundings) => {
          first ??= { ...objects, slices };
          const mirrors = first.slices.filter(isMirror);
          const sources = slices.filter((slice) => !isMirror(slice));
          return services.take({ ...objects, slices: [...sources, ...mirrors] }, surroundings);
        },
      };
    }),
  },
];
