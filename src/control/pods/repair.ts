import type { Node } from '../../domain/api/node.ts';
import { logicalNetworkNames } from '../../domain/network/names/logical-network.ts';
import { withoutLength } from '../../domain/basics/addresses/ip-address.ts';
import {
  type Leftovers,
  leftovers,
  type LogicalPort,
  type ObservedPodSwitchPort,
} from '../../domain/pods/leftovers.ts';
import { withAnnotatedNetwork } from '../../domain/pods/pod-annotation.ts';
import { annotatedNetwork, attachmentsOf, type PodFacts } from '../../domain/pods/pod-attachment.ts';
import { podText } from '../../domain/pods/pod-key.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { LogicalPortsSnapshot } from '../../ports/node/logical-ports.ts';
import { removePorts } from './detach.ts';
import { type Attempt, succeeded, tryAgainLater, unread, written } from './failure.ts';
import { repairLocks } from './locks.ts';
import type { PodContext } from './pod-ports.ts';
import type { RepairScope } from '../repairs.ts';

const NOT_RESTORED = 'the logical switch port of a pod cannot be restored';

/**
 * The logical switch port of a pod that runs, after the Northbound database was lost: as Open vSwitch has it, whichever network its namespace has by now.
 * Fails where that does not say the addresses: OVN would accept packets from any address then.
 */
function restoredPort(port: ObservedPodSwitchPort, node: Node): Attempt<LogicalPort> {
  const { portName, networkName, definition, pod, addresses, mac } = port;
  if (addresses.length === 0) {
    const details = `the port ${port.name} of ${podText(pod)} in Open vSwitch does not say which addresses it has; delete the pod`;
    return tryAgainLater(NOT_RESTORED, details);
  }
  const switchName = logicalNetworkNames(networkName, node.metadata.name).nodeSwitch;
  const without = addresses.map(withoutLength);
  return succeeded({ name: portName, switchName, networkName, definition, pod, addresses: without, mac });
}

/** An attached pod, with its logical switch port. */
interface AttachedPod {
  readonly switchPort: ObservedPodSwitchPort;
  readonly port: LogicalPort;
}

/** Repairs of the ports of a node. */
interface RepairedPorts {
  readonly attempts: readonly Attempt<unknown>[];
  readonly attached: readonly AttachedPod[];
  /** Those of Open vSwitch that are in use. */
  readonly switchPorts: readonly ObservedPodSwitchPort[];
}

async function removeLeftovers(
  context: PodContext,
  switchPorts: readonly ObservedPodSwitchPort[],
  logicalPorts: readonly LogicalPort[],
): Promise<readonly Attempt<unknown>[]> {
  const attempts: Attempt<unknown>[] = [];
  const removed = (attempt: Attempt<unknown>, { name, pod }: ObservedPodSwitchPort | LogicalPort) => {
    attempts.push(attempt);
    if (attempt.ok) context.report({ kind: 'leftover-removed', port: name, pod });
  };
  for (const port of switchPorts) removed(await removePorts(context, port), port);
  for (const port of logicalPorts) {
    const result = await context.logicalPorts.remove(port, context.now());
    removed(written('an unused logical switch port cannot be deleted', result), port);
  }
  return attempts;
}

/** Restores the logical switch ports of attached pods. */
async function restorePorts(
  context: PodContext,
  switchPorts: readonly ObservedPodSwitchPort[],
  snapshot: LogicalPortsSnapshot,
): Promise<Omit<RepairedPorts, 'switchPorts'>> {
  const attempts: Attempt<unknown>[] = [];
  const attached: AttachedPod[] = [];
  const logicalPorts = new Map(snapshot.ports.map((port) => [port.name, port]));
  for (const switchPort of switchPorts) {
    const found = logicalPorts.get(switchPort.portName);
    if (found !== undefined) {
      attached.push({ switchPort, port: found });
      continue;
    }
    const { node } = context.cluster.facts(switchPort.pod);
    // There is another repair once it is known.
    if (node === undefined) continue;
    const restored = restoredPort(switchPort, node);
    const attempt = restored.ok ? written(NOT_RESTORED, await context.logicalPorts.put(restored.value)) : restored;
    attempts.push(attempt);
    if (restored.ok) attached.push({ switchPort, port: restored.value });
    if (restored.ok && attempt.ok) {
      context.report({ kind: 'port-restored', port: restored.value.name, pod: switchPort.pod });
    }
  }
  return { attempts, attached };
}

/** The ports of a node, and those that nothing uses. */
interface FoundPorts {
  readonly left: Leftovers;
  /** Those of Open vSwitch that are in use. */
  readonly kept: readonly ObservedPodSwitchPort[];
  /** Those of pods that are not being attached or detached. */
  readonly attached: readonly ObservedPodSwitchPort[];
  readonly logical: LogicalPortsSnapshot;
}

async function findPorts(context: PodContext, isBusy: (containerId: string) => boolean): Promise<Attempt<FoundPorts>> {
  const [switchReading, logicalReading] = await Promise.all([context.switchPorts.read(), context.logicalPorts.read()]);
  if (!switchReading.read) return unread('Open vSwitch’s database cannot be read', switchReading.problems);
  if (!logicalReading.read) return unread('OVN’s Northbound database cannot be read', logicalReading.problems);
  const switchPorts = switchReading.value;
  const { ports: logicalPorts } = logicalReading.value;
  const left = leftovers({ logicalPorts, switchPorts }, context.cluster.pods(), isBusy);
  const unused = new Set(left.switchPorts);
  const kept = switchPorts.filter((port) => !unused.has(port));
  const attached = kept.filter((port) => !isBusy(port.attachment.containerId));
  return succeeded({ left, kept, attached, logical: logicalReading.value });
}

function isInOrder({ left, attached, logical }: FoundPorts): boolean {
  const names = new Set(logical.ports.map(({ name }) => name));
  const isLeft = left.switchPorts.length + left.logicalPorts.length > 0;
  return !isLeft && attached.every(({ portName }) => names.has(portName));
}

/**
 * Removes ports that nothing uses, and restores those of running pods. Meanwhile no address is allocated, and no pod detached; they do not wait where there is
 * nothing to do.
 */
async function repairPorts(
  context: PodContext,
  isBusy: (containerId: string) => boolean,
): Promise<Attempt<RepairedPorts>> {
  const repaired = async ({ left, kept, attached, logical }: FoundPorts): Promise<Attempt<RepairedPorts>> => {
    const removals = await removeLeftovers(context, left.switchPorts, left.logicalPorts);
    context.report({ kind: 'attached', pods: kept.length });
    const restored = await restorePorts(context, attached, logical);
    return succeeded({ ...restored, attempts: [...removals, ...restored.attempts], switchPorts: kept });
  };
  const found = await findPorts(context, isBusy);
  if (!found.ok || isInOrder(found.value)) return found.ok ? await repaired(found.value) : found;
  return await context.queues.do('all', async () => {
    const again = await findPorts(context, isBusy);
    return again.ok ? await repaired(again.value) : again;
  });
}

/** Annotates a pod, if it has to be. */
async function annotate(
  { cluster, settings }: PodContext,
  { switchPort: { pod, defaultServices }, port }: AttachedPod,
  facts: PodFacts,
): Promise<ApplyResult> {
  const found = attachmentsOf(facts, pod.uid, settings);
  if (found.kind === 'missing') return { done: true };
  const attachment = found.attachments.find(({ networkName }) => networkName === port.networkName);
  if (attachment === undefined) return { done: true };
  return await cluster.annotate(pod, (text) =>
    withAnnotatedNetwork(text, annotatedNetwork(attachment, port, defaultServices)),
  );
}

/** Restores the annotations of attached pods, until one cannot be written: then the API server is probably away. */
async function restoreAnnotations(context: PodContext, attached: readonly AttachedPod[]): Promise<Attempt<unknown>> {
  const { annotations } = context.settled;
  const inOrder = new Map<string, readonly unknown[]>();
  const refused: Attempt<unknown>[] = [];
  for (const each of attached) {
    const { switchPort, port } = each;
    const facts = context.cluster.facts(switchPort.pod);
    const parts = [switchPort, port, facts.pod, facts.namespace, facts.node, facts.nodeId, facts.networks];
    const isSettled = annotations.has(switchPort.name, parts);
    const result: ApplyResult = isSettled ? { done: true } : await annotate(context, each, facts);
    if (result.done) inOrder.set(switchPort.name, parts);
    else {
      refused.push(written('a pod cannot be annotated', result));
      if (result.isRefused !== true) break;
    }
  }
  annotations.replace(inOrder);
  return refused[0] ?? succeeded(undefined);
}

/**
 * Removes what is left over of attachments, and restores what was lost of others. Pods are attached meanwhile, except while ports are read.
 *
 * @param isBusy whether a container is being attached or detached
 * @returns whether everything was done; otherwise it has to be retried
 */
export async function repair(
  context: PodContext,
  isBusy: (containerId: string) => boolean,
  scope: RepairScope,
): Promise<Attempt<unknown>> {
  const { settled } = context;
  if (scope === 'everything') for (const each of Object.values(settled)) each.replace(new Map());
  const locks = scope === 'everything' ? await context.locks.read() : await context.locks.known();
  const repaired = await repairPorts(context, isBusy);
  if (!repaired.ok) return repaired;
  const { attempts, attached, switchPorts } = repaired.value;
  const locked = locks.read
    ? await repairLocks(context, locks.value, switchPorts, isBusy)
    : unread('the locks of interfaces in the default network cannot be read', locks.problems);
  return [...attempts, locked].find(({ ok }) => !ok) ?? (await restoreAnnotations(context, attached));
}
