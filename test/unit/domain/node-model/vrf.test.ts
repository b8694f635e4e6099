import { expect } from 'chai';
import { deleteLink } from '../../../../src/domain/node-model/link.ts';
import { enslave } from '../../../../src/domain/node-model/membership.ts';
import { addVrf } from '../../../../src/domain/node-model/vrf.ts';
import type { NodeSnapshot, Rule } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { after, blue, device, kernelRoutes, nodeOf, red, refusalOf, routeTexts } from './words.ts';

const l3mdev = { priority: 1000, protocol: 'kernel', others: { l3mdev: 'null' } };

function withBlue(node: NodeSnapshot = nodeOf({})): NodeSnapshot {
  return after(addVrf(node, { name: 'blue', table: 1001 }));
}

function addedRules(before: NodeSnapshot, node: NodeSnapshot): readonly Rule[] {
  return node.rules.filter((rule) => !before.rules.includes(rule));
}

describe('a new VRF device', () => {
  it('is up, and has neither addresses nor routes of its own, nor a member', () => {
    const node = withBlue(nodeOf({ links: [device('eth0')] }));
    expect(node.links[1]).to.deep.equal({
      index: 2,
      name: 'blue',
      kind: 'vrf',
      up: true,
      operationalState: 'up',
      mtu: 65_575,
      type: 'ether',
      vrfTable: 1001,
      addresses: [],
    });
    expect(kernelRoutes(node, 4, 'blue')).to.be.empty;
    expect(kernelRoutes(node, 6, 'blue')).to.be.empty;
  });

  it('adds the rules of both families for tables of VRFs, if it is the first', () => {
    const before = nodeOf({});
    const node = withBlue(before);
    expect(addedRules(before, node)).to.deep.equal([
      { family: 4, ...l3mdev },
      { family: 6, ...l3mdev },
    ]);
    expect(addedRules(node, after(addVrf(node, { name: 'red', table: 1002 })))).to.be.empty;
  });

  it('adds no rules if another program removed them under another VRF', () => {
    const before = nodeOf({ links: [red] });
    expect(addedRules(before, withBlue(before))).to.be.empty;
  });

  it('adds no rules if those of an earlier one were left', () => {
    const before = after(deleteLink(withBlue(), 'blue'));
    expect(before.rules).to.deep.include({ family: 4, ...l3mdev });
    expect(addedRules(before, withBlue(before))).to.be.empty;
  });

  it('attaches the rules for it, unless another device of theirs is missing', () => {
    const rule = (others: Rule['others'], state: Partial<Rule> = {}): Rule => ({
      ...{ family: 4, priority: 5, protocol: 'static', table: 7, others },
      ...state,
    });
    const [input, output, both] = [{ iif: '"blue"' }, { oif: '"blue"' }, { iif: '"blue"', oif: '"gone"' }];
    const detached = [input, output, both, { iif: '"gone"' }].map((others) => rule(others, { detached: true }));
    const node = withBlue(nodeOf({ rules: detached }));
    expect(node.rules.slice(0, 4)).to.deep.equal([rule(input), rule(output), ...detached.slice(2)]);
    expect(after(deleteLink(node, 'blue')).rules.slice(0, 4)).to.deep.equal(detached);
  });

  it('has the default settings of new devices', () => {
    const sysctls = {
      'net.ipv4.conf.all.rp_filter': '1',
      'net.ipv4.conf.default.rp_filter': '2',
      'net.ipv6.conf.default.keep_addr_on_down': '1',
      'net.ipv4.tcp_l3mdev_accept': '0',
    };
    const node = after(addVrf(nodeOf({ sysctls }), { name: 'v$&.1', table: 1001 }));
    expect(node.sysctls).to.deep.equal({
      ...sysctls,
      'net.ipv4.conf.v$&/1.rp_filter': '2',
      'net.ipv6.conf.v$&/1.keep_addr_on_down': '1',
    });
  });

  it('may share its table with another one, also with the main one', () => {
    const node = withBlue();
    expect(addVrf(node, { name: 'blue2', table: 1001 })).to.include({ done: true });
    expect(addVrf(node, { name: 'main', table: 254 })).to.include({ done: true });
  });

  it('may not share its table in strict mode', () => {
    const node = withBlue(nodeOf({ sysctls: { 'net.vrf.strict_mode': '1' } }));
    expect(refusalOf(addVrf(node, { name: 'blue2', table: 1001 }))).to.contain('used by another VRF');
    expect(addVrf(node, { name: 'red', table: 1002 })).to.include({ done: true });
  });

  it('is refused as existing if any device has its name', () => {
    const node = nodeOf({ links: [device('blue')] });
    expect(addVrf(node, { name: 'blue', table: 1001 })).to.include({ done: false, exists: true });
  });

  it('is refused as existing if any device has its name as an alternative name', () => {
    const node = nodeOf({ links: [device('eth0', [], { alternativeNames: ['green', 'blue'] })] });
    expect(addVrf(node, { name: 'blue', table: 1001 })).to.include({ done: false, exists: true });
    expect(addVrf(node, { name: 'red', table: 1001 })).to.include({ done: true });
  });

  for (const name of ['', '.', '..', 'a/b', 'a:b', 'a b', 'abcdefghijklmnop', 'all', 'default', 'ab%d']) {
    it(`is refused by the name ${JSON.stringify(name)}`, () => {
      const change = addVrf(nodeOf({}), { name, table: 1001 });
      expect(change).to.include({ done: false });
      expect(change).not.to.have.property('exists');
    });
  }

  for (const table of [0, -1, 1.5, 2 ** 32, Number.NaN]) {
    it(`is refused with table ${table}`, () => {
      expect(refusalOf(addVrf(nodeOf({}), { name: 'blue', table }))).to.contain('Invalid VRF table id');
    });
  }

  it('may have the highest table number', () => {
    expect(addVrf(nodeOf({}), { name: 'blue', table: 2 ** 32 - 1 })).to.include({ done: true });
  });
});

describe('a VRF device that is removed', () => {
  const eth0 = device('eth0', ['192.0.2.6/24']);
  const links = [eth0, { ...blue, addresses: [{ address: '169.254.0.2', prefixLength: 32 }] }, red];

  it('releases its members, each with a cycle of its link', () => {
    const routes = [{ destination: '10.0.0.0/8', table: 1001, nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }] }];
    const before = after(enslave(nodeOf({ links }), 'eth0', 'blue'));
    const node = after(deleteLink({ ...before, routes: [...before.routes, ...nodeOf({ routes }).routes] }, 'blue'));
    expect(node.links.map(({ name, master }) => [name, master])).to.deep.equal([
      ['eth0', undefined],
      ['red', undefined],
    ]);
    expect(routeTexts(node)).to.be.empty;
    expect(kernelRoutes(node, 4, 'eth0')).to.include('main 192.0.2.0/24 dev eth0 src 192.0.2.6');
  });

  it('removes its addresses, its neighbours, its nexthop objects and the routes out of it', () => {
    const before = nodeOf({
      links,
      routes: [{ destination: '10.0.0.0/8', nextHops: [{ device: 'blue' }] }],
      neighbours: [{ device: 'blue', address: '169.254.0.4' }],
      nextHopObjects: [{ id: 1, device: 'blue' }],
    });
    const node = after(deleteLink(before, 'blue'));
    expect(kernelRoutes(before, 4, 'blue')).to.have.length(1);
    expect(kernelRoutes(node, 4, 'blue')).to.be.empty;
    expect(routeTexts(node)).to.be.empty;
    expect(node.neighbours).to.be.empty;
    expect(node.nextHopObjects).to.be.empty;
  });

  it('removes IPv4 routes of its table with one of its addresses as their source', () => {
    const nextHops = [{ device: 'eth0' }];
    const routes = [
      { destination: '10.0.0.0/8', table: 1001, preferredSource: '169.254.0.2', nextHops },
      { destination: '10.0.0.0/8', table: 1002, preferredSource: '169.254.0.2', nextHops },
      { destination: '10.1.0.0/16', table: 1001, nextHops },
    ];
    expect(routeTexts(after(deleteLink(nodeOf({ links, routes }), 'blue')))).to.deep.equal([
      '1001 10.1.0.0/16 dev eth0',
      '1002 10.0.0.0/8 dev eth0 src 169.254.0.2',
    ]);
  });

  it('removes a whole IPv4 route with a leg out of it, and of an IPv6 route only the leg', () => {
    const legs = (family: 4 | 6) => [
      { device: 'blue', gateway: family === 4 ? '169.254.0.9' : 'fd00::9' },
      { device: 'eth0', gateway: family === 4 ? '192.0.2.1' : 'fd00::8' },
    ];
    const routes = [
      { destination: '10.0.0.0/8', nextHops: legs(4) },
      { destination: 'fd10::/16', nextHops: legs(6) },
    ];
    const node = after(deleteLink(nodeOf({ links, routes }), 'blue'));
    expect(routeTexts(node)).to.deep.equal(['main fd10::/16 via fd00::8 dev eth0']);
  });

  it('leaves the routes of its table without a next hop', () => {
    const routes = [{ destination: '0.0.0.0/0', type: 'unreachable', table: 1001, nextHops: [] }];
    expect(routeTexts(after(deleteLink(nodeOf({ links, routes }), 'blue')))).to.deep.equal([
      '1001 unreachable 0.0.0.0/0',
    ]);
  });

  it('removes its settings, and no others', () => {
    const sysctls = {
      'net.ipv4.conf.blue.rp_filter': '1',
      'net.ipv4.conf.blue2.rp_filter': '1',
      'net.ipv4.ip_forward': '1',
    };
    const { 'net.ipv4.conf.blue.rp_filter': _gone, ...left } = sysctls;
    expect(after(deleteLink(nodeOf({ links, sysctls }), 'blue')).sysctls).to.deep.equal(left);
  });

  it('must exist, and be a VRF', () => {
    expect(refusalOf(deleteLink(nodeOf({ links }), 'green'))).to.contain('Cannot find device');
    expect(refusalOf(deleteLink(nodeOf({ links }), 'eth0'))).to.contain('no VRF device');
  });
});
