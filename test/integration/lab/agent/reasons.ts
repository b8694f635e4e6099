import { attachmentProblems } from './problems/attachments.ts';
import { networkProblems } from './problems/networks.ts';
import { readyProblems } from './problems/ready.ts';
import type { NodeProblem } from './problems/node-problem.ts';

/** All problems, by reason, or by reason and cause if the reason has several. */
export const problems: readonly (readonly [reason: string, NodeProblem])[] = [
  ...readyProblems,
  ...networkProblems,
  ...attachmentProblems.map(([cause, problem]) => [`UplinkVRFAttachmentFailed, ${cause}`, problem] as const),
];

/** Reasons that the agents of these problems never report, and why. */
export const untested: Readonly<Record<string, string>> = {
  WaitingForDPU: 'an agent in Full mode does not wait for a DPU',
  WaitingForDPUHost: 'an agent in Full mode does not wait for a DPU',
  GatewayRouterFailed: 'their node is without OVN; packets/removal.test.ts has it on a node with OVN',
};
