import { expect } from 'chai';
import { emptyLedger } from '../../../src/domain/snapshot/ledger.ts';
import { type BriefNode, completeNode } from '../../../src/testing/brief-node.ts';

function complete(brief: Omit<BriefNode, 'nodeName'>) {
  return completeNode({ nodeName: 'n', ...brief });
}

const kernel = { protocol: 'kernel', others: {} };

describe('a brief node', () => {
  it('has what every node has, and nothing else', () => {
    expect(complete({})).to.deep.equal({
      nodeName: 'n',
      links: [],
      routes: [],
      nextHopObjects: [],
      rules: [
        { family: 4, priority: 0, table: 255, ...kernel },
        { family: 4, priority: 32766, table: 254, ...kernel },
        { family: 4, priority: 32767, table: 253, ...kernel },
        { family: 6, priority: 0, table: 255, ...kernel },
        { family: 6, priority: 32766, table: 254, ...kernel },
      ],
      neighbours: [],
      neighbourProxies: [],
      flows: [],
      fdbEntries: [],
      noFloodPorts: [],
      northbound: [],
      chassis: [],
      remotePorts: [],
      filterTables: [],
      forwardDrops: [],
      switchExternalIds: {},
      bridges: [],
      devlinkPorts: [],
      sysctls: {},
      ledger: emptyLedger,
    });
  });

  it('has only the given rules', () => {
    expect(complete({ rules: [] }).rules).to.deep.equal([]);
    expect(complete({ rules: [{ priority: 5 }, { priority: 6, family: 6, table: 7, mark: 1 }] }).rules).to.deep.equal([
      { family: 4, priority: 5, protocol: 'static', others: {} },
      { family: 6, priority: 6, table: 7, mark: 1, protocol: 'static', others: {} },
    ]);
  });

  it('has permanent neighbours by default', () => {
    const neighbours = [
      { device: 'eth1', address: '192.0.2.1' },
      { device: 'eth1', address: '192.0.2.2', states: ['stale'] },
    ];
    expect(complete({ neighbours }).neighbours).to.deep.equal([
      { device: 'eth1', address: '192.0.2.1', states: ['permanent'] },
      { device: 'eth1', address: '192.0.2.2', states: ['stale'] },
    ]);
  });

  it('has next hop objects of the family of their gateways', () => {
    const nextHopObjects = [
      { id: 1, gateway: 'fe80::1', device: 'eth1' },
      { id: 2, gateway: '192.0.2.1' },
      { id: 3, device: 'eth1' },
      { id: 4, family: 6, blackhole: true },
      { id: 5, group: [{ id: 1, weight: 2 }] },
    ] as const;
    expect(complete({ nextHopObjects }).nextHopObjects).to.deep.equal([
      { id: 1, family: 6, protocol: 'static', gateway: 'fe80::1', device: 'eth1' },
      { id: 2, family: 4, protocol: 'static', gateway: '192.0.2.1' },
      { id: 3, family: 4, protocol: 'static', device: 'eth1' },
      { id: 4, family: 6, protocol: 'static', blackhole: true },
      { id: 5, protocol: 'static', group: [{ id: 1, weight: 2 }] },
    ]);
  });

  it('lacks what is null', () => {
    const { links, bridges, nextHopObjects } = complete({
      links: [{ name: 'tun0', macAddress: null }],
      bridges: [
        { name: 'br', localPort: false, ports: [{ name: 'p', interfaces: [{ name: 'p', openFlowPort: null }] }] },
      ],
      nextHopObjects: [{ id: 1, family: null, group: [] }],
    });
    expect(links[0]).to.not.have.property('macAddress');
    expect(bridges[0]?.ports).to.deep.equal([
      { name: 'p', externalIds: {}, interfaces: [{ name: 'p', type: '', externalIds: {} }] },
    ]);
    expect(nextHopObjects).to.deep.equal([{ id: 1, protocol: 'static', group: [] }]);
  });

  it('has a setting with a star on every device without another value', () => {
    const sysctls = {
      'net.ipv4.conf.*.rp_filter': '0',
      'net.ipv4.conf.a/b.rp_filter': '1',
      'net.ipv4.ip_forward': '1',
    };
    expect(complete({ links: [{ name: 'a.b' }, { name: 'eth1' }], sysctls }).sysctls).to.deep.equal({
      'net.ipv4.conf.all.rp_filter': '0',
      'net.ipv4.conf.default.rp_filter': '0',
      'net.ipv4.conf.a/b.rp_filter': '1',
      'net.ipv4.conf.eth1.rp_filter': '0',
      'net.ipv4.ip_forward': '1',
    });
  });

  it("has the kernel's routes to its addresses on request, after its own", () => {
    const links = [{ name: 'eth1', addresses: [{ address: '192.0.2.1', prefixLength: 24 }] }];
    const routes = [{ destination: '198.51.100.0/24', nextHops: [{ device: 'eth1', gateway: '192.0.2.9' }] }];
    const ipv4 = complete({ links, routes, kernelRoutes: true }).routes.filter(({ family }) => family === 4);
    expect(ipv4.map(({ destination, protocol }) => `${destination} ${protocol}`)).to.deep.equal([
      '198.51.100.0/24 static',
      '192.0.2.1/32 kernel',
      '192.0.2.255/32 kernel',
      '192.0.2.0/24 kernel',
    ]);
    expect(complete({ links }).routes).to.deep.equal([]);
  });

  it('has a ledger with given fields besides the entries', () => {
    expect(complete({ ledger: { version: 2, problem: 'is not valid JSON' } }).ledger).to.deep.equal({
      ...emptyLedger,
      version: 2,
      problem: 'is not valid JSON',
    });
  });

  it('has the ledger of its entries', () => {
    const ledger = [{ kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' }] as const;
    expect(complete({ ledger }).ledger).to.deep.equal({ version: 2, entries: ledger, unknown: [] });
  });
});
