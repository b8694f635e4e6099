import type { Container } from 'inversify';
import type { NodeSnapshot } from '../../domain/index.ts';
import type { BridgePass } from '../../domain/explanation/trace/bridge-pass.ts';
import { differences, expectedOf } from '../../domain/explanation/trace/switch-trace.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import { ports } from '../ports/container.ts';

/** A frame that the running switch traced, and where its result differs. */
export interface FrameCheck {
  readonly bridge: string;
  /** In the syntax of ovs-fields(7). */
  readonly frame: string;
  /** Empty if there are none; or why the switch could not trace it. */
  readonly differences: readonly string[];
}

/** Has the running switch trace the frames of a trace. */
export async function checkPasses(
  passes: readonly BridgePass[],
  { bridges }: NodeSnapshot,
  socket: string,
  container: Container,
): Promise<readonly FrameCheck[]> {
  const running = container.get(ports.runningBridges)(socket);
  const checks: FrameCheck[] = [];
  for (const pass of passes) {
    const { frame, expected } = expectedOf(pass);
    const bridge = bridges.find(({ name }) => name === pass.bridge);
    const check = { bridge: pass.bridge, frame: frame.words };
    if (bridge === undefined) {
      checks.push({ ...check, differences: [`there is no bridge ${pass.bridge}`] });
      continue;
    }
    const found = await running.trace(bridge, frame);
    const messages = found.read ? differences(expected, found.value) : found.problems.map(describeProblem);
    checks.push({ ...check, differences: messages });
  }
  return checks;
}
