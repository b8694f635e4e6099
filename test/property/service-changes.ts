/** Services and EndpointSlices of a small cluster, and what a plan writes of them. */
import fc from 'fast-check';
import type { EndpointSlice } from '../../src/domain/api/endpoint-slice.ts';
import type { Service } from '../../src/domain/api/service.ts';
import {
  MANAGED_BY_LABEL,
  MIRROR_MANAGER,
  NAMES_SELECTOR_ANNOTATION,
  SERVICE_PROXY_LABEL,
} from '../../src/domain/basics/conventions.ts';
import type { ServicesPlan } from '../../src/domain/plan/cluster/services-plan.ts';
import { mirrorName, namesSliceName } from '../../src/domain/services/slices.ts';
import { service, slice } from '../unit/domain/brief-services.ts';

const serviceNames = fc.constantFrom('web', 'db');
const sliceNames = fc.constantFrom('web-1', 'web-2', 'db-1');

/** Services in some namespaces: most of them have an address. */
export const servicesIn = (namespaces: fc.Arbitrary<string>): fc.Arbitrary<Service> =>
  fc
    .record({
      name: serviceNames,
      namespace: namespaces,
      proxy: fc.constantFrom(undefined, undefined, 'ovn-uplinks', 'other'),
      address: fc.constantFrom('10.96.0.10', '10.96.0.10', '10.96.0.10', 'None', undefined),
      selector: fc.constantFrom(undefined, undefined, { app: 'web' }),
      names: fc.constantFrom(undefined, 'app=web', 'app', 'app in web'),
      publishNotReadyAddresses: fc.boolean(),
      timeoutSeconds: fc.constantFrom(undefined, 65_535, 65_536),
    })
    .map(({ name, namespace, proxy, address, selector, names, timeoutSeconds, publishNotReadyAddresses }) =>
      service(name, namespace, {
        uid: `uid-${name}`,
        ...(proxy !== undefined && { labels: { [SERVICE_PROXY_LABEL]: proxy } }),
        clusterIPs: address === undefined ? [] : [address],
        ...(selector && { selector }),
        ...(names !== undefined && { annotations: { [NAMES_SELECTOR_ANNOTATION]: names } }),
        publishNotReadyAddresses,
        ...(timeoutSeconds !== undefined && {
          sessionAffinity: 'ClientIP',
          sessionAffinityConfig: { clientIP: { timeoutSeconds } },
        }),
      }),
    );

const endpoints = fc
  .record({
    pod: fc.constantFrom('one', 'two', 'three', undefined),
    address: fc.constantFrom('10.20.0.9', '10.244.0.9', '10.20.0.10'),
    ready: fc.boolean(),
  })
  .map(({ pod, address, ready }) => ({
    addresses: [address],
    conditions: { ready },
    ...(pod !== undefined && { targetRef: { kind: 'Pod', name: pod } }),
  }));

/** Slices of these, some of others that have the names of mirrors, and some with names of those that names lead to, ours and others’. */
export const slicesIn = (namespaces: fc.Arbitrary<string>): fc.Arbitrary<EndpointSlice> =>
  fc
    .record({
      name: sliceNames,
      namespace: namespaces,
      of: fc.oneof({ weight: 6, arbitrary: serviceNames }, { weight: 1, arbitrary: fc.constant(undefined) }),
      way: fc.constantFrom('none', 'none', 'none', 'none', 'mirror', 'foreign names', 'names'),
      number: fc.constantFrom(1, 2),
      addressType: fc.constantFrom('IPv4', 'IPv4', 'IPv4', 'IPv6', 'FQDN'),
      endpoints: fc.array(endpoints, { maxLength: 3 }),
    })
    .map(({ name, namespace, of, way, number, addressType, endpoints: all }) => {
      const uid = `uid-${name}-${addressType}`;
      if (way === 'none') return slice(name, namespace, of, { uid, addressType, endpoints: all });
      if (way === 'mirror') return slice(mirrorName(name), namespace, undefined, { uid: 'uid-other', addressType });
      const labels = way === 'names' ? { [MANAGED_BY_LABEL]: MIRROR_MANAGER } : {};
      const named = namesSliceName({ service: of ?? 'web', family: addressType === 'IPv6' ? 6 : 4, number });
      return slice(named, namespace, of, { uid, addressType, endpoints: all, labels });
    });

/** The Services of a cluster once their labels are written. */
export function withLabels(services: readonly Service[], { unlabelled }: ServicesPlan): readonly Service[] {
  return services.map((each) =>
    unlabelled.some(({ namespace, name }) => namespace === each.metadata.namespace && name === each.metadata.name)
      ? { ...each, metadata: { ...each.metadata, labels: { [SERVICE_PROXY_LABEL]: 'ovn-uplinks' } } }
      : each,
  );
}

/** The slices of a cluster once mirrors and those of names are written. */
export function withWrittenSlices(
  slices: readonly EndpointSlice[],
  { mirrors, obsoleteMirrors, names, obsoleteNames }: ServicesPlan,
): readonly EndpointSlice[] {
  const keyOf = ({ namespace = '', name }: { readonly namespace?: string; readonly name: string }) =>
    `${namespace}/${name}`;
  const written = new Map(
    [...mirrors, ...names].map((desired) => {
      const uid = desired.metadata.uid ?? `uid-${desired.metadata.name}`;
      return [keyOf(desired.metadata), { ...desired, metadata: { ...desired.metadata, uid } } as EndpointSlice];
    }),
  );
  const gone = new Set([...[...obsoleteMirrors, ...obsoleteNames].map(keyOf), ...written.keys()]);
  return [...slices.filter(({ metadata }) => !gone.has(keyOf(metadata))), ...written.values()];
}
