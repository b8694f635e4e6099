import type { EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import { canonicalAddress, subnetContains } from '../../../domain/basics/addresses/ip-address.ts';
import { MIRRORED_SERVICE_LABEL } from '../../../domain/basics/conventions.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { assertLaw } from '../violation.ts';
import { servedServices, type ServedServices } from './served-services.ts';

const law = 'confined';

type Served = ServedServices['services'][number];
type LoadBalancer = ReturnType<Engine['loadBalancersOf']>[number];

/** The address in `10.96.0.1:80` or `[fd96::1]:80`. */
const addressOf = (place: string) => /^(?:\[(.+)\]|([^:]+)):\d+$/.exec(place)?.slice(1).join('') ?? '';

const isIn = ({ network }: Served, address: string) =>
  network.subnets.some(({ cidr }) => subnetContains(cidr, address));

/** Mirrors that a user has changed: their endpoints are elsewhere. */
function edited(mirrors: readonly EndpointSlice[]): readonly EndpointSlice[] {
  return mirrors.map((mirror) => ({
    ...mirror,
    endpoints: (mirror.endpoints ?? []).map((endpoint) => ({
      ...endpoint,
      addresses: [mirror.addressType === 'IPv6' ? 'fd00:244::1' : '10.244.0.1'],
    })),
  }));
}

function assertOf(served: Served, { name, networkName, owner, vips }: LoadBalancer, mirrors: readonly EndpointSlice[]) {
  const { namespace = '', name: serviceName } = served.service.metadata;
  const ofService = mirrors.filter(
    ({ metadata }) => metadata.namespace === namespace && metadata.labels?.[MIRRORED_SERVICE_LABEL] === serviceName,
  );
  const mirrored = new Set(ofService.flatMap(({ endpoints }) => (endpoints ?? []).flatMap((each) => each.addresses)));
  const clusterIps = (served.service.spec.clusterIPs ?? []).map((address) => canonicalAddress(address));
  assertLaw(
    law,
    networkName === served.network.networkName &&
      name.startsWith(`${networkName.replaceAll(/[-/]/g, '.')}_`) &&
      owner === `${namespace}/${serviceName}`,
    () => `${name} is in network ${networkName}, of Service ${owner}`,
  );
  for (const [place, text] of Object.entries(vips)) {
    const vip = addressOf(place);
    assertLaw(law, clusterIps.includes(vip), () => `${name} has ${place}, which is no address of the Service`);
    assertLaw(law, !isIn(served, vip), () => `${name} has ${place}, which is in the network`);
    for (const endpoint of text === '' ? [] : text.split(',')) {
      const address = addressOf(endpoint);
      assertLaw(law, isIn(served, address), () => `${name} leads to ${endpoint}, outside the network`);
      assertLaw(law, mirrored.has(address), () => `${name} leads to ${endpoint}, which is in no mirror of the Service`);
    }
  }
}

/** Checks that load balancers of a Service have its addresses alone, and lead into its network. Returns whether one leads anywhere. */
export function checkConfinedLoadBalancers(engine: Engine, subject: Case): boolean {
  const { services, sources, nodes, mirrors } = servedServices(engine, subject);
  const { masqueradeSubnets } = subject.settings;
  let isLeading = false;
  for (const each of [mirrors, edited(mirrors)])
    for (const served of services)
      for (const node of nodes) {
        const slices = { service: served.service, sources, mirrors: each };
        for (const balancer of engine.loadBalancersOf({ slices, network: served.network, node, masqueradeSubnets })) {
          assertOf(served, balancer, each);
          isLeading ||= Object.values(balancer.vips).some((endpoints) => endpoints !== '');
        }
      }
  return isLeading;
}
