import { conflictWith } from '../../entities/conflict.ts';
import { foreignOn } from '../../entities/entity-kinds.ts';
import type { LogicalNetworkFailure } from '../../dataplane/logical-network/logical-network-failure.ts';
import type { Parts, PlannedNetwork, ProvidedNetwork } from './part.ts';

/** The first conflict of what a network needs with what other programs have: rows, what is on the host, or a setting of Open vSwitch. */
function conflictOf(
  needs: PlannedNetwork['needs'],
  { host: { snapshot } }: ProvidedNetwork,
): LogicalNetworkFailure | undefined {
  const foreignTo = foreignOn(snapshot);
  for (const entities of needs) {
    for (const entity of entities) {
      const foreign = foreignTo(entity);
      const conflict = foreign.length === 0 ? undefined : conflictWith(entity, foreign, snapshot.ledger);
      if (conflict !== undefined) return { cause: 'in-the-way', conflict };
    }
  }
  return undefined;
}

/** The lists of entities of a network that ovn-uplinks provides, or why it cannot be programmed. */
export function needsOf(
  network: ProvidedNetwork,
  parts: Parts['network'],
): PlannedNetwork['needs'] | { readonly failure: LogicalNetworkFailure } {
  for (const part of parts) {
    const failure = part.obstacle?.(network);
    if (failure !== undefined) return { failure };
  }
  const needs = parts.flatMap((part) => part.plan?.(network) ?? []);
  const failure = conflictOf(needs, network);
  return failure === undefined ? needs : { failure };
}
