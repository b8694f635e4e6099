import type { CniAnswer } from '../../domain/pods/cni/answer.ts';
import type { AddCall } from '../../domain/pods/cni/call.ts';
import { type ObservedNamespace, stepFailures } from '../../domain/pods/cni/messages.ts';
import { type DefaultInterfaces, defaultInterfaces } from '../../domain/pods/default-interfaces.ts';
import type { PodSwitchPort } from '../../domain/pods/leftovers.ts';
import { withAnnotatedNetwork } from '../../domain/pods/pod-annotation.ts';
import { annotatedNetwork, type CompleteAttachment, type PodAttachment } from '../../domain/pods/pod-attachment.ts';
import { podGateways, podInterface } from '../../domain/pods/pod-interface.ts';
import { hostInterfaceName, textOfKey } from '../../domain/pods/pod-key.ts';
import type { CniPlugin } from '../../ports/pods/cni-agent.ts';
import { allocatedPort } from './allocated-port.ts';
import { awaitedAttachment } from './awaited-attachment.ts';
import {
  answerOf,
  type Attempt,
  existingInterface,
  notAttached,
  succeeded,
  taken,
  tryAgainLater,
  unread,
  written,
} from './failure.ts';
import { lock, unlock } from './locks.ts';
import { timed } from './timed-step.ts';
import { type PodContext, queuesOf } from './pod-ports.ts';

/** Undoes what was done, the last first. What cannot be undone is found as left over. */
class Undo {
  readonly #steps: (() => Promise<unknown>)[] = [];

  add(step: () => Promise<unknown>): void {
    this.#steps.unshift(step);
  }

  async run(): Promise<void> {
    // An exception, which is a defect, must not keep the others from being undone.
    for (const step of this.#steps) await step().catch(() => undefined);
  }
}

/** The results of two pieces of work, once both have ended, also where one throws: what is undone must not go on. */
async function bothEnded<First, Second>(first: Promise<First>, second: Promise<Second>): Promise<[First, Second]> {
  await Promise.allSettled([first, second]);
  return await Promise.all([first, second]);
}

/** The namespace before the attachment, which must not have the interface (CNI specification 1.1.0, section 2, ADD). */
async function namespaceBefore(
  { attachment: { ifname } }: AddCall,
  plugin: CniPlugin,
): Promise<Attempt<ObservedNamespace>> {
  const message = 'the namespace of the pod cannot be read';
  const outcome = taken(message, await plugin.take({ step: 'observe' }));
  if (!outcome.ok) return outcome;
  const { observed } = outcome.value;
  if (observed === undefined) return tryAgainLater(message, 'the plugin reported nothing of it');
  return observed.link === undefined ? succeeded(observed) : existingInterface(ifname);
}

/** The host’s ends of the pod’s interfaces in the default network, which have to be locked. */
function interfacesToLock(
  observed: ObservedNamespace,
  ifname: string,
): Attempt<Extract<DefaultInterfaces, { readonly kind: 'found' }>> {
  const found = defaultInterfaces(observed, ifname);
  if (found.kind === 'found') return succeeded(found);
  const details = `interface ${found.name} of the pod is in the default network and has no other end on the host, where it could be locked; pods of primary networks need a default network of pairs of interfaces`;
  return notAttached('the pod cannot be attached', details);
}

/**
 * Removes the ports of former containers of the pod from Open vSwitch: OVN serves one port of a name only. It is done before the pod has its logical switch
 * port, which DEL of a former container, or a repair, would remove together with such a port.
 *
 * @param name of the host’s end of the new interface
 */
async function withoutFormerPorts(
  { switchPorts }: PodContext,
  { portName }: PodAttachment,
  name: string,
  attachment: AddCall['attachment'],
): Promise<Attempt> {
  const reading = await switchPorts.read();
  if (!reading.read) return unread('Open vSwitch’s database cannot be read', reading.problems);
  for (const former of reading.value.filter((port) => port.portName === portName && port.name !== name)) {
    if (former.hasDevice && former.attachment.containerId === attachment.containerId) {
      const details = `interface ${former.attachment.ifname} of the pod is in that network already; name it once in the annotation of the pod`;
      return notAttached('the pod cannot be attached', details);
    }
    const removed = written('a former interface cannot be removed', await switchPorts.remove(former.name));
    if (!removed.ok) return removed;
  }
  return succeeded(undefined);
}

/** Milliseconds of one probe: the plugin does not notice meanwhile that the agent has ended, and the runtime waits. */
const PROBE = 1000;

/** Has the plugin ask the router of the network until it answers. */
async function answered(
  gateways: readonly string[],
  milliseconds: number,
  plugin: CniPlugin,
): Promise<Attempt<unknown>> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const timeout = Math.min(PROBE, milliseconds);
    const outcome = await plugin.take({ step: 'probe', probe: { gateways, timeout } });
    if (outcome.reason !== stepFailures.answer) return taken('the router of the network cannot be asked', outcome);
    if (performance.now() >= end) {
      const details = `${gateways.join(', ')}: no answer within ${milliseconds / 1000} s`;
      return tryAgainLater('the router of the network does not answer', details);
    }
  }
}

/**
 * Adds the host’s end of the interface to Open vSwitch, locks the pod’s interface in the default network, and waits until packets can flow. No container of
 * the pod runs yet, so that OVN may install flows while the other interface is being locked.
 */
async function served(
  context: PodContext,
  port: PodSwitchPort,
  gateways: readonly string[],
  plugin: CniPlugin,
  undo: Undo,
) {
  const { switchPorts, timing } = context;
  undo.add(() => switchPorts.remove(port.name));
  undo.add(() => unlock(context, port));
  const addition = await timed(context, port.pod, 'port', () => switchPorts.add(port));
  const added = written('the interface cannot be added to Open vSwitch', addition);
  if (!added.ok) return added;
  const locking = new AbortController();
  const [locked, isInstalled] = await bothEnded(
    timed(context, port.pod, 'lock', async () => {
      const attempt = await lock(context, port);
      if (!attempt.ok) locking.abort();
      return attempt;
    }),
    timed(context, port.pod, 'flows', () =>
      switchPorts.installed(port.name, timing.flows, AbortSignal.any([plugin.ended, locking.signal])),
    ),
  );
  if (!locked.ok) return locked;
  if (!isInstalled) {
    const details = `ovn-controller has not installed the flows of ${port.portName} within ${timing.flows / 1000} s`;
    return tryAgainLater('OVN does not serve the pod yet', details);
  }
  return await timed(context, port.pod, 'answer', () => answered(gateways, timing.gateway, plugin));
}

/** Waits for something, but not longer than some milliseconds. */
async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), milliseconds);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}

async function connected(
  context: PodContext,
  call: AddCall,
  plugin: CniPlugin,
  attachment: CompleteAttachment,
  undo: Undo,
): Promise<Attempt<CniAnswer>> {
  const { cluster, logicalPorts, now } = context;
  const { pod, networkName, definition, portName, subnets, defaultServices } = attachment;
  const { ifname, containerId } = call.attachment;
  const name = hostInterfaceName(containerId, ifname);
  const observed = await timed(context, pod, 'namespace', () => namespaceBefore(call, plugin));
  if (!observed.ok) return observed;
  const toLock = interfacesToLock(observed.value, ifname);
  if (!toLock.ok) return toLock;

  const allocated = await timed(context, pod, 'addresses', () =>
    context.queues.do(queuesOf(attachment), async () => {
      const prepared = await withoutFormerPorts(context, attachment, name, call.attachment);
      return prepared.ok ? await allocatedPort(context, attachment) : prepared;
    }),
  );
  if (!allocated.ok) return allocated;
  const { port, isNew } = allocated.value;
  if (isNew) undo.add(() => logicalPorts.remove(port, now()));

  // Packets do not depend on the API server: if it is away, a repair annotates the pod later. If this attempt fails, the pod gets the same addresses again.
  const annotated = timed(context, pod, 'annotation', () =>
    within(
      cluster.annotate(pod, (text) => withAnnotatedNetwork(text, annotatedNetwork(attachment, port, defaultServices))),
      context.timing.annotation,
    ),
  );
  const withInterface = async (): Promise<Attempt<CniAnswer>> => {
    const { mac, addresses } = port;
    const created = podInterface({
      ...attachment,
      hostInterface: name,
      ifname,
      mac,
      addresses,
      observed: observed.value,
    });
    // Also of what the plugin had done before it failed.
    undo.add(() => plugin.take({ step: 'detach' }));
    const step = await timed(context, pod, 'interface', () => plugin.take({ step: 'attach', attach: created }));
    const attached = taken('the interface of the pod cannot be created', step);
    if (!attached.ok) return attached;

    const { interfaces } = toLock.value;
    const gateways = podGateways(addresses, subnets);
    const switchPort = {
      ...{ name, portName, networkName, definition, pod, attachment: call.attachment, mac, defaultServices },
      addresses: created.addresses,
      defaultInterfaces: interfaces,
      answers: created.answers,
    };
    const isServed = await served(context, switchPort, gateways, plugin, undo);
    if (!isServed.ok) return isServed;
    return succeeded({ kind: 'attached', attached: { ifname, netns: call.netns, podInterface: created, gateways } });
  };
  // The annotation is waited for after a failure too: nothing is written for a pod any more once its call is answered.
  const [result] = await bothEnded(withInterface(), annotated);
  return result;
}

/**
 * Attaches a pod: addresses, logical switch port, interface, port in Open vSwitch; then waits until packets can flow, and annotates the pod. After a
 * failure, and after an exception, everything is undone.
 */
export async function attach(context: PodContext, call: AddCall, plugin: CniPlugin): Promise<CniAnswer> {
  const late = AbortSignal.any([plugin.ended, AbortSignal.timeout(context.timing.objects)]);
  const attachment = await timed(context, call.pod, 'objects', () => awaitedAttachment(context, call, plugin.ended));
  if (!attachment.ok) return answerOf(attachment);
  context.asked.add(textOfKey(attachment.value.pod));
  const begin = performance.now();
  // What was awaited until here may have taken long, and has taken no turn from pods that have everything.
  const answer = await context.attaching.take(
    attachment.value.networkName,
    async () => {
      context.report({ kind: 'attach-step', step: 'turn', pod: call.pod, milliseconds: performance.now() - begin });
      const undo = new Undo();
      let result: Attempt<CniAnswer> | undefined;
      try {
        result = await connected(context, call, plugin, attachment.value, undo);
      } finally {
        if (result?.ok !== true) await undo.run();
      }
      return result.ok ? result.value : answerOf(result);
    },
    late,
  );
  return (
    answer ?? answerOf(tryAgainLater('the pod cannot be attached yet', 'other pods of the node are attached first'))
  );
}
