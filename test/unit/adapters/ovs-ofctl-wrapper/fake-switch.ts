import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { decode, type Message, messageTypes } from '../../../../src/adapters/ovs-ofctl-wrapper/openflow-messages.ts';

type Reply = Omit<Message, 'version'>;

/** A switch with two ports at a management socket, in OpenFlow 1.0, whose replies a test may change. */
export class FakeSwitch {
  readonly received: Message[] = [];
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  /** Replies of a test in place of the usual ones. */
  replies: (request: Message) => readonly Reply[] | undefined = () => undefined;

  private constructor() {
    this.#server = createServer((client) => this.#serve(client));
  }

  static async start(path: string): Promise<FakeSwitch> {
    const self = new FakeSwitch();
    self.#server.listen(path);
    await once(self.#server, 'listening');
    return self;
  }

  /** How many connections there are. */
  get connections(): number {
    return this.#clients.size;
  }

  /** Sends a message to all clients, of which each chunk of bytes is received by itself. */
  async send(message: Reply, chunk = 1000): Promise<void> {
    const bytes = bytesOf(message);
    for (const client of this.#clients)
      for (let at = 0; at < bytes.length; at += chunk) {
        client.write(bytes.subarray(at, at + chunk));
        // A turn of the event loop each.
        await new Promise(setImmediate);
      }
  }

  sendBytes(bytes: Uint8Array): void {
    for (const client of this.#clients) client.write(bytes);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const client of this.#clients) client.destroy();
    await closed;
  }

  #serve(client: Socket): void {
    let received: Buffer = Buffer.alloc(0);
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client));
    client.on('error', () => client.destroy());
    client.on('data', (bytes: Buffer) => {
      const { messages, rest = Buffer.alloc(0) } = decode(Buffer.concat([received, bytes]));
      received = rest;
      for (const message of messages) {
        this.received.push(message);
        // At once, so that they are received together.
        client.write(Buffer.concat((this.replies(message) ?? usualReplies(message)).map(bytesOf)));
      }
    });
  }
}

/** A message of a switch, whose greeting has the highest version that it accepts. */
function bytesOf({ type, transaction, body }: Reply): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(type === messageTypes.hello ? 6 : 1, 0);
  header.writeUInt8(type, 1);
  header.writeUInt16BE(8 + body.length, 2);
  header.writeUInt32BE(transaction, 4);
  return Buffer.concat([header, body]);
}

function usualReplies({ type, transaction, body }: Message): readonly Reply[] {
  switch (type) {
    case messageTypes.hello:
      return [{ type, transaction: 77, body: Buffer.alloc(0) }];
    case messageTypes.barrierRequest:
      return [{ type: messageTypes.barrierReply, transaction, body: Buffer.alloc(0) }];
    case messageTypes.statsRequest:
      return body.readUInt16BE(0) === 13
        ? // In two parts.
          [statsReply(transaction, true, portBytes(1, 0)), statsReply(transaction, false, portBytes(2, 0x10))]
        : [statsReply(transaction, false, Buffer.alloc(12))];
    default:
      return [];
  }
}

/** A part of a reply with statistics. */
export function statsReply(transaction: number, hasMore: boolean, content: Buffer): Reply {
  const head = Buffer.from([0, 13, 0, hasMore ? 1 : 0]);
  return { type: messageTypes.statsReply, transaction, body: Buffer.concat([head, content]) };
}

/** A description of a port (openflow-1.0.h, struct ofp_phy_port). */
export function portBytes(number: number, config: number): Buffer {
  const bytes = Buffer.alloc(48);
  bytes.writeUInt16BE(number, 0);
  bytes.writeUInt8(number, 7);
  bytes.writeUInt32BE(config, 24);
  return bytes;
}
