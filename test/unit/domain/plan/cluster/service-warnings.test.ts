import { expect } from 'chai';
import { type ClusterSnapshot, defaultSettings } from '../../../../../src/domain/index.ts';
import { ClusterPlanner } from '../../../../../src/domain/plan/cluster/cluster-planner.ts';
import { attachedPod, endpointOf, service, slice } from '../../brief-services.ts';
import { node, serviceCidr } from '../../brief-objects.ts';
import { blue, planned, served, settings } from '../../served-network.ts';

const PROXY = 'service.kubernetes.io/service-proxy-name';
const NETWORK = 'ClusterUserDefinedNetwork/blue';

/** The warnings about Services, as `name Reason: message`. */
const said = (snapshot: ClusterSnapshot) =>
  planned(snapshot).provision!.services.warnings.map(
    ({ kind, namespace, name, reason, message }) => `${kind}/${namespace}/${name} ${reason}: ${message}`,
  );

const onHost = attachedPod('host', [], { spec: { nodeName: 'worker-a', hostNetwork: true } });

/** Service `web` with some endpoints. */
const having = (endpoints: NonNullable<ReturnType<typeof slice>['endpoints']>, rest: Partial<ClusterSnapshot> = {}) =>
  served({
    pods: [attachedPod('one', ['10.20.1.5/24']), onHost],
    endpointSlices: [slice('web-1', 'blue', 'web', { uid: 'uid-web-1', endpoints })],
    ...rest,
  });

describe('the subnets of Services', () => {
  const outside = (brief: Parameters<typeof service>[2] = {}, rest: Partial<ClusterSnapshot> = {}) =>
    planned(served({ services: [service('web', 'blue', brief), service('inside', 'blue')], ...rest }))
      .warnings.filter(({ object }) => object === 'Services')
      .map(({ message }) => message);
  const dual = { clusterIPs: ['10.96.0.10', 'FD96:0::A'] };

  it('are said not to have an address at which a Service is served, and what to do', () => {
    expect(outside(dual)).to.deep.equal([
      'ClusterIPs are in no subnet of Services: fd96::a of blue/web; they are served, but what no Service has there is not refused in networks, and leaves them; name the subnet with --service-cidr, for agents and the cluster manager',
    ]);
  });

  for (const { where, brief = dual, rest = {} } of [
    { where: 'a ServiceCIDR has it', rest: { serviceCidrs: [serviceCidr('more', 'fd96::/112')] } },
    { where: 'it is no address', brief: { clusterIPs: ['10.96.0.10', 'nonsense'] } },
    { where: 'there is none', brief: { clusterIPs: ['None'] } },
    { where: 'the Service is another proxy’s', brief: { ...dual, labels: { [PROXY]: 'example' } } },
    { where: 'the Service is in the default network', rest: { clusterUserDefinedNetworks: [] } },
    { where: 'it is not known whose it is', rest: { namespaces: [] } },
  ])
    it(`are not mentioned where ${where}`, () => {
      expect(outside(brief, rest)).to.deep.equal([]);
    });

  it('are said once for all Services, the first three by name', () => {
    const services = ['d', 'c', 'b', 'a'].map((name, at) => service(name, 'blue', { clusterIPs: [`fd96::${at}`] }));
    const [message, ...others] = outside({}, { services });
    expect(message).to.include(': fd96::3 of blue/a, fd96::2 of blue/b, fd96::1 of blue/c, …; they');
    expect(others).to.deep.equal([]);
  });

  it('are judged again with those of ServiceCIDRs', () => {
    const planner = new ClusterPlanner({ ...settings });
    const services = [service('web', 'blue', dual)];
    const of = (rest: Partial<ClusterSnapshot>) => planner.plan(served({ services, ...rest })).warnings.length;
    const serviceCidrs = [serviceCidr('more', 'fd96::/112')];
    expect([of({}), of({ serviceCidrs }), of({})]).to.deep.equal([1, 0, 1]);
  });
});

describe('about a Service in a network', () => {
  it('nothing is said as long as all of it is in the network, or may get there', () => {
    const gone = endpointOf('gone');
    expect(said(having([endpointOf('one'), gone, { addresses: ['10.20.7.7'] }]))).to.deep.equal([]);
  });

  it('it is said which endpoints are in the network of their node', () => {
    expect(said(having([endpointOf('one'), endpointOf('host')]))).to.deep.equal([
      `Service/blue/web HostNetworkEndpoint: not in ${NETWORK} but in the network of the node: pod host; the Service does not lead there; run such pods without hostNetwork`,
    ]);
  });

  it('it is said which addresses are in no subnet of it, the first three of all slices', () => {
    const written = (name: string, ...addresses: readonly string[]) =>
      slice(name, 'blue', 'web', { endpoints: addresses.map((address) => ({ addresses: [address] })) });
    const endpointSlices = [
      written('b', '192.0.2.4', '192.0.2.3', '10.20.7.7'),
      written('a', '192.0.2.1', '192.0.2.9'),
    ];
    expect(said(served({ endpointSlices }))).to.deep.equal([
      `Service/blue/web EndpointOutsideNetwork: in no subnet of ${NETWORK}: 192.0.2.1 of EndpointSlice a, 192.0.2.3 of EndpointSlice b, 192.0.2.4 of EndpointSlice b, …; the Service does not lead there; an EndpointSlice may have addresses of the network only`,
    ]);
  });

  it('it is said that an affinity is longer than OVN has it', () => {
    const withAffinity = (timeoutSeconds: number, sessionAffinity = 'ClientIP') =>
      said(
        served({
          services: [
            service('web', 'blue', { sessionAffinity, sessionAffinityConfig: { clientIP: { timeoutSeconds } } }),
          ],
        }),
      );
    expect(withAffinity(65_536)).to.deep.equal([
      'Service/blue/web AffinityShortened: timeoutSeconds is 65536, more than 65535; a client that pauses for longer than these may reach another endpoint',
    ]);
    expect([...withAffinity(65_535), ...withAffinity(86_400, 'None')]).to.deep.equal([]);
  });

  it('it is said that others of the network have its address, on each of them, until one is left', () => {
    const planner = new ClusterPlanner({ ...settings });
    const texts = (...services: ClusterSnapshot['services']) =>
      planner
        .plan(served({ services }))
        .provision!.services.warnings.map(({ name, reason, message }) => `${name} ${reason}: ${message}`);
    const [web, other] = [service('web', 'blue'), service('other', 'blue')];
    const text = (name: string, of: string) =>
      `${name} AddressInUse: has addresses that other Services of ${NETWORK} have too: 10.96.0.10 of blue/${of}; none of them is served there; delete all but one of them, and create them again`;
    expect(texts(web)).to.deep.equal([]);
    expect(texts(web, other)).to.deep.equal([text('other', 'web'), text('web', 'other')]);
    expect(texts(web)).to.deep.equal([]);
  });

  it('it is said which of its addresses are those of pods, as long as that is so, and what to do', () => {
    const planner = new ClusterPlanner({ ...settings });
    const texts = (...clusterIPs: readonly string[]) =>
      planner
        .plan(served({ services: [service('web', 'blue', { clusterIPs })] }))
        .provision!.services.warnings.map(({ name, reason, message }) => `${name} ${reason}: ${message}`);
    const refused = [
      'web AddressRefused: is not served at 10.20.1.9: it is in a subnet of the network, whose addresses are those of pods; delete it, and create it again, with other addresses',
    ];
    expect(texts('10.96.0.10', 'fd96::a')).to.deep.equal([]);
    expect(texts('10.20.1.9', 'fd96::a')).to.deep.equal(refused);
    expect(texts('10.20.1.9')).to.deep.equal(refused);
    expect(texts('10.96.0.10')).to.deep.equal([]);
  });

  describe('that is reached from outside', () => {
    const balanced = (brief: Parameters<typeof service>[2], name = 'web') =>
      service(name, 'blue', { type: 'LoadBalancer', ports: [{ port: 80 }], ingress: [{ ip: '192.0.2.50' }], ...brief });

    it('nothing is said of addresses that nobody has', () => {
      expect(said(served({ services: [balanced({})] }))).to.deep.equal([]);
    });

    it('it is said which addresses others have, or an administrator has not allowed', () => {
      const services = [balanced({ ingress: [{ ip: '10.96.0.99' }], externalIPs: ['192.0.2.9'] })];
      expect(said(served({ services }))).to.deep.equal([
        'Service/blue/web AddressRefused: is not reached at 10.96.0.99: it is in a subnet of Services, 192.0.2.9: an administrator has not allowed it (--external-ips); it needs an address that nobody has',
      ]);
    });

    it('it is said that ranges are none, and how to write them', () => {
      expect(
        said(served({ services: [balanced({ loadBalancerSourceRanges: ['10.0.0.1', '10.0.0.0/8'] })] })),
      ).to.deep.equal([
        'Service/blue/web SourceRangesInvalid: is not reached at 192.0.2.50: loadBalancerSourceRanges has "10.0.0.1", which is no subnet; write subnets, for example 192.0.2.0/24, or 192.0.2.9/32 for one address',
      ]);
    });

    it('it is said on the younger of two that an older one has its port, until that goes', () => {
      const planner = new ClusterPlanner({ ...settings });
      const texts = (...services: ClusterSnapshot['services']) =>
        planner
          .plan(served({ services }))
          .provision!.services.warnings.map(({ name, reason, message }) => `${name} ${reason}: ${message}`);
      const older = balanced({ creationTimestamp: '2026-01-01T00:00:00Z', clusterIPs: ['10.96.0.10'] }, 'older');
      const younger = balanced({ creationTimestamp: '2026-01-02T00:00:00Z', clusterIPs: ['10.96.0.11'] }, 'younger');
      expect(texts(younger)).to.deep.equal([]);
      expect(texts(younger, older)).to.deep.equal([
        'younger AddressInUse: is not reached at 192.0.2.50 80/TCP: an older Service has it; give it another address, or another port',
      ]);
      expect(texts(younger)).to.deep.equal([]);
    });

    it('it is said as soon as a node gets its address, and no more once that has another one', () => {
      const planner = new ClusterPlanner({ ...settings });
      const at = (address: string) => ({
        ...node('worker-a'),
        status: { addresses: [{ type: 'InternalIP', address }] },
      });
      const texts = (address: string) =>
        planner
          .plan(served({ services: [balanced({})], nodes: [at(address)] }))
          .provision!.services.warnings.map(({ reason }) => reason);
      expect([texts('198.51.100.10'), texts('192.0.2.50'), texts('198.51.100.10')]).to.deep.equal([
        [],
        ['AddressRefused'],
        [],
      ]);
    });
  });

  it('it is said that a headless one leads out of the network, and what to write instead', () => {
    const headless = (selector?: Readonly<Record<string, string>>) =>
      said(
        served({
          services: [service('db', 'blue', { clusterIPs: ['None'], ...(selector && { selector }) })],
        }),
      );
    expect(headless({ app: 'db', tier: 'a' })).to.deep.equal([
      'Service/blue/db HeadlessLeadsElsewhere: the name leads to addresses of pods in the default network, which no pod of the namespace reaches; delete Service db, and create it without spec.selector and with the annotation ovn-uplinks/selector: app=db,tier=a',
    ]);
    expect([...headless(), ...headless({})]).to.deep.equal([]);
  });

  it('nothing is said where it is another proxy’s, is being deleted, or nobody knows whose it is', () => {
    const headless = { clusterIPs: ['None'], selector: { app: 'web' } };
    const endpoints = [endpointOf('host'), { addresses: ['192.0.2.1'] }];
    for (const brief of [
      { labels: { [PROXY]: 'example' } },
      { labels: { [PROXY]: 'example' }, ...headless },
      { deletionTimestamp: '2026-11-28T12:00:00Z' },
    ])
      expect(said(having(endpoints, { services: [service('web', 'blue', brief)] }))).to.deep.equal([]);
    const services = [service('web', 'blue', headless)];
    for (const rest of [
      { namespaces: [] },
      { clusterUserDefinedNetworks: [] },
      { clusterUserDefinedNetworks: [{ ...blue, metadata: { ...blue.metadata, deletionTimestamp: '2026-11-28' } }] },
    ]) {
      expect(said(having(endpoints, rest))).to.deep.equal([]);
      expect(said(having(endpoints, { ...rest, services }))).to.deep.equal([]);
    }
  });

  it('it is of the Service that is there, and the same object as long as it says the same', () => {
    const planner = new ClusterPlanner({ ...defaultSettings, providedNetworks: 'all' });
    const before = having([endpointOf('host')]);
    const warnings = (snapshot: ClusterSnapshot) => planner.plan(snapshot).provision!.services.warnings;
    const first = warnings(before);
    expect(first).to.deep.include.members([{ ...first[0], kind: 'Service', uid: 'uid-web' }]);
    expect(warnings({ ...before, pods: [...before.pods, attachedPod('other', ['10.20.1.7/24'])] })).to.equal(first);
    const moved = { ...onHost, spec: { nodeName: 'worker-a' } };
    expect(warnings({ ...before, pods: [moved] })).to.deep.equal([]);
  });
});
