/**
 * A node without what does not matter: numbers and MAC addresses that the kernel gives to VRF devices, the order of lists.
 */
import { ADOPTED_NEIGHBOUR_PROTOCOL, FLOW_COOKIE } from '../domain/basics/conventions.ts';
import { ADOPTED_NEXT_HOP_PRIORITY } from '../domain/dataplane/pipeline/next-hop.ts';
import { tables } from '../domain/dataplane/pipeline/tables.ts';
import type { BridgeFlow } from '../domain/snapshot/datapath.ts';
import type { EntityKind } from '../domain/entities/entity-kind.ts';
import { allKinds, type Entity, kindOf } from '../domain/entities/entity-kinds.ts';
import { isPutBack } from '../domain/entities/displaceable.ts';
import { flowEntity, isLearned } from '../domain/entities/switch/flow.ts';
import { isOwnRoute, routeEntity } from '../domain/entities/kernel/route.ts';
import type { LedgerEntry, NodeSnapshot } from '../domain/index.ts';
import { by, byName, withSortedKeys } from '../domain/basics/names/ordering.ts';
import { settle } from '../domain/entities/ownership/settle.ts';
import { lazyByObject } from '../domain/basics/incremental/by-identity.ts';

const textOf = lazyByObject((item: object) => JSON.stringify(withSortedKeys(item)));

function lines(items: readonly object[]): readonly string[] {
  return items.map(textOf).sort(byName);
}

/** Compared texts of entities: most are the same objects from one snapshot to the next. */
const knownTexts = new WeakMap<object, string>();

/** The compared part of an entity, as a text. */
export function entityText(kind: EntityKind<Entity>, entity: Entity, node: NodeSnapshot): string {
  const source = kind.source?.(entity);
  const known = source && knownTexts.get(source);
  if (known !== undefined) return known;
  const text = JSON.stringify(withSortedKeys(kind.comparable?.(entity, node) ?? entity));
  if (source !== undefined) knownTexts.set(source, text);
  return text;
}

/** The node with all entities taken out, the last of the table first: what is left is not made of entities. */
function withoutEntities(node: NodeSnapshot): NodeSnapshot {
  return allKinds.reduceRight((left, kind) => kind.take(left, kind.all(left)), node);
}

/** An entry of the ledger, with what is compared of a displaced entity. */
function comparableEntry(entry: LedgerEntry, node: NodeSnapshot): LedgerEntry | Record<string, unknown> {
  if (entry.kind !== 'displaced') return entry;
  return { ...entry, entity: kindOf<Entity>(entry.entity).comparable?.(entry.entity, node) ?? entry.entity };
}

/** A bridge without the numbers of the ports that ovn-controller adds, in whatever order: Open vSwitch gives the next one that is free. */
const withoutPortNumbers = lazyByObject((bridge: NodeSnapshot['bridges'][number]) => ({
  ...bridge,
  ports: bridge.ports
    .map((port) =>
      port.externalIds['ovn-localnet-port'] === undefined
        ? port
        : { ...port, interfaces: port.interfaces.map(({ openFlowPort: _, ...each }) => each) },
    )
    .sort(by(({ name }) => name)),
}));

/** A node as sorted lines, by kind of entity: two nodes that differ in nothing that matters have the same. */
export function normalForm(node: NodeSnapshot): Readonly<Record<string, readonly string[]>> {
  const ofKinds = allKinds.map(
    (kind) =>
      [
        kind.kind,
        kind
          .all(node)
          .map((entity) => entityText(kind, entity, node))
          .sort(byName),
      ] as const,
  );
  const { links, bridges, devlinkPorts, switchExternalIds } = withoutEntities(node);
  return {
    ...Object.fromEntries(ofKinds),
    rest: [...lines([...links, ...bridges.map(withoutPortNumbers), ...devlinkPorts]), textOf(switchExternalIds)],
    // Entries without effect may stay in the file until the next change is written down.
    ledger: lines(settle(node).entries.map((entry) => comparableEntry(entry, node))),
  };
}

/** The node without the routes that routing daemons restore by themselves. */
export function withoutDaemonRoutes(node: NodeSnapshot): NodeSnapshot {
  const staysWithout = (route: NodeSnapshot['routes'][number]) =>
    route.protocol === 'kernel' || isOwnRoute(route) || isPutBack(routeEntity(route), node);
  return { ...node, routes: node.routes.filter(staysWithout) };
}

/** The word of a match by which flows are about a neighbour that is adopted, of all such flows on a bridge. */
function wordsOfAdopted({ flows }: NodeSnapshot): ReadonlySet<string> {
  const adopting = flows.filter(
    ({ cookie, table, priority }) =>
      cookie === FLOW_COOKIE && table === tables.nextHop && priority === ADOPTED_NEXT_HOP_PRIORITY,
  );
  return new Set(
    adopting.flatMap(({ bridge, match }) => /dl_dst=\S+$/.exec(match)?.map((word) => `${bridge} ${word}`) ?? []),
  );
}

/** A node without what flows have learned on their own, and without what is there for these neighbours. */
export function withoutLearned(node: NodeSnapshot): NodeSnapshot {
  const words = wordsOfAdopted(node);
  const isOfAdopted = ({ bridge, match }: BridgeFlow) => words.has(`${bridge} ${match.split(',').at(-1) ?? ''}`);
  return {
    ...node,
    flows: node.flows.filter((found) => !isLearned(flowEntity(found)) && !isOfAdopted(found)),
    neighbours: node.neighbours.filter(({ protocol }) => protocol !== ADOPTED_NEIGHBOUR_PROTOCOL),
  };
}
