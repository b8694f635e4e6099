import { groupBy } from '../../domain/basics/names/grouping.ts';
import { expectedPorts } from '../../domain/pods/expected-port.ts';
import type { PodAttachment } from '../../domain/pods/pod-attachment.ts';
import { type PodKey, textOfKey } from '../../domain/pods/pod-key.ts';
import { allocatedPort } from './allocated-port.ts';
import { isOnNode } from './awaited-attachment.ts';
import { type PodContext, queuesOf } from './pod-ports.ts';

/** Attachments of some pods whose logical switch ports are to be made now; none as long as something cannot be read, or a network is not on the node. */
async function expectedNow(context: PodContext, pods: readonly PodKey[]): Promise<readonly PodAttachment[]> {
  const { cluster, logicalPorts, switchPorts, settings } = context;
  const [logical, inSwitch] = await Promise.all([logicalPorts.read(), switchPorts.read()]);
  if (!logical.read || !inSwitch.read) return [];
  const ports = {
    logicalPorts: new Map(logical.value.ports.map((port) => [port.name, port])),
    switchPorts: new Map(inSwitch.value.map((port) => [port.portName, port])),
  };
  return pods
    .flatMap((pod) => expectedPorts(cluster.facts(pod), pod.uid, ports, settings))
    .filter((attachment) => isOnNode(cluster, attachment, logical.value));
}

/** The pods of the node whose runtimes have not asked yet. Later, DEL has removed what is missing: the annotation says so only once it could be written. */
function pods({ cluster, asked }: PodContext): readonly PodKey[] {
  const all = cluster.pods();
  if (all === undefined) return [];
  const known = new Set(all.map(textOfKey));
  for (const key of asked) if (!known.has(key)) asked.delete(key);
  return all.filter((pod) => !asked.has(textOfKey(pod)));
}

/**
 * Makes the logical switch ports of pods that are new on this node, one after the other in each network, so that an attachment waits for one of them at most. One
 * that cannot be made is left to the attachment, which says why. That of a pod that is never attached is a leftover once the pod is gone.
 */
export async function prepare(context: PodContext): Promise<void> {
  const expected = await expectedNow(context, pods(context));
  const prepareAll = async (attachments: readonly PodAttachment[]): Promise<void> => {
    for (const attachment of attachments) {
      await context.queues.do(queuesOf(attachment), async () => {
        // The pod may have been attached or deleted meanwhile.
        const [still] = await expectedNow(
          context,
          context.asked.has(textOfKey(attachment.pod)) ? [] : [attachment.pod],
        );
        if (still !== undefined) await allocatedPort(context, still);
      });
    }
  };
  await Promise.all([...groupBy(expected, ({ networkName }) => networkName).values()].map(prepareAll));
}
