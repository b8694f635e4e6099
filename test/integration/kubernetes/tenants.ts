import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventually } from '../../unit/adapters/processes.ts';
import type { TestApiServer } from './api-server.ts';

const [NAMESPACE, OTHER] = ['tenant', 'neighbour'] as const;

const network = (namespace: string | undefined, name: string, cidr = '10.40.0.0/16') =>
  JSON.stringify({
    apiVersion: 'k8s.ovn.org/v1',
    kind: 'UserDefinedNetwork',
    metadata: { namespace, name },
    spec: { topology: 'Layer3', layer3: { role: 'Primary', subnets: [{ cidr }] } },
  });

/** The roles of Kubernetes, which gather the rights of others by labels (Kubernetes documentation, "Using RBAC Authorization", Aggregated ClusterRoles). */
const gathering = {
  view: ['ovn-uplinks-view-networks'],
  edit: ['ovn-uplinks-edit-networks', 'ovn-uplinks-view-networks'],
};

interface Role {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly aggregationRule?: {
    readonly clusterRoleSelectors: readonly { readonly matchLabels: Readonly<Record<string, string>> }[];
  };
}

/** Tests what tenants may do with networks, on an API server that has the component networks; no kube-controller-manager runs, which gathers rights and counts objects. */
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

    before(async () => {
      const server = serverOf();
      for (const name of [NAMESPACE, OTHER]) server.kubectl(['create', 'namespace', name]);
      for (const [user, roles] of [
        ['editor', gathering.edit],
        ['viewer', gathering.view],
      ] as const) {
        for (const role of roles) {
          const binding = ['create', 'rolebinding', `${user}-${role}`, `--clusterrole=${role}`, `--user=${user}`];
          server.kubectl(inNamespace(...binding));
        }
      }
      await eventually('their rights are in force', () =>
        Promise.resolve(['editor', 'viewer'].every((user) => answer(user, inNamespace('get', 'udn')) === 'done')),
      );
    });

    it('who may edit a namespace give it a network, change it and delete it', () => {
      expect(creates('editor', NAMESPACE, 'own')).to.equal('done');
      expect(answer('editor', inNamespace('label', 'udn/own', 'a=b'))).to.equal('done');
      expect(answer('editor', inNamespace('delete', 'udn/own', '--wait=false'))).to.equal('done');
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

    it('who may view a namespace see its networks, and change nothing', () => {
      expect(answer('viewer', inNamespace('get', 'udn/status'))).to.equal('done');
      expect(creates('viewer', NAMESPACE, 'own')).to.include('cannot create resource "userdefinednetworks"');
      expect(answer('viewer', inNamespace('delete', 'udn/status'))).to.include('cannot delete resource');
    });

    it('have these rights by the roles that they have anyway, edit, admin and view', () => {
      const roleOf = (name: string) =>
        JSON.parse(serverOf().kubectl(['get', `clusterrole/${name}`, '--output=json'])) as Role;
      const selects = (name: string, role: Role) =>
        (roleOf(name).aggregationRule?.clusterRoleSelectors ?? []).some(({ matchLabels }) =>
          Object.entries(matchLabels).every(([key, value]) => role.metadata.labels?.[key] === value),
        );
      for (const [name, roles] of [...Object.entries(gathering), ['admin', gathering.edit] as const])
        for (const role of roles) expect(selects(name, roleOf(role)), `${name} has ${role}`).to.be.true;
      expect(selects('view', roleOf('ovn-uplinks-edit-networks'))).to.be.false;
    });

    it('have no more networks than their quota', async () => {
      const server = serverOf();
      const count = 'count/userdefinednetworks.k8s.ovn.org';
      server.kubectl(inNamespace('delete', 'udn', '--all', '--wait=false'));
      server.kubectl(inNamespace('create', 'quota', 'networks', `--hard=${count}=1`));
      // As kube-controller-manager has counted.
      const status = JSON.stringify({ status: { hard: { [count]: '1' }, used: { [count]: '0' } } });
      server.kubectl(
        inNamespace('patch', 'quota/networks', '--subresource=status', '--type=merge', `--patch=${status}`),
      );
      await eventually('the quota is in force', () =>
        Promise.resolve(
          creates('editor', NAMESPACE, `quota-${String(Date.now())}`).includes('exceeded quota: networks'),
        ),
      );
    });
  });
}
