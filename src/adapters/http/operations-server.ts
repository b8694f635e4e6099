import type { AddressInfo } from 'node:net';

// An import statement reads all exports, one of which loads an HTTP client and a WebSocket: a third of the time in which the command starts.
const { createServer } = process.getBuiltinModule('node:http');

/** The result of a probe. */
export interface Probe {
  readonly ok: boolean;
  /** One line of text. */
  readonly text: string;
}

/** The served content. */
export interface Served {
  healthz(): Probe;
  readyz(): Probe;
  /** In the Prometheus text format. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** A listen address, as `127.0.0.1:9477` or `[::1]:9477`. */
export interface ListenAddress {
  /** All addresses of this machine if absent, of both families where it has both. */
  readonly host?: string;
  readonly port: number;
}

/** A running server. */
export interface Operations {
  /** The address, with the actual port if 0 was given. */
  readonly address: AddressInfo;
  /** Closes it and all connections: an idle client would keep this process running. */
  readonly close: () => void;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics`, read-only.
 *
 * @returns rejects with the system error if it cannot listen
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
      answer(405, 'only GET is supported\n');
      return;
    }
    switch (request.url?.split('?')[0] ?? '') {
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
  // It does not keep the process running.
  server.unref();
  return {
    address: server.address() as AddressInfo,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
