import type { ApplyResult } from '../../ports/apply-result.ts';

/** Connections that leave networks by the node. */
export interface LeavingConnections {
  /**
   * Ends those from addresses of networks, so that no answer to them is led to such an address any more. Succeeds where nothing can be done about them, as Open vSwitch does not answer, or
   * has several datapaths. Never rejects.
   *
   * @param sources addresses that networks have between OVN and the kernel
   */
  end(sources: readonly string[]): Promise<ApplyResult>;
}
