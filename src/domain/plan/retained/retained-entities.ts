import type { EntityKind } from '../../entities/entity-kind.ts';
import { allKinds, type Entity, entityKey, kindOf, ownLike, ownOf } from '../../entities/entity-kinds.ts';
import { flow, isLearned } from '../../entities/switch/flow.ts';
import { isOfManagementPort, membership, type MembershipEntity } from '../../entities/kernel/membership.ts';
import { isIpv6Setting, type SysctlEntity } from '../../entities/kernel/sysctl.ts';
import { vrf, type VrfEntity } from '../../entities/kernel/vrf.ts';
import { isVrf } from '../../node-model/device.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { listChanges, without } from '../../basics/incremental/list-changes.ts';
import { lazy } from '../../basics/incremental/lazy.ts';
import { type Irreplaceable, irreplaceableOn } from '../../network-readiness/irreplaceable.ts';
import { ipv6Occupants, occupants } from '../../network-readiness/occupants.ts';
import { byName, canonical, sortedBy } from '../../basics/names/ordering.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { type DesiredOfKind, desiredOf } from '../desired-entities.ts';
import type { DesiredEntity } from '../parts/part.ts';
import { viewNode } from '../../snapshot/node-view.ts';

/** Why a managed entity stays although it is not desired. */
export type RetainReason =
  /** It belongs to a network that is held. */
  | { readonly reason: 'held' }
  /** Something that the kernel would drop with the membership could not be restored. */
  | { readonly reason: 'irreplaceable'; readonly failure: Irreplaceable }
  /** Managed flows of its bridge have learned it, and would learn it again. */
  | { readonly reason: 'learned' }
  /** Something unmanaged is in the VRF, or on it; for a setting, IPv6 addresses. */
  | { readonly reason: 'occupied'; readonly occupant: string }
  /** An interface stays in the VRF. */
  | { readonly reason: 'has-members'; readonly device: string }
  /** Only the name of its table is known, and ownership follows from the number. */
  | { readonly reason: 'unknown-table'; readonly table: string };

/** A managed entity that stays although it is not desired, and why. */
export interface RetainedEntity {
  readonly entity: Entity;
  readonly why: RetainReason;
}

type Desired = readonly DesiredEntity[];

/** The managed entities of a kind that are not desired, and what they were found from. */
interface Undesired {
  readonly own: readonly Entity[];
  readonly wanted: DesiredOfKind;
  readonly entities: readonly Entity[];
}

/** Those that were found last, by kind. */
const lastUndesired = new WeakMap<EntityKind<Entity>, Undesired>();

/** The managed entities that may not be desired, as others were desired last: in the order of all. */
function possiblyUndesired(
  { own: formerOwn, wanted: formerlyWanted, entities }: Undesired,
  { own, wanted }: Pick<Undesired, 'own' | 'wanted'>,
  node: NodeSnapshot,
): readonly Entity[] {
  const changes = listChanges(formerOwn, own);
  const released = listChanges(formerlyWanted.list, wanted.list).removed.flatMap(({ entity }) => ownLike(entity, node));
  const possible = new Set([...without(entities, changes.removed), ...changes.added, ...released]);
  return possible.size < 2 ? [...possible] : own.filter((entity) => possible.has(entity));
}

/** The managed entities of a kind that are not desired: the same list if neither has changed. */
function undesired(kind: EntityKind<Entity>, desired: Desired, node: NodeSnapshot): readonly Entity[] {
  const [own, wanted, former] = [ownOf(kind, node), desiredOf(kind, desired), lastUndesired.get(kind)];
  if (former?.own === own && former.wanted === wanted) return former.entities;
  const possible = former === undefined ? own : possiblyUndesired(former, { own, wanted }, node);
  const entities = possible.filter((entity) => wanted.like(entity) === undefined);
  lastUndesired.set(kind, { own, wanted, entities });
  return entities;
}

type Retained<Some extends Entity> = readonly { readonly entity: Some; readonly why: RetainReason }[];

/** The name of the table of an entity whose number was not read. */
function unknownTable(entity: Entity): string | undefined {
  const anchor = kindOf<Entity>(entity).anchor(entity);
  return 'table' in anchor && typeof anchor.table === 'string' ? anchor.table : undefined;
}

/** Memberships that stay. ovn-uplinks does not cause a permanent loss, even if the network is gone. */
function retainedMemberships(
  obsolete: readonly MembershipEntity[],
  desired: Desired,
  isHeld: (entity: Entity) => boolean,
  node: NodeSnapshot,
): Retained<MembershipEntity> {
  const view = viewNode(node);
  const targets = new Map(
    desiredOf(membership, desired).list.map(({ entity: { device, table } }) => [device, table] as const),
  );
  return obsolete.flatMap((entity): Retained<MembershipEntity> => {
    if (isHeld(entity)) return [{ entity, why: { reason: 'held' } }];
    // What is on a management port goes with it.
    if (isOfManagementPort(entity)) return [];
    const failure = irreplaceableOn(entity.device, targets.get(entity.device), view);
    return failure === undefined ? [] : [{ entity, why: { reason: 'irreplaceable', failure } }];
  });
}

/** VRFs that stay: those that have a member, or something unmanaged on them. */
function retainedVrfs(
  obsolete: readonly VrfEntity[],
  released: ReadonlySet<string>,
  isHeld: (entity: Entity) => boolean,
  node: NodeSnapshot,
): Retained<VrfEntity> {
  const links = new Map(node.links.map((link) => [link.name, link]));
  const membersByVrf = groupBy(
    node.links.filter(({ name }) => !released.has(name)),
    ({ master = '' }) => master,
  );
  return obsolete.flatMap((entity): Retained<VrfEntity> => {
    if (isHeld(entity)) return [{ entity, why: { reason: 'held' } }];
    const link = links.get(entity.name);
    const [occupant] = link === undefined ? [] : occupants(link, node);
    if (occupant !== undefined) return [{ entity, why: { reason: 'occupied', occupant } }];
    const [device] = (membersByVrf.get(entity.name) ?? []).map(({ name }) => name).sort(byName);
    return device === undefined ? [] : [{ entity, why: { reason: 'has-members', device } }];
  });
}

/**
 * Managed entities that stay although they are not desired, with the reason.
 *
 * @param isHeld whether a managed entity belongs to a network that is held
 * @param node as it is, with its ledger settled
 */
export function retainedEntities(
  desired: Desired,
  isHeld: (entity: Entity) => boolean,
  node: NodeSnapshot,
): readonly RetainedEntity[] {
  // A desired entity that cannot be changed in place is recreated, so it is obsolete as it is.
  const isObsolete = (entity: VrfEntity | MembershipEntity) => {
    const wanted = desiredOf(kindOf<Entity>(entity), desired).like(entity)?.entity;
    return wanted === undefined || (wanted.kind === entity.kind && wanted.table !== entity.table);
  };
  const obsolete = ownOf(membership, node).filter(isObsolete);
  const memberships = retainedMemberships(obsolete, desired, isHeld, node);
  const stayingDevices = new Set(memberships.map(({ entity }) => entity.device));
  const released = new Set(obsolete.map(({ device }) => device).filter((device) => !stayingDevices.has(device)));
  const programmedBridges = lazy(() => new Set(desiredOf(flow, desired).list.map(({ entity }) => entity.flow.bridge)));
  const isIpv6OfVrf = (setting: SysctlEntity) => {
    const link = viewNode(node).link(setting.device);
    return isIpv6Setting(setting) && link !== undefined && isVrf(link);
  };
  const others = allKinds
    .filter(({ kind }) => kind !== 'membership' && kind !== 'vrf')
    .flatMap((kind) => undesired(kind, desired, node))
    .flatMap((entity): readonly RetainedEntity[] => {
      if (isHeld(entity)) return [{ entity, why: { reason: 'held' } }];
      if (entity.kind === 'flow' && isLearned(entity) && programmedBridges().has(entity.flow.bridge)) {
        return [{ entity, why: { reason: 'learned' } }];
      }
      const [occupant] = entity.kind === 'sysctl' && isIpv6OfVrf(entity) ? ipv6Occupants(entity.device, node) : [];
      if (occupant !== undefined) return [{ entity, why: { reason: 'occupied', occupant } }];
      const table = unknownTable(entity);
      return table === undefined ? [] : [{ entity, why: { reason: 'unknown-table', table } }];
    });
  const vrfs = retainedVrfs(ownOf(vrf, node).filter(isObsolete), released, isHeld, node);
  const retained = [...vrfs, ...memberships, ...others].map(({ entity, why }) => ({ entity: canonical(entity), why }));
  return sortedBy(retained, ({ entity }) => entityKey(entity));
}
