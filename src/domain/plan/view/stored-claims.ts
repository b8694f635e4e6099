/**
 * The claims of ids that a cluster has stored.
 */
import {
  type ClaimKind,
  type Claimant,
  type IdClaim,
  type IdClaims,
  readClaims,
} from '../../network/allocation/id-claim.ts';
import { ID_CLAIMS_NAME } from '../../basics/conventions.ts';
import { lazyByObjectAndKey } from '../../basics/incremental/by-identity.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings } from '../../snapshot/settings.ts';

/** The stored claims: the data of a ConfigMap, and the claims in it. */
interface StoredClaims {
  /** Absent where there is no ConfigMap. */
  readonly data?: Readonly<Record<string, string>>;
  readonly claims: IdClaims;
}

const storedIn = lazyByObjectAndKey((configMaps: ClusterSnapshot['configMaps'], namespace: string): StoredClaims => {
  // Tenants may have others of its name in their namespaces.
  const object = configMaps.find(
    ({ metadata }) => metadata.name === ID_CLAIMS_NAME && metadata.namespace === namespace,
  );
  const data = object && (object.data ?? {});
  return { ...(data && { data }), claims: readClaims(data ?? {}) };
});

/** The stored claims; none before the first one. */
export function storedClaims({ configMaps }: ClusterSnapshot, { namespace }: ClusterSettings): StoredClaims {
  return storedIn(configMaps, namespace);
}

/** The name that the id is claimed for, which may be that of something deleted; undefined if it is claimed for nothing. */
export function claimHolder(
  kind: ClaimKind,
  id: number,
  snapshot: ClusterSnapshot,
  settings: ClusterSettings,
): string | undefined {
  return storedClaims(snapshot, settings).claims[kind].find((claim) => claim.id === id)?.name;
}

const inForceByName = lazyByObjectAndKey(
  (claims: IdClaims, kind: ClaimKind): ReadonlyMap<string, IdClaim> =>
    new Map(claims[kind].filter(({ released }) => released !== true).map((claim) => [claim.name, claim])),
);

/**
 * The id that is claimed for a network or a node, and may be used; undefined if there is none, or if it is claimed for a former one of the same name.
 *
 * @param claimant the uid is absent where only the name is known
 */
export function claimedId(
  kind: ClaimKind,
  { name, uid }: Pick<Claimant, 'name'> & Partial<Pick<Claimant, 'uid'>>,
  snapshot: ClusterSnapshot,
  settings: ClusterSettings,
): number | undefined {
  const claim = inForceByName(storedClaims(snapshot, settings).claims, kind).get(name);
  return claim === undefined || (uid !== undefined && uid !== claim.uid) ? undefined : claim.id;
}
