/** The name of an object. */
export interface NamedObject {
  readonly kind: string;
  /** Absent for a kind without namespaces. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** An object as `Kind/name` or `Kind/namespace/name`. */
export function objectOf({ kind, namespace, name }: NamedObject): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}
