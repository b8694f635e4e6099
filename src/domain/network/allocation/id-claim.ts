/**
 * Claims of ids, as stored in the cluster: all in the data of one ConfigMap, so that of concurrent updates with its resourceVersion only one
 * succeeds (docs/design/networks.md, "Ids").
 */
import { by } from '../../basics/names/ordering.ts';

/** Kinds of owners of ids. */
export type ClaimKind = 'network' | 'node';

/** The owner of a claimed id: a network or a node. One that is deleted and created again is another one, which the nodes may not know yet. */
export interface Claimant {
  /** The name of the network in OVN, or of the node. */
  readonly name: string;
  /** The uid of its object; empty where objects have none. */
  readonly uid: string;
}

/** A claim of an id. */
export interface IdClaim extends Claimant {
  readonly id: number;
  /** Present once the claimant is deleted: nodes may still use the id. */
  readonly released?: true;
}

/** All claims of the cluster; the claims of each kind by id. */
export type IdClaims = Readonly<Record<ClaimKind, readonly IdClaim[]>>;

/** A change of the stored claims. It is valid only while they are stored as it was decided on. */
export interface ClaimsChange {
  /** Namespace of the ConfigMap. */
  readonly namespace: string;
  /** The data of the ConfigMap that it was decided on; absent if there was none. */
  readonly former?: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
  /**
   * Present if claims end, after which other objects can have their ids: the reports of nodes that allow that (`reportTexts`). It is valid only if the nodes
   * and their reports, read after the claims, are still the same (docs/design/networks.md, "Ids").
   */
  readonly reports?: readonly string[];
}

/** A cluster without claims. */
export const noClaims: IdClaims = { network: [], node: [] };

type Data = Readonly<Record<string, string>>;

const KEY = /^(network|node)-([1-9][0-9]{0,8})$/;

/** The last word of a claim that is released. */
const RELEASED = 'released';

/** Reads `NAME UID` or `NAME UID released`, where `UID` may be missing. Names have no spaces. */
function readClaim(id: string, value: string): IdClaim {
  const words = value.split(' ');
  const isReleased = words.length > 1 && words.at(-1) === RELEASED;
  const [name = '', uid = ''] = isReleased ? words.slice(0, -1) : words;
  return { id: Number(id), name, uid, ...(isReleased && { released: true }) };
}

function textOf({ name, uid, released }: IdClaim): string {
  return [name, ...(uid === '' ? [] : [uid]), ...(released === true ? [RELEASED] : [])].join(' ');
}

/** Reads the claims in data such as `network-1: cluster_udn_blue 3f0c…` and `node-7: worker-a 91d2… released`; other entries are ignored. */
export function readClaims(data: Data): IdClaims {
  const found = Object.entries(data).flatMap(([key, value]) => {
    const [, kind, id] = KEY.exec(key) ?? [];
    return kind === undefined || id === undefined ? [] : [{ kind, claim: readClaim(id, value) }];
  });
  const ofKind = (kind: ClaimKind) =>
    found
      .filter((each) => each.kind === kind)
      .map(({ claim }) => claim)
      .sort((left, right) => left.id - right.id);
  return { network: ofKind('network'), node: ofKind('node') };
}

/** The data with its claims replaced by these; its other entries stay. */
export function withClaims(data: Data, claims: IdClaims): Data {
  const others = Object.entries(data).filter(([key]) => !KEY.test(key));
  const entries = (['network', 'node'] as const).flatMap((kind) =>
    claims[kind].map((claim) => [`${kind}-${claim.id}`, textOf(claim)] as const),
  );
  return Object.fromEntries([...others, ...entries].sort(by(([key]) => key)));
}

/** Whether ids can be claimed for others after a change of the data: claims are removed, or replaced by those of others. */
export function endsClaims(former: Data, data: Data): boolean {
  const textsOf = (claims: IdClaims) =>
    (['network', 'node'] as const).flatMap((kind) =>
      claims[kind].map(({ id, name, uid }) => `${kind} ${id} ${name} ${uid}`),
    );
  const later = new Set(textsOf(readClaims(data)));
  return textsOf(readClaims(former)).some((text) => !later.has(text));
}
