import type { NetworkKey } from '../network/key.ts';
import type { Entity } from '../entities/entity-kinds.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import type { NetworkVrf } from '../routing-domain/network-vrf.ts';
import type { NetworkDatapath } from './network-datapath.ts';

/** The desired state of a node for one network (docs/design/dataplane.md). Plain data. */
export interface NetworkDataplane {
  readonly network: NetworkKey;
  /** Its name in OVN and in bridge mappings. */
  readonly networkName: string;
  /** Name of the Uplink that carries it. */
  readonly uplink: string;
  readonly bridge: string;
  /** The uplink's interface on the host. */
  readonly device: string;
  readonly vrf: NetworkVrf;
  /** Absent where flows and gateway routers are not programmed. */
  readonly datapath?: NetworkDatapath;
  /** The entities that it needs. */
  readonly entities: readonly Entity[];
}

/** The entities of a list by kind, each kind where its first one is. */
export const entitiesByKind = lazyByObject((entities: readonly Entity[]) => groupBy(entities, ({ kind }) => kind));
