/** Services by their keys and namespaces. */
import type { ObjectMeta } from '../api/object-meta.ts';
import type { Service } from '../api/service.ts';
import type { ListChanges } from '../basics/incremental/list-changes.ts';
import { addTo, removeFrom } from '../basics/names/pairs.ts';

interface Named {
  readonly metadata: ObjectMeta;
}

/** The namespace of an object. */
export const namespaceOf = ({ metadata: { namespace = 'default' } }: Named) => namespace;

/** The key of an object by its name: `namespace/name`. */
export const keyIn = (namespace: string, name: string) => `${namespace}/${name}`;

/** The key of an object. */
export const keyOf = (object: Named) => keyIn(namespaceOf(object), object.metadata.name);

const none: ReadonlySet<string> = new Set();

/** Services of one snapshot after the other. */
export class ServicesByNamespace {
  readonly #services = new Map<string, Service>();
  readonly #keysIn = new Map<string, Set<string>>();

  /** The keys of all Services. */
  get keys(): Iterable<string> {
    return this.#services.keys();
  }

  /** Their number. */
  get size(): number {
    return this.#services.size;
  }

  /** The namespaces that have some, with the keys of these. */
  get namespaces(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#keysIn;
  }

  get(key: string): Service | undefined {
    return this.#services.get(key);
  }

  /** The keys of the Services in a namespace. */
  in(namespace: string): ReadonlySet<string> {
    return this.#keysIn.get(namespace) ?? none;
  }

  /** Takes changes over. @returns the keys of the Services that have changed */
  take({ removed, added }: ListChanges<Service>): Set<string> {
    for (const service of removed) {
      this.#services.delete(keyOf(service));
      removeFrom(this.#keysIn, namespaceOf(service), keyOf(service));
    }
    for (const service of added) {
      this.#services.set(keyOf(service), service);
      addTo(this.#keysIn, namespaceOf(service), keyOf(service));
    }
    return new Set([...removed, ...added].map(keyOf));
  }
}
