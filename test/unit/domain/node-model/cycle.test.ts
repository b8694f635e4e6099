import { expect } from 'chai';
import { lostByCycle } from '../../../../src/domain/node-model/cycle.ts';
import { enslave } from '../../../../src/domain/node-model/membership.ts';
import type { DisplacedEntity } from '../../../../src/domain/snapshot/ledger.ts';
import type { BriefNode } from '../../../../src/testing/brief-node.ts';
import { address, after, blue, device, nodeOf, routeText } from './words.ts';

const eth0 = device('eth0', ['192.0.2.6/24', '2001:db8::6/64']);
const eth1 = device('eth1', ['198.51.100.6/24']);

function textOf(entity: DisplacedEntity): string {
  switch (entity.kind) {
    case 'address':
      return `address ${entity.address.address} on ${entity.device}`;
    case 'neighbour':
      return `neighbour ${entity.neighbour.address}`;
    case 'neighbour-proxy':
      return `proxy ${entity.proxy.address}`;
    case 'next-hop-object':
      return `object ${entity.object.id}`;
    case 'route':
      return `route ${routeText(entity.route)}`;
  }
}

function lost(brief: Omit<BriefNode, 'nodeName'>): readonly string[] {
  return lostByCycle(nodeOf({ links: [eth0, eth1, blue], ...brief }), 'eth0').map(textOf);
}

describe('what a link cycle loses', () => {
  it('is what the kernel does not add again: none of its own routes, nor the address derived from the MAC address', () => {
    expect(lost({ links: [device('eth0', ['192.0.2.6/24']), blue] })).to.be.empty;
  });

  it('is everything that can be restored, in an order in which that succeeds', () => {
    const node = {
      sysctls: {},
      nextHopObjects: [
        { id: 1, group: [{ id: 2, weight: 1 }] },
        { id: 2, device: 'eth0', gateway: '192.0.2.1' },
        { id: 3, device: 'eth0' },
      ],
      neighbours: [
        { device: 'eth0', address: '192.0.2.9' },
        { device: 'eth0', address: '192.0.2.8', states: ['reachable'] },
        { device: 'eth0', address: '192.0.2.7', macAddress: '02:00:00:00:99:07', states: ['noarp'] },
        { device: 'eth0', address: '224.0.0.1', macAddress: '01:00:5e:00:00:01', states: ['noarp'] },
        { device: 'eth1', address: '198.51.100.9' },
      ],
      neighbourProxies: [
        { device: 'eth0', address: '192.0.2.9' },
        { device: 'eth1', address: '198.51.100.9' },
      ],
      routes: [
        { destination: '10.0.0.0/8', nextHops: [{ device: 'eth0', gateway: '10.1.0.1' }] },
        { destination: '10.1.0.0/16', nextHops: [{ device: 'eth0' }] },
        { destination: '10.2.0.0/16', nextHopObject: 1, nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }] },
        { destination: 'fd00::/8', table: 100, protocol: '94', nextHops: [{ device: 'eth0', gateway: '2001:db8::1' }] },
        { destination: '10.3.0.0/16', nextHops: [{ device: 'eth1' }] },
      ],
    };
    expect(lost(node)).to.deep.equal([
      'address 2001:db8::6 on eth0',
      'neighbour 192.0.2.9',
      'neighbour 192.0.2.7',
      'proxy 192.0.2.9',
      'route main 10.1.0.0/16 dev eth0',
      'object 3',
      'object 2',
      'object 1',
      'route main 10.2.0.0/16 nhid 1 via 192.0.2.1 dev eth0',
      'route main 10.0.0.0/8 via 10.1.0.1 dev eth0',
      'route 100 fd00::/8 via 2001:db8::1 dev eth0',
    ]);
  });

  it('has routes by objects without a gateway before the objects whose gateways those may reach', () => {
    const node = {
      nextHopObjects: [
        { id: 1, group: [{ id: 2, weight: 1 }] },
        { id: 2, device: 'eth0', gateway: '10.1.0.1' },
        { id: 3, group: [{ id: 4, weight: 1 }] },
        { id: 4, device: 'eth0' },
      ],
      routes: [
        { destination: '10.2.0.0/16', nextHopObject: 1, nextHops: [{ device: 'eth0', gateway: '10.1.0.1' }] },
        { destination: '10.1.0.0/16', nextHopObject: 3, nextHops: [{ device: 'eth0' }] },
      ],
      sysctls: { 'net.ipv6.conf.eth0.keep_addr_on_down': '1' },
    };
    expect(lost(node)).to.deep.equal([
      'object 4',
      'object 3',
      'route main 10.1.0.0/16 nhid 3 dev eth0',
      'object 2',
      'object 1',
      'route main 10.2.0.0/16 nhid 1 via 10.1.0.1 dev eth0',
    ]);
  });

  it('is the whole group that loses a member, but none of its routes, which depend on it', () => {
    const node = {
      nextHopObjects: [
        { id: 1, device: 'eth0', gateway: '192.0.2.1' },
        { id: 2, device: 'eth1', gateway: '198.51.100.1' },
        {
          id: 3,
          group: [
            { id: 1, weight: 1 },
            { id: 2, weight: 1 },
          ],
        },
      ],
      routes: [{ destination: '10.0.0.0/8', nextHopObject: 3, nextHops: [] }],
      sysctls: { 'net.ipv6.conf.eth0.keep_addr_on_down': '1' },
    };
    expect(lost(node)).to.deep.equal(['object 1', 'object 3']);
    const [, group] = lostByCycle(nodeOf({ links: [eth0, eth1], ...node }), 'eth0').filter(
      ({ kind }) => kind === 'next-hop-object',
    );
    expect(group).to.have.nested.property('object.group.length', 2);
  });

  it('is an address with its lifetimes, a link-local one not added by the kernel, but none that is kept', () => {
    const addresses = [
      address('2001:db8::6/64'),
      address('2001:db8::8/64', { flags: ['dynamic'], validSeconds: 900, preferredSeconds: 300 }),
      address('fe80::6/64', { scope: 'link' }),
    ];
    const sysctls = { 'net.ipv6.conf.eth0.keep_addr_on_down': '1' };
    const node = nodeOf({ links: [{ name: 'eth0', addresses }], sysctls });
    expect(lostByCycle(node, 'eth0')).to.deep.equal(
      addresses.slice(1).map((lostAddress) => ({ kind: 'address', device: 'eth0', address: lostAddress })),
    );
  });

  it("is a route with the kernel's protocol that the kernel did not add", () => {
    const routes = [{ destination: '10.0.0.0/8', protocol: 'kernel', nextHops: [{ device: 'eth0' }] }];
    const links = [device('eth0', ['192.0.2.6/24'])];
    expect(lost({ links, routes })).to.deep.equal(['route main 10.0.0.0/8 dev eth0']);
  });

  it('is a route as it is while its devices are up', () => {
    const routes = [
      { destination: '10.0.0.0/8', nextHops: [{ device: 'eth0', gateway: '192.0.2.1', down: true as const }] },
    ];
    const links = [device('eth0', ['192.0.2.6/24'])];
    expect(JSON.stringify(lostByCycle(nodeOf({ links, routes }), 'eth0')))
      .to.contain('192.0.2.1')
      .and.not.contain('down');
  });

  it('is the same for a device that leaves a VRF', () => {
    const inVrf = after(enslave(nodeOf({ links: [eth0, blue] }), 'eth0', 'blue'));
    const nextHops = [{ device: 'eth0', gateway: '192.0.2.1' }];
    const [route] = nodeOf({ routes: [{ destination: '0.0.0.0/0', table: 1001, nextHops }] }).routes;
    const node = { ...inVrf, routes: [...inVrf.routes, ...(route === undefined ? [] : [route])] };
    expect(lostByCycle(node, 'eth0').map(textOf)).to.deep.equal(['route 1001 0.0.0.0/0 via 192.0.2.1 dev eth0']);
  });

  it('is nothing for a device that does not exist', () => {
    expect(lostByCycle(nodeOf({ links: [eth0] }), 'eth9')).to.be.empty;
  });

  it('is found in a time that is linear in the number of routes', () => {
    const node = (size: number) =>
      nodeOf({
        links: [eth0, blue],
        routes: Array.from({ length: size }, (_, index) => ({
          destination: `10.${index >> 8}.${index & 255}.0/24`,
          nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }],
        })),
      });
    const seconds = (size: number): number => {
      const subject = node(size);
      const start = process.cpuUsage();
      lostByCycle(subject, 'eth0');
      after(enslave(subject, 'eth0', 'blue'));
      return process.cpuUsage(start).user / 1e6;
    };
    seconds(3000);
    expect(seconds(48_000)).to.be.below(3);
  });
});
