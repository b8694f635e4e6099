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
