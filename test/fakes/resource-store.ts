import type { UplinkState } from '../../src/domain/api/uplink-state.ts';
import { describeValue } from '../../src/domain/api/conformance.ts';
import { UPLINK_FINALIZER } from '../../src/domain/basics/conventions.ts';
import type { ClusterSnapshot } from '../../src/domain/snapshot/cluster-snapshot.ts';
import { isObjectName } from '../../src/adapters/validation/object-name.ts';
import { contentsOfText } from '../../src/adapters/manifests/manifest-text.ts';
import { type ManifestObject, problemOf } from '../../src/adapters/manifests/manifest-object.ts';
import { sharedSnapshot } from '../../src/adapters/manifests/shared-snapshot.ts';
import { snapshotOf } from '../../src/adapters/manifests/snapshot-of-objects.ts';
import type { Condition } from '../../src/domain/api/condition.ts';
import type { FieldsWrite, ObjectWrite } from '../../src/domain/objects/object-write.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { ClusterReading } from '../../src/ports/cluster/cluster-source.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import type { ResourceStore } from '../../src/ports/cluster/resource-store.ts';

/** The stored part of an object that users create. */
interface ObjectStatus {
  readonly finalizers?: readonly string[];
  readonly conditions: readonly Condition[];
}

type PlainObject = Readonly<Record<string, unknown>>;

/** The objects of a cluster in memory. Tests change them as users and other agents would. */
export class FakeResourceStore implements ResourceStore {
  private readonly objects = new Map<string, PlainObject>();
  private readonly statuses = new Map<string, ObjectStatus>();
  private readonly states = new Map<string, UplinkState>();
  private listener: (() => void) | undefined;
  private reading: ClusterReading | undefined;
  private lists: ClusterSnapshot | undefined;
  private isClosed = false;
  private failure: string | undefined;

  read(): Promise<Reading<ClusterReading>> {
    return Promise.resolve().then(() => {
      const failure = this.isClosed ? 'is closed' : this.failure;
      if (failure !== undefined) return { read: false, problems: [{ origin: inFile('fake'), message: failure }] };
      this.reading ??= this.currentReading();
      return { read: true, value: this.reading };
    });
  }

  onChange(listener: () => void): void {
    this.listener = listener;
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  write(write: ObjectWrite): Promise<ApplyResult> {
    const { kind, name } = write;
    if (kind === 'UplinkState') return this.apply(name, () => this.writeState(write));
    if (write.verb !== 'apply' || write.status?.conditions === undefined)
      return Promise.resolve({ done: false, error: 'networks are not provided here' });
    const label = `${kind}/${name}`;
    if (!this.objects.has(label)) return Promise.resolve({ done: false, error: `${label} does not exist` });
    const conditions = write.status.conditions;
    const ours = new Set(conditions.map(({ type }) => type));
    const others = (this.statuses.get(label)?.conditions ?? []).filter(({ type }) => !ours.has(type));
    const finalizers = write.metadata?.finalizers;
    const status = { ...(finalizers && { finalizers }), conditions: [...others, ...conditions] };
    return this.apply(name, () => this.statuses.set(label, structuredClone(status)));
  }

  private writeState(write: ObjectWrite): void {
    const { name } = write;
    if (write.verb !== 'apply') this.states.delete(name);
    else this.states.set(name, structuredClone(stateOf(write)));
  }

  /** Creates or replaces an object, as a user. */
  put(object: PlainObject): void {
    this.objects.set(labelOf(object), structuredClone(object));
    this.changed();
  }

  /** Deletes an object with its status, as a user. */
  remove(kind: string, name: string): void {
    this.objects.delete(`${kind}/${name}`);
    this.statuses.delete(`${kind}/${name}`);
    this.changed();
  }

  /** Writes a state, as another agent. */
  writeOtherState(state: UplinkState): void {
    this.states.set(state.metadata.name, structuredClone(state));
    this.changed();
  }

  /** Deletes a state, as another agent. */
  deleteOtherState(state: string): void {
    this.states.delete(state);
    this.changed();
  }

  /** Makes reads and writes fail until `recover`. */
  fail(message = 'cannot be reached'): void {
    this.failure = message;
    this.changed();
  }

  recover(): void {
    this.failure = undefined;
    this.changed();
  }

  private apply(name: string, change: () => unknown): Promise<ApplyResult> {
    const failure = this.isClosed ? 'is closed' : this.failure;
    if (failure !== undefined) return Promise.resolve({ done: false, error: failure });
    if (!isObjectName(name))
      return Promise.resolve({ done: false, error: `expected an object name, found ${describeValue(name)}` });
    change();
    this.reading = undefined;
    return Promise.resolve({ done: true });
  }

  private changed(): void {
    this.reading = undefined;
    if (!this.isClosed) this.listener?.();
  }

  private currentReading(): ClusterReading {
    const items = [...this.objects].map(([label, object]) => withStatus(object, this.statuses.get(label)));
    const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, ...this.states.values()] });
    const { objects } = contentsOfText('fake', text);
    const isInvalid = ({ findings }: ManifestObject) => findings.some(({ severity }) => severity === 'error');
    const [invalid, valid] = [objects.filter(isInvalid), objects.filter((object) => !isInvalid(object))];
    const lists = sharedSnapshot(this.lists, snapshotOf(valid));
    this.lists = lists;
    const unreadable = invalid.map(({ key, label }) => {
      const [name = '', namespace] = label.split('/').slice(1).reverse();
      return { kind: key, ...(namespace !== undefined && { namespace }), name };
    });
    return {
      snapshot: unreadable.length === 0 ? lists : { ...lists, unreadable },
      origins: new Map(objects.map(({ label }) => [label, 'fake'])),
      warnings: invalid.flatMap((object) => object.findings.map((finding) => problemOf(object, finding))),
    };
  }
}

/** The UplinkState that is written. */
function stateOf({ kind, name, metadata, status }: FieldsWrite): UplinkState {
  return {
    apiVersion: 'k8s.ovn.org/v1alpha1',
    kind,
    metadata: { name, ...metadata },
    status,
  } as unknown as UplinkState;
}

function labelOf({ kind, metadata }: PlainObject): string {
  const { name, namespace } = metadata as { readonly name: string; readonly namespace?: string };
  return namespace === undefined ? `${String(kind)}/${name}` : `${String(kind)}/${namespace}/${name}`;
}

function withStatus(object: PlainObject, status: ObjectStatus | undefined): PlainObject {
  if (status === undefined) return object;
  const { finalizers = [], ...metadata } = object['metadata'] as { readonly finalizers?: readonly string[] };
  const ours = status.finalizers?.includes(UPLINK_FINALIZER) === true ? [UPLINK_FINALIZER] : [];
  const all = [...finalizers.filter((finalizer) => finalizer !== UPLINK_FINALIZER), ...ours];
  return {
    ...object,
    metadata: { ...metadata, ...(all.length > 0 && { finalizers: all }) },
    status: { conditions: status.conditions },
  };
}
