import { expect } from 'chai';
import { isLasting } from '../../../../../src/domain/node-model/neighbours/lasting-neighbour.ts';
import type { Neighbour } from '../../../../../src/domain/snapshot/node-snapshot.ts';
import { device, nodeOf } from '../words.ts';

const [eth0] = nodeOf({ links: [{ ...device('eth0'), macAddress: '02:00:00:00:00:06' }] }).links;

const examples: readonly (readonly [what: string, neighbour: Partial<Neighbour>, lasts: boolean])[] = [
  ['a permanent one', {}, true],
  ['one without resolution', { states: ['noarp'] }, true],
  ['one that the kernel learned', { states: ['reachable'] }, false],
  ['one that has nothing yet', { states: [] }, false],
  ['one without resolution of an IPv6 address', { states: ['noarp'], address: '2001:db8::9' }, true],
  ['the kernel’s of a multicast address', { states: ['noarp'], address: '224.0.0.1' }, false],
  ['the kernel’s of an IPv6 multicast address', { states: ['noarp'], address: 'ff02::16' }, false],
  ['the kernel’s of a broadcast address', { states: ['noarp'], macAddress: 'ff:ff:ff:ff:ff:ff' }, false],
  ['the kernel’s on a device without resolution', { states: ['noarp'], macAddress: '02:00:00:00:00:06' }, false],
  ['a permanent one with such a MAC address', { macAddress: '02:00:00:00:00:06' }, true],
];

describe('a neighbour entry', () => {
  for (const [what, brief, lasts] of examples) {
    it(`${lasts ? 'lasts' : 'is transient'} if it is ${what}`, () => {
      const neighbour = {
        device: 'eth0',
        address: '192.0.2.9',
        macAddress: '02:00:00:00:00:09',
        states: ['permanent'],
        ...brief,
      };
      expect(isLasting(neighbour, eth0)).to.equal(lasts);
    });
  }

  it("is the kernel's if it is noarp without a MAC address", () => {
    const bare = { device: 'tun0', address: '192.0.2.9', states: ['noarp'] };
    expect(isLasting(bare, undefined)).to.be.false;
    expect(isLasting({ ...bare, macAddress: '02:00:00:00:00:09' }, undefined)).to.be.true;
  });
});
