import { isJsonObject, type JsonObject } from '../../json/json-object.ts';
import type { Accept } from './accepted-object.ts';

/** Fields of a pod’s spec that only the agent of its node reads, which are what is probed, and the cluster manager. */
const CONTAINERS: readonly string[] = ['containers', 'initContainers'];

/** Those that only the cluster manager reads, for names of pods. */
const NAMES: readonly string[] = ['hostname', 'subdomain'];

const objectsIn = (list: unknown): readonly JsonObject[] => (Array.isArray(list) ? list.filter(isJsonObject) : []);

const without = (object: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !fields.includes(key)));

/** A pod with other parts; readiness changes often, and is left out unless it is among them. */
function podOf(object: JsonObject, spec: JsonObject, status: JsonObject = {}): JsonObject {
  const { status: stored } = object;
  return {
    ...object,
    spec,
    ...(isJsonObject(stored) && { status: { ...without(stored, ['conditions']), ...status } }),
  };
}

/** Containers with their named ports; those without any are left out. */
function namedPorts(containers: unknown): readonly JsonObject[] {
  return objectsIn(containers).flatMap(({ ports, restartPolicy }): readonly JsonObject[] => {
    const named = objectsIn(ports).filter(({ name }) => name !== undefined);
    return named.length === 0 ? [] : [{ ports: named, ...(restartPolicy !== undefined && { restartPolicy }) }];
  });
}

/** A pod with what its names and its place behind a Service follow from: there are many pods, and each has more than that. */
function behindServices(object: JsonObject, spec: JsonObject): JsonObject {
  const { status } = object;
  const ready = objectsIn(isJsonObject(status) ? status['conditions'] : undefined).filter(
    ({ type }) => type === 'Ready',
  );
  const ports = CONTAINERS.map((field) => [field, namedPorts(spec[field])] as const);
  const named = Object.fromEntries(ports.filter(([, list]) => list.length > 0));
  return podOf(object, { ...without(spec, CONTAINERS), ...named }, ready.length === 0 ? {} : { conditions: ready });
}

/**
 * Accepts Pods with what is read of them.
 *
 * @param reader the agent of a node, which attaches the pods of that one, or the cluster manager, where networks are provided; otherwise none of these
 */
export function readPods(reader: { readonly node: string } | 'manager' | 'other', accept: Accept): Accept {
  return (object, former) => {
    const { spec } = object;
    if (!isJsonObject(spec)) return accept(object, former);
    if (reader === 'manager') return accept(behindServices(object, spec), former);
    const isOwn = reader !== 'other' && spec['nodeName'] === reader.node;
    return accept(podOf(object, without(spec, isOwn ? NAMES : [...CONTAINERS, ...NAMES])), former);
  };
}
