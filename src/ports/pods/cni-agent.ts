import type { PodReport } from './pod-report.ts';
import type { CniAnswer } from '../../domain/pods/cni/answer.ts';
import type { CniCall } from '../../domain/pods/cni/call.ts';
import type { PluginStep, StepOutcome } from '../../domain/pods/cni/messages.ts';

/** The plugin of a call, which acts in the namespace of the pod. */
export interface CniPlugin {
  /** Aborted once the plugin has ended: the runtime may have killed it. */
  readonly ended: AbortSignal;
  /** Has the plugin take a step. Fails if the plugin ends meanwhile, or does not reply in time. Never rejects. */
  take(step: PluginStep): Promise<StepOutcome>;
}

/** Answers the calls of container runtimes. */
export interface CniAgent {
  /**
   * Answers a call. Calls for one container come one after the other, those for others at the same time. Never rejects.
   *
   * @param plugin the last steps to take; afterwards it prints the answer and ends
   */
  answer(call: CniCall, plugin: CniPlugin): Promise<CniAnswer>;
}

/** A server of plugins. */
export interface CniServer {
  /**
   * Accepts no more plugins, and gives the calls of others some time. Then it ends all connections, whose plugins ask the runtime to try again, and waits
   * until what they had begun is undone.
   */
  close(): Promise<void>;
}

/**
 * Begins to serve plugins. Never rejects.
 *
 * @param report takes reports for logs and metrics; must not throw
 * @returns why it cannot, for people, instead of a server
 */
export type ServeCni = (agent: CniAgent, report: (report: PodReport) => void) => Promise<CniServer | string>;
