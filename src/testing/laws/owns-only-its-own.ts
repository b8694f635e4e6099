import { MAIN_TABLE } from '../../domain/basics/conventions.ts';
import { displacedKey, isPutBack } from '../../domain/entities/displaceable.ts';
import { allKinds, isOurs } from '../../domain/entities/entity-kinds.ts';
import { isOwnRoute, routeContentKey, routeEntity } from '../../domain/entities/kernel/route.ts';
import { localnetNetwork } from '../../domain/node-model/switch/patch-ports.ts';
import { entriesOf } from '../../domain/snapshot/ledger.ts';
import { patchPortName } from '../../domain/snapshot/patch-ports.ts';
import { isDefaultRoute } from '../../domain/snapshot/route-key.ts';
import { isOwnVrf } from '../../domain/entities/kernel/vrf.ts';
import { type NodeSnapshot, operationText, type Route } from '../../domain/index.ts';
import { originsOn, tableOfMaster } from '../../domain/entities/ownership/displaced-entities.ts';
import {
  awaitingEntities,
  replacementsIn,
  restored,
  withSettledLedger,
} from '../../domain/entities/ownership/restored.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import { kernelRouteFilter } from '../kernel-routes.ts';
import { normalForm } from '../normal-form.ts';
import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { exceptionLabel } from './exceptions.ts';
import { distinct } from '../../domain/basics/names/ordering.ts';
import type { CaseLabels } from './labels.ts';
import { assertLaw, assertSame, isSame } from './violation.ts';

const law = '3 owns only its own';

type RouteException = 'route of the kernel' | 'route of a daemon';

/** The exception under which a route that is not ours may change; absent for most. */
function routeExceptions(node: NodeSnapshot): (route: Route) => RouteException | undefined {
  const isKernels = kernelRouteFilter(node);
  const own = new Set<unknown>(node.links.filter((link) => isOwnVrf(link, node.ledger)).map(({ name }) => name));
  return (route) => {
    const isOfOwnVrf = route.nextHops.some(({ device }) => own.has(device));
    if (!isPutBack(routeEntity(route), node))
      return route.protocol === 'kernel' ? 'route of the kernel' : 'route of a daemon';
    return route.protocol === 'kernel' && (isOfOwnVrf || isKernels(route)) ? 'route of the kernel' : undefined;
  };
}

/** The routes that are not ours, each in the table where it is outside of our VRFs, and as texts those that may change. */
function foreignRoutes(node: NodeSnapshot) {
  const links = new Map(node.links.map((link) => [link.name, link]));
  const displaced = entriesOf(node.ledger, 'displaced');
  const members = new Set(entriesOf(node.ledger, 'membership').map(({ device }) => device));
  const exceptionOf = routeExceptions(node);
  const aside: Record<RouteException, string[]> = { 'route of the kernel': [], 'route of a daemon': [] };
  const routes = node.routes.flatMap((route): readonly Route[] => {
    if (isOwnRoute(route)) return [];
    const exception = exceptionOf(route);
    if (exception !== undefined) {
      aside[exception].push(routeContentKey(route));
      return [];
    }
    const device = route.nextHops.find((hop) => hop.device !== undefined && members.has(hop.device))?.device;
    if (device === undefined) return [route];
    const placed = displaced.filter((entry) => entry.device === device);
    const vrfTable = tableOfMaster(links.get(device), (name) => links.get(name));
    const [origin] = originsOn(device, vrfTable, placed)(routeEntity(route));
    return [origin?.kind === 'route' ? origin.route : route];
  });
  return { routes, aside };
}

/** Of a group that has lost members and awaits them there are several: the one that all of them are in counts. */
function wholeGroups(objects: NodeSnapshot['nextHopObjects']): NodeSnapshot['nextHopObjects'] {
  const sizeOf = ({ group = [] }: NodeSnapshot['nextHopObjects'][number]) => group.length;
  return objects.filter((object) =>
    objects.every(({ id, ...other }) => id !== object.id || sizeOf({ id, ...other }) <= sizeOf(object)),
  );
}

/** The ports that ovn-controller makes for localnet ports of ours. */
function ownPatchPorts({ northbound }: NodeSnapshot): ReadonlySet<string> {
  const localnetPorts = northbound.filter((row) => row.network !== undefined && localnetNetwork(row) !== undefined);
  return new Set(localnetPorts.map(({ name }) => patchPortName(name)));
}

function withoutPorts(node: NodeSnapshot, ports: ReadonlySet<string>): NodeSnapshot {
  return {
    ...node,
    bridges: node.bridges.map((bridge) => ({ ...bridge, ports: bridge.ports.filter(({ name }) => !ports.has(name)) })),
    noFloodPorts: node.noFloodPorts.filter(({ port }) => !ports.has(port)),
  };
}

type Aside = RouteException | 'route added again' | 'group of next hops' | 'patch port';

/** Parts of a node that are compared, and those left out, by the exception under which it may change. */
interface ForeignState {
  readonly compared: Readonly<Record<string, readonly string[]>>;
  readonly aside: Readonly<Record<Aside, readonly string[]>>;
}

/** Everything on the node that is not ours, with what awaits being restored, as it would be without us. After one operation is before the next one. */
const foreignState = lazyByObject((found: NodeSnapshot): ForeignState => {
  const node = restored(found);
  const { routes, aside } = foreignRoutes(node);
  const nextHopObjects = wholeGroups(node.nextHopObjects);
  const foreign = allKinds.reduceRight<NodeSnapshot>(
    (left, kind) =>
      kind.take(
        left,
        kind.all(left).filter((entity) => isOurs(entity, node)),
      ),
    { ...node, routes, nextHopObjects },
  );
  const ports = ownPatchPorts(node);
  const form = normalForm({ ...withoutPorts(foreign, ports), ledger: { ...node.ledger, entries: [] } });
  const all = form['route'] ?? [];
  const route = distinct(all);
  const parts = node.nextHopObjects.filter((object) => !nextHopObjects.includes(object));
  return {
    // A route that is in the VRF and, made again by its owner, in the main table as well is one route outside of the VRF.
    compared: { ...form, route },
    aside: {
      ...aside,
      'route added again': all.filter((line, index) => all.indexOf(line) !== index),
      'group of next hops': parts.map(({ id }) => String(id)),
      'patch port': node.bridges
        .flatMap((bridge) => bridge.ports.map(({ name }) => name))
        .filter((name) => ports.has(name)),
    },
  };
});

/** The exceptions that were made: what is left out of the comparison differs. */
function changedAside(before: ForeignState, after: ForeignState): CaseLabels {
  const names = Object.keys(before.aside) as readonly Aside[];
  return names
    .filter((name) => !isSame(before.aside[name], after.aside[name]))
    .map((name) => exceptionLabel(law, name));
}

/** Entities that were displaced and are not yet restored. */
function awaitingOn(node: NodeSnapshot): readonly string[] {
  return awaitingEntities(withSettledLedger(node)).map(({ origin }) => displacedKey(origin));
}

/** Default routes of the main table that were displaced, and another one has their place. */
function replacedOn(found: NodeSnapshot): readonly string[] {
  const node = withSettledLedger(found);
  const replacementOf = replacementsIn(node);
  return awaitingEntities(node).flatMap((awaiting) => {
    const { entity, origin } = awaiting;
    const isDefault = entity.kind === 'route' && entity.route.table === MAIN_TABLE && isDefaultRoute(entity.route);
    return isDefault && replacementOf(awaiting) !== undefined ? [displacedKey(origin)] : [];
  });
}

/**
 * Law 3: no operation changes what is not ours, except for what the kernel drops when an interface enters or leaves a VRF. That is written down
 * before, and restored in the end.
 */
export function checkOwnsOnlyItsOwn(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  return nodes.flatMap((found) => {
    const { node, operations, states } = converge(engine, law, { cluster, settings }, found);
    const changes = operations.flatMap((operation, index): CaseLabels => {
      const [before, after] = [foreignState(states[index] ?? found), foreignState(states[index + 1] ?? found)];
      assertSame(law, `what is not ours before and after ${operationText(operation)}`, before.compared, after.compared);
      return changedAside(before, after);
    });
    const awaited = new Set(awaitingOn(found));
    const replaced = replacedOn(node);
    const forgotten = awaitingOn(node).find((thing) => !awaited.has(thing) && !replaced.includes(thing));
    assertLaw(law, forgotten === undefined, () => `displaced and not restored: ${forgotten}`);
    return [
      ...changes,
      ...(awaited.size > 0 ? ['displaced before'] : []),
      ...(replaced.length > 0 ? [exceptionLabel(law, 'default route')] : []),
      ...(states.some((state) => awaitingOn(state).length > 0) ? ['displaced'] : []),
    ];
  });
}
