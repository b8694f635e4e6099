import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { TlsFiles } from '../../src/adapters/ovsdb/server.ts';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** A certificate authority of a test's own, as ovs-pki(8) makes them. */
export class CertificateAuthority {
  readonly #folder: string;
  readonly #name: string;

  /** @param folder where its files and those of its members are */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
    openssl(
      'req',
      '-x509',
      ...NEW_KEY,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      this.#file('key'),
      '-out',
      this.#file('pem'),
    );
  }

  /** A key with a certificate of this authority; their holder trusts this authority, unless another is named. */
  issue(member: string, trusted: CertificateAuthority = this): TlsFiles {
    const file = (end: string) => this.#file(`${member}.${end}`);
    openssl('req', ...NEW_KEY, '-subj', `/CN=${member}`, '-keyout', file('key'), '-out', file('csr'));
    const signer = ['-CA', this.#file('pem'), '-CAkey', this.#file('key'), '-CAcreateserial'];
    openssl('x509', '-req', '-in', file('csr'), ...signer, '-out', file('pem'));
    return { privateKey: file('key'), certificate: file('pem'), caCertificate: trusted.#file('pem') };
  }

  #file(end: string): string {
    return join(this.#folder, `${this.#name}.${end}`);
  }
}

function openssl(...words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'pipe' });
}
