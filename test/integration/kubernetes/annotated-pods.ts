import { expect } from 'chai';
import type { ApiRequest } from '../../../src/adapters/kubernetes/api-server.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { refusal } from './admission-requests.ts';
import type { TestApiServer } from './api-server.ts';
import { type ApiUser, configWith } from './served-config.ts';

const ANNOTATION = 'k8s.v1.cni.cncf.io/networks';
const DEFAULT_NETWORK = 'v1.multus-cni.io/default-network';
const LABEL = 'k8s.ovn.org/primary-user-defined-network';
const NAMESPACE = 'labelled';
/** The labels of a NetworkAttachmentDefinition that ovn-uplinks creates. */
const OWN_LABELS = { 'ovn-uplinks/primary': '', 'k8s.ovn.org/user-defined-network': '' };

const DEFINITIONS = `/apis/k8s.cni.cncf.io/v1/namespaces/${NAMESPACE}/network-attachment-definitions`;

/** The user who creates objects, and the cluster manager. */
interface Users {
  readonly tenant: ApiUser;
  readonly manager: ApiUser;
  readonly server: TestApiServer;
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

/** A namespace whose network another implementation provides, which has created its definition before ovn-uplinks was installed. */
const OTHERS_NAMESPACE = 'elsewhere';
export const networkOfOthers = [
  namespace(OTHERS_NAMESPACE, { [LABEL]: '' }),
  {
    ...definition('green', 'ovn-k8s-cni-overlay'),
    metadata: { namespace: OTHERS_NAMESPACE, name: 'green', labels: { 'k8s.ovn.org/user-defined-network': '' } },
  },
];

/** The binding of former versions: to the definitions of other implementations too. */
const formerBinding = JSON.stringify([
  {
    op: 'replace',
    path: '/spec/paramRef',
    value: {
      selector: { matchLabels: { 'k8s.ovn.org/user-defined-network': '' } },
      parameterNotFoundAction: 'Deny',
    },
  },
]);

/** Labels the definition of the network blue as one of ovn-uplinks, or, as former versions left it, not. */
const labelling = (value: string | null): ApiRequest => ({
  method: 'PATCH',
  path: `${DEFINITIONS}/blue`,
  contentType: 'application/merge-patch+json',
  body: { metadata: { labels: { 'ovn-uplinks/primary': value } } },
});

/** The networks that Multus would read from a pod that is created so. */
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
      for (const label of Object.keys(OWN_LABELS)) {
        const body = definition('forged', 'bridge', { [label]: '' });
        expect(refusal(await tenant.try({ method: 'POST', path: DEFINITIONS, body }))).to.equal(
          `the label ${label} is written by the cluster manager of ovn-uplinks only`,
        );
      }
      const body = definition('blue', 'ovn-uplinks-cni', OWN_LABELS);
      await manager.send({ method: 'POST', path: DEFINITIONS, body });
      await eventually('a pod is created', async () => (await tenant.try(pod(NAMESPACE))) === 'done');
    });

    it('is created as it is in a namespace whose network another implementation provides', async () => {
      for (const selected of [undefined, 'other'])
        expect(await networksOf(users().tenant, pod(OTHERS_NAMESPACE, selected))).to.equal(selected);
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
      const selecting = (network: string) => pod(NAMESPACE, undefined, {}, { [DEFAULT_NETWORK]: network });
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
      [
        '[ {"name":"other"} , {"ips":["10.0.0.1"],"name":"blue"} ]',
        '[ {"name":"other"} , {"ips":["10.0.0.1"],"name":"blue"} ]',
      ],
      [`[{"name":"blue","namespace":"${NAMESPACE}"}]`, `[{"name":"blue","namespace":"${NAMESPACE}"}]`],
      [
        '[{"name":"blue"},{"name":"other","cni-args":{"a":"b"}}]',
        '[{"name":"blue"},{"name":"other","cni-args":{"a":"b"}}]',
      ],
      ...[
        '[{"name":"blue","namespace":"default"}]',
        '[{"name":"blue","Namespace":"default"}]',
        `[{"name":"blue","namespace":"${NAMESPACE}","namespace":"default"}]`,
        '[{"name":"blue","NAME":"other"}]',
        '[{"name":"other","cni-args":{"name":"blue"}}]',
        String.raw`[{"name":"other","interface":"\",\"name\":\"blue\""}]`,
        '[{"name":"bluebird"}]',
      ].map((listed) => [listed, `[{"name":"blue"},${listed.slice(1)}`] as const),
    ] as const) {
      it(`that selects ${selected === undefined ? 'nothing' : JSON.stringify(selected)} selects ${JSON.stringify(expected)} then`, async () => {
        expect(await networksOf(users().tenant, pod(NAMESPACE, selected))).to.equal(expected);
      });
    }

    it('is given its network while a version is replaced whose definitions have only the label that those of others have', async () => {
      const { tenant, manager, server } = users();
      const configuration = ['apply', '--server-side', '--force-conflicts', `--kustomize=${configWith('networks')}`];
      const isGiven = async () => {
        for (let count = 0; count < 10; count++)
          expect(await networksOf(tenant, pod(NAMESPACE))).to.match(/^blue(,blue)?$/);
      };
      server.kubectl(['delete', 'validatingadmissionpolicybinding', 'ovn-uplinks-primary-networks']);
      server.kubectl([
        'patch',
        'mutatingadmissionpolicybinding',
        'ovn-uplinks-pods',
        '--type=json',
        `--patch=${formerBinding}`,
      ]);
      await eventually('the former binding is in force', async () => {
        return (await networksOf(tenant, pod(OTHERS_NAMESPACE))) === 'green';
      });
      await manager.send(labelling(null));
      await isGiven();
      server.kubectl([...configuration, '--selector=app.kubernetes.io/component!=pod-admission']);
      await isGiven();
      await manager.send(labelling(''));
      await isGiven();
      server.kubectl(configuration);
      await eventually('the binding is in force', async () => {
        await isGiven();
        return (await networksOf(tenant, pod(OTHERS_NAMESPACE))) === undefined;
      });
      await isGiven();
    });

    it('is refused rather than created without its network where the definition is not labelled', async () => {
      const { tenant, manager } = users();
      await manager.send(labelling(null));
      const said =
        'the pod does not name the primary network of its namespace in the annotation k8s.v1.cni.cncf.io/networks, which policy ovn-uplinks-pods adds';
      await eventually('a pod is refused', async () => refusal(await tenant.try(pod(NAMESPACE))) === said);
      await manager.send(labelling(''));
      await eventually('a pod is created', async () => (await tenant.try(pod(NAMESPACE))) === 'done');
    });

    it('keeps what it selects from its creation on', async () => {
      const { tenant } = users();
      const said =
        'in a namespace with a primary network, the annotations k8s.v1.cni.cncf.io/networks and v1.multus-cni.io/default-network of a pod are set when it is created, and not changed later';
      for (const [inNamespace, expected] of [
        [NAMESPACE, said],
        ['plain', 'done'],
      ] as const) {
        const pods = `/api/v1/namespaces/${inNamespace}/pods`;
        await tenant.send({ ...pod(inNamespace, 'other'), query: {} });
        const annotate = (path: string, annotations: object) =>
          tenant.try({
            method: 'PATCH',
            path,
            contentType: 'application/merge-patch+json',
            body: { metadata: { annotations } },
          });
        for (const path of [`${pods}/web`, `${pods}/web/status`]) {
          for (const selected of ['more', '', null]) {
            const answer = await annotate(path, { [ANNOTATION]: selected });
            expect(answer === 'done' ? answer : refusal(answer), `${path} ${selected}`).to.equal(expected);
          }
          const emptied = await annotate(path, { [DEFAULT_NETWORK]: '' });
          expect(emptied === 'done' ? emptied : refusal(emptied), path).to.equal(expected);
          expect(await annotate(path, { 'example.org/a': 'b' }), path).to.equal('done');
        }
        const metadata = { name: 'web', annotations: { [ANNOTATION]: 'other' } };
        const target = { apiVersion: 'v1', kind: 'Node', name: 'worker-a' };
        const body = { apiVersion: 'v1', kind: 'Binding', metadata, target };
        const bound = await tenant.try({ method: 'POST', path: `${pods}/web/binding`, body });
        expect(bound === 'done' ? bound : refusal(bound), inNamespace).to.equal(expected);
      }
    });

    it('finds its namespace with the label or without it, as it was created', async () => {
      const { tenant } = users();
      const said = `the label ${LABEL} is set when a namespace is created, and neither added nor removed later`;
      const change = (path: string, value: string | null) =>
        tenant.try({
          method: 'PATCH',
          path,
          contentType: 'application/merge-patch+json',
          body: { metadata: { labels: { [LABEL]: value } } },
        });
      for (const [name, other] of [
        [NAMESPACE, null],
        ['plain', ''],
      ] as const) {
        const path = `/api/v1/namespaces/${name}`;
        for (const each of [path, `${path}/status`]) expect(refusal(await change(each, other)), each).to.equal(said);
        const labels = other === null ? {} : { [LABEL]: other };
        const stored = (await tenant.send({ method: 'GET', path })) as { readonly metadata: object };
        const body = { ...stored, metadata: { ...stored.metadata, labels } };
        const finalized = await tenant.try({ method: 'PUT', path: `${path}/finalize`, body });
        expect(refusal(finalized), `${path}/finalize`).to.equal(said);
      }
      expect(await change(`/api/v1/namespaces/${NAMESPACE}`, 'yes')).to.equal('done');
    });
  });
}
