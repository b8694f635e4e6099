import { expect } from 'chai';
import { handshakeError, socketError } from '../../../../src/adapters/ovsdb/tls-error.ts';

const files = { privateKey: 'key.pem', certificate: 'cert.pem', caCertificate: 'ca.pem' };

function errorWith(properties: object, message = 'the words of Node.js'): Error {
  return Object.assign(new Error(message), properties);
}

describe('an error of TLS', () => {
  for (const [code, text] of [
    ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate of the server is not signed by the CA in ca.pem'],
    ['CERT_HAS_EXPIRED', 'the certificate of the server has expired'],
    ['CERT_NOT_YET_VALID', 'the certificate of the server is not valid yet: compare the clocks'],
    ['ECONNRESET', 'it ended the TLS handshake: check that it expects ssl at this port'],
    ['ECONNREFUSED', 'the words of Node.js'],
  ] as const) {
    it(`with code ${code} says: ${text}`, () => {
      expect(handshakeError(errorWith({ code }), files)).to.equal(text);
    });
  }

  it('of OpenSSL has its reason without places in its source', () => {
    const message =
      '407DC12F:error:0A000415:SSL routines:ssl3_read_bytes:sslv3 alert certificate expired:rec_layer_s3.c:918';
    expect(socketError(errorWith({ reason: 'sslv3 alert certificate expired' }, message))).to.equal(
      'sslv3 alert certificate expired',
    );
    expect(socketError('a text')).to.equal('a text');
  });
});
