import { by } from '../../domain/basics/names/ordering.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { type ApiFailure, type ApiServer, failureOfAll } from './api-server.ts';

/** The Deployment of the cluster manager, whose settings are those of all agents (config/cluster-manager/deployment.yaml). */
const DEPLOYMENT = 'ovn-uplinks-cluster-manager';

/** Its volume with the settings. */
const VOLUME = 'settings';

/** Settings that the agents of a cluster were started with, as they are stored. */
export interface StartedWith {
  /** Where that is, for a person. */
  readonly source: string;
  /** The files of the ConfigMap, by name. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The Deployment, for a person. */
  readonly deployment: string;
  /** The words of its command. */
  readonly words: readonly string[];
}

/** How the agents were started, or why that is not known: the API server is not to be used at all, or it does not say. */
export type StartedWithReading =
  | { readonly outcome: 'read'; readonly value: StartedWith }
  | { readonly outcome: 'unusable'; readonly message: string }
  | { readonly outcome: 'unknown'; readonly message: string };

/** Reads what the agents of a cluster were started with. Never rejects. @param namespace of ovn-uplinks */
export async function startedWith(server: ApiServer, namespace: string): Promise<StartedWithReading> {
  const deployment = `Deployment ${namespace}/${DEPLOYMENT}`;
  const found = await server.send({
    method: 'GET',
    path: `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/deployments/${DEPLOYMENT}`,
  });
  if (!found.ok) return failed(deployment, found.failure, server);
  const pod = at(found.value, 'spec', 'template', 'spec');
  const volume = listAt(pod, 'volumes').find((each) => each['name'] === VOLUME);
  const name = at(volume, 'configMap')?.['name'];
  if (typeof name !== 'string')
    return { outcome: 'unknown', message: `${deployment} has no volume ${VOLUME} of a ConfigMap` };
  const configMap = `ConfigMap ${namespace}/${name}`;
  // The hash of the content is in its name: the Deployment names the one that counts.
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps/${encodeURIComponent(name)}`;
  const map = await server.send({ method: 'GET', path });
  if (!map.ok) return failed(configMap, map.failure, server);
  const files = Object.entries(at(map.value, 'data') ?? {}).flatMap(([file, text]) =>
    typeof text === 'string' ? [{ name: `${configMap}: ${file}`, text }] : [],
  );
  const [container] = listAt(pod, 'containers');
  const words = [container?.['command'], container?.['args']].flat().filter((word) => typeof word === 'string');
  return {
    outcome: 'read',
    value: { source: configMap, files: files.sort(by((file) => file.name)), deployment, words },
  };
}

function failed(object: string, failure: ApiFailure, { url }: ApiServer): StartedWithReading {
  const unusable = failureOfAll(url, failure);
  if (unusable !== undefined) return { outcome: 'unusable', message: unusable };
  return { outcome: 'unknown', message: `${object}: ${failure.message}` };
}

function at(value: JsonObject | undefined, ...path: readonly string[]): JsonObject | undefined {
  let found: unknown = value;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return isJsonObject(found) ? found : undefined;
}

function listAt(value: JsonObject | undefined, key: string): readonly JsonObject[] {
  const list = value?.[key];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
