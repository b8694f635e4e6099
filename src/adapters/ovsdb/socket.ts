import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { fileError } from '../file-system/file-error.ts';
import type { ServerAddress, TlsFiles } from './server.ts';
import { type OvsdbTiming, seconds } from './timing.ts';
import { handshakeError, socketError } from './tls-error.ts';

async function readPem(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Error(`${file}: ${fileError(error)}`, { cause: error });
  }
}

async function secureSocket(host: string, port: number, tls: TlsFiles): Promise<Socket> {
  const files = [tls.privateKey, tls.certificate, tls.caCertificate];
  // Read each time: certificates are renewed while the agent runs.
  const [key, cert, ca] = await Promise.all(files.map(readPem));
  try {
    // As in the programs of Open vSwitch, any certificate of the CA is trusted; it names no host (ovs-pki(8)).
    return connect({ host, port, key, cert, ca, checkServerIdentity: () => undefined });
  } catch (error) {
    throw new Error(`${files.join(', ')}: ${socketError(error)}`, { cause: error });
  }
}

/** Waits for an event of a socket; closes it if there is an error, or none within the deadline. */
async function established(socket: Socket, event: string, { deadline }: OvsdbTiming): Promise<Socket> {
  // A firewall may drop packets without an error.
  const signal = AbortSignal.timeout(deadline);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? new Error(`no connection within ${seconds(deadline)}`) : error;
  }
}

/** Opens a connection to an address; rejects with the error of connect(2), of the files or of the handshake. */
export async function openSocket(address: ServerAddress, timing: OvsdbTiming, tls?: TlsFiles): Promise<Socket> {
  if (address.kind === 'unix') return await established(createConnection(address.path), 'connect', timing);
  const { host, port } = address;
  if (address.kind === 'tcp') return await established(createConnection(port, host), 'connect', timing);
  if (tls === undefined) throw new Error('a private key, a certificate and the certificate of a CA are required');
  const socket = await secureSocket(host, port, tls);
  try {
    return await established(socket, 'secureConnect', timing);
  } catch (error) {
    throw new Error(handshakeError(error, tls), { cause: error });
  }
}
