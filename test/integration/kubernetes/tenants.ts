import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventually } from '../../unit/adapters/processes.ts';
import type { TestApiServer } from './api-server.ts';
import { ControllerManager } from './programs/controller-manager.ts';

const [NAMESPACE, OTHER] = ['tenant', 'neighbour'] as const;

const network = (namespace: string | undefined, name: string, cidr = '10.40.0.0/16') =>
  JSON.stringify({
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'UserDefinedNetwork',
    metadata: { namespace, name },
    spec: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr }] } },
  });

/** Users by the roles of Kubernetes that they have in their namespace. They gather the rights of others by labels (Kubernetes documentation, "Using RBAC Authorization", Aggregated ClusterRoles). */
const users = { editor: 'edit', owner: 'admin', viewer: 'view' };

/** Tests what tenants may do with networks, on an API server that has the component networks; kube-controller-manager gathers rights and counts objects. */
export function describeTenants(serverOf: () => TestApiServer): void {
  describe('tenants', () => {
    /** The answer of the API server to a user: `done`, or the error. */
    const answer = (user: string, words: readonly string[], input?: string): string => {
      try {
        serverOf().kubectl([`--as=${user}`, ...words], input);
        return 'done';
      } catch (error) {
        return String((error as { readonly stderr?: unknown }).stderr);
      }
    };
    const creates = (user: string, namespace: string | undefined, name: string) =>
      answer(user, ['create', '--filename=-'], network(namespace, name));
    const inNamespace = (...words: readonly string[]) => [...words, '--namespace', NAMESPACE];

    let controllers: ControllerManager;
    before(async () => {
      const server = serverOf();
      controllers = await ControllerManager.start(server, ['clusterrole-aggregation', 'resourcequota']);
      for (const name of [NAMESPACE, OTHER]) server.kubectl(['create', 'namespace', name]);
      for (const [user, role] of Object.entries(users))
        server.kubectl(inNamespace('create', 'rolebinding', user, `--clusterrole=${role}`, `--user=${user}`));
      await eventually('their rights are in force', () =>
        Promise.resolve(
          Object.keys(users).every((user) => answer(user, inNamespace('get', 'udn')) === 'done') &&
            ['editor', 'owner'].every((user) => answer(user, inNamespace('delete', 'udn', '--all')) === 'done'),
        ),
      );
    });
    after(() => controllers.stop());

    for (const user of ['editor', 'owner'] as const)
      it(`who have ClusterRole ${users[user]} in a namespace give it a network, change it and delete it`, () => {
        expect(creates(user, NAMESPACE, 'own')).to.equal('done');
        expect(answer(user, inNamespace('label', 'udn/own', 'a=b'))).to.equal('done');
        expect(answer(user, inNamespace('delete', 'udn/own', '--wait=false'))).to.equal('done');
      });

    it('do it nowhere else, and write neither status nor networks of the cluster', () => {
      expect(creates('editor', OTHER, 'own')).to.include('cannot create resource "userdefinednetworks"');
      expect(answer('editor', ['get', 'udn', '--namespace', OTHER])).to.include('cannot list resource');
      expect(creates('editor', NAMESPACE, 'status')).to.equal('done');
      const patch = ['patch', 'udn/status', '--subresource=status', '--type=merge', '--patch={"status":{}}'];
      expect(answer('editor', inNamespace(...patch))).to.include('resource "userdefinednetworks/status"');
      expect(answer('editor', ['get', 'cudn'])).to.include('cannot list resource "clusteruserdefinednetworks"');
    });

    it('open no ports of pods where the policy of docs/tenants.md forbids it, and keep those that are open', async () => {
      const page = readFileSync(new URL('../../../docs/tenants.md', import.meta.url), 'utf8');
      const [policy = ''] = page.split('```yaml\n').filter((each) => each.includes('ValidatingAdmissionPolicyBinding'));
      const [key, label] = ['k8s.ovn.org/open-default-ports', 'example.org/opens-ports'];
      const pod = (name: string, annotations: object) =>
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { namespace: OTHER, name, annotations },
          spec: { containers: [{ name: 'main', image: 'example.org/main' }] },
        });
      const create = (name: string, annotations: object = {}, ...words: readonly string[]) =>
        answer(
          'system:admin',
          ['--as-group=system:masters', 'create', '--filename=-', ...words],
          pod(name, annotations),
        );
      const annotate = (name: string, text: string) =>
        answer('system:admin', [
          '--as-group=system:masters',
          'annotate',
          '--overwrite',
          '-n',
          OTHER,
          `pod/${name}`,
          text,
        ]);
      expect(create('before', { [key]: '[]' })).to.equal('done');
      serverOf().kubectl(['apply', '--filename=-'], policy.slice(0, policy.indexOf('```')));
      const said = 'pods of this namespace open no ports in the default network';
      await eventually('the policy is in force', () =>
        create('open', { [key]: '[]' }, '--dry-run=server').includes(said),
      );
      expect(create('open', { [key]: '[]' })).to.include(said);
      expect(create('closed')).to.equal('done');
      expect(annotate('closed', `${key}=[]`)).to.include(said);
      expect(annotate('before', 'a=b')).to.equal('done');
      expect(annotate('before', `${key}=[{}]`)).to.include(said);
      expect(annotate('before', `${key}-`)).to.equal('done');
      serverOf().kubectl(['label', 'namespace', OTHER, `${label}=`]);
      await eventually('its pods open ports', () => create('open', { [key]: '[]' }) === 'done');
    });

    it('who have ClusterRole view see its networks, and change nothing', () => {
      expect(answer('viewer', inNamespace('get', 'udn/status'))).to.equal('done');
      expect(creates('viewer', NAMESPACE, 'own')).to.include('cannot create resource "userdefinednetworks"');
      expect(answer('viewer', inNamespace('delete', 'udn/status'))).to.include('cannot delete resource');
    });

    it('have no more networks than their quota, and another one once one is gone', async () => {
      const server = serverOf();
      const count = 'count/userdefinednetworks.k8s.ovn.org';
      server.kubectl(inNamespace('delete', 'udn', '--all'));
      server.kubectl(inNamespace('create', 'quota', 'networks', `--hard=${count}=1`));
      let created = 0;
      const untilOneMoreIs = (expected: string) =>
        eventually(`one more network is ${expected}`, () =>
          Promise.resolve(creates('editor', NAMESPACE, `quota-${(created += 1)}`).includes(expected)),
        );
      // Nothing is refused before networks are counted.
      await untilOneMoreIs('exceeded quota: networks');
      expect(answer('editor', inNamespace('delete', 'udn', '--all'))).to.equal('done');
      await untilOneMoreIs('done');
    });
  });
}
