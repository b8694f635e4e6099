import type { ApplyResult } from '../../ports/apply-result.ts';
import type { SwitchControl } from './switch-control.ts';
import { ofEachProtocol, type TrackedConnections } from './tracked-connections.ts';

/** Commands for some connections, until one succeeds. */
const ATTEMPTS = 5;

/** Ending of the error of ovs-vswitchd about a connection that it cannot delete: Open vSwitch 3.1 has no words for those of SCTP in the kernel (seen). */
const UNSUPPORTED = '(Operation not supported)';

/**
 * Ends connections of the only datapath; in that of the kernel, those of the host too. Connections of a protocol that Open vSwitch cannot delete are left until they time out. Never rejects.
 */
export async function endConnections(control: SwitchControl, connections: TrackedConnections): Promise<ApplyResult> {
  const ended = await endRepeatedly(control, connections);
  if (!isUnsupported(ended)) return ended;
  // The command stops at such a connection: those of other protocols may be behind it.
  for (const part of ofEachProtocol(connections)) {
    const endedPart = await endRepeatedly(control, part);
    if (!endedPart.done && !isUnsupported(endedPart)) return endedPart;
  }
  return { done: true };
}

function isUnsupported(result: ApplyResult): boolean {
  return !result.done && result.error.endsWith(UNSUPPORTED);
}

/** Ends connections. One that ends by itself meanwhile makes the command fail, and those after it stay: then the next command has fewer to delete. */
async function endRepeatedly(control: SwitchControl, connections: TrackedConnections): Promise<ApplyResult> {
  for (let attempt = 1; ; attempt += 1) {
    const ended = await control.flushConnections(connections);
    if (ended.done || ended.isUnavailable === true || isUnsupported(ended) || attempt === ATTEMPTS) return ended;
  }
}
