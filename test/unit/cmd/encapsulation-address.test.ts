import { expect } from 'chai';
import { encapsulationAddress } from '../../../src/cmd/input/encapsulation-address.ts';

describe('the address of a node where tunnels end', () => {
  const taken: readonly (readonly [text: string, address: string])[] = [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['192.0.2.1/24', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
  ];
  for (const [text, address] of taken) {
    it(`is ${address} by ${text}`, () => {
      expect(encapsulationAddress(text)).to.deep.equal({ address });
    });
  }

  for (const text of ['127.0.0.1', '::1']) {
    it(`may be ${text}, with a warning`, () => {
      const warning = `${text} is an address of the loopback interface; other nodes do not reach this one`;
      expect(encapsulationAddress(text)).to.deep.equal({ address: text, warning });
    });
  }

  const refused: readonly (readonly [text: string, problem: string])[] = [
    ['0.0.0.0', 'is the unspecified address'],
    ['::', 'is the unspecified address'],
    ['::ffff:0.0.0.0', 'is the unspecified address'],
    ['224.0.0.1', 'is a multicast address'],
    ['255.255.255.255', 'is the broadcast address'],
    ['fe80::1', 'is a link-local address, which needs an interface'],
    ['fe80::1%eth0', 'is not an address'],
    ['worker-a', 'is not an address'],
  ];
  for (const [text, problem] of refused) {
    it(`is not ${text}, which ${problem}`, () => {
      expect(() => encapsulationAddress(text)).to.throw(
        `It ${problem}; expected an address of the node that other nodes reach.`,
      );
    });
  }
});
