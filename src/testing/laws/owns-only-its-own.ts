import { MAIN_TABLE } from '../../domain/conventions.ts';
import { displacedKey, isPutBack } from '../../domain/entities/displaceable.ts';
import { allKinds, isOurs } from '../../domain/entities/entity-kinds.ts';
import { isOwnRoute, routeEntity } from '../../domain/entities/route.ts';
import { localnetNetwork } from '../../domain/node-model/patch-ports.ts';
import { patchPortName } from '../../domain/snapshot/patch-ports.ts';
import { isDefaultRoute } from '../../domain/snapshot/route-key.ts';
import { isOwnVrf } from '../../domain/entities/vrf.ts';
import { type LedgerEntry, type NodeSnapshot, operationText } from '../../domain/index.ts';
import { originsOn, tableOfMaster } from '../../domain/ownership/displaced-things.ts';
import { awaitingEntities, replacementsIn, restored, withSettledLedger } from '../../domain/ownership/restored.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import { kernelRouteFilter } from '../kernel-routes.ts';
import { normalForm } from '../normal-form.ts';
import { lazyByObject } from '../../domain/lazy.ts';
import { exceptionLabel } from './exceptions.ts';
import { distinct } from '../../domain/ordering.ts';
import type { CaseLabels } from './labels.ts';
import { assertLaw, assertSame } from './violation.ts';

const law = '3 owns only its own';

type DisplacedEntry = Extract<LedgerEntry, { kind: 'displaced' }>;

/**
 * The routes that are not ours, each in the table where it is outside of our VRFs, with those that are on their way. The kernel and routing
 * daemons restored their own.
 */
function foreignRoutes(node: NodeSnapshot) {
  const links = new Map(node.links.map((link) => [link.name, link]));
  const displaced = node.ledger.entries.filter((entry): entry is DisplacedEntry => entry.kind === 'displaced');
  const members = new Set(node.ledger.entries.flatMap((entry) => (entry.kind === 'membership' ? [entry.device] : [])));
  const isKernels = kernelRouteFilter(node);
  const own = new Set<unknown>(node.links.filter((link) => isOwnVrf(link, node.ledger)).map(({ name }) => name));
  return (
    node.routes
      .filter((route) => !isOwnRoute(route) && isPutBack(routeEntity(route)))
      .filter((route) => !isKernels(route))
      // The kernel's routes of a managed VRF come and go with it.
      .filter(({ nextHops }) => !nextHops.some(({ device }) => own.has(device)))
      .map((route) => {
        const device = route.nextHops.find((hop) => hop.device !== undefined && members.has(hop.device))?.device;
        if (device === undefined) return route;
        const placed = displaced.filter((entry) => entry.device === device);
        const vrfTable = tableOfMaster(links.get(device), (name) => links.get(name));
        const [origin] = originsOn(device, vrfTable, placed)(routeEntity(route));
        return origin?.kind === 'route' ? origin.route : route;
      })
  );
}

/** Of a group that has lost members and awaits them there are several: the one that all of them are in counts. */
function wholeGroups(objects: NodeSnapshot['nextHopObjects']): NodeSnapshot['nextHopObjects'] {
  const sizeOf = ({ group = [] }: NodeSnapshot['nextHopObjects'][number]) => group.length;
  return objects.filter((object) =>
    objects.every(({ id, ...other }) => id !== object.id || sizeOf({ id, ...other }) <= sizeOf(object)),
  );
}

/** The node without the ports that ovn-controller makes for localnet ports of ours. */
function withoutOwnPatchPorts(node: NodeSnapshot, { northbound }: NodeSnapshot): NodeSnapshot {
  const localnetPorts = northbound.filter((row) => row.network !== undefined && localnetNetwork(row) !== undefined);
  const own = new Set(localnetPorts.map(({ name }) => patchPortName(name)));
  const bridges = node.bridges.map((bridge) => ({
    ...bridge,
    ports: bridge.ports.filter(({ name }) => !own.has(name)),
  }));
  return {
    ...node,
    bridges,
    noFloodPorts: node.noFloodPorts.filter(({ port }) => !own.has(port)),
  };
}

/** Everything on the node that is not ours, with what awaits being restored, as it would be without us. After one operation is before the next one. */
const foreignState = lazyByObject((found: NodeSnapshot): Readonly<Record<string, readonly string[]>> => {
  const node = restored(found);
  const foreign = allKinds.reduceRight<NodeSnapshot>(
    (left, kind) =>
      kind.take(
        left,
        kind.all(left).filter((entity) => isOurs(entity, node)),
      ),
    { ...node, routes: foreignRoutes(node), nextHopObjects: wholeGroups(node.nextHopObjects) },
  );
  const form = normalForm({ ...withoutOwnPatchPorts(foreign, node), ledger: { ...node.ledger, entries: [] } });
  // A route that is in the VRF and, made again by its owner, in the main table as well is one route outside of the VRF.
  return { ...form, route: distinct(form['route'] ?? []) };
});

/** What was displaced and is not yet restored. */
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
    for (const [index, operation] of operations.entries()) {
      const [before = found, after = found] = states.slice(index);
      const what = `what is not ours before and after ${operationText(operation)}`;
      assertSame(law, what, foreignState(before), foreignState(after));
    }
    const awaited = new Set(awaitingOn(found));
    const replaced = replacedOn(node);
    const forgotten = awaitingOn(node).find((thing) => !awaited.has(thing) && !replaced.includes(thing));
    assertLaw(law, forgotten === undefined, () => `displaced and not restored: ${forgotten}`);
    return [
      ...(awaited.size > 0 ? ['displaced before'] : []),
      ...(replaced.length > 0 ? [exceptionLabel(law, 'default route')] : []),
      ...(states.some((state) => awaitingOn(state).length > 0) ? ['displaced'] : []),
    ];
  });
}
