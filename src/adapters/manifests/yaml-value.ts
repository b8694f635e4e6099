/**
 * From a YAML document's nodes to a plain value.
 *
 * The library could do this itself, but it compares each key with all keys before it and looks for each alias among all anchors,
 * which is quadratic, and limits how often an alias is used instead of how much all of them make.
 */
import { type Alias, isAlias, isCollection, isMap, isNode, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import { extentOf, MAX_DEPTH } from './nesting.ts';

/** A document's value, or the first thing that keeps it from having one. */
export type Conversion =
  | { readonly converted: true; readonly value: unknown; readonly offsets: ReadonlyMap<object, number> }
  | { readonly converted: false; readonly offset: number; readonly message: string };

/** How many values all aliases of a document may stand for together; more is taken for an attack ("billion laughs"). */
export const MAX_ALIASED_VALUES = 1_000_000;

interface Anchored {
  readonly value: unknown;
  /** Values in it, itself included, with what its own aliases stand for. */
  readonly size: number;
}

/**
 * Converts a node and everything below it. Mappings that are reached by an alias are shared, not copied.
 *
 * @returns the value, and the offset in the text at which each mapping in it begins.
 */
export function plainValueOf(root: Node | null): Conversion {
  const converter = new Converter();
  const value = converter.convert(root, 0);
  // A value that aliases put together may be deeper than its nodes.
  if (converter.aliased > 0 && extentOf(value).depth > MAX_DEPTH) converter.fail(root, tooDeep);
  return converter.failure === undefined
    ? { converted: true, value, offsets: converter.offsets }
    : { converted: false, ...converter.failure };
}

const tooDeep = `more than ${MAX_DEPTH} levels of nesting`;

interface Failure {
  readonly offset: number;
  readonly message: string;
}

class Converter {
  readonly offsets = new Map<object, number>();
  failure: Failure | undefined;
  /** Values that the aliases so far stand for. */
  aliased = 0;
  /** Values so far, with those that aliases stand for. */
  private size = 0;
  /** What an alias would stand for at this point of the text; `open` for an anchor whose value has not ended yet. */
  private readonly anchors = new Map<string, Anchored | 'open'>();

  convert(node: unknown, depth: number): unknown {
    if (this.failure !== undefined) return null;
    if (isAlias(node)) return this.aliasedValue(node);
    const anchor = isScalar(node) || isCollection(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.anchors.set(anchor, 'open');
    const before = this.size;
    this.size += 1;
    const value = this.contentOf(node, depth);
    if (anchor !== undefined) this.anchors.set(anchor, { value, size: this.size - before });
    return value;
  }

  private aliasedValue(alias: Alias): unknown {
    const anchored = this.anchors.get(alias.source);
    if (anchored === undefined) return this.fail(alias, `alias *${alias.source} has no anchor before it`);
    if (anchored === 'open') return this.fail(alias, `alias *${alias.source} stands for something that contains it`);
    this.size += anchored.size;
    this.aliased += anchored.size;
    if (this.aliased > MAX_ALIASED_VALUES)
      return this.fail(alias, `aliases stand for more than ${MAX_ALIASED_VALUES} values`);
    return anchored.value;
  }

  private contentOf(node: unknown, depth: number): unknown {
    if (isScalar(node)) return node.value;
    if (depth >= MAX_DEPTH) return this.fail(node, tooDeep);
    if (isSeq(node)) return node.items.map((item) => this.convert(item, depth + 1));
    return isMap(node) ? this.mappingOf(node, depth) : null;
  }

  private mappingOf(node: YAMLMap, depth: number): JsonObject {
    const own = new Map<string, unknown>();
    const merged = new Map<string, unknown>();
    for (const { key, value } of node.items) {
      if (isMergeKey(key)) {
        this.merge(merged, value, depth);
        continue;
      }
      const name = this.fieldName(key, depth);
      if (own.has(name)) this.fail(key, `field ${JSON.stringify(name)} stands twice in one mapping`);
      own.set(name, this.convert(value, depth + 1));
    }
    // An assignment to __proto__ would set the prototype; made from entries, it is a field like any other.
    const mapping = Object.fromEntries(merged.size === 0 ? own : new Map([...merged, ...own]));
    this.offsets.set(mapping, offsetOf(node));
    return mapping;
  }

  private fieldName(key: unknown, depth: number): string {
    const name = this.convert(key, depth + 1);
    if (typeof name === 'string') return name;
    if (typeof name === 'number' || typeof name === 'boolean') return String(name);
    this.fail(key, 'the name of a field has to be a scalar other than null');
    return '';
  }

  /** What is merged first stays, and a mapping's own fields go before all that is merged (YAML, Merge Key Language-Independent Type). */
  private merge(merged: Map<string, unknown>, node: unknown, depth: number): void {
    const source = this.convert(node, depth + 1);
    for (const mapping of Array.isArray(source) ? source : [source]) {
      if (!isJsonObject(mapping)) {
        this.fail(node, 'a merge key (<<) takes a mapping or a list of mappings');
        return;
      }
      for (const [name, value] of Object.entries(mapping)) {
        if (!merged.has(name)) merged.set(name, value);
      }
    }
  }

  fail(node: unknown, message: string): null {
    this.failure ??= { offset: offsetOf(node), message };
    return null;
  }
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
}

function offsetOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}
