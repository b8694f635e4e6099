/**
 * Answers load balancers at the ports of the health checks of Services, as kube-proxy does (Kubernetes, `pkg/proxy/healthcheck/service_health.go`): whatever the path and the method are.
 *
 * Anybody on the wire reaches these ports. A connection is for one request, and ends after a while whatever a client does; of too many the oldest makes room, so that one who keeps
 * connections open does not keep load balancers out.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type HealthCheck, isHealthy } from '../../domain/services/health-checks.ts';
import type { HealthCheckServers } from '../../ports/services/health-check-servers.ts';

// As in operations-server.ts: an import statement would load an HTTP client too.
const { createServer } = process.getBuiltinModule('node:http');

/** Milliseconds after which a connection ends: a request is read, and answered, in less. */
const LIFETIME = 5000;

/** Most connections at all ports together. */
const MOST_CONNECTIONS = 256;

/** Most bytes of the header fields of a request. */
const MOST_HEADER_BYTES = 8192;

/** All addresses of a node, of both families, or of IPv4 where the kernel has no IPv6. */
const ALL_ADDRESSES = ['::', '0.0.0.0'] as const;

/** Errors of an address in a family that the kernel does not have, or not any more. */
const withoutFamily: ReadonlySet<string | undefined> = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL']);

/** How to fix a listen error, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses the port: stop it (ss -ltnp shows it), or give the Service another port',
  EACCES:
    'a port below 1024 requires CAP_NET_BIND_SERVICE, which the agent does not have: give the Service a higher port',
};

/** A server at a port, and what it answers. */
interface Running {
  readonly server: Server;
  check: HealthCheck;
}

function answer(response: ServerResponse, check: HealthCheck): void {
  const { namespace, name, localEndpoints, isReached } = check;
  const document = { service: { namespace, name }, localEndpoints, serviceProxyHealthy: isReached };
  response.statusCode = isHealthy(check) ? 200 : 503;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Load-Balancing-Endpoint-Weight', String(localEndpoints));
  response.setHeader('Connection', 'close');
  response.end(JSON.stringify(document, undefined, '\t'));
}

/** Listens at the first address whose family there is. Rejects with the system error. */
async function listen(server: Server, port: number, [host, ...others]: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const listening = () => resolve(undefined);
  server.once('error', reject).once('listening', listening);
  server.listen({ host, port });
  try {
    await promise;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (others.length === 0 || !withoutFamily.has(code)) throw error;
    server.off('listening', listening);
    await listen(server, port, others);
  } finally {
    server.off('error', reject);
  }
}

/** Servers at the ports of health checks. */
export class HttpHealthChecks implements HealthCheckServers {
  readonly #hosts: readonly string[];
  readonly #running = new Map<number, Running>();
  /** The oldest first. */
  readonly #connections = new Set<Socket>();
  #isClosed = false;

  /** @param hosts addresses at which it listens: the first one whose family the kernel has */
  constructor(hosts: readonly string[] = ALL_ADDRESSES) {
    this.#hosts = hosts;
  }

  async serve(checks: readonly HealthCheck[]): Promise<ReadonlyMap<number, string>> {
    const ports = new Set(checks.map(({ port }) => port));
    for (const port of [...this.#running.keys()]) if (!ports.has(port)) this.#stop(port);
    const errors = await Promise.all(
      checks.map(async (check) => {
        const running = this.#running.get(check.port);
        if (running === undefined) return [check.port, await this.#start(check)] as const;
        running.check = check;
        return [check.port, undefined] as const;
      }),
    );
    return new Map(errors.flatMap(([port, error]) => (error === undefined ? [] : [[port, error] as const])));
  }

  close(): void {
    this.#isClosed = true;
    for (const port of [...this.#running.keys()]) this.#stop(port);
  }

  /** @returns why it cannot listen; undefined where it does */
  async #start(check: HealthCheck): Promise<string | undefined> {
    const { port } = check;
    const server = createServer({ maxHeaderSize: MOST_HEADER_BYTES }, (_request, response) =>
      answer(response, running.check),
    );
    const running: Running = { server, check };
    server.on('connection', (socket) => this.#limit(socket));
    try {
      await listen(server, port, this.#hosts);
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      return REMEDIES[code] ?? message;
    }
    // A connection that cannot be accepted, as where too many files are open, is no reason for the agent to end.
    server.on('error', () => undefined);
    // It does not keep the process running.
    server.unref();
    this.#running.set(port, running);
    if (this.#isClosed) this.#stop(port);
    return undefined;
  }

  #stop(port: number): void {
    const server = this.#running.get(port)?.server;
    this.#running.delete(port);
    server?.close();
    server?.closeAllConnections();
  }

  #limit(socket: Socket): void {
    const [oldest] = this.#connections;
    if (oldest !== undefined && this.#connections.size >= MOST_CONNECTIONS) {
      oldest.destroy();
      this.#connections.delete(oldest);
    }
    this.#connections.add(socket);
    const timer = setTimeout(() => socket.destroy(), LIFETIME).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      this.#connections.delete(socket);
    });
  }
}
