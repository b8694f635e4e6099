import { expect } from 'chai';
import type { ApiRequest } from '../../../src/adapters/kubernetes/api-server.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { refusal } from './admission-requests.ts';
import type { ApiUser } from './served-config.ts';

const ANNOTATION = 'k8s.v1.cni.cncf.io/networks';
const LABEL = 'k8s.ovn.org/primary-user-defined-network';
const NAMESPACE = 'labelled';
const DEFINITIONS = `/apis/k8s.cni.cncf.io/v1/namespaces/${NAMESPACE}/network-attachment-definitions`;

/** The user who creates objects, and the cluster manager. */
interface Users {
  readonly tenant: ApiUser;
  readonly manager: ApiUser;
}

const namespace = (name: string, labels: object) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});

const definition = (name: string, type: string, labels = {}) => ({
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  metadata: { namespace: NAMESPACE, name, labels },
  spec: { config: JSON.stringify({ type }) },
});

/** A request to create a pod, without storing it. */
function pod(inNamespace: string, selected?: string, spec: object = {}, annotations: object = {}): ApiRequest {
  return {
    method: 'POST',
    path: `/api/v1/namespaces/${inNamespace}/pods`,
    query: { dryRun: 'All' },
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web',
        annotations: { ...annotations, ...(selected !== undefined && { [ANNOTATION]: selected }) },
      },
      spec: { containers: [{ name: 'main', image: 'example.org/main' }], ...spec },
    },
  };
}

/** What Multus would read of a pod that is created so. */
async function networksOf(user: ApiUser, request: ApiRequest): Promise<string | undefined> {
  const { metadata } = (await user.send(request)) as {
    readonly metadata: { readonly annotations?: Record<string, string> };
  };
  return metadata.annotations?.[ANNOTATION];
}

/** The four cases of label and network (OKEP-5193), and what becomes of annotations that pods have. */
export function describeAnnotatedPods(users: () => Users): void {
  describe('a pod', () => {
    const create = (path: string, body: object) => users().tenant.send({ method: 'POST', path, body });

    before(async () => {
      await create('/api/v1/namespaces', namespace(NAMESPACE, { [LABEL]: '' }));
      await create('/api/v1/namespaces', namespace('plain', {}));
    });

    it('is refused in a namespace with the label until its network is there', async () => {
      const { tenant, manager } = users();
      await eventually('a pod is refused', async () =>
        refusal(await tenant.try(pod(NAMESPACE))).includes('no params found for policy binding'),
      );
      // That of another plugin is no network of ovn-uplinks, and nobody else can label it as one.
      await create(DEFINITIONS, definition('other', 'bridge'));
      expect(refusal(await tenant.try(pod(NAMESPACE)))).to.include('no params found for policy binding');
      const label = { 'k8s.ovn.org/user-defined-network': '' };
      const body = definition('forged', 'bridge', label);
      expect(refusal(await tenant.try({ method: 'POST', path: DEFINITIONS, body }))).to.equal(
        'the label k8s.ovn.org/user-defined-network is written by the cluster manager of ovn-uplinks only',
      );
      await manager.send({ method: 'POST', path: DEFINITIONS, body: definition('blue', 'ovn-uplinks-cni', label) });
      await eventually('a pod is created', async () => (await tenant.try(pod(NAMESPACE))) === 'done');
    });

    it('is created as it is in a namespace without the label', async () => {
      for (const selected of [undefined, 'other'])
        expect(await networksOf(users().tenant, pod('plain', selected))).to.equal(selected);
    });

    it('of the host network is created as it is', async () => {
      expect(await networksOf(users().tenant, pod(NAMESPACE, undefined, { hostNetwork: true }))).to.equal(undefined);
    });

    it('that has its network in the place of the default network is created as it is', async () => {
      const { tenant } = users();
      const selecting = (network: string) =>
        pod(NAMESPACE, undefined, {}, { 'v1.multus-cni.io/default-network': network });
      expect(await networksOf(tenant, selecting(`${NAMESPACE}/blue`))).to.equal(undefined);
      expect(await networksOf(tenant, selecting('default/blue'))).to.equal('blue');
    });

    for (const [selected, expected] of [
      [undefined, 'blue'],
      ['', 'blue'],
      [' ', 'blue'],
      ['other', 'blue,other'],
      ['other@net7, default/more', 'blue,other@net7, default/more'],
      ['blue', 'blue'],
      ['other, blue@net3', 'other, blue@net3'],
      [`${NAMESPACE}/blue`, `${NAMESPACE}/blue`],
      // Not the network of the namespace.
      ['default/blue', 'blue,default/blue'],
      ['bluebird', 'blue,bluebird'],
      ['[]', '[{"name":"blue"}]'],
      ['[ ]', '[{"name":"blue"}]'],
      ['[{"name":"other"}]', '[{"name":"blue"},{"name":"other"}]'],
      ['[{"name": "blue", "interface": "net3"}]', '[{"name": "blue", "interface": "net3"}]'],
    ] as const) {
      it(`that selects ${selected === undefined ? 'nothing' : JSON.stringify(selected)} selects ${JSON.stringify(expected)} then`, async () => {
        expect(await networksOf(users().tenant, pod(NAMESPACE, selected))).to.equal(expected);
      });
    }

    it('finds its namespace with the label or without it, as it was created', async () => {
      const change = (name: string, value: string | null) =>
        users().tenant.try({
          method: 'PATCH',
          path: `/api/v1/namespaces/${name}`,
          contentType: 'application/merge-patch+json',
          body: { metadata: { labels: { [LABEL]: value } } },
        });
      const said = `the label ${LABEL} is set when a namespace is created, and neither added nor removed later`;
      expect(refusal(await change(NAMESPACE, null))).to.equal(said);
      expect(refusal(await change('plain', ''))).to.equal(said);
      expect(await change(NAMESPACE, 'yes')).to.equal('done');
    });
  });
}
