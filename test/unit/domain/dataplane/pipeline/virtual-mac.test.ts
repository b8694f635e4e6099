import { expect } from 'chai';
import { virtualMacOf } from '../../../../../src/domain/dataplane/pipeline/virtual-mac.ts';

describe('the virtual MAC address of a neighbour', () => {
  it('has the bytes of an IPv4 address', () => {
    expect(virtualMacOf('192.0.2.1')).to.equal('0a:5a:c0:00:02:01');
  });

  it('has the first bytes of the SHA-256 of an IPv6 address, in any spelling', () => {
    // printf fe80::1 | sha256sum
    expect(virtualMacOf('fe80::1')).to.equal('0a:5a:6d:6d:c1:50');
    expect(virtualMacOf('FE80:0::1')).to.equal(virtualMacOf('fe80::1'));
  });
});
