import { expect } from 'chai';
import { serviceKind } from '../../../../src/domain/api/service.ts';
import type { EndpointSlice } from '../../../../src/domain/api/endpoint-slice.ts';
import type { Service } from '../../../../src/domain/api/service.ts';
import { conformanceTo } from '../../../../src/domain/index.ts';
import {
  type HealthCheck,
  healthCheckOf,
  heldHealthChecks,
  isHealthy,
} from '../../../../src/domain/services/health-checks.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import { ServicesOnNode } from '../../../../src/domain/services/services-on-node.ts';
import type { WayOfNetwork } from '../../../../src/domain/services/served-outside.ts';
import { network } from '../brief-objects.ts';
import { mirrorsOf, endpointOf, attachedPod, slice } from '../brief-services.ts';
import { blueWay, checkedOf, mirror, onWay, sourceOf, surroundings, usual } from './served-scene.ts';

type Spec = Partial<Service['spec']>;

/** A network of both families. */
const dual = clusterNetwork(
  network('blue', {
    network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
  }),
  { providedNetworks: 'all', egress: 'none' },
);

/** A Service with a health check at port 32000. */
const checked = (spec: Spec = {}): Service => checkedOf('web', '10.96.0.10', spec);

/** The health check of a Service on worker-a. @param sources EndpointSlices, which have mirrors */
function checkOf(service: Service, sources: readonly EndpointSlice[], way: WayOfNetwork = blueWay) {
  const slices = { service, sources, mirrors: mirrorsOf(dual, sources, pods) };
  return healthCheckOf({ slices, network: dual, node: { name: 'worker-a' }, way });
}

const pods = [
  attachedPod('web-0', ['10.20.1.3/24', 'fd20::3/64']),
  attachedPod('web-1', ['10.20.1.4/24', 'fd20::4/64']),
];

type Endpoints = Parameters<typeof slice>[3];

const sliceWith = (brief: Endpoints, name = 'web-x1') =>
  slice(name, 'blue', 'web', { ports: [{ name: 'http', port: 8080 }], ...brief });

const [ready, notReady] = [{ conditions: { ready: true } }, { conditions: { ready: false } }];
const terminating = { conditions: { ready: false, serving: true, terminating: true } };
const elsewhere = { nodeName: 'worker-b' };

describe('the health check of a Service on a node', () => {
  it('is at the port of the Service', () => {
    expect(checkOf(checked(), [])).to.deep.include({ port: 32_000, namespace: 'blue', name: 'web' });
  });

  for (const { what, spec } of [
    { what: 'a Service without the port', spec: { healthCheckNodePort: undefined } },
    { what: 'port 0', spec: { healthCheckNodePort: 0 } },
    { what: 'a negative port', spec: { healthCheckNodePort: -1 } },
    { what: 'port 70000', spec: { healthCheckNodePort: 70_000 } },
    { what: 'a Service that is no load balancer', spec: { type: 'NodePort' } },
    { what: 'a Service without a type', spec: { type: undefined } },
    { what: 'policy Cluster', spec: { externalTrafficPolicy: 'Cluster' } },
    { what: 'no policy', spec: { externalTrafficPolicy: undefined } },
  ])
    it(`is none of ${what}`, () => {
      expect(checkOf(checked(spec as Spec), [sliceWith({ endpoints: [endpointOf('web-0')] })])).to.equal(undefined);
    });

  for (const value of ['32000', 32_000.5, {}, true])
    it(`makes the Service unreadable where its port is ${JSON.stringify(value)}, so that all stays as it is`, () => {
      const service = checked({ healthCheckNodePort: value as number });
      expect(conformanceTo(serviceKind.schema)(service)).to.deep.include({ conforms: false });
    });

  const two = [endpointOf('web-0'), endpointOf('web-1')];
  for (const { what, sources, spec, expected } of [
    { what: 'no endpoint', sources: [], expected: 0 },
    { what: 'two that are ready', sources: [sliceWith({ endpoints: two })], expected: 2 },
    {
      what: 'one on the node and one elsewhere',
      sources: [sliceWith({ endpoints: [endpointOf('web-0', elsewhere), endpointOf('web-1')] })],
      expected: 1,
    },
    {
      what: 'one that is not ready',
      sources: [sliceWith({ endpoints: [endpointOf('web-0', notReady)] })],
      expected: 0,
    },
    {
      what: 'one that serves while it terminates, which gets connections',
      sources: [sliceWith({ endpoints: [endpointOf('web-0', terminating)] })],
      expected: 0,
    },
    {
      what: 'one that is ready beside one that terminates',
      sources: [sliceWith({ endpoints: [endpointOf('web-0', terminating), endpointOf('web-1', ready)] })],
      expected: 1,
    },
    {
      what: 'one that is not ready, and publishNotReadyAddresses',
      sources: [sliceWith({ endpoints: [endpointOf('web-0', notReady)] })],
      spec: { publishNotReadyAddresses: true },
      expected: 1,
    },
    {
      what: 'one of which no mirror has an address',
      sources: [sliceWith({ endpoints: [endpointOf('gone')] })],
      expected: 0,
    },
    {
      what: 'one outside of the network',
      sources: [sliceWith({ endpoints: [{ addresses: ['192.0.2.7'], nodeName: 'worker-a' }] })],
      expected: 0,
    },
    {
      what: 'one of another port',
      sources: [sliceWith({ endpoints: two, ports: [{ name: 'other', port: 8080 }] })],
      expected: 0,
    },
    {
      what: 'two with two ports, which are two all the same',
      sources: [
        sliceWith({
          endpoints: two,
          ports: [
            { name: 'http', port: 8080 },
            { name: 'https', port: 8443 },
          ],
        }),
      ],
      spec: {
        ports: [
          { name: 'http', port: 80 },
          { name: 'https', port: 443 },
        ],
      },
      expected: 2,
    },
    {
      what: 'two pods with addresses of both families, which are two all the same',
      sources: [
        sliceWith({ endpoints: two }),
        sliceWith(
          { addressType: 'IPv6', endpoints: two.map((each) => ({ ...each, addresses: ['fd00::1'] })) },
          'web-x2',
        ),
      ],
      spec: { ipFamilies: ['IPv4', 'IPv6'], clusterIPs: ['10.96.0.10', 'fd96::a'] },
      expected: 2,
    },
    {
      what: 'one of a family that the Service does not have',
      sources: [sliceWith({ addressType: 'IPv6', endpoints: [{ ...endpointOf('web-0'), addresses: ['fd00::1'] }] })],
      expected: 0,
    },
    {
      what: 'one that is in two slices, as while it moves',
      sources: [
        sliceWith({ endpoints: [endpointOf('web-0')] }),
        sliceWith({ endpoints: [endpointOf('web-0')] }, 'web-x2'),
      ],
      expected: 1,
    },
    {
      what: 'one whose hints are for another node: policy Local has none',
      sources: [
        sliceWith({
          endpoints: [
            endpointOf('web-0', { hints: { forNodes: [{ name: 'worker-b' }] } }),
            endpointOf('web-1', { ...elsewhere, hints: { forNodes: [{ name: 'worker-a' }] } }),
          ],
        }),
      ],
      expected: 1,
    },
  ])
    it(`counts ${String(expected)} where there is ${what}`, () => {
      const check = checkOf(checked(spec), sources);
      expect(check?.localEndpoints).to.equal(expected);
      expect(check && isHealthy(check)).to.equal(expected > 0);
    });

  const served = [sliceWith({ endpoints: [endpointOf('web-0')] })];
  for (const { where, way, expected } of [
    { where: 'its network has a way from the wire', way: blueWay, expected: true },
    { where: 'the way there is not known, so that flows stay', way: 'unknown', expected: true },
    { where: 'nothing comes to its network from the wire', way: 'none', expected: false },
  ] as const)
    it(`${expected ? 'says' : 'does not say'} that it is healthy where ${where}`, () => {
      const check = checkOf(checked(), served, way);
      expect([check?.localEndpoints, check && isHealthy(check)]).to.deep.equal([1, expected]);
    });

  it('names the VRF of the uplink in which the host does not answer', () => {
    expect(checkOf(checked(), served, { ...blueWay, unansweredVrf: 'blue' })?.unansweredVrf).to.equal('blue');
    expect(checkOf(checked(), served)?.unansweredVrf).to.equal(undefined);
  });
});

describe('health checks with one port', () => {
  const check = (name: string, age: string, port = 32_000): HealthCheck => ({
    key: `blue/${name}`,
    age,
    port,
    namespace: 'blue',
    name,
    localEndpoints: 0,
    isReached: true,
  });
  const [older, younger, other] = [
    check('z', '2026-01-01T00:00:00Z b'),
    check('a', '2026-01-02T00:00:00Z a'),
    check('other', '2026-01-03T00:00:00Z c', 32_001),
  ];

  for (const all of [
    [older, younger, other],
    [other, younger, older],
  ])
    it(`are those of the oldest Service, in the order ${all.map(({ name }) => name).join(', ')}`, () => {
      const { held, taken } = heldHealthChecks(all);
      expect(held).to.have.members([older, other]);
      expect(taken).to.deep.equal([{ check: younger, holder: older }]);
    });

  it('are those of the lower uid, or the lower name, where they are equally old', () => {
    const [one, two] = [check('b', '2026-01-01T00:00:00Z a'), check('a', '2026-01-01T00:00:00Z b')];
    expect(heldHealthChecks([two, one]).held).to.deep.equal([one]);
    const [three, four] = [check('a', ''), check('b', '')];
    expect(heldHealthChecks([four, three]).held).to.deep.equal([three]);
  });
});

describe('the health checks of the Services on a node', () => {
  const objects = { ...usual, services: [checked()], slices: [sourceOf('web'), mirror] };
  const onNode = (
    found: Parameters<ServicesOnNode['take']>[0],
    around: Parameters<ServicesOnNode['take']>[1],
    services = new ServicesOnNode(),
  ) => {
    services.take(found, around);
    const { healthCheck } = services.desired('blue/web');
    return typeof healthCheck === 'string' ? healthCheck : healthCheck.localEndpoints;
  };

  for (const { where, found = objects, around = onWay(blueWay), expected } of [
    { where: 'it is served', expected: 1 },
    { where: 'the way of its network is not known', around: onWay('unknown'), expected: 1 },
    { where: 'it has none', found: usual, expected: 'none' },
    { where: 'it is in no network', around: surroundings({ kind: 'none' }), expected: 'none' },
    { where: 'it is gone', found: { ...objects, services: [] }, expected: 'none' },
    {
      where: 'its network is not decided',
      around: surroundings({ kind: 'undecided', why: 'unreadable' as const }),
      expected: 'undecided',
    },
    {
      where: 'it cannot be read',
      found: { ...objects, services: [], unreadable: { services: ['blue/web'], slices: [] } },
      expected: 'undecided',
    },
    {
      where: 'a slice cannot be read, which may be its own',
      found: { ...objects, unreadable: { services: [], slices: ['blue/other'] } },
      expected: 'undecided',
    },
  ])
    it(`are ${typeof expected === 'number' ? 'answered' : expected} where ${where}`, () => {
      expect(onNode(found, around)).to.equal(expected);
    });

  it('follow the setting by which the host answers in VRFs', () => {
    const services = new ServicesOnNode();
    onNode(objects, onWay({ ...blueWay, unansweredVrf: 'blue' }), services);
    expect(services.desired('blue/web').healthCheck).to.have.property('unansweredVrf', 'blue');
    onNode(objects, onWay(blueWay), services);
    expect(services.desired('blue/web').healthCheck).not.to.have.property('unansweredVrf');
  });
});
