import type { ApplyResult } from '../../ports/apply-result.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import { endConnections } from '../vswitchd-control/connection-tracking.ts';
import type { SwitchControl } from '../vswitchd-control/switch-control.ts';
import type { TrackedConnections } from '../vswitchd-control/tracked-connections.ts';
import type { SwitchPrograms } from './switch-programs.ts';

/** The ways to delete connections. */
interface Access {
  readonly programs: SwitchPrograms;
  readonly control: SwitchControl;
}

/** Ends tracked connections of the datapath of a bridge: by the control socket, which reports failures, or, where it would have to name one of several datapaths, by ovs-ofctl(8). Never rejects. */
export async function endTrackedConnections(
  bridge: string,
  { programs, control }: Access,
  connections: TrackedConnections,
): Promise<ApplyResult> {
  const datapaths = await control.datapaths();
  if (!datapaths.read) {
    return { done: false, error: datapaths.problems.map(describeProblem).join('; '), isUnavailable: true };
  }
  switch (datapaths.value.length) {
    case 0:
      // The kernel may still have connections of the former one.
      return { done: false, error: 'Open vSwitch has no datapath yet', isUnavailable: true };
    case 1:
      return await endConnections(control, connections);
    default:
      return await programs.endConnections(bridge, connections);
  }
}
