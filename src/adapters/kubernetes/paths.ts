import { apiVersionOf, type Kind } from '../../domain/api/kinds.ts';

/** The path of the objects of a kind, of one namespace or of all (Kubernetes documentation, "Kubernetes API Concepts", Resource URIs). */
export function pathOf(kind: Kind, namespace?: string): string {
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `/${kind.group === '' ? 'api' : 'apis'}/${apiVersionOf(kind)}${within}/${kind.plural}`;
}

/** The path of an object that is in no namespace. */
export function objectPath(kind: Kind, name: string): string {
  return `${pathOf(kind)}/${encodeURIComponent(name)}`;
}
