import { expect } from 'chai';
import { lostByCycle } from '../../../../src/domain/node-model/cycle.ts';
import { setUp } from '../../../../src/domain/node-model/link.ts';
import { enslave } from '../../../../src/domain/node-model/membership.ts';
import type { NodeSnapshot } from '../../../../src/domain/snapshot/node-snapshot.ts';
import type { BriefLink, BriefNode } from '../../../../src/testing/brief-node.ts';
import { addressTexts, after, blue, device, kernelRoutes, nodeOf, red, refusalOf, routeTexts } from './words.ts';

const eth0 = device('eth0', ['192.0.2.6/24']);

function on(lowerDevice: string, name: string, addresses: readonly string[], more: Partial<BriefLink> = {}): BriefLink {
  return device(name, addresses, { kind: 'vlan', lowerDevice, ...more });
}

const vlan = on('eth0', 'eth0.5', ['10.5.0.6/24', 'fd05::6/64']);

function enslaved(links: readonly BriefLink[], brief: Partial<BriefNode> = {}): NodeSnapshot {
  return after(enslave(nodeOf({ links: [eth0, ...links, blue, red], ...brief }), 'eth0', 'blue'));
}

describe('a VLAN device on a device that enters a VRF', () => {
  it('stays in its routing domain', () => {
    const node = enslaved([vlan, on('eth0', 'eth0.6', ['10.6.0.6/24'], { master: 'red' })]);
    expect(node.links.map(({ master }) => master)).to.deep.equal(['blue', undefined, 'red', undefined, undefined]);
    expect(kernelRoutes(node, 4, 'eth0.5')).to.include('main 10.5.0.0/24 dev eth0.5 src 10.5.0.6');
    expect(kernelRoutes(node, 4, 'eth0.6')).to.include('1002 10.6.0.0/24 dev eth0.6 src 10.6.0.6');
  });

  it('is cycled with it: it loses routes, IPv6 addresses, neighbours and next hop objects', () => {
    const brief = {
      routes: [
        { destination: '10.0.0.0/8', nextHops: [{ device: 'eth0.5', gateway: '10.5.0.1' }] },
        { destination: 'fd00::/8', table: 100, nextHops: [{ device: 'eth0.5' }] },
      ],
      neighbours: [{ device: 'eth0.5', address: '10.5.0.9' }],
      nextHopObjects: [{ id: 1, device: 'eth0.5', gateway: '10.5.0.1' }],
    };
    const node = enslaved([vlan], brief);
    expect(routeTexts(node)).to.be.empty;
    expect(node.neighbours).to.be.empty;
    expect(node.nextHopObjects).to.be.empty;
    expect(addressTexts(node, 'eth0.5')).to.deep.equal(['10.5.0.6/24', 'fe80::ff:fe00:2/64']);
    const kinds = lostByCycle(nodeOf({ links: [eth0, vlan, blue], ...brief }), 'eth0').map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['address', 'neighbour', 'route', 'next-hop-object', 'route']);
  });

  it('keeps its IPv6 addresses by its own setting, whose name has a slash for the dot', () => {
    const node = enslaved([vlan], { sysctls: { 'net.ipv6.conf.eth0/5.keep_addr_on_down': '1' } });
    expect(addressTexts(node, 'eth0.5')).to.include('fd05::6/64');
  });

  it('comes up though it had been down, with all of its routes', () => {
    const node = enslaved([{ ...vlan, up: false, operationalState: 'down' }]);
    expect(node.links[1]).to.include({ up: true, operationalState: 'up' });
    expect(addressTexts(node, 'eth0.5')).to.include('fd05::6/64');
    expect(kernelRoutes(node, 4, 'eth0.5')).to.deep.equal([
      'local broadcast 10.5.0.255/32 dev eth0.5 src 10.5.0.6',
      'local local 10.5.0.6/32 dev eth0.5 src 10.5.0.6',
      'main 10.5.0.0/24 dev eth0.5 src 10.5.0.6',
    ]);
  });

  it('cycles VLAN devices on it', () => {
    const inner = on('eth0.5', 'eth0.5.9', ['10.9.0.6/24'], { up: false });
    const node = enslaved([vlan, inner], { routes: [{ destination: '10.0.0.0/8', nextHops: [{ device: 'eth0.5' }] }] });
    expect(node.links[2]).to.include({ up: true });
    expect(routeTexts(node)).to.be.empty;
  });

  it('is unchanged while the device is down, which is then not cycled', () => {
    const down = { ...eth0, up: false };
    const nextHops = [{ device: 'eth0.5' }];
    const links = [down, vlan, blue];
    const node = after(enslave(nodeOf({ links, routes: [{ destination: '10.0.0.0/8', nextHops }] }), 'eth0', 'blue'));
    expect(routeTexts(node)).to.deep.equal(['main 10.0.0.0/8 dev eth0.5']);
  });

  it('cycles, if it enters a VRF itself, only those on it', () => {
    const nextHops = [{ device: 'eth0' }];
    const node = nodeOf({ links: [eth0, vlan, blue], routes: [{ destination: '10.0.0.0/8', nextHops }] });
    expect(routeTexts(after(enslave(node, 'eth0.5', 'blue')))).to.deep.equal(['main 10.0.0.0/8 dev eth0']);
  });

  it('is set up with its device', () => {
    const node = nodeOf({
      links: [
        { ...eth0, up: false },
        { ...vlan, up: false },
      ],
    });
    expect(after(setUp(node, 'eth0')).links.map(({ up }) => up)).to.deep.equal([true, true]);
  });

  it('loses a route over both devices, as both are down at the same time', () => {
    const nextHops = [
      { device: 'eth0', gateway: '192.0.2.1' },
      { device: 'eth0.5', gateway: '10.5.0.1' },
    ];
    expect(routeTexts(enslaved([vlan], { routes: [{ destination: '10.0.0.0/8', nextHops }] }))).to.be.empty;
  });
});

describe('a VLAN device that is bound loosely', () => {
  const loose: BriefLink = { ...vlan, looseBinding: true };

  it('keeps everything, and so do VLAN devices on it', () => {
    const inner = on('eth0.5', 'eth0.5.9', ['fd09::6/64']);
    const brief = {
      routes: [{ destination: '10.0.0.0/8', nextHops: [{ device: 'eth0.5', gateway: '10.5.0.1' }] }],
      neighbours: [{ device: 'eth0.5', address: '10.5.0.9' }],
      nextHopObjects: [{ id: 1, device: 'eth0.5', gateway: '10.5.0.1' }],
    };
    const node = enslaved([loose, inner], brief);
    expect(addressTexts(node, 'eth0.5')).to.include.members(['10.5.0.6/24', 'fd05::6/64']);
    expect(addressTexts(node, 'eth0.5.9')).to.include('fd09::6/64');
    expect(routeTexts(node)).to.have.length(1);
    expect(node.neighbours).to.have.length(1);
    expect(node.nextHopObjects).to.have.length(1);
    expect(lostByCycle(nodeOf({ links: [eth0, loose, inner, blue], ...brief }), 'eth0')).to.be.empty;
  });

  it('stays down while it is down', () => {
    const down: BriefLink = { ...loose, up: false, operationalState: 'down' };
    expect(enslaved([down]).links[1]).to.include({ up: false, operationalState: 'down' });
    const node = nodeOf({ links: [{ ...eth0, up: false }, down] });
    expect(after(setUp(node, 'eth0')).links.map(({ up }) => up)).to.deep.equal([true, false]);
  });

  it('is cycled when its own VRF changes', () => {
    const node = after(enslave(nodeOf({ links: [eth0, loose, blue] }), 'eth0.5', 'blue'));
    expect(addressTexts(node, 'eth0.5')).not.to.include('fd05::6/64');
  });

  it('may be set up on a device that is down', () => {
    const links = [
      { ...eth0, up: false },
      { ...loose, up: false },
    ];
    expect(after(setUp(nodeOf({ links }), 'eth0.5')).links[1]).to.include({ up: true });
  });
});

describe('a stacked device of another kind', () => {
  for (const kind of ['macvlan', 'ipvlan', 'macsec']) {
    it(`of kind ${kind} keeps everything, and has the state of its lower device from then on`, () => {
      const stacked = on('eth0', 'stacked0', ['10.7.0.6/24', 'fd07::6/64'], { kind, operationalState: 'unknown' });
      const brief = {
        routes: [{ destination: '10.0.0.0/8', nextHops: [{ device: 'stacked0', gateway: '10.7.0.1' }] }],
        neighbours: [{ device: 'stacked0', address: '10.7.0.9' }],
        nextHopObjects: [{ id: 1, device: 'stacked0' }],
      };
      const node = enslaved([stacked], brief);
      expect(addressTexts(node, 'stacked0')).to.deep.equal(['10.7.0.6/24', 'fd07::6/64', 'fe80::ff:fe00:2/64']);
      expect(routeTexts(node)).to.have.length(1);
      expect(node.neighbours).to.have.length(1);
      expect(node.nextHopObjects).to.have.length(1);
      expect(node.links[1]).to.include({ up: true, operationalState: 'up' });
    });
  }

  it('that is up without a carrier has it, and its link-local address, once the lower device is up', () => {
    const waiting = on('eth0', 'macvlan0', ['fd07::6/64'], { kind: 'macvlan', operationalState: 'lowerlayerdown' });
    const before = nodeOf({ links: [{ ...eth0, up: false }, waiting] });
    expect(addressTexts(before, 'macvlan0')).to.deep.equal(['fd07::6/64 tentative']);
    const node = after(setUp(before, 'eth0'));
    expect(node.links[1]).to.include({ operationalState: 'up' });
    expect(addressTexts(node, 'macvlan0')).to.deep.equal(['fd07::6/64', 'fe80::ff:fe00:2/64']);
    expect(kernelRoutes(node, 6, 'macvlan0')).to.have.length(5);
  });

  it('may be set up on a device that is down, which a VLAN device may not', () => {
    const down = { ...eth0, up: false };
    const links = [down, { ...vlan, up: false }, on('eth0', 'macvlan0', [], { kind: 'macvlan', up: false })];
    expect(after(setUp(nodeOf({ links }), 'macvlan0')).links[2]).to.include({ up: true });
    expect(refusalOf(setUp(nodeOf({ links }), 'eth0.5'))).to.contain('Network is down');
  });
});
