import { expect } from 'chai';
import { addressesIn } from '../../../../src/adapters/kubernetes/api-server.ts';

describe('the URL of an API server', () => {
  for (const [url, addresses] of [
    ['https://192.0.2.100:6443', ['192.0.2.100']],
    ['https://192.0.2.100', ['192.0.2.100']],
    ['https://[2001:db8::1]:6443/prefix', ['2001:db8::1']],
    ['https://api.example.com:6443', []],
    ['https://192.0.2.300:6443', []],
    ['nothing', []],
  ] as const) {
    it(`has ${addresses.length === 0 ? 'no address' : 'an address'} as ${url}`, () => {
      expect(addressesIn(url)).to.deep.equal(addresses);
    });
  }
});
