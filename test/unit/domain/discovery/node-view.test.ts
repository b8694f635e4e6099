import { expect } from 'chai';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import { completeNode } from '../../../../src/testing/index.ts';

const node = completeNode({
  nodeName: 'a',
  links: [{ name: 'eth1' }, { name: 'eth2', alternativeNames: ['enp0s2', 'uplink2'] }],
  routes: [
    { destination: '192.0.2.0/24', nextHops: [{ device: 'eth1' }] },
    {
      destination: '0.0.0.0/0',
      nextHops: [
        { device: 'eth1', gateway: '192.0.2.1' },
        { device: 'eth1', gateway: '192.0.2.2' },
        { device: 'eth2', gateway: '198.51.100.1' },
      ],
    },
    { destination: '203.0.113.0/24', type: 'unreachable', nextHops: [] },
    { destination: '198.51.100.0/24', nextHops: [{}] },
  ],
  bridges: [
    { name: 'br-x', ports: [{ name: 'p', interfaces: [{ name: 'eth1' }, { name: 'eth2' }] }] },
    { name: 'br-y', ports: [{ name: 'eth1' }] },
  ],
  devlinkPorts: [
    { device: 'p0', flavour: 'physical', functionMacAddress: '02:00:00:00:00:aa' },
    { device: 'pf0hpf', flavour: 'pcipf' },
    { device: 'pf0vf0', flavour: 'pcivf', functionMacAddress: '02:00:00:00:00:AA' },
    { device: 'pf0vf1', flavour: 'pcivf', functionMacAddress: '02:00:00:00:00:bb' },
    { device: 'en3f0pf0sf1', flavour: 'pcisf', functionMacAddress: '02:00:00:00:00:aa' },
    { device: 'cpu0', flavour: 'cpu' },
  ],
});

describe('a node by name', () => {
  const view = viewNode(node);

  it('finds a device', () => {
    expect(view.link('eth2')).to.equal(node.links[1]);
    expect(view.link('eth3')).to.be.undefined;
    expect(view.link('uplink2'), 'by its own name alone').to.be.undefined;
  });

  it('finds a device by its alternative names', () => {
    expect(view.linkAlsoNamed('uplink2')).to.equal(node.links[1]);
    expect(view.linkAlsoNamed('enp0s2')).to.equal(node.links[1]);
    expect(view.linkAlsoNamed('eth2')).to.be.undefined;
  });

  it('finds each route once for each device that one of its next hops leaves by', () => {
    expect(view.routesOutOf('eth1')).to.deep.equal([node.routes[0], node.routes[1]]);
    expect(view.routesOutOf('eth2')).to.deep.equal([node.routes[1]]);
    expect(view.routesOutOf('eth3')).to.deep.equal([]);
  });

  it('finds every port with an interface, on any bridge', () => {
    const found = (name: string) => view.portsWith(name).map(({ bridge, port }) => `${bridge.name} ${port.name}`);
    expect(found('eth1')).to.deep.equal(['br-x p', 'br-y eth1']);
    expect(found('eth2')).to.deep.equal(['br-x p']);
    expect(found('br-x')).to.deep.equal(['br-x br-x']);
    expect(found('p')).to.deep.equal([]);
  });

  it('distinguishes representors from other devices', () => {
    const representors = ['p0', 'pf0hpf', 'pf0vf0', 'en3f0pf0sf1', 'cpu0', 'eth1'].filter((device) =>
      view.isRepresentor(device),
    );
    expect(representors).to.deep.equal(['pf0hpf', 'pf0vf0', 'en3f0pf0sf1']);
  });

  it('finds the representors of a MAC address, in any spelling', () => {
    expect(view.representorsOf('02:00:00:00:00:aa')).to.deep.equal(['pf0vf0', 'en3f0pf0sf1']);
    expect(view.representorsOf('02:00:00:00:00:cc')).to.deep.equal([]);
  });
});
