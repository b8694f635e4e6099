import { expect } from 'chai';
import { deleteNeighbour, putNeighbour } from '../../../../../src/domain/node-model/neighbours/neighbour.ts';
import type { Neighbour } from '../../../../../src/domain/snapshot/node-snapshot.ts';
import { after, device, nodeOf, refusalOf } from '../words.ts';

const links = [device('eth0'), { name: 'lo', type: 'loopback' }, device('eth1', [], { up: false })];
const neighbour: Neighbour = {
  device: 'eth0',
  address: '192.0.2.9',
  macAddress: '02:00:00:00:00:09',
  states: ['permanent'],
};
const { macAddress: _mac, ...withoutMac } = neighbour;

function put(there: readonly Neighbour[], wanted: Neighbour): readonly Neighbour[] {
  return after(putNeighbour(nodeOf({ links, neighbours: there }), wanted)).neighbours;
}

describe('a neighbour that is replaced', () => {
  it('is permanent, whatever it was before', () => {
    expect(put([], neighbour)).to.deep.equal([neighbour]);
    const learned = { ...neighbour, macAddress: '02:00:00:00:00:08', states: ['reachable'] };
    expect(put([learned], neighbour)).to.deep.equal([neighbour]);
  });

  it('is noarp on request', () => {
    const unresolved = { ...neighbour, states: ['noarp'] };
    expect(put([neighbour], unresolved)).to.deep.equal([unresolved]);
    expect(put([unresolved], neighbour)).to.deep.equal([neighbour]);
  });

  it('keeps its protocol and MAC address if none is given, but not the router flag', () => {
    const old: Neighbour = { ...neighbour, protocol: '94', router: true };
    expect(put([old], withoutMac)).to.deep.equal([{ ...neighbour, protocol: '94' }]);
    expect(put([old], { ...neighbour, protocol: 'static', router: true })).to.deep.equal([
      { ...neighbour, protocol: 'static', router: true },
    ]);
  });

  it('is identified by device and address, in any spelling', () => {
    const others = [
      { ...neighbour, device: 'lo' },
      { ...neighbour, address: '192.0.2.8' },
    ];
    expect(put(others, neighbour)).to.deep.equal([...others, neighbour]);
    const ipv6 = { ...neighbour, address: 'fd00::9' };
    expect(put([ipv6], { ...ipv6, address: 'fd00:0::9' })).to.deep.equal([ipv6]);
  });

  it('may be on a device that is down', () => {
    expect(put([], { ...neighbour, device: 'eth1' })).to.have.length(1);
  });

  it('is the only IPv4 one of loopback', () => {
    const over = { ...neighbour, device: 'lo' };
    const expected = [{ ...over, address: '0.0.0.0' }];
    expect(put([], over)).to.deep.equal(expected);
    expect(put(expected, { ...over, address: '192.0.2.8' })).to.deep.equal(expected);
  });

  it('needs its device, an address and a MAC address', () => {
    const node = nodeOf({ links });
    expect(refusalOf(putNeighbour(node, { ...neighbour, device: 'eth9' }))).to.contain('Cannot find device');
    expect(refusalOf(putNeighbour(node, { ...neighbour, address: 'x' }))).to.contain('no address');
    expect(refusalOf(putNeighbour(node, withoutMac))).to.contain('Invalid argument');
  });

  it('needs a device with IPv6 for an IPv6 address', () => {
    const node = nodeOf({ links, sysctls: { 'net.ipv6.conf.eth0.disable_ipv6': '1' } });
    expect(refusalOf(putNeighbour(node, { ...neighbour, address: 'fd00::9' }))).to.contain('IPv6 is disabled');
    expect(putNeighbour(node, neighbour)).to.include({ done: true });
  });
});

describe('a neighbour that the kernel is to keep resolved', () => {
  const managed: Neighbour = { ...withoutMac, states: ['managed'], protocol: '94' };
  const putManaged = (there: readonly Neighbour[]) => put(there, managed);

  it('has no MAC address until it answers', () => {
    expect(putManaged([])).to.deep.equal([{ ...managed, states: ['incomplete', 'managed'] }]);
  });

  it('keeps a known MAC address and its protocol', () => {
    const learned = { ...neighbour, states: ['stale'] };
    const expected = [{ ...neighbour, states: ['delay', 'managed'], protocol: '94' }];
    expect(putManaged([learned])).to.deep.equal(expected);
    expect(putManaged(expected)).to.deep.equal(expected);
  });

  it('is no longer permanent, and has no MAC address then', () => {
    expect(putManaged([neighbour])).to.deep.equal([{ ...managed, states: ['incomplete', 'managed'] }]);
  });

  it('is not resolved if it was not before', () => {
    const unresolved = { ...neighbour, states: ['noarp'], protocol: '94' };
    expect(putManaged([unresolved])).to.deep.equal([{ ...unresolved, states: ['noarp', 'managed'] }]);
  });

  it('has the MAC address that it is put with, which is to be confirmed', () => {
    const known: Neighbour = { ...neighbour, states: ['reachable', 'managed'], router: true };
    expect(put([], known)).to.deep.equal([{ ...known, states: ['delay', 'managed'] }]);
    expect(put([], { ...known, states: ['noarp', 'managed'] })).to.deep.equal([
      { ...known, states: ['noarp', 'managed'] },
    ]);
    const failed = { ...managed, states: ['failed', 'managed'] };
    expect(put([], failed)).to.deep.equal([{ ...failed, states: ['incomplete', 'managed'] }]);
  });

  it('needs its device and an address', () => {
    const node = nodeOf({ links });
    expect(refusalOf(putNeighbour(node, { ...managed, device: 'eth9' }))).to.contain('Cannot find device');
    expect(refusalOf(putNeighbour(node, { ...managed, address: 'x' }))).to.contain('no address');
  });
});

describe('a neighbour that is deleted', () => {
  const node = nodeOf({ links, neighbours: [neighbour, { ...neighbour, address: '192.0.2.8' }] });

  it('is identified by device and address', () => {
    expect(after(deleteNeighbour(node, neighbour)).neighbours.map(({ address }) => address)).to.deep.equal([
      '192.0.2.8',
    ]);
  });

  it('must be there, and so must its device', () => {
    expect(refusalOf(deleteNeighbour(node, { ...neighbour, address: '192.0.2.7' }))).to.contain('No such file');
    expect(refusalOf(deleteNeighbour(node, { ...neighbour, device: 'eth9' }))).to.contain('Cannot find device');
  });
});
