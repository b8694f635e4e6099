/**
 * Which id does each network and each node get?
 *
 * An id belongs to one network or node once its claim is stored. It is claimed for another one only once nothing uses it, since a node that is cut off
 * continues to send packets with the last ids that it knew (docs/design/networks.md, "Ids").
 */
import { sortedBy } from '../../basics/names/ordering.ts';
import type { Claimant, ClaimKind, IdClaim, IdClaims } from './id-claim.ts';
import { idRanges, isId } from './id-range.ts';

/** A network or a node that exists. */
export interface IdHolder extends Claimant {
  /** When its object was created, RFC 3339. Of two that claim the same id at once, the older one gets it. */
  readonly createdAt: string;
  /** The id that its object already has, whichever program allocated it. */
  readonly given?: number;
}

/** The id of a network or a node, or why it has none. */
export type IdDecision =
  /** The id can be used. @param sharedWith others whose objects have the same id, and which wait; mostly none */
  | { readonly kind: 'claimed'; readonly id: number; readonly sharedWith: readonly string[] }
  /** The id can be used once its claim is stored. */
  | { readonly kind: 'unclaimed'; readonly id: number }
  /** Its object has an id that is claimed for another one, which may have been deleted and still be in use on nodes. */
  | { readonly kind: 'clash'; readonly id: number; readonly holder: string }
  /** Its object has an id that is out of range. */
  | { readonly kind: 'invalid'; readonly id: number }
  | { readonly kind: 'exhausted' };

/** The desired claims, and the ids that follow from them. */
export interface Claiming {
  /** All claims of the kind, by id. */
  readonly claims: readonly IdClaim[];
  /** By name. */
  readonly decisions: ReadonlyMap<string, IdDecision>;
}

function keyOf({ name, uid }: Claimant): string {
  return `${name} ${uid}`;
}

/** The claim that gives each its id: the lowest, if there are several. */
function claimsByClaimant(claims: readonly IdClaim[]): ReadonlyMap<string, IdClaim> {
  return new Map(claims.toReversed().map((claim) => [keyOf(claim), claim]));
}

/** The ids that are not taken, the lowest first: unwanted ones after all others. */
function* freeIds(
  kind: ClaimKind,
  taken: ReadonlySet<number>,
  unwanted: ReadonlySet<number>,
): Generator<number, undefined> {
  const { first, last, withheld } = idRanges[kind];
  for (const isUnwanted of [false, true]) {
    for (let id = first; id <= last; id += 1) {
      const isFree = isId(kind, id) && !taken.has(id) && !withheld.has(id);
      if (isFree && unwanted.has(id) === isUnwanted) yield id;
    }
  }
}

/** The names of those whose objects have an id of another, by that id. */
function waitingFor(decisions: ReadonlyMap<string, IdDecision>): ReadonlyMap<number, readonly string[]> {
  const waiting = new Map<number, string[]>();
  for (const [name, decision] of decisions) {
    if (decision.kind === 'clash') waiting.set(decision.id, [...(waiting.get(decision.id) ?? []), name]);
  }
  return waiting;
}

const noIds: ReadonlySet<number> = new Set();

/**
 * Decides the ids of all networks, or of all nodes.
 *
 * The claim of a deleted object is released, and removed once nothing uses the id.
 *
 * @param stored the claims of the kind that the cluster has; those of ids out of range are removed
 * @param holders all that exist, in any order, of distinct names
 * @param isInUse whether anything may still use the id of a released claim
 * @param reported ids that nodes use, whether there is a claim or not: claims may be lost, or be older than what nodes have
 * @param unwanted ids that are claimed only if there is no other
 */
export function claimIds(
  kind: ClaimKind,
  stored: readonly IdClaim[],
  holders: readonly IdHolder[],
  isInUse: (id: number) => boolean,
  reported: ReadonlySet<number> = noIds,
  unwanted: ReadonlySet<number> = noIds,
): Claiming {
  const existing = new Set(holders.map(keyOf));
  const valid = stored.filter(({ id }) => isId(kind, id));
  const byClaimant = claimsByClaimant(valid);
  const kept = valid.flatMap((claim): readonly IdClaim[] => {
    const { id, name, uid } = claim;
    if (existing.has(keyOf(claim)) && byClaimant.get(keyOf(claim)) === claim) return [{ id, name, uid }];
    return claim.released === true && !isInUse(id) ? [] : [{ ...claim, released: true }];
  });
  const claims = new Map(kept.map((claim) => [claim.id, claim]));
  const taken = [...claims.keys(), ...holders.flatMap(({ given }) => given ?? []), ...reported];
  const free = freeIds(kind, new Set(taken), unwanted);

  const decide = (claimant: IdHolder): IdDecision => {
    const { name, uid, given } = claimant;
    const own = byClaimant.get(keyOf(claimant));
    if (own !== undefined) {
      return own.released === true
        ? { kind: 'unclaimed', id: own.id }
        : { kind: 'claimed', id: own.id, sharedWith: [] };
    }
    if (given !== undefined && !isId(kind, given)) return { kind: 'invalid', id: given };
    const holder = given === undefined ? undefined : claims.get(given);
    if (given !== undefined && holder !== undefined) return { kind: 'clash', id: given, holder: holder.name };
    const id = given ?? free.next().value;
    if (id === undefined) return { kind: 'exhausted' };
    claims.set(id, { id, name, uid });
    return { kind: 'unclaimed', id };
  };

  const inOrder = sortedBy(holders, ({ createdAt, name }) => `${createdAt} ${name}`);
  const decisions = new Map(inOrder.map((holder) => [holder.name, decide(holder)]));
  const waiting = waitingFor(decisions);
  return {
    claims: [...claims.values()].sort((left, right) => left.id - right.id),
    decisions: new Map(
      [...decisions].map(([name, decision]) => [
        name,
        decision.kind === 'claimed' ? { ...decision, sharedWith: waiting.get(decision.id) ?? [] } : decision,
      ]),
    ),
  };
}

/** The report of a node on the ids that it uses, before it uses them. */
export interface IdUsage {
  /** Ids of the networks that the node may have anything of. */
  readonly networks: ReadonlySet<number>;
  /** The claims of the deleted nodes whose configuration it has removed, as `claimKey` names them: their ids may be those of others since. */
  readonly removedNodes: ReadonlySet<string>;
  /** Present if the report is missing or cannot be read, so that the node may use everything. */
  readonly isUnknown?: true;
}

/** A claim as a key: nothing else is ever claimed as it. */
export function claimKey({ id, name, uid }: Omit<IdClaim, 'released'>): string {
  return `${id} ${name} ${uid}`;
}

/** A node of the cluster, and its report; absent as long as it has used nothing. */
export interface ReportingNode extends Claimant {
  readonly report?: IdUsage;
}

/**
 * Finds what may still use the ids of released claims.
 *
 * The id of a node is in use until all others have confirmed that they have removed it. That of a network is in use until no node reports it, and all
 * deleted nodes are removed: one may be cut off, and still exchange packets with others.
 *
 * @param nodes all nodes of the cluster, read after the claims were
 */
export function idsInUse(
  claims: IdClaims,
  nodes: readonly ReportingNode[],
): Readonly<Record<ClaimKind, (id: number) => boolean>> {
  const reports = nodes.flatMap(({ report }) => report ?? []);
  const present = new Set(nodes.map(keyOf));
  const keys = new Map(claims.node.map((claim) => [claim.id, claimKey(claim)]));
  const isNodeInUse = (id: number) => reports.some(({ removedNodes }) => !removedNodes.has(keys.get(id) ?? ''));
  // As long as the claim of a node is not released, others may still add it, whatever they have confirmed.
  const isNodeLeft = claims.node.some(
    (claim) => !present.has(keyOf(claim)) && (claim.released !== true || isNodeInUse(claim.id)),
  );
  return {
    node: isNodeInUse,
    network: (id) => isNodeLeft || reports.some(({ networks }) => networks.has(id)),
  };
}

/** Ids of networks that nodes report to use. Where it is not known what a node uses, nothing new would ever get an id if all counted. */
export function reportedNetworkIds(nodes: readonly ReportingNode[]): ReadonlySet<number> {
  const reports = nodes.flatMap(({ report }) => (report === undefined || report.isUnknown === true ? [] : report));
  return new Set(reports.flatMap(({ networks }) => [...networks]));
}
