import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { TestApiServer } from './api-server.ts';

/** The status with which an API server refuses an object, or the object (Kubernetes, Status). */
export interface Status {
  readonly message?: string;
  readonly metadata?: { readonly resourceVersion: string };
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message: string }[] };
}

/** Sends thousands of objects to an API server as its administrator, over one connection. */
export class ObjectRequests {
  readonly #server: TestApiServer;
  readonly #agent: Agent;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(server: TestApiServer) {
    this.#server = server;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ca: server.certificate });
    const { users } = JSON.parse(readFileSync(server.kubeconfig, 'utf8')) as {
      readonly users: readonly { readonly user: { readonly token: string } }[];
    };
    this.#headers = { authorization: `Bearer ${users[0]?.user.token ?? ''}`, 'content-type': 'application/json' };
  }

  async send(
    method: string,
    path: string,
    object: object,
  ): Promise<{ readonly code: number; readonly status: Status }> {
    const options = { method, agent: this.#agent, headers: this.#headers };
    const sent = request(`${this.#server.url}${path}`, options).end(JSON.stringify(object));
    const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { readonly statusCode: number }];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { code: response.statusCode, status: JSON.parse(Buffer.concat(chunks).toString()) as Status };
  }

  close(): void {
    this.#agent.destroy();
  }
}
