import { attachmentProblems } from './problems/attachments.ts';
import { networkProblems } from './problems/networks.ts';
import { readyProblems } from './problems/ready.ts';
import type { NodeProblem } from './problems/node-problem.ts';

/** Every problem by the reason, and where the reason has several causes by the cause, that it shows by. */
export const problems: readonly (readonly [reason: string, NodeProblem])[] = [
  ...readyProblems,
  ...networkProblems,
  ...attachmentProblems.map(([cause, problem]) => [`UplinkVRFAttachmentFailed, ${cause}`, problem] as const),
];

/** Reasons that an agent cannot be brought to give in this lab, and why. */
export const outOfReach: Readonly<Record<string, string>> = {
  WaitingForDPU: 'an agent of Full mode sees host and bridge itself',
  WaitingForDPUHost: 'an agent of Full mode sees host and bridge itself',
  GatewayRouterFailed: 'the agent makes no gateway routers yet',
};
