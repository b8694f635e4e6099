import { apiVersionOf, type Kind } from '../../domain/api/kind.ts';

/** The path of the objects of a kind, of one namespace or of all (Kubernetes documentation, "Kubernetes API Concepts", Resource URIs). */
export function pathOf(kind: Kind, namespace?: string): string {
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `/${kind.group === '' ? 'api' : 'apis'}/${apiVersionOf(kind)}${within}/${kind.plural}`;
}

/**
 * The path of an object.
 *
 * @param key `name`, or `namespace/name`
 */
export function objectPath(kind: Kind, key: string): string {
  const [name = '', namespace] = key.split('/').reverse();
  return `${pathOf(kind, namespace)}/${encodeURIComponent(name)}`;
}

/** The key of an object: `name`, or `namespace/name`. */
export function keyOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The name of an object of a key in its metadata. */
export function namedBy(key: string): { readonly namespace?: string; readonly name: string } {
  const [name = '', namespace] = key.split('/').reverse();
  return { ...(namespace !== undefined && { namespace }), name };
}
