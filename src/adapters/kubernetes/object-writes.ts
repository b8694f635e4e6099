/** Carries out writes of objects on an API server, as their kinds are written (src/domain/objects/written-kinds.ts). */
import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import { mainDifferences, type StoredCondition } from '../../domain/objects/differences.ts';
import type { FieldsWrite, ObjectWrite, WrittenStatus } from '../../domain/objects/object-write.ts';
import { type WrittenKind, writtenKinds } from '../../domain/objects/written-kinds.ts';
import { timedCondition } from '../../domain/status/transition-times.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { acceptedObject } from './watch/accepted-object.ts';
import type { ApiServer } from './api-server.ts';
import { storeClaims } from './claims-writer.ts';
import {
  type Applied,
  type AppliedFields,
  type Created,
  finalizersIn,
  metadataOf,
  type NotDone,
  type ObjectWriter,
} from './object-writer.ts';
import { uidIn } from './watch/observed-objects.ts';
import { keyOf } from './paths.ts';
import type { WatchedList } from './watch/watched-list.ts';

/** Writes an object of a kind, after its former writes. */
type InOrder = (
  kind: KindKey,
  key: string,
  write: (writer: ObjectWriter, list: WatchedList) => Promise<ApplyResult>,
) => Promise<ApplyResult>;

/** Carries out a write. Never rejects. */
export function writeObject(write: ObjectWrite, server: ApiServer, inOrder: InOrder): Promise<ApplyResult> {
  const kind: WrittenKind = writtenKinds[write.kind];
  const key = keyOf(write);
  return inOrder(kind.key, key, async (writer, list) => {
    switch (write.verb) {
      case 'store-claims':
        return await storeClaims(write, server, writer, list);
      case 'delete':
        return kind.finalizer === undefined
          ? await writer.delete(key, write.uid)
          : await writer.deleteWithFinalizer(key, kind.finalizer, write.uid);
      case 'apply':
        return await new FieldsWriter(write, kind, writer, list).write();
    }
  });
}

/** Fields of an object. */
type Fields = { readonly [Field in 'metadata' | 'spec' | 'content' | 'status']?: FieldsWrite[Field] | undefined };

/** Applies fields of one object. */
class FieldsWriter {
  readonly #wanted: FieldsWrite;
  readonly #kind: WrittenKind;
  readonly #writer: ObjectWriter;
  readonly #list: WatchedList;
  readonly #key: string;

  constructor(wanted: FieldsWrite, kind: WrittenKind, writer: ObjectWriter, list: WatchedList) {
    this.#wanted = wanted;
    this.#kind = kind;
    this.#writer = writer;
    this.#list = list;
    this.#key = keyOf(wanted);
  }

  async write(): Promise<ApplyResult> {
    const { isReplaced, isCreated, otherOwner } = this.#kind;
    const { uid } = this.#wanted;
    if (isReplaced === true) return await this.#replace();
    const seen = this.#list.get(this.#key);
    // Without a uid, one that other programs have created meanwhile is changed only where it may be taken over; one without a status may have got it since it was seen.
    const isWhole = seen !== undefined && (this.#wanted.status === undefined || seen['status'] !== undefined);
    const isNew = isCreated === true && uid === undefined && (!isWhole || otherOwner === undefined);
    if (isNew) return await this.#createOrTakeOver();
    return await this.#update(this.#wanted, seen, uid ?? this.#list.uidOf(this.#key));
  }

  /** Replaces the object as a whole, or creates it. What is returned is not what is read. */
  async #replace(): Promise<ApplyResult> {
    const { namespace, name, metadata, data } = this.#wanted;
    const found = await this.#writer.find(this.#key);
    if (!found.done && found.isMissing !== true) return found;
    const stored = found.done ? metadataOf(found.object) : undefined;
    const named = { ...(namespace !== undefined && { namespace }), name };
    return await this.#writer.store(
      { metadata: { ...stored, ...metadata, ...named }, ...(data && { data }) },
      found.done,
    );
  }

  async #create(): Promise<Created> {
    const { namespace, name, metadata, spec, content, status } = this.#wanted;
    const named = { ...(namespace !== undefined && { namespace }), name };
    const fields = { ...(spec && { spec }), ...(content && { content }) };
    const created = await this.#writer.create({ metadata: { ...metadata, ...named }, ...fields });
    if (!created.done || status === undefined) return created;
    return await this.#applyStatus(status, undefined);
  }

  async #createOrTakeOver(): Promise<ApplyResult> {
    const { otherOwner, key } = this.#kind;
    if (otherOwner === undefined || this.#list.uidOf(this.#key) === undefined) {
      const created = await this.#create();
      if (created.done || created.exists !== true || otherOwner === undefined) return created;
    }
    const found = await this.#writer.find(this.#key);
    if (!found.done) return found;
    const uid = uidIn(found.object);
    const { object: readable } = acceptedObject(kinds[key])(found.object, undefined);
    const written = await this.#update(withFormerTimes(this.#wanted, readable), found.object, uid);
    if (written.done || written.isRefused === true || readable !== undefined) return written;
    // Server-side apply fails on fields of other types, and nothing of such an object is worth keeping.
    const deleted = await this.#writer.delete(this.#key, uid);
    return deleted.done ? await this.#create() : deleted;
  }

  async #update(
    { metadata, spec, content, status }: Fields,
    stored: JsonObject | undefined,
    uid: string | undefined,
  ): Promise<ApplyResult> {
    const other = stored && this.#kind.otherOwner?.(stored, this.#wanted);
    if (other !== undefined) {
      const error = `${this.#wanted.kind}/${this.#key}: it already exists, and is ${other}`;
      return { done: false, error, isRefused: true };
    }
    const isMainStored =
      stored !== undefined && uidIn(stored) === uid && mainDifferences(this.#wanted, stored).length === 0;
    if ((metadata ?? spec ?? content) !== undefined && !isMainStored) {
      const applied = await this.#applyMain({ metadata, spec, content, status }, uid);
      if (!applied.done) return applied;
      // With its last finalizer it may be gone.
      if (this.#list.uidOf(this.#key) === undefined) return applied;
    }
    if (status === undefined || (this.#wanted.uid !== undefined && !this.#isSeen(uid))) return { done: true };
    return await this.#applyStatus(status, uid);
  }

  #isSeen(uid: string | undefined): boolean {
    return uid !== undefined && this.#list.uidOf(this.#key) === uid;
  }

  /** Applies metadata and spec. Only with a status it does not matter if the object is gone. */
  async #applyMain({ metadata = {}, spec, content, status }: Fields, uid: string | undefined): Promise<ApplyResult> {
    const { finalizer, isFinalizerOfOthersRemoved } = this.#kind;
    const { finalizers, ...others } = metadata;
    const isFinalized = finalizer !== undefined && finalizers?.includes(finalizer) === true;
    const ours = finalizers === undefined ? {} : { finalizers: isFinalized ? [finalizer] : [] };
    const fields = { ...(spec && { spec }), ...(content && { content }) };
    const applied = await this.#applyOwned({ metadata: { ...others, ...ours }, ...fields }, uid);
    if (!applied.done) return status !== undefined && applied.isGone === true ? { done: true } : withoutGone(applied);
    const isRemoved = isFinalizerOfOthersRemoved === true && finalizers !== undefined && !isFinalized;
    return isRemoved && finalizer !== undefined && finalizersIn(applied.object).includes(finalizer)
      ? await this.#writer.removeFinalizer(this.#key, finalizer, applied.object)
      : { done: true };
  }

  /** Applies metadata and spec, in place of an owner that is the controller of the object: it has one. */
  async #applyOwned(fields: AppliedFields, uid: string | undefined): Promise<Applied> {
    const { keepsOthers } = this.#kind;
    const apply = () => this.#writer.apply(this.#key, fields, { uid, ...(keepsOthers && { keepsOthers }) });
    const applied = await apply();
    if (applied.done || !/one reference can have Controller set to true/i.test(applied.error)) return applied;
    const found = await this.#writer.find(this.#key);
    if (!found.done) return found;
    const owners = this.#wanted.metadata?.ownerReferences ?? [];
    const replaced = await this.#writer.replaceController(this.#key, owners, found.object);
    return replaced.done ? await apply() : replaced;
  }

  /** Applies a status with the optional fields that the definition has. A refusal names the first one that it does not have. */
  async #applyStatus(
    status: WrittenStatus,
    uid: string | undefined,
    optional = this.#kind.optionalStatus ?? [],
  ): Promise<ApplyResult> {
    const applied = await this.#writer.apply(this.#key, { status }, { uid });
    if (applied.done || applied.isGone === true) return { done: true };
    const unknown = optional.filter((field) => applied.error.includes(`.status.${field}: field not declared`));
    if (unknown.length === 0) return withoutGone(applied);
    const known = Object.fromEntries(Object.entries(status).filter(([field]) => !unknown.includes(field)));
    return await this.#applyStatus(
      known,
      uid,
      optional.filter((field) => !unknown.includes(field)),
    );
  }
}

function withoutGone({ done, error, isRefused }: NotDone): ApplyResult {
  return { done, error, ...(isRefused && { isRefused }) };
}

/** A write with the times that the conditions of a stored object have already; the loop knows those of objects that are seen. */
function withFormerTimes(write: FieldsWrite, stored: JsonObject | undefined): FieldsWrite {
  const status = stored?.['status'];
  const former = isJsonObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : [];
  const { conditions } = write.status ?? {};
  if (conditions === undefined) return write;
  const timed = conditions.map((condition) => {
    const { lastTransitionTime: now } = condition;
    return now === undefined ? condition : timedCondition(condition, former as readonly StoredCondition[], now);
  });
  return { ...write, status: { ...write.status, conditions: timed } };
}
