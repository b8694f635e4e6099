/**
 * X.509 certificates of clients (RFC 5280, in DER, ITU-T X.690), which Node.js can use and cannot make.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate with its private key, both in PEM. */
export interface Credential {
  readonly certificate: string;
  readonly key: string;
}

/** Who a certificate is of: its user is the common name, its groups are the organizations (Kubernetes documentation, "Authenticating"). */
interface Name {
  readonly user: string;
  readonly group?: string;
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: readonly Buffer[]) => der(0x30, ...contents);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const text = (value: string) => der(0x0c, Buffer.from(value));
const bits = (value: Buffer) => der(0x03, Buffer.from([0]), value);
const time = (value: Date) => der(0x18, Buffer.from(`${value.toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`));

/** ecdsa-with-SHA256 (RFC 5758). */
const algorithm = sequence(identifier('2a8648ce3d040302'));

const nameOf = ({ user, group }: Name) =>
  sequence(
    ...(group === undefined ? [] : [der(0x31, sequence(identifier('55040a'), text(group)))]),
    der(0x31, sequence(identifier('550403'), text(user))),
  );

/** Basic constraints of an authority, or the use of a certificate for clients. */
const extensionsOf = (isAuthority: boolean) =>
  isAuthority
    ? sequence(identifier('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))
    : sequence(identifier('551d25'), der(0x04, sequence(identifier('2b06010505070302'))));

let serial = 0;

/** Signs certificates of clients. */
export class CertificateAuthority {
  readonly #name: Name;
  readonly #privateKey: KeyObject;
  /** Its own, in PEM. */
  readonly certificate: string;

  constructor(user: string) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#name = { user };
    this.#privateKey = privateKey;
    this.certificate = this.#signed(this.#name, publicKey, 3600, true);
  }

  /** A new key, and a certificate for so many seconds. */
  issue(name: Name, seconds = 3600): Credential {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return { certificate: this.#signed(name, publicKey, seconds, false), key };
  }

  #signed(name: Name, publicKey: KeyObject, seconds: number, isAuthority: boolean): string {
    const now = Date.now();
    const content = sequence(
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, Buffer.from([(serial += 1)])),
      algorithm,
      nameOf(this.#name),
      sequence(time(new Date(now - 60_000)), time(new Date(now + seconds * 1000))),
      nameOf(name),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(extensionsOf(isAuthority))),
    );
    const signature = sign('sha256', content, this.#privateKey);
    const lines =
      sequence(content, algorithm, bits(signature))
        .toString('base64')
        .match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  }
}
