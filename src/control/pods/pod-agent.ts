import type { CniAnswer } from '../../domain/pods/cni/answer.ts';
import type { CniCall } from '../../domain/pods/cni/call.ts';
import { errorCodes } from '../../domain/pods/cni/error.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import { Changes } from '../../ports/changes.ts';
import type { CniAgent, CniPlugin } from '../../ports/pods/cni-agent.ts';
import { attach } from './attach.ts';
import { check } from './check.ts';
import { detach, isSameAttachment, removeAttachment } from './detach.ts';
import { answerOf, type Attempt, succeeded, unread } from './failure.ts';
import { type PodContext, type PodPorts, type PodTiming, USUAL_POD_TIMING } from './pod-ports.ts';
import { prepare } from './prepare.ts';
import { Queues } from './queues.ts';
import type { RepairScope } from '../repairs.ts';
import { repair } from './repair.ts';
import { Semaphore } from './semaphore.ts';
import { Settled } from './settled.ts';

/**
 * Pods that are attached at the same time, as after a reboot of the node. More would only keep each other waiting: of a hundred at once on one processor,
 * most had no answer of their router in time, were undone, and began again.
 */
const AT_ONCE = 8;

/** Maximum milliseconds that a repair waits for calls. What they change would be looked at again and again, which delays them. */
const CALLS_BEFORE_REPAIR = 500;

/** Attaches the pods of a node to their primary networks. */
export class PodAgent implements CniAgent {
  readonly #context: PodContext;
  /** The containers of the calls that are being answered. */
  readonly #busy = new Map<string, number>();
  /** Reports that no call is being answered any more. */
  readonly #idle = new Changes();

  constructor(ports: PodPorts, settings: NodeSettings, timing: PodTiming = USUAL_POD_TIMING) {
    this.#context = {
      ...ports,
      settings,
      timing,
      attaching: new Semaphore(AT_ONCE),
      settled: { locks: new Settled(), annotations: new Settled() },
      queues: new Queues(),
      asked: new Set(),
    };
  }

  async answer(call: CniCall, plugin: CniPlugin): Promise<CniAnswer> {
    switch (call.command) {
      case 'ADD':
        return await this.#whileBusy(call.attachment.containerId, () => attach(this.#context, call, plugin));
      case 'DEL':
        return await this.#whileBusy(call.attachment.containerId, () => detach(this.#context, call.attachment, plugin));
      case 'CHECK':
        return await check(this.#context, call, plugin);
      case 'STATUS':
        return await this.#status();
      case 'GC':
        return answerOf(await this.#context.queues.do('all', () => this.#collect(call)));
    }
  }

  /** Resolves once no pod is being attached or detached, and after half a second at most. */
  async idle(): Promise<void> {
    if (this.#busy.size > 0) await this.#idle.next(CALLS_BEFORE_REPAIR);
  }

  /**
   * Removes what is left over of attachments, and restores what was lost of others: after the start, and after changes of pods and databases.
   *
   * @param scope whether also that is looked at which is as it was when it was in order: what has changed may not have been reported
   * @returns an error that calls for another attempt
   */
  async repair(scope: RepairScope = 'everything'): Promise<Attempt<unknown>> {
    return await repair(this.#context, (containerId) => this.#busy.has(containerId), scope);
  }

  /** Makes the logical switch ports of pods that are new on this node, before their runtimes ask for it. */
  async prepare(): Promise<void> {
    await prepare(this.#context);
  }

  async #whileBusy(containerId: string, work: () => Promise<CniAnswer>): Promise<CniAnswer> {
    this.#busy.set(containerId, (this.#busy.get(containerId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const others = (this.#busy.get(containerId) ?? 1) - 1;
      if (others === 0) this.#busy.delete(containerId);
      else this.#busy.set(containerId, others);
      if (this.#busy.size === 0) this.#idle.notify();
    }
  }

  /** Whether pods can be attached (CNI specification 1.1.0, section 2, STATUS). */
  async #status(): Promise<CniAnswer> {
    const { switchPorts, logicalPorts } = this.#context;
    const [first, second] = await Promise.all([switchPorts.read(), logicalPorts.read()]);
    const problems = [first, second].flatMap((reading) => (reading.read ? [] : reading.problems));
    const attempt = problems.length === 0 ? succeeded(undefined) : unread('pods cannot be attached', problems);
    if (attempt.ok) return answerOf(attempt);
    return { kind: 'failed', error: { ...attempt.error, code: errorCodes.notAvailable } };
  }

  /**
   * Removes the attachments of a network that are not valid any more (CNI specification 1.1.0, section 2, GC). All are tried. No pod is attached again
   * meanwhile: the logical switch port would be that of the next container.
   */
  async #collect({ network, valid }: Extract<CniCall, { readonly command: 'GC' }>): Promise<Attempt<unknown>> {
    const reading = await this.#context.switchPorts.read();
    if (!reading.read) return unread('Open vSwitch’s database cannot be read', reading.problems);
    const attempts: Attempt<unknown>[] = [];
    for (const port of reading.value) {
      const isValid = valid.some((attachment) => isSameAttachment(attachment, port.attachment));
      if (port.networkName !== network || isValid || this.#busy.has(port.attachment.containerId)) continue;
      attempts.push(await removeAttachment(this.#context, port));
    }
    return attempts.find(({ ok }) => !ok) ?? succeeded(undefined);
  }
}
