import { expect } from 'chai';
import { addAddress } from '../../../../src/domain/node-model/address.ts';
import { address, addressTexts, after, device, nodeOf, refusalOf } from './words.ts';

describe('an address that is added', () => {
  const node = nodeOf({
    links: [device('eth0', ['192.0.2.6/24', '2001:db8::6/64']), device('eth1')],
  });

  for (const [what, name, text] of [
    ['another one', 'eth0', '192.0.2.7/24'],
    ['the same IPv4 address with another prefix length', 'eth0', '192.0.2.6/32'],
    ['the same one on another device', 'eth1', '2001:db8::6/64'],
  ] as const) {
    it(`is there then, as ${what}`, () => {
      expect(addressTexts(after(addAddress(node, name, address(text))), name).join(' ')).to.include(text);
    });
  }

  for (const [what, text] of [
    ['an IPv4 address', '192.0.2.6/24'],
    ['an IPv6 address', '2001:db8::6/64'],
    ['an IPv6 address, in other words', '2001:DB8:0::6/64'],
    ['an IPv6 address with another prefix length', '2001:db8::6/128'],
  ] as const) {
    it(`is refused as existing if it is there: ${what}`, () => {
      const change = addAddress(node, 'eth0', address(text));
      expect(refusalOf(change)).to.include('File exists');
      expect(change).to.include({ exists: true });
    });
  }
});
