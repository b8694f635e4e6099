import type { ArgumentVector, LabNode } from '../../node.ts';
import { prepare } from '../../prepare.ts';
import { clusterNode } from '../../story-node.ts';
import { labProgram } from '../node-agent.ts';
import type { FaultName, OvnFaultName } from './faults.ts';
import { blueBridge } from '../blue.ts';
import { redBridge } from './scenario.ts';
import type { ScenarioName } from './scenarios.ts';

/** Maximum duration of a campaign, in milliseconds. */
const DEADLINE = 4 * 3600 * 1000;

/** The result of a run without faults. */
export interface Undisturbed {
  /** The number of changes. */
  readonly setUp: number;
  readonly removal: number;
  readonly differences: readonly string[];
}

/** The result of a fault. */
export interface FaultOutcome {
  readonly phase: 'set-up' | 'removal';
  /** The number of the change. */
  readonly at: number;
  readonly milliseconds: number;
  /** Differences of the node and the ledger to those after an undisturbed run. */
  readonly differences: readonly string[];
  /** Entities that were changed another number of times. */
  readonly counts: readonly string[];
}

/** The results of a run without faults, and of each with one. */
export interface FaultRun {
  readonly undisturbed: Undisturbed;
  readonly outcomes: readonly FaultOutcome[];
}

/** The configuration of OVN-Kubernetes and an administrator on the node. */
export const preparedNode: readonly ArgumentVector[] = [...clusterNode, ...blueBridge, ...redBridge];

/** Injects a fault at every STEPth change, from the FIRST on, on a fresh node. */
export async function runFaults(node: LabNode, fault: FaultName, first: number, step: number): Promise<FaultRun> {
  await prepare(node, preparedNode);
  return await runDriver(node, 'host', fault, first, step);
}

/** Injects a fault at every STEPth change, from the FIRST on, on a node on which tenants have packets (packets/packet-node.ts). */
export function runPacketFaults(
  node: LabNode,
  fault: FaultName | OvnFaultName,
  first: number,
  step: number,
): Promise<FaultRun> {
  return runDriver(node, 'packets', fault, first, step);
}

async function runDriver(
  node: LabNode,
  scenario: ScenarioName,
  fault: FaultName | OvnFaultName,
  first: number,
  step: number,
): Promise<FaultRun> {
  const words = [scenario, fault, String(first), String(step)];
  const driver = labProgram('test/integration/lab/agent/faults/driver.ts', ...words);
  const { stdout, stderr, exitCode } = await node.run(driver, {
    deadline: DEADLINE,
  });
  const [undisturbed, ...outcomes] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  if (exitCode !== 0 || undisturbed === undefined)
    throw new Error(`the driver exited with ${exitCode}: ${stderr}${stdout}`);
  return { undisturbed: undisturbed as Undisturbed, outcomes: outcomes as readonly FaultOutcome[] };
}

/** Outcomes that differ from an undisturbed run. */
export function failed(outcomes: readonly FaultOutcome[]): readonly FaultOutcome[] {
  return outcomes.filter(({ differences, counts }) => differences.length > 0 || counts.length > 0);
}

/**
 * Sets up or removes the tenants whose packets pass with loops that crash after each STEPth change; with every change none would come further than to
 * the ledger.
 *
 * @returns how many crashed
 */
export async function crashRepeatedly(node: LabNode, phase: 'set-up' | 'removal', step: number): Promise<number> {
  const words = ['packets', phase, String(step)];
  const program = labProgram('test/integration/lab/agent/faults/repeated-crashes.ts', ...words);
  const { stdout, stderr, exitCode } = await node.run(program, { deadline: DEADLINE });
  if (exitCode !== 0) throw new Error(`repeated-crashes.ts exited with ${exitCode}: ${stderr}`);
  return Number(stdout);
}
