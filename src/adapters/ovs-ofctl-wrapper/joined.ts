import type { FlowSnapshot } from '../../ports/node/flow-tables.ts';

/** Joins the lists of several bridges, in their order. */
export function joined(parts: readonly FlowSnapshot[]): FlowSnapshot {
  const bridgesWithoutSwitch = parts.flatMap((part) => part.bridgesWithoutSwitch ?? []);
  return {
    flows: parts.flatMap(({ flows }) => flows),
    fdbEntries: parts.flatMap(({ fdbEntries }) => fdbEntries),
    noFloodPorts: parts.flatMap(({ noFloodPorts }) => noFloodPorts),
    ...(bridgesWithoutSwitch.length > 0 && { bridgesWithoutSwitch }),
  };
}
