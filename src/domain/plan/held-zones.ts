/** Entities of the networks that ovn-uplinks provides which stay although they are not desired. */
import { isReporting } from '../allocation/node-report.ts';
import { type Entity, kindOf } from '../entities/entity-kinds.ts';
import { requestedChassis } from '../entities/zone-row.ts';
import { lazy } from '../incremental/lazy.ts';
import type { NodeInput } from './node-input.ts';
import { providedIn } from './provided-networks.ts';
import { heldOnHost } from './zones-on-host.ts';
import type { PlannedZone } from './zones-on-node.ts';

/** Whether it is not known on which nodes networks are, since an object that decides that cannot be read. */
function isActivityUnknown({ view, settings }: NodeInput): boolean {
  const kinds = ['pods', 'namespaces', 'networkAttachmentDefinitions'] as const;
  return settings.dynamicNetworks && kinds.some((kind) => view.unreadable(kind).size > 0);
}

/**
 * Names in OVN of the networks of which everything that they have on the node stays, whether it is desired or not: they are not programmed now, cannot be
 * read, their gateway routers stay, or the nodes that they are on are not known.
 *
 * @param heldNetworks those whose gateway routers stay
 */
function heldZones(
  zones: readonly PlannedZone[],
  heldNetworks: ReadonlySet<string>,
  input: NodeInput,
): ReadonlySet<string> {
  const { view } = input;
  const isAnyNodeUnreadable = view.unreadable('nodes').size > 0;
  const known = new Set(zones.map(({ onNode }) => onNode.networkName));
  return new Set([
    ...view.unreadableNetworks,
    ...(isActivityUnknown(input) ? providedIn(view.snapshot, view.settings).map(({ networkName }) => networkName) : []),
    ...[...heldNetworks].filter((networkName) => !known.has(networkName)),
    ...zones
      .filter(({ onNode }) => onNode.failure !== undefined || isAnyNodeUnreadable)
      .map(({ onNode }) => onNode.networkName),
  ]);
}

/**
 * Returns whether a managed entity of networks as a whole stays though it is not desired: what a held network has in OVN and on the host, the chassis
 * that its ports for other nodes are bound to, and the tunnels there.
 *
 * @param heldNetworks names in OVN of the networks whose gateway routers stay
 */
export function heldOfZones(
  zones: readonly PlannedZone[],
  heldNetworks: ReadonlySet<string>,
  input: NodeInput,
): (entity: Entity) => boolean {
  const { snapshot } = input.node;
  const held = heldZones(zones, heldNetworks, input);
  const isHeldOnHost = lazy(() => heldOnHost(held, snapshot));
  const heldRows = lazy(() =>
    snapshot.northbound.filter(({ isOfZone, network = '' }) => isOfZone === true && held.has(network)),
  );
  const boundChassis = lazy(() => new Set(heldRows().flatMap((row) => requestedChassis(row) ?? [])));
  const isRegistered = isReporting(input.object);
  const foreignChassis = lazy(
    () => new Set(snapshot.chassis.flatMap((each) => (each.node === undefined ? [each.name] : []))),
  );
  // A node that was registered again has nothing of others, also of networks that are held.
  const isHeldChassis = (name: string) => isRegistered && boundChassis().has(name);
  return (entity) => {
    if (held.size === 0) return false;
    if (entity.kind === 'remote-chassis') return isHeldChassis(entity.chassis.name);
    if (entity.kind === 'interconnection') return heldRows().length > 0;
    // A port is released with its chassis.
    const isBound =
      entity.kind !== 'remote-port' || isHeldChassis(entity.chassis) || foreignChassis().has(entity.chassis);
    const anchor = kindOf<Entity>(entity).anchor(entity);
    return 'zone' in anchor ? isBound && held.has(anchor.zone) : isHeldOnHost()(entity);
  };
}
