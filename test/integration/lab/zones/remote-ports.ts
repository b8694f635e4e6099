/**
 * What the Southbound database of a node needs for ports of other nodes, beside their chassis (ovn-sb(5), Port_Binding, chassis).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { LabNode } from '../node.ts';

/** Milliseconds for ovn-northd to process changes on a busy machine. */
const DEADLINE = 90_000;

/** Milliseconds between two looks at the database. */
const PAUSE = 100;

/** Columns of Port_Binding: its UUID, the chassis that it is bound to, and the requested one. */
type Binding = readonly [uuid: string, chassis: string, requested: string];

async function remoteBindings(node: LabNode): Promise<readonly Binding[]> {
  const columns = '--columns=_uuid,chassis,requested_chassis';
  const printed = await node.does([
    ...['ovn-sbctl', '--format=csv', '--no-headings', columns],
    ...['find', 'Port_Binding', 'type=remote'],
  ]);
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(',') as unknown as Binding);
}

/**
 * Waits until a number of ports of other nodes is bound to their chassis, and binds those that ovn-northd does not bind: 23.03 only fills in
 * `requested_chassis`.
 */
export async function bindRemotePorts(node: LabNode, count: number): Promise<void> {
  const deadline = performance.now() + DEADLINE;
  for (;;) {
    const bindings = await remoteBindings(node);
    const isSet = (value: string) => /^[0-9a-f-]{36}$/.test(value);
    const unbound = bindings.filter(([, chassis, requested]) => !isSet(chassis) && isSet(requested));
    for (const [uuid, , requested] of unbound) {
      await node.does(['ovn-sbctl', 'set', 'Port_Binding', uuid, `chassis=${requested}`]);
    }
    if (unbound.length === 0 && bindings.filter(([, chassis]) => isSet(chassis)).length === count) return;
    if (performance.now() > deadline)
      throw new Error(`${node.name} has ports of other nodes: ${JSON.stringify(bindings)}`);
    await pause(PAUSE);
  }
}
