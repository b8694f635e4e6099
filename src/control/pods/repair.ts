import { recordsOf } from './allocated-port.ts';
import { podMac } from '../../domain/pods/address-records.ts';
import { leftovers, type LogicalPort, type ObservedSwitchPort } from '../../domain/pods/leftovers.ts';
import { withAnnotatedNetwork } from '../../domain/pods/pod-annotation.ts';
import { annotatedNetwork, attachmentOf, type PodAttachment } from '../../domain/pods/pod-attachment.ts';
import { isSamePod } from '../../domain/pods/address-records.ts';
import type { LogicalPortsSnapshot } from '../../ports/logical-ports.ts';
import { removePorts } from './detach.ts';
import { type Attempt, succeeded, unread, written } from './failure.ts';
import type { PodContext } from './pod-ports.ts';

function knownAttachment({ cluster, settings }: PodContext, { pod }: ObservedSwitchPort): PodAttachment | undefined {
  const found = attachmentOf(cluster.facts(pod), pod.uid, settings);
  return found.kind === 'found' ? found.attachment : undefined;
}

/** The logical switch port of a pod whose annotation tells its addresses, after the Northbound database was lost. */
function restoredPort(
  context: PodContext,
  port: ObservedSwitchPort,
  snapshot: LogicalPortsSnapshot,
): LogicalPort | undefined {
  const attachment = knownAttachment(context, port);
  if (attachment === undefined) return undefined;
  const { pod, networkName, definition, portName, switchName } = attachment;
  const record = recordsOf(context, attachment, snapshot).find((each) => isSamePod(each.pod, pod));
  if (record === undefined) return undefined;
  const { addresses } = record;
  return { name: portName, switchName, networkName, definition, pod, addresses, mac: podMac(addresses) };
}

/** Restores the logical switch ports and the annotations of attached pods. */
async function restore(
  context: PodContext,
  switchPorts: readonly ObservedSwitchPort[],
  snapshot: LogicalPortsSnapshot,
): Promise<readonly Attempt<unknown>[]> {
  const attempts: Attempt<unknown>[] = [];
  for (const switchPort of switchPorts) {
    const found = snapshot.ports.find((port) => port.name === switchPort.portName);
    const port = found ?? restoredPort(context, switchPort, snapshot);
    if (port === undefined) continue;
    if (found === undefined) {
      attempts.push(
        written('the logical switch port of a pod cannot be restored', await context.logicalPorts.put(port)),
      );
    }
    const attachment = knownAttachment(context, switchPort);
    if (attachment === undefined) continue;
    const change = (text: string | undefined) => withAnnotatedNetwork(text, annotatedNetwork(attachment, port));
    attempts.push(written('a pod cannot be annotated', await context.cluster.annotate(switchPort.pod, change)));
  }
  return attempts;
}

/**
 * Removes what is left over of attachments, and restores what was lost of others.
 *
 * @param isBusy whether a container is being attached or detached
 * @returns whether everything was done; otherwise it is to be tried again
 */
export async function repair(context: PodContext, isBusy: (containerId: string) => boolean): Promise<Attempt<unknown>> {
  return await context.exclusively(async () => {
    const [switchReading, logicalReading] = await Promise.all([
      context.switchPorts.read(),
      context.logicalPorts.read(),
    ]);
    if (!switchReading.read) return unread('Open vSwitch’s database cannot be read', switchReading.problems);
    if (!logicalReading.read) return unread('OVN’s Northbound database cannot be read', logicalReading.problems);
    const switchPorts = switchReading.value;
    const { ports: logicalPorts } = logicalReading.value;
    const left = leftovers({ logicalPorts, switchPorts }, context.cluster.pods(), isBusy);
    const attempts: Attempt<unknown>[] = [];
    for (const port of left.switchPorts) attempts.push(await removePorts(context, port));
    for (const port of left.logicalPorts) {
      attempts.push(
        written(
          'an unused logical switch port cannot be deleted',
          await context.logicalPorts.remove(port, context.now()),
        ),
      );
    }
    const attached = switchPorts.filter(
      (port) => !left.switchPorts.includes(port) && !isBusy(port.attachment.containerId),
    );
    attempts.push(...(await restore(context, attached, logicalReading.value)));
    return attempts.find(({ ok }) => !ok) ?? succeeded(undefined);
  });
}
