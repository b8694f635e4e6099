/**
 * Prerequisites of operations that another program provides: ports that ovn-controller adds once it has a network's mapping and rows, and the switch
 * of a bridge while ovs-vswitchd is restarted. Only the operations that need them wait.
 */
import { dependency, type DependencyKey } from '../../domain/entities/dependencies.ts';
import { kindOf, type Entity } from '../../domain/entities/entity-kinds.ts';
import { portWord } from '../../domain/datapath/openflow/port-word.ts';
import type { SingleOperation } from '../../domain/entities/operations/operation.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { RESTART_PERIOD } from './failed-operation.ts';

/** A missing prerequisite: a port, as a word of flows, or the switch of a bridge. */
export type Awaited = `port ${string}` | `switch ${string}`;

/** Milliseconds after which a missing prerequisite is a failure (docs/design/dataplane.md, "What operations wait for"). */
const PERIODS = { port: 30_000, switch: RESTART_PERIOD };

/** The missing prerequisites of an operation. */
export type MissingPrerequisites = (operation: SingleOperation) => readonly Awaited[];

const isPort = (awaited: Awaited) => awaited.startsWith('port ');

const nameOf = (awaited: Awaited) => awaited.slice(awaited.indexOf(' ') + 1);

/** Finds the missing prerequisites of operations on a node. */
export function missingOn({ bridges, bridgesWithoutSwitch = [] }: NodeSnapshot): MissingPrerequisites {
  const interfaces = bridges.flatMap(({ ports }) => ports.flatMap((port) => port.interfaces));
  const present = new Set(
    interfaces.filter(({ openFlowPort }) => openFlowPort !== undefined).map(({ name }) => portWord(name)),
  );
  const gone = new Set(bridgesWithoutSwitch);
  return ({ verb, entity }) => {
    const { port, anchor, awaits } = kindOf<Entity>(entity);
    const anchoring = anchor(entity);
    if (port === 'flowTables' && 'bridge' in anchoring && gone.has(anchoring.bridge))
      return [`switch ${anchoring.bridge}`];
    // What is removed may name a port that is gone.
    if (verb === 'remove') return [];
    return (awaits?.(entity) ?? []).filter((word) => !present.has(word)).map((word) => `port ${word}` as const);
  };
}

/** The key of the operation that provides it; absent where none does. */
export function broughtBy(awaited: Awaited): DependencyKey | undefined {
  return isPort(awaited) ? dependency('patch-port', nameOf(awaited)) : undefined;
}

/** When a missing prerequisite becomes a failure, in milliseconds of the loop's clock. */
export function isLateAt(awaited: Awaited, since: number): number {
  return since + (isPort(awaited) ? PERIODS.port : PERIODS.switch);
}

/** Why an operation has failed that has waited too long, in one line. */
export function lateText(awaited: Awaited): string {
  const name = nameOf(awaited);
  return isPort(awaited)
    ? `port ${name}, which ovn-controller adds for the bridge mapping and the localnet port, is not there after ${PERIODS.port / 1000} s; see the log of ovn-controller`
    : `bridge ${name} has had no OpenFlow connection for ${PERIODS.switch / 1000} s: ovs-vswitchd does not run, or refuses connections; see its log`;
}
