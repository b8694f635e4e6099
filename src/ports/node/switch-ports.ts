import type { ObservedPodSwitchPort, PodSwitchPort } from '../../domain/pods/leftovers.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';

/** The ports of pods on OVN's integration bridge. */
export interface SwitchPorts {
  /** Reads all: a port that did not change is the same object. Never rejects. */
  read(): Promise<Reading<readonly ObservedPodSwitchPort[]>>;
  /** Adds a port. Succeeds if it is there already. Never rejects. */
  add(port: PodSwitchPort): Promise<ApplyResult>;
  /** Removes a port. Succeeds if there is none. Never rejects. */
  remove(name: string): Promise<ApplyResult>;
  /**
   * Waits until ovn-controller has installed the flows of a port (ovn-controller(8), ovn-installed). Never rejects.
   *
   * @returns whether it has: not if the port is removed, the time is over, or the signal is aborted
   */
  installed(name: string, milliseconds: number, signal: AbortSignal): Promise<boolean>;
  /** Calls a listener whenever the ports may have changed, or may be readable again, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
