/**
 * Converts the events of the YAML parser to plain values.
 *
 * The library's own constructor does not report where a mapping begins. It limits the number of aliases, but not the number of values to
 * which they expand.
 */
import { type AliasEvent, type Event, EVENT_ID, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { sizeOfValue, MAX_DEPTH } from './nesting.ts';
import { isNonFinite, plainScalarValue } from './yaml-scalars.ts';

/** The value of a document, or its first error. */
export type DocumentValue =
  | {
      readonly read: true;
      readonly value: unknown;
      /** The offset at which the value begins; absent in an empty document. */
      readonly offset?: number;
      /** The offsets at which the mappings of the value begin. */
      readonly offsets: ReadonlyMap<object, number>;
    }
  | ({ readonly read: false } & ValueError);

interface ValueError {
  readonly offset: number;
  readonly message: string;
}

/** Maximum number of values to which the aliases of a document expand: more is taken for an attack ("billion laughs"). */
export const MAX_ALIASED_VALUES = 1_000_000;

/** The message for a value that is nested too deeply. */
export const tooDeep = `more than ${MAX_DEPTH} levels of nesting`;

/** Reads the values of all documents. A mapping with aliases is shared, not copied. */
export function documentValues(text: string, events: readonly Event[]): readonly DocumentValue[] {
  const remaining = events[Symbol.iterator]();
  const documents: DocumentValue[] = [];
  for (const event of remaining) {
    if (event.type === EVENT_ID.DOCUMENT) documents.push(new DocumentReader(text, remaining).read());
  }
  return documents;
}

interface Anchored {
  readonly value: unknown;
  /** The number of values in it, including itself and those of its own aliases. */
  readonly size: number;
}

class DocumentReader {
  readonly #text: string;
  readonly #events: Iterator<Event, undefined>;
  readonly #offsets = new Map<object, number>();
  #error: ValueError | undefined;
  /** The number of values to which the aliases so far expand. */
  #aliased = 0;
  /** The number of values so far, including those of aliases. */
  #size = 0;
  /** The values of anchors so far; `open` while the value has not ended. */
  readonly #anchors = new Map<string, Anchored | 'open'>();

  constructor(text: string, events: Iterator<Event, undefined>) {
    this.#text = text;
    this.#events = events;
  }

  read(): DocumentValue {
    const first = this.#next();
    const value = first === undefined ? null : this.#valueOf(first);
    while (this.#next() !== undefined);
    const offset = first && offsetOf(first);
    // With aliases a value may be deeper than the text.
    if (this.#aliased > 0 && sizeOfValue(value).depth > MAX_DEPTH) this.#fail(offset, tooDeep);
    if (this.#error !== undefined) return { read: false, ...this.#error };
    return { read: true, value, offsets: this.#offsets, ...(offset !== undefined && { offset }) };
  }

  /** The next node of the current collection or document; absent at its end. */
  #next(): Event | undefined {
    const { value } = this.#events.next();
    return value?.type === EVENT_ID.POP ? undefined : value;
  }

  #valueOf(event: Event): unknown {
    if (event.type === EVENT_ID.ALIAS) return this.#aliasedValue(event);
    const anchor = this.#anchorOf(event);
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    const before = this.#size;
    this.#size += 1;
    const value = this.#contentOf(event);
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #anchorOf(event: Event): string | undefined {
    return 'anchorStart' in event && event.anchorStart !== -1
      ? this.#text.slice(event.anchorStart, event.anchorEnd)
      : undefined;
  }

  #aliasedValue(event: AliasEvent): unknown {
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const anchored = this.#anchors.get(name);
    const offset = offsetOf(event);
    if (anchored === undefined) return this.#fail(offset, `alias *${name} has no anchor before it`);
    if (anchored === 'open') return this.#fail(offset, `alias *${name} refers to a value that contains it`);
    this.#size += anchored.size;
    this.#aliased += anchored.size;
    if (this.#aliased > MAX_ALIASED_VALUES)
      return this.#fail(offset, `aliases expand to more than ${MAX_ALIASED_VALUES} values`);
    return anchored.value;
  }

  #contentOf(event: Event): unknown {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#scalarValue(event);
      case EVENT_ID.SEQUENCE:
        return this.#sequenceValue();
      case EVENT_ID.MAPPING:
        return this.#mappingValue(offsetOf(event));
      case EVENT_ID.ALIAS:
      case EVENT_ID.DOCUMENT:
      case EVENT_ID.POP:
        return null;
    }
  }

  #scalarValue(event: ScalarEvent): unknown {
    const text = getScalarValue(this.#text, event);
    const tag = event.tagStart === -1 ? undefined : this.#text.slice(event.tagStart, event.tagEnd);
    if (tag === undefined ? event.style !== SCALAR_STYLE.PLAIN : !coreTags.has(tag)) return text;
    if (isNonFinite(text)) return this.#fail(offsetOf(event), `${text} cannot be represented in JSON`);
    return plainScalarValue(text);
  }

  #sequenceValue(): readonly unknown[] {
    const items: unknown[] = [];
    for (let item = this.#next(); item !== undefined; item = this.#next()) items.push(this.#valueOf(item));
    return items;
  }

  #mappingValue(offset: number): JsonObject {
    const own = new Map<string, unknown>();
    const merged = new Map<string, unknown>();
    for (let key = this.#next(); key !== undefined; key = this.#next()) {
      const isMerge = this.#isMergeKey(key);
      const name = isMerge ? '' : this.#fieldName(key);
      if (!isMerge && own.has(name))
        this.#fail(offsetOf(key), `field ${JSON.stringify(name)} appears twice in one mapping`);
      const next = this.#next();
      if (next === undefined) break;
      const value = this.#valueOf(next);
      if (isMerge) this.#merge(merged, value, offsetOf(next));
      else own.set(name, value);
    }
    // An assignment to __proto__ would set the prototype; an entry of that name is an ordinary field.
    const mapping = Object.fromEntries(merged.size === 0 ? own : new Map([...merged, ...own]));
    this.#offsets.set(mapping, offset);
    return mapping;
  }

  #isMergeKey(key: Event): boolean {
    return key.type === EVENT_ID.SCALAR && key.style === SCALAR_STYLE.PLAIN && getScalarValue(this.#text, key) === '<<';
  }

  #fieldName(key: Event): string {
    const name = this.#valueOf(key);
    if (typeof name === 'string') return name;
    if (typeof name === 'number' || typeof name === 'boolean') return String(name);
    this.#fail(offsetOf(key), 'the name of a field must be a scalar other than null');
    return '';
  }

  /**
   * The first merged field of a name takes precedence, and the mapping's own fields before merged ones (YAML, Merge Key
   * Language-Independent Type).
   */
  #merge(merged: Map<string, unknown>, source: unknown, offset: number): void {
    for (const mapping of Array.isArray(source) ? source : [source]) {
      if (!isJsonObject(mapping)) {
        this.#fail(offset, 'the value of a merge key (<<) must be a mapping or a list of mappings');
        return;
      }
      for (const [name, value] of Object.entries(mapping)) {
        if (!merged.has(name)) merged.set(name, value);
      }
    }
  }

  #fail(offset: number | undefined, message: string): null {
    this.#error ??= { offset: offset ?? 0, message };
    return null;
  }
}

/** Tags of scalars whose value depends on their text; a scalar with any other tag is a string. */
const coreTags: ReadonlySet<string> = new Set(['!!bool', '!!float', '!!int', '!!null']);

/** The offset of a node in the text. */
function offsetOf(event: Event): number {
  switch (event.type) {
    case EVENT_ID.SCALAR: {
      const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
      return isQuoted ? event.valueStart - 1 : event.valueStart;
    }
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start;
    case EVENT_ID.DOCUMENT:
    case EVENT_ID.POP:
      return 0;
  }
}
