import type { Service } from '../../../domain/api/service.ts';
import { compareAddresses, familyOf } from '../../../domain/basics/addresses/ip-address.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { type Choose, chooser } from '../../shuffle.ts';
import type { CaseLabels } from '../labels.ts';
import { assertLaw, assertSame } from '../violation.ts';
import { referenceChoice } from './reference-choice.ts';
import { servedServices } from './served-services.ts';

const law = 'source kept';

type Input = Parameters<Engine['loadBalancersOf']>[0];
type Balancer = ReturnType<Engine['loadBalancersOf']>[number];
type Outside = NonNullable<Input['outside']>[number];

const protocols: Readonly<Record<string, Outside['protocol']>> = { TCP: 'tcp', UDP: 'udp' };

/** The ports of a Service at the address of an uplink, and at one of its own. */
function outsideOf({ spec }: Service): readonly Outside[] {
  return (spec.ports ?? [])
    .filter(({ port }) => port > 0)
    .flatMap((servicePort, place) =>
      ['192.0.2.6', '192.0.2.50', '2001:db8::6', '2001:db8::50'].map((address): Outside => {
        const isOfService = address.endsWith('50');
        return {
          family: familyOf(address) ?? 4,
          protocol: protocols[servicePort.protocol ?? 'TCP'] ?? 'tcp',
          address,
          port: isOfService ? servicePort.port : 30_000 + place,
          isOfService,
          servicePort,
        };
      }),
    );
}

const textOf = (address: string, port: number | string) =>
  familyOf(address) === 6 ? `[${address}]:${String(port)}` : `${address}:${String(port)}`;

/** The endpoints of a port by a policy, as load balancers have them. */
function endpointsBy(policy: 'Cluster' | 'Local', { slices, network, node }: Input, outside: Outside): string {
  const { spec, ...service } = slices.service;
  const { places } = referenceChoice({
    slices: { ...slices, service: { ...service, spec: { ...spec, internalTrafficPolicy: policy } } },
    network,
    node,
    family: outside.family,
    port: outside.servicePort,
  });
  return [...places]
    .map((place) => place.split(' '))
    .sort(([one = '', first], [other = '', second]) => compareAddresses(one, other) || Number(first) - Number(second))
    .map(([address = '', port = '']) => textOf(address, port))
    .join();
}

/** Checks that a load balancer has all ports outside of its protocol, with the endpoints of a policy. */
function assertPorts(balancer: Balancer, input: Input, policy: 'Cluster' | 'Local'): void {
  for (const outside of (input.outside ?? []).filter(({ protocol }) => protocol === balancer.protocol)) {
    const place = textOf(outside.address, outside.port);
    const expected = endpointsBy(policy, input, outside);
    assertSame(
      law,
      `${balancer.name} at ${place}, and the endpoints of policy ${policy},`,
      balancer.vips[place],
      expected,
    );
  }
}

function checkService(engine: Engine, input: Input, policy: 'Cluster' | 'Local'): boolean {
  const balancers = engine.loadBalancersOf(input);
  for (const balancer of balancers) {
    const isOnRouter = balancer.place === 'router';
    const isKept = isOnRouter && policy === 'Local';
    assertPorts(balancer, input, isKept ? 'Local' : 'Cluster');
    assertLaw(
      law,
      (balancer.options['skip_snat'] === 'true') === isKept,
      () => `${balancer.name} has ${JSON.stringify(balancer.options)}, with policy ${policy}`,
    );
  }
  const count = (place: string) => balancers.filter((each) => each.place === place).length;
  assertSame(law, 'load balancers on the router, and those on the switch,', count('router'), count('switch'));
  return balancers.some(({ place, vips }) => place === 'router' && Object.values(vips).some((text) => text !== ''));
}

function policyBy(choose: Choose): 'Cluster' | 'Local' {
  return choose(2) > 0 ? 'Cluster' : 'Local';
}

/**
 * Law: where packets from the wire are to keep their source, they lead to endpoints of the node alone, and their source is not translated; otherwise they lead to those that kube-proxy would
 * use, by the gateway router. Pods of the network reach all of these by the same addresses.
 */
export function checkSourceKept(engine: Engine, subject: Case, seed: number): CaseLabels {
  const choose = chooser(seed);
  const { services, sources, mirrors, nodes } = servedServices(engine, subject);
  const { masqueradeSubnets } = subject.settings;
  const labels = new Set<string>();
  for (const { service: usual, network } of services) {
    const policy = policyBy(choose);
    const service = { ...usual, spec: { ...usual.spec, externalTrafficPolicy: policy } };
    const outside = outsideOf(service);
    if (outside.length === 0) continue;
    for (const node of nodes) {
      const slices = { service, sources, mirrors };
      const input = { slices, network, node, masqueradeSubnets, outside, isOnWire: true };
      if (checkService(engine, input, policy)) labels.add(policy);
    }
  }
  return [...labels];
}
