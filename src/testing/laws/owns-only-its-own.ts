import type { LedgerEntry, NodeSnapshot, Operation } from '../../domain/index.ts';
import { meaningOf } from '../../domain/index.ts';
import { isPutBack } from '../../domain/entities/displaceable.ts';
import { allKinds, isOurs } from '../../domain/entities/entity-kinds.ts';
import { isOwnRoute, routeEntity } from '../../domain/entities/route.ts';
import { originsOn, vrfTableOf } from '../../domain/ownership/displaced-things.ts';
import { settle } from '../../domain/ownership/settle.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import { kernelsOwn } from '../kernel-routes.ts';
import { NodeModel } from '../node-model.ts';
import { normalForm } from '../normal-form.ts';
import { once } from '../once.ts';
import { demandSame } from './violation.ts';

const law = '3 owns only its own';

type Displaced = Extract<LedgerEntry, { kind: 'displaced' }>;

/**
 * The routes that are not ours, each in the table where it is outside of our VRFs, with those that are on their way. The kernel and routing
 * daemons put back their own.
 */
function foreignRoutes(node: NodeSnapshot) {
  const links = new Map(node.links.map((link) => [link.name, link]));
  const displaced = node.ledger.entries.filter((entry): entry is Displaced => entry.kind === 'displaced');
  const members = new Set(node.ledger.entries.flatMap((entry) => (entry.kind === 'membership' ? [entry.device] : [])));
  const isKernels = kernelsOwn(node);
  return node.routes
    .filter((route) => !isOwnRoute(route) && isPutBack(routeEntity(route)))
    .filter((route) => !isKernels(route))
    .map((route) => {
      const device = route.nextHops.find((hop) => hop.device !== undefined && members.has(hop.device))?.device;
      if (device === undefined) return route;
      const placed = displaced.filter((entry) => entry.device === device);
      const vrfTable = vrfTableOf(links.get(device), (name) => links.get(name));
      const [origin] = originsOn(device, vrfTable, placed)(routeEntity(route));
      return origin?.kind === 'route' ? origin.route : route;
    });
}

/** Everything on the node that is not ours, as it would be without us. After one operation is before the next one. */
const foreignState = once((found: NodeSnapshot): Readonly<Record<string, readonly string[]>> => {
  const node = { ...found, ledger: settle(found) };
  const foreign = allKinds.reduceRight<NodeSnapshot>(
    (left, kind) =>
      kind.take(
        left,
        kind.all(left).filter((entity) => isOurs(entity, node)),
      ),
    { ...node, routes: foreignRoutes(node) },
  );
  return normalForm({ ...foreign, ledger: { ...node.ledger, entries: [] } });
});

/** Whether something of the administrator's may be on its way while an operation has just been done. */
function displaces(operation: Operation): boolean {
  const { verb, entity } = operation;
  return meaningOf(operation).displaces || verb === 'put-back' || entity.kind === 'sysctl';
}

/**
 * Law 3: nothing of others is changed, but for what goes into a VRF with its interface and comes back. Operations that displace nothing
 * leave it as it is one by one; all together leave it where it was, or where it went with the interface.
 */
export function checkOwnsOnlyItsOwn({ cluster, nodes, settings }: Case): void {
  for (const found of nodes) {
    const { operations } = converge(law, cluster, found, settings);
    const model = new NodeModel(found);
    for (const operation of operations) {
      const before = model.snapshot;
      model.apply(operation);
      if (displaces(operation)) continue;
      const what = `what is not ours before and after ${meaningOf(operation).name} ${meaningOf(operation).summary(operation)}`;
      demandSame(law, what, foreignState(before), foreignState(model.snapshot));
    }
    demandSame(law, 'what is not ours before and after the plan', foreignState(found), foreignState(model.snapshot));
  }
}
