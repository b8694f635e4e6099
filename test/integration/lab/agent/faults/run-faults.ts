import type { ArgumentVector, LabNode } from '../../node.ts';
import { prepare } from '../../prepare.ts';
import { clusterNode } from '../../story-node.ts';
import { labProgram } from '../node-agent.ts';
import type { FaultName } from './faults.ts';
import { blueBridge } from '../blue.ts';
import { redBridge } from './scenario.ts';

/** Milliseconds that a campaign may take. */
const LONGEST = 4 * 3600 * 1000;

/** What a run without faults took. */
export interface Undisturbed {
  readonly setUp: number;
  readonly removal: number;
  readonly off: readonly string[];
}

/** What came of a fault. */
export interface FaultOutcome {
  readonly phase: 'set-up' | 'removal';
  /** After, or before, which change it was. */
  readonly at: number;
  readonly milliseconds: number;
  /** In what the node, or its ledger, differs from what it is after an undisturbed run. */
  readonly off: readonly string[];
  /** What was changed another number of times. */
  readonly counts: readonly string[];
}

/** What OVN-Kubernetes and an administrator have made of a node before any of it. */
export const preparedNode: readonly ArgumentVector[] = [...clusterNode, ...blueBridge, ...redBridge];

/** Has a fault happen at every STEPth change, from the FIRST on, on a fresh node. */
export async function runFaults(
  node: LabNode,
  fault: FaultName,
  first: number,
  step: number,
): Promise<{ readonly undisturbed: Undisturbed; readonly outcomes: readonly FaultOutcome[] }> {
  await prepare(node, preparedNode);
  const driver = labProgram('test/integration/lab/agent/faults/driver.ts', fault, String(first), String(step));
  const { stdout, stderr, exitCode } = await node.run(driver, {
    deadline: LONGEST,
  });
  const [undisturbed, ...outcomes] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  if (exitCode !== 0 || undisturbed === undefined)
    throw new Error(`the driver ended with ${exitCode}: ${stderr}${stdout}`);
  return { undisturbed: undisturbed as Undisturbed, outcomes: outcomes as readonly FaultOutcome[] };
}

/** Outcomes that are not as without the fault. */
export function bad(outcomes: readonly FaultOutcome[]): readonly FaultOutcome[] {
  return outcomes.filter(({ off, counts }) => off.length > 0 || counts.length > 0);
}
