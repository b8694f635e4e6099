/**
 * Makes a counterexample smaller than fast-check can, which knows how a case was generated but not its parts: removes whatever can be
 * removed while the same law is violated in the same way.
 */
import { checkObject } from '../../src/adapters/validation/check-object.ts';
import type { JsonObject } from '../../src/adapters/json/json-object.ts';
import type { KindKey } from '../../src/domain/api/kinds.ts';
import { type ClusterSnapshot, emptyCluster, type NodeSettings } from '../../src/domain/index.ts';
import { type BriefNode, completeNode } from '../../src/testing/brief-node.ts';
import type { Step } from '../../src/testing/story.ts';
import { inconsistencies } from './inconsistencies.ts';

/** The removable parts of a case or a story. */
export interface Parts {
  /** One for a case. */
  readonly steps: readonly Step[];
  readonly nodes: readonly BriefNode[];
  /** Settings other than the defaults. */
  readonly settings: Partial<NodeSettings>;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Fields that are never removed: they identify an object, or are required. */
const identity: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'spec', 'type', 'name', 'namespace', 'nodeName', 'kernelRules'],
  ...['address', 'prefixLength', 'scope', 'destination', 'nextHops', 'device', 'id', 'priority', 'others', 'states'],
  ...['index', 'macAddress', 'vrfTable', 'lowerDevice', 'kernelRoutes', 'interfaces', 'localPort', 'weight'],
]);

/** A list without all of its items, without each half, each quarter, and so on down to single items. */
function* shorterLists<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let size = items.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < items.length; at += size) yield items.toSpliced(at, size);
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A value without some items of a list, or without an entry of a map; outermost first. */
function* smallerValues(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (isList(value)) {
    yield* shorterLists(value);
    for (const [at, item] of value.entries()) for (const smaller of smallerValues(item)) yield value.with(at, smaller);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const { [key]: _left, ...rest } = value;
    if (!identity.has(key)) yield rest;
    for (const smaller of smallerValues(item)) yield { ...value, [key]: smaller };
  }
}

/** Smaller values. They conform to the type as far as validation and `inconsistencies` check. */
function reductions<Value>(value: Value): Generator<Value> {
  return smallerValues(value as Json) as Generator<Json & Value>;
}

const lists = Object.keys(emptyCluster) as readonly KindKey[];

type AnyObject = ClusterSnapshot[KindKey][number];

function objectsOf({ cluster }: Step): readonly AnyObject[] {
  return lists.flatMap((list): readonly AnyObject[] => cluster[list]);
}

/** A step with objects replaced or removed. */
function withObjects(step: Step, exchange: (object: AnyObject) => AnyObject | undefined): Step {
  const cluster = lists.map((list) => [
    list,
    (step.cluster[list] as readonly AnyObject[]).flatMap((object) => exchange(object) ?? []),
  ]);
  return { ...step, cluster: Object.fromEntries(cluster) as ClusterSnapshot };
}

/** Fewer steps and disturbances; fewer objects, in all steps and in single ones; smaller objects, in all steps. */
function* fewerSteps(steps: readonly Step[]): Generator<readonly Step[]> {
  const texts = [...new Set(steps.flatMap(objectsOf).map((object) => JSON.stringify(object)))];
  for (const fewer of shorterLists(steps)) if (fewer.length > 0) yield fewer;
  for (const [at, { cluster, ...others }] of steps.entries()) {
    for (const fewer of reductions(others)) yield steps.with(at, { ...fewer, cluster });
  }
  for (const left of shorterLists(texts)) {
    const kept = new Set(left);
    yield steps.map((step) => withObjects(step, (object) => (kept.has(JSON.stringify(object)) ? object : undefined)));
  }
  for (const [at, step] of steps.length === 1 ? [] : steps.entries()) {
    for (const object of objectsOf(step)) {
      yield steps.with(
        at,
        withObjects(step, (other) => (other === object ? undefined : other)),
      );
    }
  }
  for (const text of texts) {
    for (const changed of reductions(JSON.parse(text) as AnyObject)) {
      yield steps.map((step) => withObjects(step, (object) => (JSON.stringify(object) === text ? changed : object)));
    }
  }
}

/** Shortens long names. */
function* shorterNames(parts: Parts): Generator<Parts> {
  const text = JSON.stringify(parts);
  const names = new Set([
    ...parts.steps.flatMap(objectsOf).map(({ metadata }) => metadata.name),
    ...parts.nodes.map(({ nodeName }) => nodeName),
  ]);
  for (const name of names) {
    const short = name.slice(0, 1);
    if (name.length > 40 && !names.has(short)) yield JSON.parse(text.replaceAll(`"${name}"`, `"${short}"`)) as Parts;
  }
}

function* candidates(parts: Parts): Generator<Parts> {
  const { steps, nodes, settings } = parts;
  for (const fewer of fewerSteps(steps)) yield { ...parts, steps: fewer };
  for (const fewer of reductions(nodes)) yield { ...parts, nodes: fewer };
  for (const fewer of reductions(settings)) yield { ...parts, settings: fewer };
  yield* shorterNames(parts);
}

/** The inconsistencies of a node. If it cannot even be completed, that is a finding too. */
function findingsOfNode(node: BriefNode): readonly string[] {
  try {
    return inconsistencies(completeNode(node));
  } catch (error) {
    return [`not a node: ${String(error)}`];
  }
}

/** Findings about objects and nodes. Removing something must not add any. */
function findingsOfParts(): (parts: Parts) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const ofObject = (list: KindKey, object: AnyObject): readonly string[] => {
    const text = JSON.stringify(object);
    const findings =
      known.get(text) ??
      checkObject(list, object as unknown as JsonObject).map(({ path, message }) => `${path}: ${message}`);
    known.set(text, findings);
    return findings;
  };
  return ({ steps, nodes }) => [
    ...nodes.flatMap(findingsOfNode),
    ...steps.flatMap(({ cluster }) =>
      lists.flatMap((list) => cluster[list].flatMap((object) => ofObject(list, object))),
    ),
  ];
}

function* withIndex<Item>(items: Iterable<Item>): Generator<readonly [number, Item]> {
  let index = 0;
  for (const item of items) yield [index++, item];
}

/**
 * The smallest counterexample that is found by removing parts.
 *
 * @param isBroken whether a candidate is still a counterexample, of the same kind
 * @param milliseconds after which the smallest one so far is returned
 */
export function reduced(parts: Parts, isBroken: (candidate: Parts) => boolean, milliseconds: number): Parts {
  const findingsOf = findingsOfParts();
  const known = new Set(findingsOf(parts));
  const isPlausible = (candidate: Parts) => findingsOf(candidate).every((finding) => known.has(finding));
  let smallest = parts;
  const deadline = performance.now() + milliseconds;
  // After a smaller candidate the search continues at its index, and starts again only at the end: parts that were needed
  // before are mostly still needed.
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (let start = 0, next: Parts | undefined = smallest; next !== undefined;) {
      next = undefined;
      for (const [index, candidate] of withIndex(candidates(smallest))) {
        if (index < start) continue;
        if (performance.now() > deadline) return smallest;
        if (!isPlausible(candidate) || !isBroken(candidate)) continue;
        [next, start] = [candidate, index];
        break;
      }
      if (next !== undefined) [smallest, isSmaller] = [next, true];
    }
  }
  return smallest;
}
