/**
 * Makes a counterexample smaller than fast-check can, which knows how a case was generated but not what it consists of: whatever can be left out is
 * left out, as long as the same law is broken in the same way.
 */
import { checkObject } from '../../src/adapters/manifests/check-object.ts';
import type { JsonObject } from '../../src/adapters/json/json-object.ts';
import { type ClusterSnapshot, emptyCluster, type NodeSettings } from '../../src/domain/index.ts';
import { type BriefNode, completeNode } from '../../src/testing/brief-node.ts';
import type { Step } from '../../src/testing/story.ts';
import { oddities } from './plausible.ts';

/** A case or a story in the parts that can be left out. */
export interface Parts {
  /** Of a case one. */
  readonly steps: readonly Step[];
  readonly nodes: readonly BriefNode[];
  /** Those that are not the defaults. */
  readonly settings: Partial<NodeSettings>;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Fields that identify an object, or that it always has, are never left out. */
const identity: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'spec', 'type', 'name', 'namespace', 'nodeName', 'kernelRules'],
  ...['address', 'prefixLength', 'scope', 'destination', 'nextHops', 'device', 'id', 'priority', 'others', 'states'],
  ...['index', 'macAddress', 'vrfTable', 'lowerDevice', 'kernelRoutes', 'interfaces', 'localPort', 'weight'],
]);

/** The list without a part of it: the whole, halves, quarters and so on to single items. */
function* shorter<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let size = items.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < items.length; at += size) yield items.toSpliced(at, size);
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value with something left out: a part of a list, an entry of a map; at the top first. */
function* smaller(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (isList(value)) {
    yield* shorter(value);
    for (const [at, item] of value.entries()) for (const less of smaller(item)) yield value.with(at, less);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const { [key]: _left, ...rest } = value;
    if (!identity.has(key)) yield rest;
    for (const less of smaller(item)) yield { ...value, [key]: less };
  }
}

/** The value with less in it. It is of its type as far as validation and `oddities` see. */
function less<Value>(value: Value): Generator<Value> {
  return smaller(value as Json) as Generator<Json & Value>;
}

const lists = Object.keys(emptyCluster) as readonly (keyof ClusterSnapshot)[];

type AnyObject = ClusterSnapshot[keyof ClusterSnapshot][number];

function objectsOf({ cluster }: Step): readonly AnyObject[] {
  return lists.flatMap((list): readonly AnyObject[] => cluster[list]);
}

/** The step with objects exchanged for others, or left out. */
function withObjects(step: Step, exchange: (object: AnyObject) => AnyObject | undefined): Step {
  const cluster = lists.map((list) => [
    list,
    (step.cluster[list] as readonly AnyObject[]).flatMap((object) => exchange(object) ?? []),
  ]);
  return { ...step, cluster: Object.fromEntries(cluster) as ClusterSnapshot };
}

/** Fewer steps and disturbances; fewer objects, in all steps and in single ones; less in the objects, in all steps alike. */
function* fewerSteps(steps: readonly Step[]): Generator<readonly Step[]> {
  const texts = [...new Set(steps.flatMap(objectsOf).map((object) => JSON.stringify(object)))];
  for (const fewer of shorter(steps)) if (fewer.length > 0) yield fewer;
  for (const [at, { cluster, ...others }] of steps.entries()) {
    for (const fewer of less(others)) yield steps.with(at, { ...fewer, cluster });
  }
  for (const left of shorter(texts)) {
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
    for (const changed of less(JSON.parse(text) as AnyObject)) {
      yield steps.map((step) => withObjects(step, (object) => (JSON.stringify(object) === text ? changed : object)));
    }
  }
}

/** Names as long as Kubernetes allows, shortened. */
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
  for (const fewer of less(nodes)) yield { ...parts, nodes: fewer };
  for (const fewer of less(settings)) yield { ...parts, settings: fewer };
  yield* shorterNames(parts);
}

/** What no node has. What was left out may be what makes the rest a node at all: that is a finding too. */
function nodeFindings(node: BriefNode): readonly string[] {
  try {
    return oddities(completeNode(node));
  } catch (error) {
    return [`not a node: ${String(error)}`];
  }
}

/** Findings about the objects, and what no node has: leaving something out must not add to them. */
function finder(): (parts: Parts) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const ofObject = (list: keyof ClusterSnapshot, object: AnyObject): readonly string[] => {
    const text = JSON.stringify(object);
    const findings =
      known.get(text) ??
      checkObject(list, object as unknown as JsonObject).map(({ path, message }) => `${path}: ${message}`);
    known.set(text, findings);
    return findings;
  };
  return ({ steps, nodes }) => [
    ...nodes.flatMap(nodeFindings),
    ...steps.flatMap(({ cluster }) =>
      lists.flatMap((list) => cluster[list].flatMap((object) => ofObject(list, object))),
    ),
  ];
}

function* enumerated<Item>(items: Iterable<Item>): Generator<readonly [number, Item]> {
  let place = 0;
  for (const item of items) yield [place++, item];
}

/**
 * The smallest counterexample that is found by leaving things out.
 *
 * @param isBroken whether a candidate still is a counterexample, of the same kind
 * @param milliseconds after which the smallest one so far is returned
 */
export function reduced(parts: Parts, isBroken: (candidate: Parts) => boolean, milliseconds: number): Parts {
  const findingsOf = finder();
  const known = new Set(findingsOf(parts));
  const isPlausible = (candidate: Parts) => findingsOf(candidate).every((finding) => known.has(finding));
  let smallest = parts;
  const deadline = performance.now() + milliseconds;
  // After a smaller candidate the search goes on from its place, and starts again only at the end: what was needed before is rarely unneeded then.
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (let begin = 0, next: Parts | undefined = smallest; next !== undefined;) {
      next = undefined;
      for (const [place, candidate] of enumerated(candidates(smallest))) {
        if (place < begin) continue;
        if (performance.now() > deadline) return smallest;
        if (!isPlausible(candidate) || !isBroken(candidate)) continue;
        [next, begin] = [candidate, place];
        break;
      }
      if (next !== undefined) [smallest, isSmaller] = [next, true];
    }
  }
  return smallest;
}
