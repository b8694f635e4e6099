/** The lab machines of a process of tests that are up: a test that times out ends them (test/hooks.ts). */

/** A machine, as far as it is ended. */
export interface RunningMachine {
  /** Whether a request waits for its answer. */
  readonly hasUnansweredRequests: boolean;
  /** Ends it. Requests that are not answered reject with a reason. */
  stop(reason: string): Promise<void>;
}

export const runningMachines = new Set<RunningMachine>();

/** Ends all of them. Requests that are not answered reject with a reason. */
export async function endMachines(reason: string): Promise<void> {
  await Promise.all([...runningMachines].map((machine) => machine.stop(reason)));
}

/** Ends those that have not answered all requests, which reject with a reason. */
export async function endUnansweringMachines(reason: string): Promise<void> {
  const unanswering = [...runningMachines].filter((machine) => machine.hasUnansweredRequests);
  await Promise.all(unanswering.map((machine) => machine.stop(reason)));
}
