import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import type { TestApiServer } from './api-server.ts';
import { FaultProxy, type ProxiedRequest } from './fault-proxy.ts';

/** Work of a component by a connection; returns what of it failed. */
export type Work = (connection: ApiServer, server: TestApiServer) => Promise<readonly string[]>;

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface RoleList {
  readonly items: readonly { readonly metadata: { readonly name: string }; readonly rules: readonly Rule[] }[];
}

/** The grants of roles: each verb with a resource, and with a name where it is for objects of that name only. */
function grantsOf(roles: readonly string[], server: TestApiServer): ReadonlySet<string> {
  const { items } = JSON.parse(
    server.kubectl(['get', 'clusterroles,roles', '--all-namespaces', '--output=json']),
  ) as RoleList;
  const rules = items.filter(({ metadata }) => roles.includes(metadata.name));
  const words = rules
    .flatMap(({ rules: each }) => each)
    .flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
      verbs.flatMap((verb) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) =>
            (resourceNames ?? ['']).map((name) =>
              [verb, group, resource, name].filter((word) => word !== '').join(' '),
            ),
          ),
        ),
      ),
    );
  return new Set(words);
}

/** The grant that a request needs, of all grants (Kubernetes documentation, "Authorization", Determine the request verb); absent if it is for no resource. */
function grantFor({ method, url, isWatch }: ProxiedRequest, grants: ReadonlySet<string>): string | undefined {
  const path = /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/[^/]+)?\/([^/]+)(?:\/([^/]+))?(\/[^/]+)?$/;
  const [isOfResource, group = '', plural = '', name = '', subresource = ''] = path.exec(url.pathname) ?? [];
  if (isOfResource === undefined) return undefined;
  const reading = name === '' ? (isWatch ? 'watch' : 'list') : 'get';
  const removing = name === '' ? 'deletecollection' : 'delete';
  const verb = { GET: reading, POST: 'create', PATCH: 'patch', PUT: 'update', DELETE: removing }[method] ?? method;
  const words = [verb, ...(group === '' ? [] : [group]), `${plural}${subresource}`];
  // A list of one object, by its name, is allowed to whom that object is.
  const [, named] = /^metadata\.name=(.*)$/.exec(url.searchParams.get('fieldSelector') ?? '') ?? [];
  const [ofAll, ofOne] = [words.join(' '), [...words, named ?? name].join(' ')];
  return grants.has(ofAll) ? ofAll : ofOne;
}

/** Roles of a service account: those that are tested, and others that it has. */
interface Roles {
  readonly tested: readonly string[];
  readonly others: readonly string[];
}

/**
 * Tests that a component needs each verb that its roles have: it uses all, and something fails without each.
 *
 * @param roles by default the role of its name, and that for reading
 */
export function describeGrants(
  account: string,
  fixture: () => { readonly server: TestApiServer; readonly token: string },
  works: Readonly<Record<string, Work>>,
  { tested, others }: Roles = { tested: [account, 'ovn-uplinks-read'], others: [] },
): void {
  describe(`the roles ${tested.join(' and ')}`, () => {
    let access: ClusterAccess;
    let grants: ReadonlySet<string>;
    let otherGrants: ReadonlySet<string>;
    before(async () => {
      const { server, token } = fixture();
      const reading = await accessOfKubeconfig(server.kubeconfig);
      if (!reading.read) throw new Error(JSON.stringify(reading.problems));
      access = { ...reading.value, user: { name: account, token } };
      grants = grantsOf(tested, server);
      otherGrants = grantsOf(others, server);
    });

    /** Does work, perhaps without a verb or without streaming lists, and returns what it used and what failed. */
    async function done(work: Work, { without, streams = true }: { without?: string; streams?: boolean } = {}) {
      const used = new Set<string>();
      const proxy = await FaultProxy.before(access);
      proxy.fault = {
        answer(request) {
          if (!streams && request.url.searchParams.has('sendInitialEvents')) return { status: 422 };
          const grant = grantFor(request, new Set([...grants, ...otherGrants]));
          if (grant === undefined || (otherGrants.has(grant) && !grants.has(grant))) return undefined;
          if (grant === without) return { status: 403 };
          used.add(grant);
          return undefined;
        },
      };
      const connection = new ApiServer(proxy.access);
      try {
        return { used, failed: await work(connection, fixture().server) };
      } finally {
        connection.close();
        await proxy.stop();
      }
    }

    it('have no verb that it does not use, and each that it does', async () => {
      const used: string[] = [];
      for (const work of Object.values(works)) {
        for (const streams of [true, false]) {
          const outcome = await done(work, { streams });
          expect(outcome.failed).to.deep.equal([]);
          used.push(...outcome.used);
        }
      }
      expect([...new Set(used)].sort()).to.deep.equal([...grants].sort());
    });

    it('have no verb without which nothing fails', async () => {
      for (const without of grants) {
        const failed: string[] = [];
        for (const work of Object.values(works)) {
          // An API server with streaming lists is not asked for others.
          const outcome = await done(work, { without, streams: !without.startsWith('list ') });
          failed.push(...outcome.failed);
          if (failed.length > 0) break;
        }
        expect(failed, without).to.have.length.above(0);
      }
    });
  });
}
