/**
 * The API server to use, and the credentials for it: from a kubeconfig file, or from the service account of the pod
 * (Kubernetes documentation, "Organizing Cluster Access Using kubeconfig Files" and "Accessing the Kubernetes API from a Pod").
 */
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, resolve } from 'node:path';
import {
  type Cluster,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from '@kubernetes/client-node/dist/config_types.js';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { allOf } from '../../ports/readings.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { describeFileSystemError } from '../manifests/file-system-error.ts';
import { parseText } from '../manifests/parse-text.ts';

/** An API server and a user of it. */
export interface ClusterAccess {
  readonly cluster: Cluster;
  readonly user: User;
  /** File with the user's bearer token; it is replaced before the token expires. */
  readonly tokenFile?: string;
  /** The namespace of the context, or of the pod. */
  readonly namespace?: string;
}

/** Folder of a pod's service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Variables that the kubelet sets in each container. */
const [HOST, PORT] = ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'];

function problem(file: string, message: string, path?: string): { readonly read: false; readonly problems: Problems } {
  return { read: false, problems: [{ origin: inFile(file), message, ...(path !== undefined && { path }) }] };
}

type Problems = Extract<Reading<unknown>, { read: false }>['problems'];

/** The names of some entries, for a person. */
function namesOf(entries: readonly { readonly name: string }[]): string {
  return entries.map(({ name }) => JSON.stringify(name)).join(', ') || 'none';
}

/**
 * Reads kubeconfig files, which count as one, as for kubectl: of entries with the same name the first counts, and of current contexts too. Relative paths in a file
 * are relative to its folder.
 */
export async function accessOfKubeconfig(
  files: string | readonly string[],
  context?: string,
): Promise<Reading<ClusterAccess>> {
  const list = [files].flat();
  const configs = allOf(await Promise.all(list.map(readConfig)));
  if (!configs.read) return configs;
  const [file, config] = [list.join(delimiter), merged(configs.value)];
  if (config['contexts'] === undefined)
    return problem(file, 'is no kubeconfig: expected contexts, clusters and users, as kubectl writes them');
  try {
    return chosenAccess(file, config, context);
  } catch (error) {
    // The client library names the entry that is not as it has to be.
    return problem(file, error instanceof Error ? error.message : String(error));
  }
}

/** The content of a file, with absolute paths. */
async function readConfig(file: string): Promise<Reading<JsonObject>> {
  const [text] = await Promise.allSettled([readFile(file, 'utf8')]);
  if (text.status === 'rejected') return problem(file, describeFileSystemError(text.reason));
  const { documents, errors } = parseText(text.value);
  const value = documents[0]?.value;
  if (errors[0] !== undefined) return problem(file, errors[0]);
  if (!isJsonObject(value) || documents.length !== 1)
    return problem(file, 'expected one kubeconfig, as kubectl writes it');
  return { read: true, value: withAbsolutePaths(value, dirname(file)) };
}

/** Fields with paths, by the lists of entries and the part of an entry that has them. */
const PATHS = [
  ['clusters', 'cluster', ['certificate-authority']],
  ['users', 'user', ['client-certificate', 'client-key', 'tokenFile']],
] as const;

function withAbsolutePaths(config: JsonObject, folder: string): JsonObject {
  const lists = PATHS.flatMap(([list, part, fields]) => {
    const entries = config[list];
    if (!Array.isArray(entries)) return [];
    const absolute = entries.map((entry: unknown) => {
      const inner = isJsonObject(entry) ? entry[part] : undefined;
      if (!isJsonObject(entry) || !isJsonObject(inner)) return entry;
      const paths = fields.flatMap((field) => {
        const path = inner[field];
        return typeof path === 'string' && path !== '' ? [[field, resolve(folder, path)] as const] : [];
      });
      return { ...entry, [part]: { ...inner, ...Object.fromEntries(paths) } };
    });
    return [[list, absolute] as const];
  });
  return { ...config, ...Object.fromEntries(lists) };
}

/** Several files as one: lists one behind the other, so that the first entry of a name is found first; of other fields the first. */
function merged(configs: readonly JsonObject[]): JsonObject {
  const all: Record<string, unknown> = {};
  for (const config of configs) {
    for (const [key, value] of Object.entries(config)) {
      const former = all[key];
      if (Array.isArray(former) && Array.isArray(value)) all[key] = [...(former as unknown[]), ...(value as unknown[])];
      else if (former === undefined || former === null || former === '') all[key] = value;
    }
  }
  return all;
}

function chosenAccess(file: string, config: JsonObject, context?: string): Reading<ClusterAccess> {
  const contexts = newContexts(config['contexts']);
  const name = context ?? config['current-context'];
  if (typeof name !== 'string' || name === '')
    return problem(file, `has no current context: name one of ${namesOf(contexts)} by --context`, 'current-context');
  const chosen = contexts.find((each) => each.name === name);
  if (chosen === undefined) return problem(file, `has no context ${JSON.stringify(name)}, only ${namesOf(contexts)}`);
  const [clusters, users] = [newClusters(config['clusters']), newUsers(config['users'])];
  const cluster = clusters.find((each) => each.name === chosen.cluster);
  const user = users.find((each) => each.name === chosen.user);
  if (cluster === undefined)
    return problem(
      file,
      `context ${JSON.stringify(name)} is of cluster ${JSON.stringify(chosen.cluster)}, which is not one of ${namesOf(clusters)}`,
    );
  if (user === undefined)
    return problem(
      file,
      `context ${JSON.stringify(name)} is of user ${JSON.stringify(chosen.user)}, who is not one of ${namesOf(users)}`,
    );
  const tokenFile = tokenFileOf(config, chosen.user);
  return {
    read: true,
    value: {
      cluster,
      user,
      ...(tokenFile !== undefined && { tokenFile }),
      ...(chosen.namespace !== undefined && { namespace: chosen.namespace }),
    },
  };
}

/** The client library reads the file once, while it is replaced from time to time. */
function tokenFileOf({ users }: JsonObject, name: string): string | undefined {
  if (!Array.isArray(users)) return undefined;
  const entry = users.filter(isJsonObject).find((each) => each['name'] === name)?.['user'];
  const file = isJsonObject(entry) ? entry['tokenFile'] : undefined;
  return typeof file === 'string' ? file : undefined;
}

/** Access as the service account of the pod; a problem outside of pods. */
export async function accessInCluster(
  environment: Readonly<Record<string, string | undefined>>,
  folder = SERVICE_ACCOUNT,
): Promise<Reading<ClusterAccess>> {
  const [host, port] = [environment[HOST], environment[PORT]];
  if (host === undefined || port === undefined)
    return problem(
      folder,
      `not running in a pod: ${HOST} and ${PORT} are not set; name a kubeconfig file by --kubeconfig`,
    );
  const [namespace] = await Promise.allSettled([readFile(`${folder}/namespace`, 'utf8')]);
  return {
    read: true,
    value: {
      cluster: {
        name: 'in-cluster',
        // RFC 3986, section 3.2.2
        server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
        caFile: `${folder}/ca.crt`,
        skipTLSVerify: false,
      },
      user: { name: 'service-account' },
      tokenFile: `${folder}/token`,
      ...(namespace.status === 'fulfilled' && { namespace: namespace.value.trim() }),
    },
  };
}
