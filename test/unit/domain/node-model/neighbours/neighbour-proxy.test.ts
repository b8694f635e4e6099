import { expect } from 'chai';
import {
  addNeighbourProxy,
  deleteNeighbourProxy,
} from '../../../../../src/domain/node-model/neighbours/neighbour-proxy.ts';
import type { NeighbourProxy } from '../../../../../src/domain/snapshot/node-snapshot.ts';
import { after, device, nodeOf, refusalOf } from '../words.ts';

const links = [device('eth0'), device('eth1', [], { up: false })];
const proxy: NeighbourProxy = { device: 'eth0', address: '192.0.2.9' };

function add(there: readonly NeighbourProxy[], wanted: NeighbourProxy): readonly NeighbourProxy[] {
  return after(addNeighbourProxy(nodeOf({ links, neighbourProxies: there }), wanted)).neighbourProxies;
}

describe('a proxy entry that is added', () => {
  it('exists, also if it existed before', () => {
    expect(add([], proxy)).to.deep.equal([proxy]);
    expect(add([proxy], proxy)).to.deep.equal([proxy]);
  });

  it('keeps its protocol if none is given, but not the router flag', () => {
    const old: NeighbourProxy = { ...proxy, protocol: 'static', router: true };
    expect(add([old], proxy)).to.deep.equal([{ ...proxy, protocol: 'static' }]);
    expect(add([proxy], old)).to.deep.equal([old]);
  });

  it('is identified by device and address, in any spelling', () => {
    const others = [
      { ...proxy, device: 'eth1' },
      { ...proxy, address: '192.0.2.8' },
    ];
    expect(add(others, proxy)).to.deep.equal([...others, proxy]);
    const ipv6 = { ...proxy, address: 'fd00::9' };
    expect(add([ipv6], { ...ipv6, address: 'fd00:0::9' })).to.deep.equal([ipv6]);
  });

  it('may be on a device that is down or has no IPv6', () => {
    const sysctls = { 'net.ipv6.conf.eth1.disable_ipv6': '1' };
    const wanted = { device: 'eth1', address: 'fd00::9' };
    expect(addNeighbourProxy(nodeOf({ links, sysctls }), wanted)).to.include({ done: true });
  });

  it('needs its device and an address', () => {
    const node = nodeOf({ links });
    expect(refusalOf(addNeighbourProxy(node, { ...proxy, device: 'eth9' }))).to.contain('Cannot find device');
    expect(refusalOf(addNeighbourProxy(node, { ...proxy, address: 'x' }))).to.contain('no address');
  });
});

describe('a proxy entry that is deleted', () => {
  const node = nodeOf({ links, neighbourProxies: [proxy, { ...proxy, address: '192.0.2.8' }] });

  it('is identified by device and address', () => {
    const left = after(deleteNeighbourProxy(node, { ...proxy, router: true }));
    expect(left.neighbourProxies.map(({ address }) => address)).to.deep.equal(['192.0.2.8']);
  });

  it('must be there, and so must its device', () => {
    expect(refusalOf(deleteNeighbourProxy(node, { ...proxy, address: '192.0.2.7' }))).to.contain('No such file');
    expect(refusalOf(deleteNeighbourProxy(node, { ...proxy, device: 'eth9' }))).to.contain('Cannot find device');
  });
});
