import { isJsonObject, type JsonObject } from '../../json/json-object.ts';
import type { Accept } from './accepted-object.ts';

/** Fields of a pod’s spec that only the agent of its node reads: what is probed. */
const CONTAINERS: readonly string[] = ['containers', 'initContainers'];

/**
 * Accepts Pods for an agent that attaches those of one node, or none: of the others, containers are left out.
 *
 * @param node absent where no pods are attached
 */
export function containersOfOwnPods(node: string | undefined, accept: Accept): Accept {
  return (object, former) => {
    const { spec } = object;
    if (!isJsonObject(spec) || (node !== undefined && spec['nodeName'] === node)) return accept(object, former);
    const others: JsonObject = Object.fromEntries(Object.entries(spec).filter(([key]) => !CONTAINERS.includes(key)));
    return accept({ ...object, spec: others }, former);
  };
}
