import type { Operation } from '../../domain/entities/operations/operation.ts';
import { distinct } from '../../domain/basics/names/ordering.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';

/** The uplinks of an operation's networks, in order; a network that is removed from the node has none. */
export function uplinksOfOperation({ networks }: NodePlan, operation: Operation): readonly string[] {
  return distinct(
    networks.flatMap(({ key, uplink }) =>
      operation.part !== 'network' && operation.networks.includes(key) ? [uplink] : [],
    ),
  );
}
