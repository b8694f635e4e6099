/**
 * Locks the interfaces of pods in the default network (docs/design/networks.md, "The interface in the default network").
 */
import { type InterfaceLock, interfaceLock } from '../../domain/pods/interface-lock.ts';
import type { ObservedPodSwitchPort, PodSwitchPort } from '../../domain/pods/leftovers.ts';
import { lockOfPod } from '../../domain/pods/pod-lock.ts';
import type { LockedInterface } from '../../domain/pods/lock-chains.ts';
import type { ReadLocks } from '../../ports/node/interface-locks.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import { type Attempt, succeeded, tryAgainLater, unread, written } from './failure.ts';
import type { PodContext } from './pod-ports.ts';

/** Traffic that passes until more is known: neighbours are resolved. */
const closed = interfaceLock([], { nodeAddresses: [], services: [] });

/** The lock of a pod; undefined as long as what it follows from is not known. */
function lockOf({ cluster, surroundings }: PodContext, { pod }: PodSwitchPort): InterfaceLock | undefined {
  const around = surroundings.read();
  return around.read ? lockOfPod(cluster.facts(pod).pod, pod.uid, around.value) : undefined;
}

/** The locks of a port’s pod. */
export function locksOf(context: PodContext, port: PodSwitchPort): readonly LockedInterface[] {
  const lock = lockOf(context, port) ?? closed;
  return port.defaultInterfaces.map((each) => ({ interface: each, lock }));
}

/** Locks the interfaces of a pod in the default network, before any of its containers runs. */
export async function lock(context: PodContext, port: PodSwitchPort): Promise<Attempt> {
  const message = 'the interface of the pod in the default network cannot be locked';
  const around = context.surroundings.read();
  if (!around.read) return tryAgainLater(message, around.problems.map(describeProblem).join('; '));
  return written(message, await context.locks.put(locksOf(context, port)));
}

/** Removes the locks of a port’s pod. */
export async function unlock(
  { locks }: Pick<PodContext, 'locks'>,
  { defaultInterfaces }: Pick<PodSwitchPort, 'defaultInterfaces'>,
): Promise<Attempt> {
  const result = await locks.remove(defaultInterfaces.map(({ index }) => index));
  return written('the lock of an interface in the default network cannot be removed', result);
}

const isKnown = ({ lock: each }: LockedInterface): boolean => each !== closed;

/** The names of a pod’s interfaces on the host whose locks are missing, or are not as they have to be. */
export async function unlockedInterfaces(
  context: PodContext,
  port: PodSwitchPort,
): Promise<Attempt<readonly string[]>> {
  const found = await context.locks.read();
  if (!found.read) return unread('the rules of nftables cannot be read', found.problems);
  const { missing, different } = await found.value.differences(locksOf(context, port));
  return succeeded([...missing, ...different.filter(isKnown)].map((each) => each.interface.name));
}

/**
 * Locks interfaces whose pods are attached still, and not being attached or detached. No pod is detached meanwhile: one whose runtime has deleted it since its
 * port was read would be locked again, and stay locked.
 *
 * @param owners ports of pods, by the indexes of their interfaces in the default network
 * @returns those that are locked
 */
async function lockAttached(
  context: PodContext,
  interfaces: readonly LockedInterface[],
  owners: ReadonlyMap<number, ObservedPodSwitchPort>,
  isBusy: (containerId: string) => boolean,
): Promise<Attempt<readonly LockedInterface[]>> {
  const { locks, switchPorts } = context;
  return await context.queues.do('all', async () => {
    const reading = await switchPorts.read();
    if (!reading.read) return unread('Open vSwitch’s database cannot be read', reading.problems);
    const names = new Set(reading.value.map(({ name }) => name));
    const due = interfaces.filter(({ interface: { index } }) => {
      const owner = owners.get(index);
      return owner !== undefined && names.has(owner.name) && !isBusy(owner.attachment.containerId);
    });
    const put = written('an interface in the default network cannot be locked', await locks.put(due));
    return put.ok ? succeeded(due) : put;
  });
}

/** Objects by which it is told whether the locks of a port are in order, by the names of ports. */
function partsOf(
  { cluster, surroundings }: PodContext,
  found: ReadLocks,
  ports: readonly PodSwitchPort[],
): Map<string, readonly unknown[]> {
  const reading = surroundings.read();
  const around = reading.read ? reading.value : undefined;
  const parts = ports.map((port): [string, readonly unknown[]] => {
    const inKernel = port.defaultInterfaces.flatMap(({ index }) => found.partsOf(index));
    return [port.name, [port, cluster.facts(port.pod).pod, around, ...inKernel]];
  });
  return new Map(parts);
}

/**
 * Locks interfaces of attached pods that another program has unlocked, changes locks after what they follow from, and removes those of interfaces that are gone. A
 * lock without a port stays as long as there is its interface: a pod that deletes its own interface in the primary network, or whose port is lost, is not
 * unlocked by it. As long as it is not known what may pass, locks stay as they are, and where there is none, nothing passes.
 *
 * @param found the locks as they were before the ports were read
 * @param ports those of pods that are attached
 */
export async function repairLocks(
  context: PodContext,
  found: ReadLocks,
  ports: readonly ObservedPodSwitchPort[],
  isBusy: (containerId: string) => boolean,
): Promise<Attempt> {
  const { locks, report, settled } = context;
  const owners = new Map(ports.flatMap((port) => port.defaultInterfaces.map(({ index }) => [index, port] as const)));
  const parts = partsOf(context, found, ports);
  const due = ports.filter(({ name }) => !settled.locks.has(name, parts.get(name) ?? []));
  const wanted = due.flatMap((port) => locksOf(context, port));
  const { missing, different, absent, gone } = await found.differences(wanted, [...owners.keys()]);
  const unsettled = [...missing, ...different.filter(isKnown)];
  for (const each of [...unsettled, ...absent]) parts.delete(owners.get(each.interface.index)?.name ?? '');
  settled.locks.replace(parts);
  const changing = unsettled.length === 0 ? succeeded([]) : await lockAttached(context, unsettled, owners, isBusy);
  if (!changing.ok) return changing;
  for (const each of changing.value) {
    const owner = owners.get(each.interface.index);
    if (owner === undefined) continue;
    const { name } = each.interface;
    report({ kind: 'lock-repaired', interface: name, pod: owner.pod, wasMissing: missing.includes(each) });
  }
  const removed = await locks.remove(gone);
  const isRemoved = written('the lock of an interface in the default network cannot be removed', removed);
  return isRemoved.ok ? succeeded(undefined) : isRemoved;
}
