import { apiVersionOf, type Kind } from '../../domain/api/kinds.ts';

/** The path of the objects of a kind (Kubernetes documentation, "Kubernetes API Concepts", Resource URIs). */
export function pathOf(kind: Kind): string {
  return `/${kind.group === '' ? 'api' : 'apis'}/${apiVersionOf(kind)}/${kind.plural}`;
}

/** The path of an object that is in no namespace. */
export function objectPath(kind: Kind, name: string): string {
  return `${pathOf(kind)}/${encodeURIComponent(name)}`;
}
