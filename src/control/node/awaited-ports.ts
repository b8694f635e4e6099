/**
 * Ports that ovn-controller adds once it has a network's mapping and rows. Changes that name them wait until they are there; nothing else does.
 */
import { kindOf, type Entity } from '../../domain/entities/entity-kinds.ts';
import { portWord } from '../../domain/openflow/port-word.ts';
import type { SingleOperation } from '../../domain/operations/operation.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';

/** Milliseconds after which a port that is not there is a failure (docs/design/dataplane.md, "Order of operations"). */
export const PORT_PERIOD = 30_000;

/** The ports that an operation needs and that are not there, or have no number yet, as words of flows. */
export type MissingPorts = (operation: SingleOperation) => readonly string[];

/** Finds the missing ports of operations on a node. */
export function missingPortsOn({ bridges }: NodeSnapshot): MissingPorts {
  const interfaces = bridges.flatMap(({ ports }) => ports.flatMap((port) => port.interfaces));
  const present = new Set(
    interfaces.filter(({ openFlowPort }) => openFlowPort !== undefined).map(({ name }) => portWord(name)),
  );
  return (operation) => {
    // What is removed may name a port that is gone.
    if (operation.verb === 'remove') return [];
    const ports = kindOf<Entity>(operation.entity).awaits?.(operation.entity) ?? [];
    return ports.filter((port) => !present.has(port));
  };
}
