import type { Socket } from 'node:net';
import {
  acceptsVersions,
  asyncConfig,
  decode,
  encode,
  errorName,
  type FlowUpdate,
  flowChangesOf,
  flowMonitor,
  type Message,
  monitorStateOf,
  type OpenFlowRequest,
  messageTypes,
  type PortDescription,
  portDescriptions,
  portMod,
  portsOf,
  portStatusOf,
  statsPart,
} from './openflow-messages.ts';
import { MonitorPause } from './monitor-pause.ts';

/** The answer to a request. */
export type SwitchReply =
  | { readonly outcome: 'answered'; readonly content: Buffer }
  | { readonly outcome: 'refused'; readonly error: string }
  /** The switch may or may not have processed the request; the reason completes "the switch …". */
  | { readonly outcome: 'none'; readonly reason: string };

/** The user of a connection. */
export interface ManagementConnectionUser {
  /** Flows have changed: these, or unknown ones. */
  flowsChanged(changes: readonly FlowUpdate[] | 'unknown'): void;
  /** Another program has changed whether a port is flooded. */
  floodingChanged(): void;
  /** The connection is closed; the reason completes "the switch …". Called once. */
  closed(reason: string): void;
}

interface PendingRequest {
  readonly parts: Buffer[];
  readonly answer: (answer: SwitchReply) => void;
  readonly timer: NodeJS.Timeout;
}

const nothing = Buffer.alloc(0);

/** Transaction of HELLO, the first message. */
const GREETING = 1;

/** Transaction of unsolicited messages; those of requests start at 1. */
const UNSOLICITED = 0;

/** Completes "the switch …". */
export const VERSION_NOT_ACCEPTED =
  'does not accept OpenFlow 1.0 and 1.4; add OpenFlow10 and OpenFlow14 to its protocols, or clear them';

/**
 * A connection to a bridge's management socket (ovs-vswitchd(8)) in OpenFlow 1.0. It reports changes of flows and ports, and sets no-flood. When it
 * is closed, ovs-vswitchd has ended or the bridge was deleted.
 */
export class ManagementConnection {
  readonly #socket: Socket;
  readonly #user: ManagementConnectionUser;
  readonly #deadline: number;
  /** Requests by transaction, in order. */
  readonly #pending = new Map<number, PendingRequest>();
  /** By number. */
  readonly #ports = new Map<number, PortDescription>();
  readonly #pause: MonitorPause;
  #received: Buffer = nothing;
  #lastTransaction = 0;
  #closed: string | undefined;

  /**
   * @param socket connected
   * @param deadline milliseconds for each answer
   */
  constructor(socket: Socket, user: ManagementConnectionUser, deadline: number) {
    this.#socket = socket;
    this.#user = user;
    this.#deadline = deadline;
    this.#pause = new MonitorPause(deadline, () => this.#user.flowsChanged('unknown'));
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('error', ({ message }) => this.close(`closed the connection: ${message}`));
    socket.on('close', () => this.close('closed the connection'));
  }

  /** Negotiates the version, subscribes to changes, and requests the ports. Never rejects. */
  async start(): Promise<SwitchReply> {
    const greeted = await this.#ask({ type: messageTypes.hello, body: nothing });
    if (greeted.outcome !== 'answered') return greeted;
    for (const message of asyncConfig) this.#send(message);
    const monitored = this.#ask(flowMonitor);
    const described = this.#describePorts();
    const answer = await monitored;
    return answer.outcome === 'answered' ? await described : answer;
  }

  /** Numbers of the ports that are not flooded, in order. */
  get noFloodPorts(): readonly number[] {
    return [...this.#ports.values()].flatMap(({ number, isNoFlood }) => (isNoFlood ? [number] : []));
  }

  /** Waits until the switch has processed all requests, and what it has sent before is processed here. Never rejects. */
  async barrier(): Promise<void> {
    await this.#ask({ type: messageTypes.barrierRequest, body: nothing });
  }

  /** Waits until the switch has reported all changes of flows that were made before, as far as it says that it has not. Never rejects. */
  async reportsResumed(): Promise<void> {
    await this.#pause.over();
  }

  /**
   * Sets or clears no-flood of ports, by their numbers. Never rejects.
   *
   * @returns an answer for each, in order
   */
  async setNoFlood(
    settings: readonly { readonly number: number; readonly isNoFlood: boolean }[],
  ): Promise<readonly SwitchReply[]> {
    // Requests contain the MAC address of a port, and a port that was just added may be unknown here.
    const described = await this.#describePorts();
    if (described.outcome !== 'answered') return settings.map(() => described);
    const answers = settings.map(async ({ number, isNoFlood }): Promise<SwitchReply> => {
      const port = this.#ports.get(number);
      if (port === undefined) return { outcome: 'refused', error: `the bridge has no port ${String(number)}` };
      return await this.#ask(portMod(port, isNoFlood));
    });
    // A success has no reply: a request that was not refused before the barrier is done.
    await this.barrier();
    // The switch reports changes to all connections but the one that made them.
    await this.#describePorts();
    return await Promise.all(answers);
  }

  /** Closes the connection; pending requests have no answer. Only the first reason counts. */
  close(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    this.#socket.destroy();
    for (const transaction of [...this.#pending.keys()]) this.#answer(transaction, { outcome: 'none', reason });
    this.#user.closed(reason);
    this.#pause.end();
  }

  async #describePorts(): Promise<SwitchReply> {
    // Right when it is received: a later change of a port may be the next message.
    return await this.#ask(portDescriptions, (answer) => {
      if (answer.outcome !== 'answered') return;
      this.#ports.clear();
      for (const port of portsOf(answer.content)) this.#ports.set(port.number, port);
    });
  }

  #send(message: OpenFlowRequest): number {
    this.#lastTransaction += 1;
    this.#socket.write(encode({ ...message, transaction: this.#lastTransaction }));
    return this.#lastTransaction;
  }

  /** @param received called with the answer before the next message is processed */
  #ask(message: OpenFlowRequest, received?: (answer: SwitchReply) => void): Promise<SwitchReply> {
    if (this.#closed !== undefined) return Promise.resolve({ outcome: 'none', reason: this.#closed });
    const { promise, resolve } = Promise.withResolvers<SwitchReply>();
    const transaction = this.#send(message);
    const timer = setTimeout(() => {
      const reason = `did not answer within ${String(this.#deadline / 1000)} s`;
      this.#answer(transaction, { outcome: 'none', reason });
    }, this.#deadline);
    const answer = (reply: SwitchReply): void => {
      received?.(reply);
      resolve(reply);
    };
    this.#pending.set(transaction, { parts: [], answer, timer });
    return promise;
  }

  #answer(transaction: number, answer: SwitchReply): void {
    const pending = this.#pending.get(transaction);
    if (pending === undefined) return;
    this.#pending.delete(transaction);
    clearTimeout(pending.timer);
    pending.answer(answer);
  }

  #receive(bytes: Buffer): void {
    const { messages, rest } = decode(this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]));
    for (const message of messages) if (this.#closed === undefined) this.#process(message);
    if (rest === undefined) this.close('sent something that is not OpenFlow');
    else this.#received = rest;
  }

  #process(message: Message): void {
    const { type, transaction, body } = message;
    switch (type) {
      case messageTypes.hello:
        if (!acceptsVersions(message)) this.close(VERSION_NOT_ACCEPTED);
        // It has its own transaction.
        else this.#answer(GREETING, { outcome: 'answered', content: nothing });
        return;
      case messageTypes.error:
        this.#answer(transaction, { outcome: 'refused', error: errorName(body) });
        return;
      case messageTypes.echoRequest:
        this.#socket.write(encode({ type: messageTypes.echoReply, transaction, body }));
        return;
      case messageTypes.statsReply:
        this.#processStats(transaction, body);
        return;
      case messageTypes.barrierReply:
        for (const earlier of [...this.#pending.keys()])
          if (earlier <= transaction) this.#answer(earlier, { outcome: 'answered', content: nothing });
        return;
      case messageTypes.portStatus:
        this.#processPortStatus(body);
        return;
      case messageTypes.vendor:
        this.#monitorChanged(monitorStateOf(body));
        return;
      default:
        // Not used.
        return;
    }
  }

  #monitorChanged(state: ReturnType<typeof monitorStateOf>): void {
    if (state === 'paused') this.#pause.begin();
    else if (state === 'resumed') this.#pause.end();
    else this.#user.flowsChanged('unknown');
  }

  #processStats(transaction: number, body: Buffer): void {
    const { hasMore, content } = statsPart(body);
    if (transaction === UNSOLICITED) this.#user.flowsChanged(flowChangesOf(content));
    const pending = this.#pending.get(transaction);
    // Absent if the deadline has passed.
    if (pending === undefined) return;
    pending.parts.push(content);
    if (!hasMore) this.#answer(transaction, { outcome: 'answered', content: Buffer.concat(pending.parts) });
  }

  #processPortStatus(body: Buffer): void {
    const { isDeleted, port } = portStatusOf(body);
    const before = this.#ports.get(port.number);
    if (isDeleted) this.#ports.delete(port.number);
    else this.#ports.set(port.number, port);
    if (!isDeleted && (before?.isNoFlood ?? false) !== port.isNoFlood) this.#user.floodingChanged();
  }
}
