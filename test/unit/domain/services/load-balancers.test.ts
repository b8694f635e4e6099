import { expect } from 'chai';
import type { EndpointSlice } from '../../../../src/domain/api/endpoint-slice.ts';
import { serviceKind } from '../../../../src/domain/api/service.ts';
import { conformanceTo, defaultSettings } from '../../../../src/domain/index.ts';
import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import { type LoadBalancer, loadBalancersOf } from '../../../../src/domain/services/load-balancers.ts';
import type { OutsidePort } from '../../../../src/domain/services/exposed-ports.ts';
import { network } from '../brief-objects.ts';
import { attachedPod, endpointOf, mirrorsOf, service, slice } from '../brief-services.ts';

const blue = clusterNetwork(
  network('blue', {
    network: { layer3: { role: 'Primary', subnets: [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }] } },
  }),
  { providedNetworks: 'all', egress: 'none' },
);

const pods = [attachedPod('one', ['10.20.1.5/24', 'fd20::5/64']), attachedPod('two', ['10.20.2.5/24', 'fd20::6/64'])];
const endpoints = [endpointOf('two'), endpointOf('one')];
const slicePorts = [
  { name: '', protocol: 'TCP', port: 8080 },
  { name: 'dns', protocol: 'UDP', port: 5353 },
  { name: 'dns-tcp', protocol: 'TCP', port: 5353 },
];
const sources = [
  slice('web-4', 'blue', 'web', { ports: slicePorts, endpoints }),
  slice('web-6', 'blue', 'web', { ports: slicePorts, endpoints, addressType: 'IPv6' }),
];

const http = [{ protocol: 'TCP', port: 80 }];

function balancers(
  brief: Parameters<typeof service>[2],
  mirrors: readonly EndpointSlice[] = mirrorsOf(blue, sources, pods),
): readonly LoadBalancer[] {
  const { masqueradeSubnets } = defaultSettings;
  const slices = { service: service('web', 'blue', { ports: http, ...brief }), sources, mirrors };
  return loadBalancersOf({ slices, network: blue, node: { name: 'worker-a' }, masqueradeSubnets });
}

const vips = (brief: Parameters<typeof service>[2]) => balancers(brief).map((each) => each.vips);
const optionsOf = (brief: Parameters<typeof service>[2]) => balancers(brief).map(({ options }) => options);

describe('the load balancers of a Service', () => {
  it('are one for each protocol, with all addresses and ports', () => {
    const ports = [...http, { name: 'dns', protocol: 'UDP', port: 53 }, { name: 'dns-tcp', protocol: 'TCP', port: 53 }];
    const found = balancers({ clusterIPs: ['10.96.0.10', 'fd96::A'], ports });
    expect(found.map(({ options: _options, ...each }) => each)).to.deep.equal([
      {
        name: 'cluster_udn_blue_Service_blue/web_TCP_switch',
        networkName: 'cluster_udn_blue',
        place: 'switch',
        owner: 'blue/web',
        protocol: 'tcp',
        vips: {
          '10.96.0.10:53': '10.20.1.5:5353,10.20.2.5:5353',
          '10.96.0.10:80': '10.20.1.5:8080,10.20.2.5:8080',
          '[fd96::a]:53': '[fd20::5]:5353,[fd20::6]:5353',
          '[fd96::a]:80': '[fd20::5]:8080,[fd20::6]:8080',
        },
      },
      {
        name: 'cluster_udn_blue_Service_blue/web_UDP_switch',
        networkName: 'cluster_udn_blue',
        place: 'switch',
        owner: 'blue/web',
        protocol: 'udp',
        vips: {
          '10.96.0.10:53': '10.20.1.5:5353,10.20.2.5:5353',
          '[fd96::a]:53': '[fd20::5]:5353,[fd20::6]:5353',
        },
      },
    ]);
  });

  it('have the whole names of their Service, however long: OVN cuts none', () => {
    const [name, namespace] = ['n'.repeat(63), 's'.repeat(63)];
    const slices = { service: service(name, namespace, { ports: http }), sources: [], mirrors: [] };
    const { masqueradeSubnets } = defaultSettings;
    const [found] = loadBalancersOf({ slices, network: blue, node: { name: 'worker-a' }, masqueradeSubnets });
    expect(found?.name).to.equal(`cluster_udn_blue_Service_${namespace}/${name}_TCP_switch`);
    expect(found?.owner).to.equal(`${namespace}/${name}`);
  });

  it('refuse connections where there is no endpoint', () => {
    expect(balancers({}, []).map((each) => each.vips)).to.deep.equal([{ '10.96.0.10:80': '' }]);
    expect(vips({ ports: [{ name: 'other', port: 80 }] })).to.deep.equal([{ '10.96.0.10:80': '' }]);
  });

  it('flush connections of all protocols but TCP', () => {
    const common = { reject: 'true', hairpin_snat_ip: '169.254.0.5 fd69::5', neighbor_responder: 'none' };
    const ports = ['SCTP', 'TCP', 'UDP'].map((protocol) => ({ name: protocol.toLowerCase(), protocol, port: 80 }));
    expect(balancers({ ports }).map(({ protocol, options }) => [protocol, options])).to.deep.equal([
      ['tcp', common],
      ['udp', { ...common, ct_flush: 'true' }],
      ['sctp', { ...common, ct_flush: 'true' }],
    ]);
  });

  it('have the hairpin addresses of the masquerade subnets of the cluster', () => {
    const slices = { service: service('web', 'blue', { ports: http }), sources: [], mirrors: [] };
    const input = { slices, network: blue, node: { name: 'worker-a' } };
    for (const [masqueradeSubnets, expected] of [
      [['fd99::/112', '192.168.0.0/17'], '192.168.0.5 fd99::5'],
      [['169.254.0.0/17'], '169.254.0.5'],
    ] as const)
      expect(loadBalancersOf({ ...input, masqueradeSubnets })[0]?.options['hairpin_snat_ip']).to.equal(expected);
  });

  for (const { timeoutSeconds, expected } of [
    { timeoutSeconds: undefined, expected: '10800' },
    { timeoutSeconds: 0, expected: '10800' },
    { timeoutSeconds: -1, expected: '10800' },
    { timeoutSeconds: 1, expected: '1' },
    { timeoutSeconds: 65_535, expected: '65535' },
    { timeoutSeconds: 86_400, expected: '65535' },
  ])
    it(`keep a client at its endpoint for ${expected} s by a time-out of ${String(timeoutSeconds)}`, () => {
      const clientIP = timeoutSeconds === undefined ? {} : { timeoutSeconds };
      const [options] = optionsOf({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP } });
      expect(options?.['affinity_timeout']).to.equal(expected);
    });

  it('keep no client at its endpoint otherwise', () => {
    expect(optionsOf({ sessionAffinity: 'ClientIP' })[0]?.['affinity_timeout']).to.equal('10800');
    for (const sessionAffinity of ['None', 'Later'])
      expect(optionsOf({ sessionAffinity })[0]).not.to.have.property('affinity_timeout');
  });
});

describe('an address of a Service', () => {
  for (const { which, brief, expected } of [
    { which: 'that is none', brief: { clusterIPs: ['None'] }, expected: [] },
    { which: 'that is missing', brief: { clusterIPs: [] }, expected: [] },
    { which: 'that is empty', brief: { clusterIPs: [''] }, expected: [] },
    { which: 'with leading zeros', brief: { clusterIPs: ['010.96.0.10'] }, expected: [] },
    { which: 'with a prefix length', brief: { clusterIPs: ['10.96.0.0/16'] }, expected: [] },
    { which: 'in a form for IPv6', brief: { clusterIPs: ['::ffff:10.96.0.10'] }, expected: [] },
    { which: 'of a pod', brief: { clusterIPs: ['10.20.1.5'] }, expected: [] },
    { which: 'of a pod, in capitals', brief: { clusterIPs: ['FD20::5'] }, expected: [] },
    {
      which: 'of a family that it does not have',
      brief: { clusterIPs: ['10.96.0.10', 'fd96::a'], ipFamilies: ['IPv6'] },
      expected: ['[fd96::a]:80'],
    },
    {
      which: 'beside another one of the family',
      brief: { clusterIPs: ['10.96.0.10', '10.96.0.11', 'fd96::a'] },
      expected: ['10.96.0.10:80', '[fd96::a]:80'],
    },
    {
      which: 'beside one of a pod',
      brief: { clusterIPs: ['10.20.1.5', 'fd96::a'] },
      expected: ['[fd96::a]:80'],
    },
  ])
    it(`${which} leads to ${expected.length === 0 ? 'no load balancer' : expected.join(' and ')}`, () => {
      expect(vips(brief).flatMap((each) => Object.keys(each))).to.deep.equal(expected);
    });
});

describe('a port of a Service that cannot be served', () => {
  for (const { which, ports, expected } of [
    { which: 'at 0', ports: [{ port: 0 }], expected: [] },
    { which: 'at 65536', ports: [{ port: 65_536 }], expected: [] },
    { which: 'of a protocol that is not known', ports: [{ protocol: 'DCCP', port: 80 }], expected: [] },
    { which: 'beside one that can', ports: [{ port: 0 }, { port: 65_535 }], expected: ['10.96.0.10:65535'] },
    { which: 'as it is there twice', ports: [{ port: 80 }, { port: 80 }], expected: ['10.96.0.10:80'] },
  ])
    it(`${which} leads to ${expected.join() || 'no load balancer'}`, () => {
      expect(vips({ ports }).flatMap((each) => Object.keys(each))).to.deep.equal(expected);
    });

  it('as there is none leads to no load balancer', () => {
    expect(balancers({ ports: [] })).to.deep.equal([]);
    const { ports: _ports, ...spec } = service('web', 'blue', { ports: http }).spec;
    const slices = { service: { ...service('web', 'blue'), spec }, sources, mirrors: [] };
    const input = { network: blue, node: { name: 'worker-a' }, masqueradeSubnets: [] };
    expect(loadBalancersOf({ ...input, slices })).to.deep.equal([]);
  });

  it('is not one of a thousand', () => {
    const ports = Array.from({ length: 1000 }, (_, at) => ({ name: `p${String(at)}`, port: at + 1 }));
    const [found, ...others] = vips({ ports });
    expect(others).to.deep.equal([]);
    expect(Object.keys(found ?? {})).to.have.length(1000);
  });
});

describe('a Service in Kubernetes', () => {
  it('has what its load balancers follow from', () => {
    const conformance = conformanceTo(serviceKind.schema);
    const stored = service('web', 'blue', {
      ports: http,
      ipFamilies: ['IPv4'],
      internalTrafficPolicy: 'Cluster',
      publishNotReadyAddresses: true,
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
    });
    expect(conformance(stored).conforms).to.equal(true);
    const withText = { ...stored, spec: { ...stored.spec, publishNotReadyAddresses: 'yes' } };
    expect(conformance(withText).conforms).to.equal(false);
  });

  describe('for packets from the wire', () => {
    const outside = [
      { family: 4, protocol: 'tcp', address: '192.0.2.6', port: 30_080, isOfService: false, servicePort: { port: 80 } },
      { family: 4, protocol: 'tcp', address: '192.0.2.50', port: 80, isOfService: true, servicePort: { port: 80 } },
    ] as const satisfies readonly OutsidePort[];

    /** The load balancers on worker-a, where pod `one` is. */
    const at = (spec: Parameters<typeof service>[2], isOnWire = true) => {
      const placed = [endpointOf('one'), endpointOf('two', { nodeName: 'worker-b' })];
      const mixed = [slice('web-4', 'blue', 'web', { ports: slicePorts, endpoints: placed })];
      return loadBalancersOf({
        slices: {
          service: service('web', 'blue', { ports: http, ...spec }),
          sources: mixed,
          mirrors: mirrorsOf(blue, mixed, pods),
        },
        network: blue,
        node: { name: 'worker-a' },
        masqueradeSubnets: defaultSettings.masqueradeSubnets,
        outside,
        isOnWire,
      });
    };
    const both = '10.20.1.5:8080,10.20.2.5:8080';

    it('are on the gateway router, with node ports and addresses outside', () => {
      const [onSwitch, onRouter, ...more] = at({});
      expect(more).to.deep.equal([]);
      expect(onSwitch?.vips).to.deep.equal({ '10.96.0.10:80': both, '192.0.2.6:30080': both, '192.0.2.50:80': both });
      expect(onRouter).to.deep.include({
        name: 'cluster_udn_blue_Service_blue/web_TCP_router',
        place: 'router',
        vips: { '192.0.2.6:30080': both, '192.0.2.50:80': both },
        options: onSwitch?.options,
      });
    });

    it('lead to pods of the node alone where the source is to be kept, and pods of the network to all', () => {
      const [onSwitch, onRouter] = at({ externalTrafficPolicy: 'Local' });
      expect(onSwitch?.vips['192.0.2.50:80']).to.equal(both);
      expect(onRouter?.name).to.equal('cluster_udn_blue_Service_blue/web_TCP_router_local');
      expect(onRouter?.vips).to.deep.equal({ '192.0.2.6:30080': '10.20.1.5:8080', '192.0.2.50:80': '10.20.1.5:8080' });
      expect(onRouter?.options).to.deep.equal({ ...onSwitch?.options, skip_snat: 'true' });
    });

    it('do not follow the policy for packets from within the network, and these do not follow theirs', () => {
      const [onSwitch, onRouter] = at({ internalTrafficPolicy: 'Local' });
      expect(onSwitch?.vips).to.deep.equal({
        '10.96.0.10:80': '10.20.1.5:8080',
        '192.0.2.6:30080': both,
        '192.0.2.50:80': both,
      });
      expect(onRouter?.vips['192.0.2.50:80']).to.equal(both);
    });

    it('are none where the network has no way from the wire, and its pods reach these addresses all the same', () => {
      expect(at({}, false).map(({ place, vips }) => [place, Object.keys(vips)])).to.deep.equal([
        ['switch', ['10.96.0.10:80', '192.0.2.50:80', '192.0.2.6:30080']],
      ]);
    });
  });
});
