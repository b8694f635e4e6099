import { expect } from 'chai';
import type { ApiRequest } from '../../../src/adapters/kubernetes/api-server.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { refusal } from './admission-requests.ts';
import type { TestApiServer } from './api-server.ts';
import type { ApiUser } from './served-config.ts';

const PROXY = 'service.kubernetes.io/service-proxy-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';

/** A namespace that asks for a primary network, and one that does not. */
const [SERVED, OTHER] = ['served', 'plain'] as const;

const servicesIn = (namespace: string) => `/api/v1/namespaces/${namespace}/services`;
const SLICES = `/apis/discovery.k8s.io/v1/namespaces/${SERVED}/endpointslices`;

const merge = (path: string, body: object): ApiRequest => ({
  method: 'PATCH',
  path,
  contentType: 'application/merge-patch+json',
  body,
});

const labelled = (path: string, value: string | null) => merge(path, { metadata: { labels: { [PROXY]: value } } });

const service = (name: string, labels: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels },
  spec: { ports: [{ port: 80 }] },
});

const slice = (name: string, manager: string, labels: object = {}) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, labels: { ...labels, [MANAGED_BY]: manager } },
  addressType: 'IPv4',
  endpoints: [],
  ports: [],
});

const create = (path: string, body: object): ApiRequest => ({ method: 'POST', path, body });

/** The users of an API server that has the component networks. */
interface Users {
  readonly server: TestApiServer;
  /** May write everything that RBAC knows. */
  readonly tenant: ApiUser;
  readonly manager: ApiUser;
}

/** Tests who writes what of Services in networks. */
export function describeServices(users: () => Users): void {
  describe('of Services in networks', () => {
    const said = {
      label: `in a namespace with a primary network, the label ${PROXY} of a Service stays ovn-uplinks, as kube-proxy would serve it too`,
      manager: `of a Service, the cluster manager adds only the label ${PROXY}`,
      slice: `an EndpointSlice with the label ${MANAGED_BY}=ovn-uplinks is written by the cluster manager of ovn-uplinks only`,
      managersSlice: `the cluster manager writes only EndpointSlices with the label ${MANAGED_BY}=ovn-uplinks`,
    };

    before(async () => {
      const { server, tenant, manager } = users();
      const namespace = (name: string, labels: object) => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels },
      });
      server.apply(namespace(SERVED, { 'k8s.ovn.org/primary-user-defined-network': '' }), namespace(OTHER, {}));
      for (const at of [SERVED, OTHER])
        await tenant.send(create(servicesIn(at), service('ours', { [PROXY]: 'ovn-uplinks' })));
      await tenant.send(create(servicesIn(SERVED), service('bare', { team: 'a' })));
      await tenant.send(create(servicesIn(SERVED), service('theirs', { [PROXY]: 'example' })));
      const query = { dryRun: 'All' };
      for (const [who, request] of [
        [tenant, labelled(`${servicesIn(SERVED)}/ours`, null)],
        [tenant, create(SLICES, slice('probe', 'ovn-uplinks'))],
        [manager, merge(`${servicesIn(SERVED)}/ours`, { metadata: { labels: { a: 'b' } } })],
      ] as const)
        await eventually('a policy refuses it', async () =>
          [said.label, said.slice, said.manager].includes(refusal(await who.try({ ...request, query }))),
        );
    });

    it('a tenant keeps the label of one that ovn-uplinks serves', async () => {
      const { tenant } = users();
      const path = `${servicesIn(SERVED)}/ours`;
      for (const value of ['example', '', null])
        expect(refusal(await tenant.try(labelled(path, value))), String(value)).to.equal(said.label);
      expect(refusal(await tenant.try(labelled(`${path}/status`, null)))).to.equal(said.label);
      expect(await tenant.try(merge(path, { metadata: { labels: { a: 'b' } }, spec: { type: 'NodePort' } }))).to.equal(
        'done',
      );
    });

    it('a tenant changes the label of all others', async () => {
      const { tenant } = users();
      for (const [path, value] of [
        [`${servicesIn(OTHER)}/ours`, null],
        [`${servicesIn(SERVED)}/theirs`, 'other'],
        [`${servicesIn(SERVED)}/theirs`, null],
      ] as const)
        expect(await tenant.try(labelled(path, value))).to.equal('done');
      expect(await tenant.try({ method: 'DELETE', path: `${servicesIn(SERVED)}/theirs` })).to.equal('done');
    });

    it('the cluster manager adds the label, and nothing else', async () => {
      const { manager } = users();
      const path = `${servicesIn(SERVED)}/bare`;
      for (const body of [
        { metadata: { labels: { [PROXY]: 'example' } } },
        { metadata: { labels: { [PROXY]: 'ovn-uplinks', team: 'b' } } },
        { metadata: { labels: { team: null } } },
        { metadata: { annotations: { a: 'b' } } },
        { metadata: { finalizers: ['example.org/a'] } },
        { spec: { externalIPs: ['192.0.2.1'] } },
      ])
        expect(refusal(await manager.try(merge(path, body))), JSON.stringify(body)).to.equal(said.manager);
      expect(await manager.try(labelled(path, 'ovn-uplinks'))).to.equal('done');
    });

    it('nobody but the cluster manager writes a slice of names, which anybody deletes', async () => {
      const { manager, tenant } = users();
      const [name, labels] = ['ovn-uplinks.db.ipv4-1', { 'kubernetes.io/service-name': 'db' }];
      const [path, endpoints] = [`${SLICES}/${name}`, [{ addresses: ['192.0.2.1'] }]];
      expect(refusal(await tenant.try(create(SLICES, slice(name, 'ovn-uplinks', labels))))).to.equal(said.slice);
      await manager.send(create(SLICES, slice(name, 'ovn-uplinks', labels)));
      expect(refusal(await tenant.try(merge(path, { endpoints })))).to.equal(said.slice);
      expect(await manager.try(merge(path, { endpoints }))).to.equal('done');
      expect(await tenant.try({ method: 'DELETE', path })).to.equal('done');
    });

    it('nobody but the cluster manager writes a mirror, and it writes no other slice', async () => {
      const { manager, tenant } = users();
      await manager.send(create(SLICES, slice('mirror', 'ovn-uplinks')));
      await tenant.send(create(SLICES, slice('own', 'example')));
      for (const body of [
        { endpoints: [{ addresses: ['192.0.2.1'] }] },
        { metadata: { labels: { [MANAGED_BY]: 'example' } } },
      ])
        expect(refusal(await tenant.try(merge(`${SLICES}/mirror`, body)))).to.equal(said.slice);
      expect(refusal(await tenant.try(create(SLICES, slice('forged', 'ovn-uplinks'))))).to.equal(said.slice);
      expect(
        refusal(await tenant.try(merge(`${SLICES}/own`, { metadata: { labels: { [MANAGED_BY]: 'ovn-uplinks' } } }))),
      ).to.equal(said.slice);
      for (const request of [
        create(SLICES, slice('other', 'example')),
        merge(`${SLICES}/own`, { endpoints: [] }),
        merge(`${SLICES}/mirror`, { metadata: { labels: { [MANAGED_BY]: 'example' } } }),
        { method: 'DELETE', path: `${SLICES}/own` },
      ] satisfies readonly ApiRequest[])
        expect(refusal(await manager.try(request)), request.path).to.equal(said.managersSlice);
      expect(await tenant.try({ method: 'DELETE', path: `${SLICES}/mirror` })).to.equal('done');
    });

    it('the garbage collector removes owners of a mirror, and changes none of its endpoints', async () => {
      const { manager, server } = users();
      const owner = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', name: 'a', uid: 'uid-a' };
      const { metadata, ...rest } = slice('owned', 'ovn-uplinks');
      await manager.send(create(SLICES, { ...rest, metadata: { ...metadata, ownerReferences: [owner] } }));
      const patch = (body: object) =>
        server.kubectl([
          '--as=system:serviceaccount:kube-system:generic-garbage-collector',
          '--as-group=system:masters',
          ...[
            'patch',
            'endpointslice',
            'owned',
            `--namespace=${SERVED}`,
            '--type=merge',
            `--patch=${JSON.stringify(body)}`,
          ],
        ]);
      expect(() => patch({ endpoints: [{ addresses: ['192.0.2.1'] }] })).to.throw(/is written by the cluster manager/);
      patch({ metadata: { ownerReferences: null } });
    });
  });
}
