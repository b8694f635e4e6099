import type { TlsFiles } from './server.ts';

/** Codes of a certificate of the server that leads to no trusted CA (openssl-verification-options(1), "DIAGNOSTICS"). */
const untrusted: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
]);

/** A property of an error, if it is a text. */
function property(error: unknown, name: string): string | undefined {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Why no TLS connection could be made, for people. */
export function handshakeError(error: unknown, { caCertificate }: TlsFiles): string {
  const code = property(error, 'code') ?? '';
  if (untrusted.has(code)) return `the certificate of the server is not signed by the CA in ${caCertificate}`;
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the server has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'the certificate of the server is not valid yet: compare the clocks';
  if (code === 'ECONNRESET') return 'it ended the TLS handshake: check that it expects ssl at this port';
  return socketError(error);
}

/** The error of a socket, for people. A server that refuses a certificate says so only after the handshake (RFC 8446, section 4.4.2.4). */
export function socketError(error: unknown): string {
  if (property(error, 'code')?.endsWith('_ALERT_UNKNOWN_CA') === true)
    return 'it does not trust the CA that has signed the certificate of this client';
  // The message of an error of OpenSSL has places in its source.
  return property(error, 'reason') ?? (error instanceof Error ? error.message : String(error));
}
