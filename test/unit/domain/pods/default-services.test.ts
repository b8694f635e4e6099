import { expect } from 'chai';
import type { ServiceWithEndpoints } from '../../../../src/domain/pods/reachable-services.ts';
import {
  defaultServicesIn,
  defaultServicesOf,
  type DefaultServiceSettings,
  type FoundService,
  namesOfDefaultServices,
} from '../../../../src/domain/pods/default-services.ts';
import { defaultSettings } from '../../../../src/domain/snapshot/settings.ts';

type Spec = ServiceWithEndpoints['service']['spec'];

function service(name: string, spec: Spec, labels: Readonly<Record<string, string>> = {}): ServiceWithEndpoints {
  return { service: { metadata: { name, labels }, spec }, slices: [] };
}

const api = service('kubernetes', { clusterIPs: ['10.96.0.1', 'FD96::0001'], ports: [{ port: 443 }] });
const dns = service('kube-dns', {
  clusterIPs: ['10.96.0.10'],
  ports: [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'metrics', port: 9153 },
  ],
});
const registry = service('registry', {
  clusterIPs: ['10.96.0.50'],
  ports: [
    { name: 'a', port: 5000 },
    { name: 'b', port: 5001, protocol: 'UDP' },
  ],
});

const usual: Readonly<Record<string, ServiceWithEndpoints>> = {
  'default/kubernetes': api,
  'kube-system/kube-dns': dns,
  'shop/registry': registry,
};

const found = (
  settings: Partial<DefaultServiceSettings> = {},
  services: Readonly<Record<string, FoundService>> = usual,
) => defaultServicesOf(({ namespace, name }) => services[`${namespace}/${name}`], { ...defaultSettings, ...settings });

const ports = ({ services }: ReturnType<typeof found>) =>
  services.map(({ protocol, address, port }) => `${protocol} ${address} ${port}`);

describe('what pods of networks reach by the default network', () => {
  it('is the Kubernetes API, and DNS by its port for names', () => {
    const reached = found();
    expect(reached).to.deep.include({ addresses: ['10.96.0.1', 'fd96::1', '10.96.0.10'], missing: [], unreached: [] });
    expect(ports(reached)).to.deep.equal(['tcp 10.96.0.1 443', 'tcp FD96::0001 443', 'udp 10.96.0.10 53']);
  });

  it('is another DNS where one is named', () => {
    const services = {
      ...usual,
      'dns/coredns': service('coredns', { clusterIPs: ['10.96.0.53'], ports: [{ port: 53 }] }),
    };
    const { addresses } = found({ dnsService: { namespace: 'dns', name: 'coredns' } }, services);
    expect(addresses).to.deep.equal(['10.96.0.1', 'fd96::1', '10.96.0.53']);
  });

  it('is DNS at addresses that are no Service’s too', () => {
    const reached = found({ dnsAddresses: ['169.254.20.10'] });
    expect(ports(reached).slice(-2)).to.deep.equal(['udp 169.254.20.10 53', 'tcp 169.254.20.10 53']);
    expect(reached.addresses.at(-1)).to.equal('169.254.20.10');
  });

  const shop = { namespace: 'shop', name: 'registry' };
  for (const [which, defaultServices, expected] of [
    ['all ports of an allowed Service', [shop], ['tcp 10.96.0.50 5000', 'udp 10.96.0.50 5001']],
    ['one port of it', [{ ...shop, port: 5001 }], ['udp 10.96.0.50 5001']],
    [
      'what one of several entries allows',
      [{ ...shop, port: 5000 }, shop, shop],
      ['tcp 10.96.0.50 5000', 'udp 10.96.0.50 5001'],
    ],
  ] as const) {
    it(`is ${which}`, () => {
      const reached = found({ defaultServices });
      expect([...new Set(ports(reached).slice(3))]).to.deep.equal(expected);
      expect(reached.addresses).to.deep.equal(['10.96.0.1', 'fd96::1', '10.96.0.10', '10.96.0.50']);
      expect(reached.unreached).to.deep.equal([]);
    });
  }

  const withDns = (spec: Spec) => ({ ...usual, 'kube-system/kube-dns': service('kube-dns', spec) });
  const hint = 'so pods would have no way to DNS; --dns-service names another one, --dns-addresses addresses';
  for (const [which, services, missing] of [
    [
      'the Kubernetes API',
      { ...usual, 'default/kubernetes': undefined },
      'Service default/kubernetes does not exist, so pods would have no way to the Kubernetes API',
    ],
    ['DNS', { ...usual, 'kube-system/kube-dns': undefined }, `Service kube-system/kube-dns does not exist, ${hint}`],
    [
      'the Kubernetes API that can be read',
      { ...usual, 'default/kubernetes': 'unreadable' },
      'Service default/kubernetes cannot be read, so pods would have no way to the Kubernetes API',
    ],
    [
      'DNS that can be read',
      { ...usual, 'kube-system/kube-dns': 'unreadable' },
      `Service kube-system/kube-dns cannot be read, ${hint}`,
    ],
    ['an address of DNS', withDns({ clusterIPs: ['None'] }), `Service kube-system/kube-dns has no ClusterIP, ${hint}`],
    ['an address of DNS yet', withDns({}), `Service kube-system/kube-dns has no ClusterIP, ${hint}`],
    [
      'an address in an object that is damaged',
      withDns({ clusterIPs: ['10.96.0'] }),
      `Service kube-system/kube-dns has no ClusterIP, ${hint}`,
    ],
  ] as const) {
    it(`has new pods wait for ${which}`, () => {
      expect(found({}, services).missing).to.deep.equal([missing]);
    });
  }

  it('has no pod wait for a Service of DNS where addresses are named', () => {
    const { missing, addresses } = found({ dnsAddresses: ['169.254.20.10'] }, { 'default/kubernetes': api });
    expect({ missing, addresses }).to.deep.equal({ missing: [], addresses: ['10.96.0.1', 'fd96::1', '169.254.20.10'] });
  });

  for (const [which, spec, port, why] of [
    ['that is absent', undefined, undefined, 'Service shop/other does not exist'],
    [
      'without an address',
      { clusterIPs: ['None'], ports: [{ port: 1 }] },
      undefined,
      'Service shop/other has no ClusterIP',
    ],
    [
      'without the port',
      { clusterIPs: ['10.96.0.60'], ports: [{ port: 1 }] },
      9090,
      'Service shop/other has no port 9090 of TCP or UDP',
    ],
    [
      'of SCTP alone',
      { clusterIPs: ['10.96.0.60'], ports: [{ port: 1, protocol: 'SCTP' }] },
      undefined,
      'Service shop/other has no port of TCP or UDP',
    ],
    ['of no ports', { clusterIPs: ['10.96.0.60'] }, undefined, 'Service shop/other has no port of TCP or UDP'],
  ] as const) {
    it(`is no allowed Service ${which}, and no pod waits for it`, () => {
      const other = { namespace: 'shop', name: 'other', ...(port !== undefined && { port }) };
      const services = { ...usual, 'shop/other': spec && service('other', spec) };
      const { addresses, missing, unreached } = found({ defaultServices: [other] }, services);
      expect({ addresses: addresses.length, missing }).to.deep.equal({ addresses: 3, missing: [] });
      expect(unreached).to.deep.equal([{ service: 'shop/other', why }]);
    });
  }

  it('is no allowed Service that cannot be read, and it is not said to be absent', () => {
    const { addresses, unreached } = found({ defaultServices: [shop] }, { ...usual, 'shop/registry': 'unreadable' });
    expect(addresses).to.not.include('10.96.0.50');
    expect(unreached).to.deep.equal([{ service: 'shop/registry', why: 'Service shop/registry cannot be read' }]);
  });

  it('is looked for among all objects of a cluster, of which some cannot be read', () => {
    const unreadable = [
      { kind: 'services', namespace: 'kube-system', name: 'kube-dns' },
      { kind: 'services', namespace: 'shop', name: 'kubernetes' },
      { kind: 'endpointSlices', namespace: 'default', name: 'kubernetes' },
    ] as const;
    const { missing } = defaultServicesIn({ services: [], endpointSlices: [], unreadable }, defaultSettings);
    expect(missing).to.deep.equal([
      'Service default/kubernetes does not exist, so pods would have no way to the Kubernetes API',
      `Service kube-system/kube-dns cannot be read, ${hint}`,
    ]);
  });

  it('is no Service of a tenant’s network, whose address is in that network', () => {
    const labels = { 'service.kubernetes.io/service-proxy-name': 'ovn-uplinks' };
    const services = { ...usual, 'shop/registry': service('registry', registry.service.spec, labels) };
    const { addresses, unreached } = found({ defaultServices: [shop] }, services);
    expect(addresses).to.not.include('10.96.0.50');
    expect(unreached[0]?.why).to.equal(
      'Service shop/registry is one of the network of its namespace, not of the default network',
    );
  });

  it('follows from each Service once, whatever names it', () => {
    const defaultServices = [shop, { ...shop, port: 5000 }, { namespace: 'default', name: 'kubernetes' }];
    expect(namesOfDefaultServices({ ...defaultSettings, defaultServices })).to.deep.equal([
      { namespace: 'default', name: 'kubernetes' },
      { namespace: 'kube-system', name: 'kube-dns' },
      shop,
    ]);
  });
});
