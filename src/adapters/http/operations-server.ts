import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a probe is told. */
export interface Probe {
  readonly ok: boolean;
  /** For a person, in a line. */
  readonly text: string;
}

/** What is served. */
export interface Served {
  healthz(): Probe;
  readyz(): Probe;
  /** In the Prometheus text format. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Where it is served, as `127.0.0.1:9477` or `[::1]:9477`. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Something that serves. */
export interface Operations {
  /** Where, with the port that was found where 0 was asked for. */
  readonly address: AddressInfo;
  /** Ends it at once, and every connection with it: one of a client that says nothing would keep this process from ending. */
  readonly close: () => void;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` to whoever looks after the agent. Nothing can be changed by it.
 *
 * @returns rejects where it cannot be listened at, with what the system said
 */
export async function serveOperations({ host, port }: ListenAddress, served: Served): Promise<Operations> {
  const server = createServer((request, response) => {
    const answer = (status: number, text: string, contentType = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'Content-Type': contentType });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    const probe = ({ ok, text }: Probe) => {
      answer(ok ? 200 : 503, `${text}\n`);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      answer(405, 'only GET is answered\n');
      return;
    }
    switch (request.url?.split('?')[0]) {
      case '/healthz':
        probe(served.healthz());
        break;
      case '/readyz':
        probe(served.readyz());
        break;
      case '/metrics':
        served.metrics().then(
          ({ text, contentType }) => {
            answer(200, text, contentType);
          },
          (error: unknown) => {
            answer(500, `${String(error)}\n`);
          },
        );
        break;
      default:
        answer(404, 'there are /healthz, /readyz and /metrics\n');
    }
  });
  const listening = Promise.withResolvers<undefined>();
  server.once('error', listening.reject);
  server.listen(port, host, () => {
    listening.resolve(undefined);
  });
  await listening.promise;
  // Probes alone are no reason to go on.
  server.unref();
  return {
    address: server.address() as AddressInfo,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
