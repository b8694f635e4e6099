import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { KubernetesServices } from '../../../src/adapters/kubernetes/kubernetes-services.ts';
import { defaultSettings } from '../../../src/domain/index.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { valueOf } from '../../unit/adapters/readings.ts';
import { TestApiServer } from './api-server.ts';
import { dnsObjects } from './dns-objects.ts';

const settings = {
  ...defaultSettings,
  dnsAddresses: ['169.254.20.10'],
  defaultServices: [
    { namespace: 'shop', name: 'registry', port: 5000 },
    { namespace: 'shop', name: 'absent' },
  ],
};

describe('the services of a cluster that pods reach by the default network', () => {
  let server: TestApiServer;
  let api: ApiServer;
  let services: KubernetesServices;
  let changes = 0;
  before(async () => {
    server = await TestApiServer.start();
    api = new ApiServer(valueOf(await accessOfKubeconfig(server.kubeconfig)));
    services = new KubernetesServices(api, settings);
    services.onChange(() => (changes += 1));
  });
  after(async () => {
    await services.close();
    api.close();
    await server.stop();
  });

  const found = () => {
    const reading = services.read();
    return reading.read
      ? reading.value.services.map(({ protocol, address, port }) => `${protocol} ${address} ${port}`)
      : [];
  };
  const apiServers = () => found().filter((each) => !/ (53|5353|5000)$/.test(each));
  const ofNode = ['udp 169.254.20.10 53', 'tcp 169.254.20.10 53'];

  it('are the Kubernetes API, by the address of its Service and those of API servers', async () => {
    await eventually('the API server has published itself', () => apiServers().length === 2);
    expect(apiServers()[0]).to.equal('tcp 10.96.0.1 443');
    expect(apiServers()[1]).to.match(new RegExp(` ${server.port}$`));
    expect(found()).to.deep.equal([...apiServers(), ...ofNode]);
    expect(valueOf(services.read())).to.deep.include({ addresses: ['10.96.0.1', '169.254.20.10'], missing: [] });
  });

  it('are DNS, once it is there, by its ports for names only', async () => {
    const before = changes;
    server.apply(...dnsObjects('10.96.0.10', '10.244.7.7'));
    const expected = ['udp 10.96.0.10 53', 'tcp 10.96.0.10 53', 'udp 10.244.7.7 5353', 'tcp 10.244.7.7 5353'];
    await eventually('DNS is known', () => found().length === 4 + expected.length);
    expect(found().slice(2)).to.deep.equal([...expected, ...ofNode]);
    expect(valueOf(services.read()).addresses).to.deep.equal(['10.96.0.1', '10.96.0.10', '169.254.20.10']);
    expect(changes).to.be.greaterThan(before);
  });

  it('are those of DNS that is moved', async () => {
    server.kubectl(['delete', 'endpointslice/kube-dns-1', '--namespace=kube-system']);
    await eventually('its former addresses are gone', () => found().length === 6);
    expect(found().join()).not.to.include('10.244.7.7');
  });

  it('are those that are allowed, once they are there; a warning names each that is not', async () => {
    const warnings = () => services.warnings.map(({ message }) => message);
    expect(warnings()).to.have.length(2);
    server.apply(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { namespace: 'shop', name: 'registry' },
        spec: {
          clusterIP: '10.96.0.50',
          ports: [5000, 9090].map((port) => ({ name: `p${port}`, port })),
        },
      },
    );
    await eventually('the Service is known', () => found().includes('tcp 10.96.0.50 5000'));
    expect(found().join()).not.to.include('9090');
    expect(valueOf(services.read()).addresses.at(-1)).to.equal('10.96.0.50');
    expect(warnings()).to.deep.equal([
      'pods of networks do not reach it (--default-services): Service shop/absent does not exist',
    ]);
  });

  it('stay while the API server is away, and are not known to whom it has never answered', async () => {
    const before = found();
    await server.stopApiServer();
    const others = new KubernetesServices(api, settings);
    try {
      expect(found()).to.deep.equal(before);
      expect(others.read()).to.have.nested.property('problems[0].message').include('is not known yet');
    } finally {
      await others.close();
      await server.startApiServer();
    }
  });
});
