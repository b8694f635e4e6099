import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ApiFailure } from '../../../src/adapters/kubernetes/api-server.ts';
import { type ApiRequest, ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import type { JsonObject } from '../../../src/adapters/json/json-object.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import type { TestApiServer } from './api-server.ts';

/** The folder with what a cluster needs. */
export const CONFIG = join(import.meta.dirname, '../../../config');

/** The answer to a request: `done`, or why it was refused. */
export type Answer = 'done' | ApiFailure;

/** A connection to an API server, as its administrator or as who a token is of. */
export async function connectionOf({ kubeconfig }: TestApiServer, token?: string): Promise<ApiServer> {
  const access = await accessOfKubeconfig(kubeconfig);
  if (!access.read) throw new Error(JSON.stringify(access.problems));
  const { value } = access;
  return new ApiServer(token === undefined ? value : { ...value, user: { name: 'token', token } });
}

/** A user who sends requests to an API server. */
export class ApiUser {
  readonly #server: ApiServer;

  private constructor(server: ApiServer) {
    this.#server = server;
  }

  /** The administrator, or who a token is of. */
  static async of(server: TestApiServer, token?: string): Promise<ApiUser> {
    return new ApiUser(await connectionOf(server, token));
  }

  /** Sends a request, and throws where it is refused. */
  async send(request: ApiRequest): Promise<JsonObject> {
    const result = await this.#server.send(request);
    if (!result.ok) throw new Error(`${request.method} ${request.path}: ${result.failure.message}`);
    return result.value;
  }

  /** Sends a request, and returns what the API server answers. */
  async ask(request: ApiRequest): ReturnType<ApiServer['send']> {
    return await this.#server.send(request);
  }

  /** Sends a request that may be refused. */
  async try(request: ApiRequest): Promise<Answer> {
    const result = await this.#server.send(request);
    return result.ok ? 'done' : result.failure;
  }

  close(): void {
    this.#server.close();
  }
}

/** A token of a service account of this project that is bound to a pod on a node, as the kubelet asks for one. */
export async function tokenOnNode(administrator: ApiUser, serviceAccount: string, node: string): Promise<string> {
  const name = `${serviceAccount}-${node}`;
  // That of a former agent of the node is gone before.
  await administrator.try({ method: 'DELETE', path: `/api/v1/namespaces/ovn-uplinks/pods/${name}` });
  const pod = await administrator.send({
    method: 'POST',
    path: '/api/v1/namespaces/ovn-uplinks/pods',
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      // Deleted at once: no kubelet says that it has ended.
      spec: {
        serviceAccountName: serviceAccount,
        nodeName: node,
        containers: [{ name: 'agent', image: 'agent' }],
        terminationGracePeriodSeconds: 0,
      },
    },
  });
  const { uid } = pod['metadata'] as { readonly uid: string };
  return await tokenOf(administrator, serviceAccount, { apiVersion: 'v1', kind: 'Pod', name, uid });
}

/** A token of a service account of this project, bound to an object or to nothing. */
export async function tokenOf(
  administrator: ApiUser,
  serviceAccount: string,
  boundObjectRef?: object,
): Promise<string> {
  const request = await administrator.send({
    method: 'POST',
    path: `/api/v1/namespaces/ovn-uplinks/serviceaccounts/${serviceAccount}/token`,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        audiences: ['https://kubernetes.default.svc'],
        expirationSeconds: 3600,
        ...(boundObjectRef && { boundObjectRef }),
      },
    },
  });
  return (request['status'] as { readonly token: string }).token;
}

/** A file of the folder. */
export function configFile(name: string): string {
  return readFileSync(join(CONFIG, name), 'utf8');
}

/**
 * A folder with a kustomization, in a folder of the checkout, since relative paths are the only ones that kustomize takes. It is removed when this process exits.
 *
 * @param partsOf what it consists of, given the path of each folder of `config`
 */
function kustomizationFolder(partsOf: (path: (name: string) => string) => object): string {
  const cache = join(CONFIG, '../node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'config-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    ...partsOf((name) => relative(realpathSync(folder), join(realpathSync(CONFIG), name))),
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  return folder;
}

/** A folder with a kustomization of `config/default` and of components, as config/README.md has it. */
export function configWith(...components: readonly string[]): string {
  return kustomizationFolder((path) => ({ resources: [path('default')], components: components.map(path) }));
}

/** A folder with a kustomization for provided networks beside another implementation's, with settings of one's own, as docs/guide.md has it. */
export function configBesideOthers(settings: string): string {
  const folder = kustomizationFolder((path) => ({
    resources: [path('other-networks')],
    components: [path('networks')],
    configMapGenerator: [
      { name: 'ovn-uplinks-settings', namespace: 'ovn-uplinks', behavior: 'replace', files: ['settings.yaml'] },
    ],
  }));
  writeFileSync(join(folder, 'settings.yaml'), settings);
  return folder;
}

const notServedYet =
  /find resource|no matches for kind|have a resource type|find the requested resource|page not found/;

/** Does what needs a new kind. The API server serves it, lists it and documents it one after the other, some time after it is established. */
export async function onceServed(action: () => void): Promise<void> {
  await eventually('the API server serves all kinds', () => {
    try {
      action();
      return true;
    } catch (error) {
      if (error instanceof Error && notServedYet.test(error.message)) return false;
      throw error;
    }
  });
}

/** The kinds of the first version of this project's CustomResourceDefinitions. */
export const firstKinds = ['uplinks', 'uplinkstates', 'clusteruserdefinednetworks'] as const;

/** Waits until kinds of this project can be used; all of them by default. */
export async function kindsServed(
  server: TestApiServer,
  kinds: readonly string[] = [...firstKinds, 'userdefinednetworks'],
): Promise<void> {
  for (const kind of kinds) {
    await onceServed(() => {
      server.kubectl(['wait', '--for=condition=Established', '--timeout=60s', `crd/${kind}.k8s.ovn.org`]);
      server.kubectl(['explain', `${kind}.spec`.replace('uplinkstates.spec', 'uplinkstates.status')]);
      server.kubectl(['get', kind, '--ignore-not-found']);
    });
  }
}
