import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import { TestApiServer } from '../api-server.ts';
import { ControllerManager } from './controller-manager.ts';
import { CoreDns } from './core-dns.ts';

const NAMESPACE = 'tenant';
const PROXY = 'service.kubernetes.io/service-proxy-name';
const SERVICE_NAME = 'kubernetes.io/service-name';
const inNamespace = `--namespace=${NAMESPACE}`;

const service = (name: string, spec: object, labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: NAMESPACE, name, labels },
  spec: { ports: [{ name: 'http', port: 80, targetPort: 8080 }], ...spec },
});

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: NAMESPACE, name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        nodeName: 'worker-a',
        // No kubelet says that it has ended.
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image: 'example.org/web' }],
      },
    },
  },
};

/** The status of a pod that runs, as its kubelet writes it. */
const running = {
  phase: 'Running',
  podIPs: [{ ip: '10.244.0.5' }, { ip: 'fd00:10:244::5' }],
  podIP: '10.244.0.5',
  conditions: [{ type: 'Ready', status: 'True' }],
};

const slice = (name: string, labels: Readonly<Record<string, string>>, endpoints: readonly object[]) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { namespace: NAMESPACE, name, labels },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080 }],
  endpoints,
});

interface Slice {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly endpoints: readonly { readonly addresses: readonly string[] }[] | null;
}

describe('beside an API server,', () => {
  let server: TestApiServer;

  before(async () => {
    server = await TestApiServer.start();
    server.apply(
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-a' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    );
  });
  after(() => server.stop());

  const items = (...words: readonly string[]) =>
    (JSON.parse(server.kubectl(['get', inNamespace, '--output=json', ...words])) as { readonly items: unknown[] })
      .items;
  const slicesOf = (name: string) => items('endpointslices', `--selector=${SERVICE_NAME}=${name}`) as Slice[];
  const addressesOf = (name: string) =>
    slicesOf(name)
      .flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses))
      .sort();

  describe('the controllers of Kubernetes', () => {
    before(() =>
      ControllerManager.start(server, [
        ...(['deployment', 'replicaset', 'endpointslice'] as const),
        ...(['endpointslice-mirroring', 'garbage-collector'] as const),
      ]),
    );

    it('write slices of a Service with the addresses of a Deployment’s pods, and with its labels, also later ones', async () => {
      const dual = { ipFamilyPolicy: 'RequireDualStack', selector: { app: 'web' } };
      server.apply(deployment, service('web', dual, { [PROXY]: 'ovn-uplinks' }));
      await eventually('there is a pod', () => items('pods').length === 1);
      const [pod] = items('pods') as [{ readonly metadata: { readonly name: string } }];
      const patch = `--patch=${JSON.stringify({ status: running })}`;
      server.kubectl(['patch', inNamespace, `pod/${pod.metadata.name}`, '--subresource=status', patch]);
      await eventually('its addresses are there', () => addressesOf('web').length === 2);
      expect(addressesOf('web')).to.deep.equal(['10.244.0.5', 'fd00:10:244::5']);
      const labels = () => slicesOf('web').map(({ metadata }) => metadata.labels[PROXY]);
      expect(labels()).to.deep.equal(['ovn-uplinks', 'ovn-uplinks']);
      server.kubectl(['label', inNamespace, '--overwrite', 'service/web', `${PROXY}=other`]);
      await eventually('the slices have the other label', () => labels().every((label) => label === 'other'));
    });

    it('mirror Endpoints that somebody writes', async () => {
      const metadata = { namespace: NAMESPACE, name: 'mirrored' };
      const subsets = [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'http', port: 8080 }] }];
      server.apply(service('mirrored', {}), { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets });
      await eventually('they are a slice', () => addressesOf('mirrored').join() === '192.0.2.7');
    });

    it('delete what has lost its owner', async () => {
      server.kubectl(['delete', inNamespace, 'deployment/web', 'service/web']);
      await eventually('pods and slices are gone', () => items('pods').length + slicesOf('web').length === 0);
    });
  });

  describe('CoreDNS', () => {
    let dns: CoreDns;
    before(async () => {
      dns = await CoreDns.start(server);
    });

    const named = (name: string) => `${name}.${NAMESPACE}.svc.cluster.local`;
    const addresses = async (name: string): Promise<readonly string[] | string> => {
      try {
        return (await dns.resolver.resolve4(named(name))).sort();
      } catch (error) {
        return String((error as { readonly code?: unknown }).code);
      }
    };
    const answers = async (name: string, expected: readonly string[] | string) => {
      await eventually(
        `${name} is ${String(expected)}`,
        async () => String(await addresses(name)) === String(expected),
      );
    };

    it('answers the name of a Service with its ClusterIPs, and the address with the name', async () => {
      server.apply(
        service('db', {
          ipFamilyPolicy: 'RequireDualStack',
          clusterIPs: ['10.96.0.50', 'fd96::50'],
          clusterIP: '10.96.0.50',
        }),
      );
      await answers('db', ['10.96.0.50']);
      expect(await dns.resolver.resolve6(named('db'))).to.deep.equal(['fd96::50']);
      expect(await dns.resolver.reverse('10.96.0.50')).to.deep.equal([named('db')]);
      const [record] = await dns.resolver.resolveSrv(`_http._tcp.${named('db')}`);
      expect(record).to.include({ name: named('db'), port: 80 });
    });

    it('answers a headless name with the ready endpoints of all slices that name the Service, whoever has written them', async () => {
      const ofService = { [SERVICE_NAME]: 'peers' };
      server.apply(
        service('peers', { clusterIP: 'None' }),
        slice('peers-1', ofService, [
          { addresses: ['10.20.0.5'], hostname: 'peer-0' },
          { addresses: ['10.20.0.6'], conditions: { ready: false } },
        ]),
        slice('peers-2', { ...ofService, 'endpointslice.kubernetes.io/managed-by': 'ovn-uplinks' }, [
          { addresses: ['10.20.0.7'] },
        ]),
        slice('peers-3', { 'k8s.ovn.org/service-name': 'peers' }, [{ addresses: ['10.20.0.8'] }]),
      );
      await answers('peers', ['10.20.0.5', '10.20.0.7']);
      expect(await addresses('peer-0.peers')).to.deep.equal(['10.20.0.5']);
    });

    it('follows changes of slices', async () => {
      server.kubectl(['delete', inNamespace, 'endpointslice/peers-2']);
      await answers('peers', ['10.20.0.5']);
      server.kubectl(['delete', inNamespace, 'endpointslice/peers-1']);
      await answers('peers', 'ENOTFOUND');
    });
  });
});
