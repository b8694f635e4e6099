import { attachmentTroubles } from './troubles/attachments.ts';
import { networkTroubles } from './troubles/networks.ts';
import { readyTroubles } from './troubles/ready.ts';
import type { Trouble } from './troubles/trouble.ts';

/** Every trouble by the reason, and where the reason has several causes by the cause, that it shows by. */
export const troubles: readonly (readonly [reason: string, Trouble])[] = [
  ...readyTroubles,
  ...networkTroubles,
  ...attachmentTroubles.map(([cause, trouble]) => [`UplinkVRFAttachmentFailed, ${cause}`, trouble] as const),
];

/** Reasons that an agent cannot be brought to give in this lab, and why. */
export const outOfReach: Readonly<Record<string, string>> = {
  WaitingForDPU: 'an agent of Full mode sees host and bridge itself',
  WaitingForDPUHost: 'an agent of Full mode sees host and bridge itself',
  GatewayRouterFailed: 'the agent makes no gateway routers yet',
};
