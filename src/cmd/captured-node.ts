import type { NodeSnapshot } from '../domain/index.ts';
import type { Inputs } from './inputs.ts';
import type { Terminal } from './terminal.ts';
import { printable } from './text-table.ts';

/** The captured node of a name; where there is none, prints what there is on standard error. */
export function capturedNode({ nodes }: Inputs, name: string, terminal: Terminal): NodeSnapshot | undefined {
  const node = nodes.find(({ nodeName }) => nodeName === name);
  if (node === undefined) {
    const names = nodes.map(({ nodeName }) => nodeName).join(', ') || 'none';
    terminal.err(
      `error: there is no capture of node ${printable(name)}, only of ${printable(names)}; add --host ${printable(name)}=DIR`,
    );
  }
  return node;
}
