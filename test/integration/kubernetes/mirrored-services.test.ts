import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { KubernetesServedObjects } from '../../../src/adapters/kubernetes/kubernetes-served-objects.ts';
import { customResourceDefinitions } from '../../../src/domain/api/definitions/custom-resource-definition.ts';
import { isJsonObject, type JsonObject } from '../../../src/adapters/json/json-object.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { valueOf } from '../../unit/adapters/readings.ts';
import { Administrator } from './administrator.ts';
import { TestApiServer } from './api-server.ts';
import { type Fault, FaultProxy } from './fault-proxy.ts';
import { type RunningLoop, runManagerOnce, startManager } from './loops.ts';
import { clusterNetwork, namespace, NETWORK, node, pod } from './network-objects.ts';
import { otherDefinitions } from './other-definitions.ts';

const PROXY = 'service.kubernetes.io/service-proxy-name';
const SLICE = 'EndpointSlice';
/** Milliseconds after which a mirror follows what has changed. */
const SOON = 1000;

const service = (name: string, inNamespace = 'demo', labels: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: inNamespace, name, labels },
  spec: { ports: [{ name: 'http', port: 80 }] },
});

const attached = (address: string) => ({
  'k8s.ovn.org/pod-networks': JSON.stringify({ 'demo/blue': { ip_addresses: [`${address}/24`] } }),
});

describe('Services in a network that ovn-uplinks provides', () => {
  let server: TestApiServer;
  let administrator: Administrator;
  let access: ClusterAccess;
  let managers: readonly RunningLoop[] = [];

  before(async () => {
    server = await TestApiServer.start();
    administrator = await Administrator.of(server);
    server.apply(...customResourceDefinitions(), ...otherDefinitions);
    for (const name of ['ovn-uplinks', 'plain'])
      server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    server.apply(node('worker-a'), namespace('demo', 'blue'), namespace('other', 'nobody'));
    // There before a cluster manager is.
    server.apply(
      service('early'),
      service('early', 'plain'),
      service('early', 'other'),
      service('theirs', 'demo', { [PROXY]: 'example' }),
    );
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
    // Two at once, as while another one takes over.
    managers = [startManager(access, 'all'), startManager(access, 'all')];
    await administrator.apply(clusterNetwork('blue'));
  });
  after(async () => {
    for (const manager of managers) await manager.stop();
    administrator.close();
    await server.stop();
  });

  const metadataOf = (object: JsonObject | undefined) => {
    const metadata = object?.['metadata'];
    return isJsonObject(metadata) ? metadata : {};
  };

  const proxyOf = async (key: string) => {
    const { labels } = metadataOf(await administrator.get('Service', key));
    return isJsonObject(labels) ? labels[PROXY] : undefined;
  };

  /** A slice as kube-controller-manager writes them, with an address of each pod in the default network. */
  const sliceOf = async (name: string, ofService: string, pods: readonly string[], rest: readonly object[] = []) => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: SLICE,
    metadata: {
      namespace: 'demo',
      name,
      labels: {
        'kubernetes.io/service-name': ofService,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      },
    },
    addressType: 'IPv4',
    endpoints: [
      ...(await Promise.all(
        pods.map(async (each) => ({
          addresses: ['10.244.0.5'],
          conditions: { ready: true },
          targetRef: {
            kind: 'Pod',
            namespace: 'demo',
            name: each,
            uid: metadataOf(await administrator.get('Pod', `demo/${each}`))['uid'],
          },
        })),
      )),
      ...rest,
    ],
    ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
  });

  const mirrors = async () =>
    (await administrator.list(SLICE)).filter((each) => {
      const { labels } = metadataOf(each);
      return isJsonObject(labels) && labels['endpointslice.kubernetes.io/managed-by'] === 'ovn-uplinks';
    });

  const mirror = async (source: string) => await administrator.get(SLICE, `demo/ovn-uplinks-${source}`);

  const addresses = async (source: string) => {
    const { endpoints } = (await mirror(source)) ?? {};
    return Array.isArray(endpoints)
      ? endpoints.flatMap((each) => (each as { readonly addresses: readonly string[] }).addresses).join()
      : 'none';
  };

  const becomes = async (source: string, expected: string) => {
    const began = performance.now();
    await eventually(`the mirror of ${source} has ${expected}`, async () => (await addresses(source)) === expected);
    expect(performance.now() - began, source).to.be.lessThan(SOON);
  };

  /** Has an agent read the Services and their slices by a proxy that sees what is asked and answered. */
  async function watchedByAgent(fault: Fault) {
    const proxy = await FaultProxy.before(access);
    proxy.fault = fault;
    const api = new ApiServer(proxy.access);
    const served = new KubernetesServedObjects(api);
    await eventually('they are read', () => served.read().read);
    const end = async () => {
      await served.close();
      api.close();
      await proxy.stop();
    };
    return { served, end };
  }

  it('are labelled, also those that are there already, and no others', async () => {
    await eventually('it is labelled', async () => (await proxyOf('demo/early')) === 'ovn-uplinks');
    await administrator.apply(service('web'));
    await eventually('it is labelled', async () => (await proxyOf('demo/web')) === 'ovn-uplinks');
    // Their users go on to apply them as they are.
    server.apply(service('early'));
    expect(await proxyOf('demo/early')).to.equal('ovn-uplinks');
    expect(
      await Promise.all(['plain/early', 'other/early', 'demo/theirs', 'default/kubernetes'].map(proxyOf)),
    ).to.deep.equal([undefined, undefined, 'example', undefined]);
  });

  it('are labelled again where somebody takes the label away, and no policy keeps it', async () => {
    await administrator.merge('Service', 'demo/web', { metadata: { labels: { [PROXY]: null } } });
    await eventually('it is labelled', async () => (await proxyOf('demo/web')) === 'ovn-uplinks');
  });

  it('have a mirror of each slice, which follows it and its pods, as kubectl shows', async () => {
    server.apply(pod('demo', 'one', attached('10.20.2.3')), pod('demo', 'two'));
    await administrator.apply(await sliceOf('web-x1', 'web', ['one', 'two']));
    // One without an address does not keep the other one out.
    await becomes('web-x1', '10.20.2.3');
    await administrator.merge('Pod', 'demo/two', { metadata: { annotations: attached('10.20.2.4') } });
    await becomes('web-x1', '10.20.2.3,10.20.2.4');
    expect(
      server.kubectl(['get', 'endpointslices', '--namespace=demo', '--selector=k8s.ovn.org/service-name=web']),
    ).to.match(/ovn-uplinks-web-x1 +IPv4 +8080 +10\.20\.2\.3,10\.20\.2\.4 /);
    expect(metadataOf(await mirror('web-x1'))['ownerReferences']).to.deep.equal([
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: SLICE,
        name: 'web-x1',
        uid: metadataOf(await administrator.get(SLICE, 'demo/web-x1'))['uid'],
      },
    ]);
    await administrator.apply(await sliceOf('web-x1', 'web', ['two']));
    await becomes('web-x1', '10.20.2.4');
    expect(await mirrors()).to.have.length(1);
  });

  it('have the rest of a slice that has endpoints of all kinds', async () => {
    const written = { addresses: ['10.20.7.7'] };
    const outside = { addresses: ['192.0.2.1'] };
    const gone = {
      addresses: ['10.244.0.6'],
      targetRef: { kind: 'Pod', namespace: 'demo', name: 'gone', uid: 'gone' },
    };
    await administrator.apply(await sliceOf('web-x2', 'web', ['one'], [outside, gone, written]));
    await becomes('web-x2', '10.20.2.3,10.20.7.7');
  });

  it('have a mirror of a slice that a user writes', async () => {
    const { metadata, ...rest } = await sliceOf('manual', 'early', [], [{ addresses: ['10.20.8.8'] }]);
    const labels = { 'kubernetes.io/service-name': 'early' };
    await administrator.apply({ ...rest, metadata: { ...metadata, labels } });
    await becomes('manual', '10.20.8.8');
  });

  it('are all that agents ask for, with their mirrors, by the label', async () => {
    const asked = new Set<string>();
    const { served, end } = await watchedByAgent({
      answer: ({ url }) => {
        asked.add(`${url.pathname} ${url.searchParams.get('labelSelector') ?? ''}`);
        return undefined;
      },
    });
    const names = () => {
      const { services, slices } = valueOf(served.read());
      return [...services, ...slices].map(({ metadata }) => metadata.name).sort();
    };
    expect(names()).to.deep.equal(['early', 'ovn-uplinks-manual', 'ovn-uplinks-web-x1', 'ovn-uplinks-web-x2', 'web']);
    expect([...asked].sort()).to.deep.equal([
      `/api/v1/services ${PROXY}=ovn-uplinks`,
      `/apis/discovery.k8s.io/v1/endpointslices ${PROXY}=ovn-uplinks`,
    ]);
    await end();
  });

  it('have one mirror of a slice at each moment, with each pod that stays, though two managers write', async () => {
    const events: { readonly type: string; readonly object: JsonObject }[] = [];
    const { end } = await watchedByAgent({
      lines: async function* (lines, { isWatch, path }) {
        for await (const line of lines) {
          if (isWatch && path.endsWith('/endpointslices')) events.push(JSON.parse(line) as (typeof events)[number]);
          yield line;
        }
      },
    });
    const before = await mirrors();
    for (const names of Array.from({ length: 10 }, () => [['one', 'two'], ['two']]).flat()) {
      await administrator.apply(await sliceOf('web-x1', 'web', names));
      await becomes('web-x1', names.length === 1 ? '10.20.2.4' : '10.20.2.3,10.20.2.4');
    }
    const seen = () => events.filter(({ object }) => metadataOf(object)['name'] === 'ovn-uplinks-web-x1');
    await eventually('all changes are seen', () => seen().length > 20);
    expect(events.map(({ type }) => type)).not.to.include('DELETED');
    expect(await mirrors()).to.have.length(before.length);
    for (const { object } of seen()) expect(JSON.stringify(object['endpoints'])).to.include('"10.20.2.4"');
    await end();
  });

  it('have a mirror again that somebody edits or deletes', async () => {
    await administrator.merge(SLICE, 'demo/ovn-uplinks-web-x1', {
      endpoints: [{ addresses: ['192.0.2.9'] }],
      ports: [],
      metadata: { labels: { 'ovn-uplinks/network': '99' }, ownerReferences: null },
    });
    await becomes('web-x1', '10.20.2.4');
    const { labels, ownerReferences } = metadataOf(await mirror('web-x1'));
    expect(labels).to.include({ 'ovn-uplinks/network': '1' });
    expect(ownerReferences).to.have.length(1);
    await administrator.delete(SLICE, 'demo/ovn-uplinks-web-x1');
    await becomes('web-x1', '10.20.2.4');
  });

  it('have one of a slice that is there again for other addresses', async () => {
    await administrator.delete(SLICE, 'demo/web-x2');
    await eventually('it is gone', async () => (await mirror('web-x2')) === undefined);
    const { addressType: _, ...ipv6 } = await sliceOf('web-x2', 'web', []);
    await administrator.apply({ ...ipv6, addressType: 'IPv6' });
    await eventually('it is there', async () => (await mirror('web-x2'))?.['addressType'] === 'IPv6');
  });

  it('have none for a Service of another proxy, and what others have in its place is left alone', async () => {
    const { metadata, ...rest } = await sliceOf('ovn-uplinks-web-x3', 'theirs', ['one']);
    const foreign = { ...rest, metadata: { ...metadata, labels: { a: 'b' } } };
    await administrator.apply(foreign);
    const before = await mirror('web-x3');
    await administrator.apply(await sliceOf('web-x3', 'web', ['one']));
    await administrator.apply(await sliceOf('theirs-x1', 'theirs', ['one']));
    await eventually('it is said', () =>
      managers.every(({ lines }) =>
        lines.some((line) => line.includes('EndpointSlice/demo/ovn-uplinks-web-x3: has the name of the mirror of')),
      ),
    );
    expect(await mirror('web-x3')).to.deep.equal(before);
    expect(await mirror('theirs-x1')).to.equal(undefined);
  });

  it('are not written again if nothing changes, whoever leads', async () => {
    const versions = async () =>
      [...(await administrator.list(SLICE)), ...(await administrator.list('Service'))].map(metadataOf);
    const before = await versions();
    await runManagerOnce(access, 'all');
    expect(await versions()).to.deep.equal(before);
  });

  it('keep their mirrors while the network is being deleted', async () => {
    const before = await addresses('web-x1');
    // Its pods keep it.
    await administrator.delete(NETWORK, 'blue');
    await administrator.apply(await sliceOf('web-x1', 'web', ['one', 'two']));
    await administrator.apply(service('late'));
    await administrator.apply(await sliceOf('late-x1', 'late', ['one']));
    await runManagerOnce(access, 'all');
    expect([await addresses('web-x1'), await addresses('late-x1')]).to.deep.equal([before, 'none']);
  });

  it('have none once the network is gone with its pods, and keep their label: kube-proxy would lead to pods that it does not reach', async () => {
    for (const name of ['one', 'two']) await administrator.delete('Pod', `demo/${name}`);
    await eventually('the network is gone', async () => (await administrator.get(NETWORK, 'blue')) === undefined);
    await eventually('the mirrors are gone', async () => (await mirrors()).length === 0);
    expect(await proxyOf('demo/web')).to.equal('ovn-uplinks');
  });
});
