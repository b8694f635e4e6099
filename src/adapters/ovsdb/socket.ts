import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { connect } from 'node:tls';
import type { Address, TlsFiles } from './server.ts';
import { type OvsdbTiming, seconds } from './timing.ts';

async function secureSocket(host: string, port: number, files: TlsFiles | undefined): Promise<Socket> {
  if (files === undefined) throw new Error('a private key, a certificate and the certificate of a CA are required');
  // Read each time: certificates are renewed while the agent runs.
  const [key, cert, ca] = await Promise.all(
    [files.privateKey, files.certificate, files.caCertificate].map((file) => readFile(file)),
  );
  // As the programs of Open vSwitch: whoever has a certificate of the CA is trusted; it names no host (ovs-pki(8)).
  return connect({ host, port, key, cert, ca, checkServerIdentity: () => undefined });
}

/** Opens a connection to an address; rejects with the error of connect(2), of the files or of the handshake. */
export async function openSocket(address: Address, { deadline }: OvsdbTiming, tls?: TlsFiles): Promise<Socket> {
  const [socket, established] =
    address.kind === 'unix'
      ? [createConnection(address.path), 'connect']
      : address.kind === 'tcp'
        ? [createConnection(address.port, address.host), 'connect']
        : [await secureSocket(address.host, address.port, tls), 'secureConnect'];
  // What a firewall drops is refused by nobody.
  const signal = AbortSignal.timeout(deadline);
  try {
    await once(socket, established, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? new Error(`no connection within ${seconds(deadline)}`) : error;
  }
}
