import { expect } from 'chai';
import { ovnUplinks } from './command.ts';

/** An operation as `plan --output json` prints it. */
export interface PrintedOperation {
  readonly network: string | null;
  readonly networks: readonly string[];
  readonly kind: string;
  readonly summary: string;
  readonly disruption: string;
  /** Null where no single program does it. */
  readonly command: readonly string[] | null;
}

/** An object as it prints it. */
export interface PrintedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly status: {
    readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
  } & Record<string, unknown>;
}

/** The output of `plan --output json`. */
export interface PrintedPlan {
  readonly objects: readonly PrintedObject[];
  readonly nodes: Record<
    string,
    { readonly networks: readonly Record<string, unknown>[]; readonly operations: readonly PrintedOperation[] }
  >;
  readonly warnings: readonly string[];
}

/** Runs `plan --output json`. */
export async function printedPlan(args: readonly string[]): Promise<PrintedPlan> {
  const { stdout, stderr, exitCode } = await ovnUplinks(['plan', '--output', 'json', ...args]);
  expect(exitCode, stderr).to.equal(0);
  return JSON.parse(stdout) as PrintedPlan;
}
