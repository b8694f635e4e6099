import { expect } from 'chai';
import type { ApiRequest, ApiServer, ApiStream } from '../../../../src/adapters/kubernetes/api-server.ts';
import { KubernetesServices } from '../../../../src/adapters/kubernetes/kubernetes-services.ts';
import { Reachability } from '../../../../src/adapters/kubernetes/reachability.ts';
import { acceptedObject } from '../../../../src/adapters/kubernetes/watch/accepted-object.ts';
import { serviceKind } from '../../../../src/domain/api/service.ts';
import { defaultSettings } from '../../../../src/domain/snapshot/settings.ts';
import { eventually } from '../processes.ts';
import { valueOf } from '../readings.ts';

describe('a Service that every pod needs', () => {
  const accept = acceptedObject(serviceKind);
  const metadata = { namespace: 'kube-system', name: 'kube-dns' };
  const valid = { metadata, spec: { clusterIPs: ['10.96.0.10'], ports: [{ port: 53, protocol: 'UDP' }] } };
  const invalid = { metadata, spec: { clusterIPs: ['10.96.0.10'], ports: 'all' } };

  it('is used as far as it is read', () => {
    const object = { ...valid, apiVersion: 'v1', kind: 'Service' };
    expect(accept(valid, undefined)).to.deep.equal({ object, warnings: [] });
  });

  it('is not used if it cannot be read, and a warning says what is wrong and what follows', () => {
    const { object, warnings } = accept(invalid, undefined);
    expect(object).to.equal(undefined);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.deep.include({
      origin: { kind: 'object', object: 'Service/kube-system/kube-dns' },
      path: 'spec.ports',
    });
    expect(warnings[0]?.message).to.match(/^expected .*, found string "all"; the object is not used: /);
  });

  it('stays in use as it was last valid', () => {
    const { object, warnings } = accept(invalid, valid);
    expect(object).to.equal(valid);
    expect(warnings[0]?.message).to.match(/the last valid version of it stays in use$/);
  });

  it('is said not to be readable where it was never valid, not to be absent', async () => {
    const bookmark = { metadata: { resourceVersion: '5', annotations: { 'k8s.io/initial-events-end': 'true' } } };
    const stored = { ...invalid, metadata: { ...metadata, uid: 'uid-dns', resourceVersion: '4' } };
    async function* linesOf(path: string, signal: AbortSignal): AsyncIterable<string> {
      const isDns = path.endsWith('/namespaces/kube-system/services');
      if (isDns) yield JSON.stringify({ type: 'ADDED', object: stored });
      yield JSON.stringify({ type: 'BOOKMARK', object: bookmark });
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }
    const server = {
      url: 'https://api.example.org',
      reachability: new Reachability(),
      stream: ({ path }: ApiRequest, signal: AbortSignal): Promise<ApiStream> =>
        Promise.resolve({ ok: true, lines: linesOf(new URL(path, 'https://api.example.org').pathname, signal) }),
    } as unknown as ApiServer;
    const services = new KubernetesServices(server, defaultSettings);
    try {
      await eventually('all are known', () => services.read().read);
      expect(valueOf(services.read()).missing.map((text) => text.replace(/,.*/, ''))).to.deep.equal([
        'Service default/kubernetes does not exist',
        'Service kube-system/kube-dns cannot be read',
      ]);
    } finally {
      await services.close();
    }
  });
});
