import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { KubernetesServices } from '../../../src/adapters/kubernetes/kubernetes-services.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { valueOf } from '../../unit/adapters/readings.ts';
import { TestApiServer } from './api-server.ts';
import { dnsObjects } from './dns-objects.ts';

describe('the services of a cluster that every pod needs', () => {
  let server: TestApiServer;
  let api: ApiServer;
  let services: KubernetesServices;
  let changes = 0;
  before(async () => {
    server = await TestApiServer.start();
    api = new ApiServer(valueOf(await accessOfKubeconfig(server.kubeconfig)));
    services = new KubernetesServices(api, { namespace: 'kube-system', name: 'kube-dns' });
    services.onChange(() => (changes += 1));
  });
  after(async () => {
    await services.close();
    api.close();
    await server.stop();
  });

  const found = () => {
    const reading = services.read();
    return reading.read ? reading.value.map(({ protocol, address, port }) => `${protocol} ${address} ${port}`) : [];
  };
  const apiServers = () => found().filter((each) => !each.endsWith(' 53') && !each.endsWith(' 5353'));

  it('are the Kubernetes API, by the address of its Service and those of API servers', async () => {
    await eventually('the API server has published itself', () => apiServers().length === 2);
    expect(apiServers()[0]).to.equal('tcp 10.96.0.1 443');
    expect(apiServers()[1]).to.match(new RegExp(` ${server.port}$`));
    expect(found()).to.deep.equal(apiServers());
  });

  it('are DNS, once it is there, by its ports for names only', async () => {
    const before = changes;
    server.apply(...dnsObjects('10.96.0.10', '10.244.7.7'));
    const expected = ['udp 10.96.0.10 53', 'tcp 10.96.0.10 53', 'udp 10.244.7.7 5353', 'tcp 10.244.7.7 5353'];
    await eventually('DNS is known', () => found().length === 2 + expected.length);
    expect(found().slice(2)).to.deep.equal(expected);
    expect(changes).to.be.greaterThan(before);
  });

  it('are those of DNS that is moved', async () => {
    server.kubectl(['delete', 'endpointslice/kube-dns-1', '--namespace=kube-system']);
    await eventually('its former addresses are gone', () => found().length === 4);
    expect(found().join()).not.to.include('10.244.7.7');
  });

  it('stay while the API server is away, and are not known to whom it has never answered', async () => {
    const before = found();
    await server.stopApiServer();
    const others = new KubernetesServices(api, { namespace: 'kube-system', name: 'kube-dns' });
    try {
      expect(found()).to.deep.equal(before);
      expect(others.read()).to.have.nested.property('problems[0].message').include('is not known yet');
    } finally {
      await others.close();
      await server.startApiServer();
    }
  });
});
