/**
 * The API of a cluster.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Kind } from '../../domain/api/kind.ts';
import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import type { ObjectWrite } from '../../domain/objects/object-write.ts';
import { type ClusterSnapshot, emptyCluster, type UnreadableObject } from '../../domain/snapshot/cluster-snapshot.ts';
import type { DefaultServiceSettings } from '../../domain/pods/default-services.ts';
import type { ClusterServices } from '../../ports/cluster/cluster-services.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { ClusterReading } from '../../ports/cluster/cluster-source.ts';
import type { InputProblem, Reading } from '../../ports/input-problem.ts';
import type { PodAnnotations } from '../../ports/cluster/pod-annotations.ts';
import type { ObjectWarnings } from '../../ports/cluster/object-warnings.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import type { ServedObjectsSource } from '../../ports/cluster/served-objects.ts';
import { type ApiFailure, type ApiServer, refusalOfCredentials } from './api-server.ts';
import { KubernetesEvents } from './kubernetes-events.ts';
import { KubernetesServedObjects } from './kubernetes-served-objects.ts';
import { KubernetesServices } from './kubernetes-services.ts';
import { askedKind, type KubernetesScope } from './kubernetes-scope.ts';
import { ObjectWriter } from './object-writer.ts';
import { writeObject } from './object-writes.ts';
import { pathOf } from './paths.ts';
import { PodAnnotator } from './pod-annotator.ts';
import { isServed } from './served-kind.ts';
import { schemaProblem } from './served-schema.ts';
import { WatchedKind, type WatchScope } from './watch/watched-kind.ts';
import { WatchedList } from './watch/watched-list.ts';

const keys = Object.keys(kinds) as KindKey[];

/** Name of a node agent as field manager of annotations, and in Events. */
const NODE_AGENT = 'ovn-uplinks-node';

const CLOSED = 'the connection to the API server is closed';
const readOnly: ApplyResult = { done: false, error: 'the cluster is only read' };
const closed: ApplyResult = { done: false, error: CLOSED };

/**
 * The objects of a cluster by its API server, once it serves this project's kinds as they are defined here. They are watched, and reading them takes no request. While the API server is away the objects that were read
 * last stay in use, with a warning; before all of them have been read once there are none.
 */
export class KubernetesApi implements ResourceStore {
  readonly #server: ApiServer;
  readonly #kinds: ReadonlyMap<KindKey, WatchedKind>;
  readonly #writers: ReadonlyMap<KindKey, ObjectWriter>;
  /** Further watches and writers, which are closed with it. */
  readonly #others: { close(): Promise<void> }[] = [];
  #listener: (() => void) | undefined;
  #isNotified = false;
  #isClosed = false;
  #last: ClusterReading | undefined;
  #isSchemaChecked: boolean;

  constructor(server: ApiServer, scope: KubernetesScope) {
    const { fieldManager } = scope;
    this.#server = server;
    const watched = keys.map((key) => {
      const { isOptional, scope: where, ...asked } = askedKind(key, scope);
      const listIn = (namespace: string | undefined) =>
        new WatchedList(server, {
          ...asked,
          path: pathOf(kinds[key], namespace),
          ...(isOptional && { isServed: () => isServed(server, kinds[key]) }),
          onChange: () => this.#notify(),
        });
      return [key, new WatchedKind(listIn, where)] as const;
    });
    this.#kinds = new Map(watched);
    // Who only reads need not know what is served.
    this.#isSchemaChecked = fieldManager === undefined;
    this.#writers = new Map(
      fieldManager === undefined
        ? []
        : this.#lists.map(([key, list]) => [key, new ObjectWriter(server, kinds[key], list, fieldManager)]),
    );
  }

  async read(): Promise<Reading<ClusterReading>> {
    await Promise.all(this.#lists.map(([, { firstAttempt }]) => firstAttempt));
    // What changes from here on is reported.
    this.#isNotified = false;
    if (this.#isClosed) return { read: false, problems: [this.#problem(CLOSED)] };
    const unknown = this.#lists.filter(([, { isKnown }]) => !isKnown);
    if (unknown.length > 0) return { read: false, problems: this.#problemsOf(unknown) };
    const problem = this.#isSchemaChecked ? undefined : await schemaProblem(this.#server);
    if (problem !== undefined) return { read: false, problems: [this.#problem(problem)] };
    this.#isSchemaChecked = true;
    return { read: true, value: this.#reading() };
  }

  /** URL of the API server. */
  get url(): string {
    return this.#server.url;
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#kinds.values(), ...this.#others].map((each) => each.close()));
    this.#server.close();
  }

  /**
   * Changes which objects of a kind are read from now on: those in some namespaces, or all. It is for kinds with too many objects to watch all of them:
   * provided networks will need the pods of their namespaces, which are not known at the start. As at the start there is no reading before everything has
   * been listed once, so that nothing is taken for absent. The next reading has no objects of what is left out.
   *
   * @param kind one whose objects are not written here; one with namespaces, unless it is watched everywhere or not at all
   */
  watch(kind: KindKey, scope: WatchScope): void {
    if (this.#isClosed) return;
    this.#kinds.get(kind)?.watch(scope);
    this.#notify();
  }

  write(write: ObjectWrite): Promise<ApplyResult> {
    return writeObject(write, this.#server, (key, name, run) => this.#write(key, name, run));
  }

  /** The writer of an agent for pods on its node. */
  get podAnnotations(): PodAnnotations {
    return new PodAnnotator(this.#server, NODE_AGENT);
  }

  /** The Events of an agent. @param node the name of its node */
  objectWarnings(node: string): ObjectWarnings {
    const options = { controller: NODE_AGENT, instance: node, uidOf: (object: string) => this.uidOf(object) };
    const events = new KubernetesEvents(this.#server, options);
    this.#others.push(events);
    return events;
  }

  /** The Services that pods reach by the default network, which are watched from now on. */
  clusterServices(settings: DefaultServiceSettings): ClusterServices {
    const services = new KubernetesServices(this.#server, settings);
    this.#others.push(services);
    return services;
  }

  /** The Services that ovn-uplinks serves, which are watched from now on. */
  servedObjects(): ServedObjectsSource {
    const objects = new KubernetesServedObjects(this.#server);
    this.#others.push(objects);
    return objects;
  }

  /** The uid of an object such as `Uplink/blue`; absent where there is none. */
  uidOf(object: string): string | undefined {
    const [kind, ...path] = object.split('/');
    const key = keys.find((each) => kinds[each].kind === kind);
    const [list] = (key && this.#kinds.get(key)?.lists) ?? [];
    return list?.uidOf(path.join('/'));
  }

  get #lists(): readonly (readonly [KindKey, WatchedList])[] {
    return [...this.#kinds].flatMap(([key, { lists }]) => lists.map((list) => [key, list] as const));
  }

  #write(
    key: KindKey,
    name: string,
    write: (writer: ObjectWriter, list: WatchedList) => Promise<ApplyResult>,
  ): Promise<ApplyResult> {
    const [writer, list] = [this.#writers.get(key), this.#kinds.get(key)?.lists[0]];
    if (writer === undefined || list === undefined) return Promise.resolve(readOnly);
    return writer.inOrder(name, () => (this.#isClosed ? Promise.resolve(closed) : write(writer, list)));
  }

  #reading(): ClusterReading {
    const lists = [...this.#kinds].map(([key, { objects }]) => [key, objects] as const);
    const warnings = [
      ...this.#lists.flatMap(([, list]) => list.warnings),
      ...this.#problemsOf(this.#lists.filter(([, { failure }]) => failure !== undefined)).map((problem) => ({
        ...problem,
        message: `${problem.message}; the objects that were read last stay in use`,
      })),
    ];
    const former = this.#last;
    const unreadable = this.#unreadable(former?.snapshot.unreadable);
    const isSame =
      former !== undefined &&
      former.snapshot.unreadable === unreadable &&
      lists.every(([key, objects]) => former.snapshot[key] === objects);
    // Each list has objects of its kind, which the compiler cannot follow.
    const snapshot = isSame
      ? former.snapshot
      : ({
          ...emptyCluster,
          ...Object.fromEntries(lists),
          ...(unreadable && { unreadable }),
          ...(this.#server.addresses.length > 0 && { apiServers: this.#server.addresses }),
        } as unknown as ClusterSnapshot);
    this.#last = { snapshot, origins: former?.origins ?? new Map(), warnings };
    return this.#last;
  }

  /** The objects that cannot be read: the same list as before if they are the same; undefined without any. */
  #unreadable(former: ClusterSnapshot['unreadable']): ClusterSnapshot['unreadable'] {
    const all = this.#lists.flatMap(([kind, { unreadable }]) => unreadable.map((key) => unreadableObject(kind, key)));
    if (all.length === 0) return undefined;
    return former !== undefined && isDeepStrictEqual(former, all) ? former : all;
  }

  /** One problem for all lists that have the same one. */
  #problemsOf(lists: readonly (readonly [KindKey, WatchedList])[]): readonly InputProblem[] {
    return [...new Set(lists.map(([key, { failure }]) => messageOf(kinds[key], failure)))].map((message) =>
      this.#problem(message),
    );
  }

  #problem(text: string): InputProblem {
    const { url } = this.#server;
    // What concerns the connection begins with the URL.
    const message = text.startsWith(url) ? text.slice(url.length).replace(/^:? /, '') : text;
    return { origin: { kind: 'object', object: url }, message };
  }

  #notify(): void {
    if (this.#isNotified || this.#isClosed) return;
    this.#isNotified = true;
    this.#listener?.();
  }
}

/** @param key `name` or `namespace/name` */
function unreadableObject(kind: KindKey, key: string): UnreadableObject {
  const [name = '', namespace] = key.split('/').reverse();
  return { kind, ...(namespace !== undefined && { namespace }), name };
}

function messageOf({ kind, group, plural, defined }: Kind, failure: ApiFailure | undefined): string {
  if (failure === undefined) return 'has not answered yet';
  const { status, message } = failure;
  if (status === 404 && defined)
    return `does not have ${plural}.${group}: install the CustomResourceDefinitions of ovn-uplinks (ovn-uplinks crds)`;
  // One text, so that it is one problem for all kinds.
  if (status === 401) return refusalOfCredentials(failure);
  return status === undefined ? message : `${kind} objects cannot be read: ${message}`;
}
