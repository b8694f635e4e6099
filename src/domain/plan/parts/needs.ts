import { lastByObject, lazyByObject } from '../../basics/incremental/by-identity.ts';
import type { LogicalNetworkFailure } from '../../dataplane/logical-network/logical-network-failure.ts';
import { conflictWith } from '../../entities/conflict.ts';
import { type Entity, foreignAtPlaces, kindOf } from '../../entities/entity-kinds.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { Parts, PlannedNetwork, ProvidedNetwork } from './part.ts';

const kindsOf = lazyByObject((entities: readonly Entity[]) => [...new Set(entities.map(kindOf<Entity>))]);

/** The last conflict of each list of entities: the same as long as nothing of other programs has changed. */
const lastConflict = lastByObject<LogicalNetworkFailure | undefined>();

/** The first conflict of entities with what other programs have. */
function conflictAmong(entities: readonly Entity[], snapshot: NodeSnapshot): LogicalNetworkFailure | undefined {
  const kinds = kindsOf(entities);
  const foreign = kinds.map((kind) => foreignAtPlaces(kind, snapshot));
  return lastConflict(entities, [...foreign, snapshot.ledger], () => {
    for (const entity of entities) {
      const found = foreign[kinds.indexOf(kindOf(entity))]?.(entity) ?? [];
      const conflict = conflictWith(entity, found, snapshot.ledger);
      if (conflict !== undefined) return { cause: 'in-the-way', conflict };
    }
    return undefined;
  });
}

/** The first conflict of what a network needs with what other programs have: rows, what is on the host, or a setting of Open vSwitch. */
function conflictOf(
  needs: PlannedNetwork['needs'],
  { host: { snapshot } }: ProvidedNetwork,
): LogicalNetworkFailure | undefined {
  for (const entities of needs) {
    const failure = conflictAmong(entities, snapshot);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** The entities of each part of a network that ovn-uplinks provides, or why it cannot be programmed. */
export function needsOf(
  network: ProvidedNetwork,
  parts: Parts['network'],
): PlannedNetwork['needs'] | { readonly failure: LogicalNetworkFailure } {
  for (const part of parts) {
    const failure = part.obstacle?.(network);
    if (failure !== undefined) return { failure };
  }
  const needs = parts.map((part) => part.plan?.(network) ?? []);
  const failure = conflictOf(needs, network);
  return failure === undefined ? needs : { failure };
}
