import type { AddCall } from '../../domain/pods/cni/call.ts';
import {
  attachmentsOf,
  attachmentTo,
  type CompleteAttachment,
  type PodAttachment,
  withDefaultServices,
} from '../../domain/pods/pod-attachment.ts';
import { podText } from '../../domain/pods/pod-key.ts';
import { attachmentSentence } from '../../domain/status/pod-attachment.ts';
import { awaited } from '../../ports/changes.ts';
import { describeProblem, type Reading } from '../../ports/input-problem.ts';
import type { LogicalPortsSnapshot } from '../../ports/node/logical-ports.ts';
import { type Attempt, notAttached, succeeded, tryAgainLater } from './failure.ts';
import type { PodContext } from './pod-ports.ts';

const FAILURE = 'the pod cannot be attached';

/** An obstacle to attaching a pod, and whether it usually ends by itself. */
interface AttachmentObstacle {
  readonly details: string;
  readonly isAwaited: boolean;
}

/**
 * Whether the network of an attachment is programmed on this node. The switch may be that of a network whose name is equal in OVN, or of the former network of
 * the name.
 */
export function isOnNode(
  cluster: PodContext['cluster'],
  { networkName, switchName }: PodAttachment,
  { switches }: LogicalPortsSnapshot,
): boolean {
  const onNode = switches.find(({ name }) => name === switchName);
  return onNode?.networkName === networkName && onNode.networkId === cluster.networkId(networkName);
}

/** The attachment of a pod to a network that is programmed on this node, or what is missing. */
function attachmentNow(
  { cluster, surroundings, settings }: PodContext,
  { network, pod }: Pick<AddCall, 'network' | 'pod'>,
  logicalPorts: Reading<LogicalPortsSnapshot>,
): CompleteAttachment | AttachmentObstacle {
  const found = attachmentsOf(cluster.facts(pod), pod.uid, settings);
  if (found.kind === 'missing') {
    const { problem, isAwaited } = found;
    return { details: attachmentSentence(problem, podText(pod), pod.namespace), isAwaited };
  }
  const around = surroundings.read();
  if (!around.read) return { details: around.problems.map(describeProblem).join('; '), isAwaited: true };
  const { missing, addresses: defaultServices } = around.value;
  if (missing.length > 0) return { details: missing.join('; '), isAwaited: true };
  const attachment = attachmentTo(network, found.attachments);
  const { networkName, switchName } = attachment;
  if (!logicalPorts.read) return { details: logicalPorts.problems.map(describeProblem).join('; '), isAwaited: true };
  if (isOnNode(cluster, attachment, logicalPorts.value)) return withDefaultServices(attachment, defaultServices);
  return {
    details: `network ${networkName} is not programmed on this node yet: OVN has no Logical_Switch ${switchName} of it; the log of the agent says what holds it`,
    isAwaited: true,
  };
}

/**
 * The attachment of a pod to a network, once everything that it follows from is known and the network is programmed on this node; if that takes too long, what is
 * missing.
 */
export async function awaitedAttachment(
  context: PodContext,
  call: Pick<AddCall, 'network' | 'pod'>,
  signal: AbortSignal,
): Promise<Attempt<CompleteAttachment>> {
  const { cluster, logicalPorts, surroundings, timing } = context;
  let missing: AttachmentObstacle | undefined;
  const look = async (): Promise<Attempt<CompleteAttachment> | undefined> => {
    const found = attachmentNow(context, call, await logicalPorts.read());
    if ('portName' in found) return succeeded(found);
    missing = found;
    return found.isAwaited ? undefined : notAttached(FAILURE, found.details);
  };
  const attempt = await awaited([cluster, logicalPorts, surroundings], look, timing.objects, signal);
  return attempt ?? tryAgainLater(FAILURE, missing?.details ?? '');
}
