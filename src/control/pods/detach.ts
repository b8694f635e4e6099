import type { CniAnswer } from '../../domain/pods/cni/answer.ts';
import type { Attachment } from '../../domain/pods/cni/call.ts';
import type { ObservedPodSwitchPort } from '../../domain/pods/leftovers.ts';
import type { CniPlugin } from '../../ports/pods/cni-agent.ts';
import { answerOf, type Attempt, succeeded, taken, unread, written } from './failure.ts';
import { unlock } from './locks.ts';
import { type PodContext, queuesOf } from './pod-ports.ts';

/** Whether both are the same interface of the same container. */
export function isSameAttachment(left: Attachment, right: Attachment): boolean {
  return left.containerId === right.containerId && left.ifname === right.ifname;
}

/** Deletes the logical switch port of a pod. */
async function removeLogicalPort(
  { logicalPorts, now }: PodContext,
  { portName, pod }: ObservedPodSwitchPort,
): Promise<Attempt> {
  const reading = await logicalPorts.read();
  if (!reading.read) return unread('OVN’s Northbound database cannot be read', reading.problems);
  const port = reading.value.ports.find((each) => each.name === portName && each.pod.uid === pod.uid);
  if (port === undefined) return succeeded(undefined);
  return written('the logical switch port of the pod cannot be deleted', await logicalPorts.remove(port, now()));
}

/** Removes both ports of a pod. The port of Open vSwitch comes last: by it, the attachment is found again after a failure. Packets end with either. */
export async function removePorts(context: PodContext, port: ObservedPodSwitchPort): Promise<Attempt> {
  const removed = await removeLogicalPort(context, port);
  if (!removed.ok) return removed;
  return written('the interface cannot be removed from Open vSwitch', await context.switchPorts.remove(port.name));
}

/** Detaches a pod that has ended, as its runtime says: its interfaces in the default network are not locked any more. */
export async function removeAttachment(context: PodContext, port: ObservedPodSwitchPort): Promise<Attempt> {
  const unlocked = await unlock(context, port);
  return unlocked.ok ? await removePorts(context, port) : unlocked;
}

/**
 * Detaches a container. What is not there is a success. So is what cannot be read, once the interface is deleted: its ports are found as left over when the
 * databases are back, and a container that is gone does not wait for them.
 */
export async function detach(context: PodContext, attachment: Attachment, plugin: CniPlugin): Promise<CniAnswer> {
  const deleted = taken('the interface of the pod cannot be deleted', await plugin.take({ step: 'detach' }));
  if (!deleted.ok) return answerOf(deleted);
  const find = async (): Promise<ObservedPodSwitchPort | undefined> => {
    const [reading, logical] = await Promise.all([context.switchPorts.read(), context.logicalPorts.read()]);
    if (!reading.read || !logical.read) return undefined;
    return reading.value.find((each) => isSameAttachment(each.attachment, attachment));
  };
  const found = await find();
  if (found === undefined) return answerOf(succeeded(undefined));
  return answerOf(
    await context.queues.do(queuesOf(found), async () => {
      // The next container of the pod may have taken its place meanwhile.
      const port = await find();
      return port === undefined ? succeeded(undefined) : await removeAttachment(context, port);
    }),
  );
}

/**
 * Removes the ports of all pods, whether they run or not, and all locks. All are tried. Where there are none in Open vSwitch, it does not matter whether there is an OVN.
 */
export async function detachAll(
  context: Pick<PodContext, 'logicalPorts' | 'switchPorts' | 'locks' | 'now' | 'report'>,
): Promise<Attempt<unknown>> {
  const [inSwitch, logical] = await Promise.all([context.switchPorts.read(), context.logicalPorts.read()]);
  if (!inSwitch.read) return unread('Open vSwitch’s database cannot be read', inSwitch.problems);
  const attempts: Attempt<unknown>[] = [];
  for (const port of logical.read ? logical.value.ports : []) {
    const removed = await context.logicalPorts.remove(port, context.now());
    attempts.push(written('the logical switch port of a pod cannot be deleted', removed));
  }
  for (const { name, pod } of inSwitch.value) {
    const removed = written('an interface cannot be removed from Open vSwitch', await context.switchPorts.remove(name));
    attempts.push(removed);
    if (removed.ok) context.report({ kind: 'detached', port: name, pod });
  }
  const cleared = await context.locks.clear();
  attempts.push(written('locks of interfaces in the default network cannot be removed', cleared));
  if (!logical.read && inSwitch.value.length > 0) {
    attempts.push(unread('OVN’s Northbound database cannot be read', logical.problems));
  }
  return attempts.find(({ ok }) => !ok) ?? succeeded(undefined);
}
