import type { Warning } from '../../domain/index.ts';
import { describeProblem, inFile } from '../../ports/input-problem.ts';
import type { Inputs } from '../input/inputs.ts';

function line({ object, path, message, seenOnNode }: Warning, { origins, folders }: Inputs): string {
  const folder = seenOnNode === true ? folders.get(object.slice('Node/'.length)) : undefined;
  const file = folder ?? origins.get(object);
  const origin = file === undefined ? ({ kind: 'object', object } as const) : inFile(file, object);
  return describeProblem({ origin, ...(path !== undefined && { path }), message });
}

/** Distinct warnings in order, one line each with file and object. */
export function warningLines(inputs: Inputs, warnings: readonly Warning[]): readonly string[] {
  const lines = [...inputs.warnings.map(describeProblem), ...warnings.map((warning) => line(warning, inputs))];
  return [...new Set(lines)].sort();
}
