import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { PodAnnotator } from '../../../src/adapters/kubernetes/pod-annotator.ts';
import { valueOf } from '../../unit/adapters/readings.ts';
import { TestApiServer } from './api-server.ts';

const ANNOTATION = 'k8s.ovn.org/pod-networks';

interface StoredPod {
  readonly metadata: {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

describe('annotations of pods on an API server', () => {
  let server: TestApiServer;
  let api: ApiServer;
  let annotator: PodAnnotator;
  before(async () => {
    server = await TestApiServer.start();
    server.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } });
    api = new ApiServer(valueOf(await accessOfKubeconfig(server.kubeconfig)));
    annotator = new PodAnnotator(api, 'ovn-uplinks-node');
  });
  after(async () => {
    api.close();
    await server.stop();
  });

  const stored = () => JSON.parse(server.kubectl(['get', 'pod', '-n', 'demo', 'web', '-o', 'json'])) as StoredPod;

  /** A new pod. @returns what annotates it */
  const created = (annotations: Readonly<Record<string, string>> = {}) => {
    server.kubectl(['delete', 'pod', '-n', 'demo', 'web', '--ignore-not-found']);
    server.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'demo', name: 'web', annotations },
      spec: { containers: [{ name: 'web', image: 'web' }] },
    });
    return { namespace: 'demo', name: 'web', uid: stored().metadata.uid };
  };

  it('are written beside those of others, and not again if they are the same', async () => {
    const pod = created({ other: 'stays' });
    expect(await annotator.annotate(pod, () => '{"a":1}')).to.deep.equal({ done: true });
    const { annotations, resourceVersion } = stored().metadata;
    expect(annotations).to.include({ other: 'stays', [ANNOTATION]: '{"a":1}' });
    expect(await annotator.annotate(pod, (text) => text ?? '')).to.deep.equal({ done: true });
    expect(stored().metadata.resourceVersion).to.equal(resourceVersion);
  });

  it('are computed again if another program writes at the same time', async () => {
    const pod = created();
    const seen: (string | undefined)[] = [];
    const result = await annotator.annotate(pod, (text) => {
      seen.push(text);
      if (seen.length === 1) server.kubectl(['annotate', 'pod', '-n', 'demo', 'web', `${ANNOTATION}={"theirs":1}`]);
      return JSON.stringify({ ...(JSON.parse(text ?? '{}') as object), ours: 1 });
    });
    expect(result).to.deep.equal({ done: true });
    expect(seen).to.deep.equal([undefined, '{"theirs":1}']);
    expect(stored().metadata.annotations?.[ANNOTATION]).to.equal('{"theirs":1,"ours":1}');
  });

  it('fail if other programs keep writing', async () => {
    const pod = created();
    let count = 0;
    const result = await annotator.annotate(pod, () => {
      server.kubectl(['annotate', '--overwrite', 'pod', '-n', 'demo', 'web', `count=${(count += 1)}`]);
      return 'ours';
    });
    expect(result).to.have.property('error').include('Pod/demo/web: ');
    expect(stored().metadata.annotations).not.to.have.property(ANNOTATION);
  });

  it('are not written to another pod of the name, and need not be to one that is gone', async () => {
    const former = created();
    created();
    expect(await annotator.annotate(former, () => 'of the former')).to.deep.equal({ done: true });
    expect(stored().metadata.annotations ?? {}).not.to.have.property(ANNOTATION);
    const gone = { namespace: 'demo', name: 'gone', uid: '1' };
    expect(await annotator.annotate(gone, () => 'text')).to.deep.equal({ done: true });
  });
});
