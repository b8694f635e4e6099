import { expect } from 'chai';
import {
  filterFor,
  type FilteredNetwork,
  type FilterSurroundings,
  waysOf,
} from '../../../../../src/domain/dataplane/egress/filter-elements.ts';
import { type BriefNode, completeNode } from '../../../../../src/testing/index.ts';

/** The devices by which networks leave where the node has some routes. */
function ways(routes: BriefNode['routes'], others: readonly string[] = []): FilterSurroundings['ways'] {
  return waysOf(completeNode({ nodeName: 'a', routes: routes ?? [] }).routes, others);
}

describe('the devices that networks leave by', () => {
  const cases: Readonly<Record<string, readonly [routes: NonNullable<BriefNode['routes']>, devices: object]>> = {
    'is that of the default route of each family': [
      [
        { destination: '0.0.0.0/0', nextHops: [{ device: 'eth0', gateway: '192.0.2.1' }] },
        { destination: '::/0', nextHops: [{ device: 'eth6', gateway: 'fe80::1' }] },
        { destination: '198.51.100.0/24', nextHops: [{ device: 'eth1' }] },
      ],
      { 4: ['eth0'], 6: ['eth6'] },
    ],
    'are those of all default routes, whatever their metrics': [
      [
        { destination: '0.0.0.0/0', metric: 100, nextHops: [{ device: 'eth0' }] },
        { destination: '0.0.0.0/0', metric: 200, nextHops: [{ device: 'wlan0' }] },
      ],
      { 4: ['eth0', 'wlan0'], 6: [] },
    ],
    'are those of all next hops of one, each once': [
      [{ destination: '::/0', nextHops: [{ device: 'eth0' }, { device: 'eth1' }, { device: 'eth0' }, {}] }],
      { 4: [], 6: ['eth0', 'eth1'] },
    ],
    'are those of both halves of one, beside one that these leave alone': [
      [
        { destination: '0.0.0.0/0', nextHops: [{ device: 'eth0' }] },
        { destination: '0.0.0.0/1', nextHops: [{ device: 'tun0' }] },
        { destination: '128.0.0.0/1', nextHops: [{ device: 'tun1' }] },
        { destination: '::/1', nextHops: [{ device: 'tun0' }] },
        { destination: '8000::/1', nextHops: [{ device: 'tun0' }] },
      ],
      { 4: ['eth0', 'tun0', 'tun1'], 6: ['tun0'] },
    ],
    'is none where there is one half only': [
      [
        { destination: '0.0.0.0/1', nextHops: [{ device: 'tun0' }] },
        { destination: '8000::/1', nextHops: [{ device: 'tun0' }] },
      ],
      { 4: [], 6: [] },
    ],
    'is none whose name nft reads as more than that': [
      [
        { destination: '0.0.0.0/0', metric: 1, nextHops: [{ device: '@eth0' }] },
        { destination: '0.0.0.0/0', metric: 2, nextHops: [{ device: 'eth*' }] },
        { destination: '::/0', nextHops: [{ device: 'e*th@0' }] },
      ],
      { 4: [], 6: ['e*th@0'] },
    ],
    'is none of another table, of another type or for some packets only': [
      [
        { destination: '0.0.0.0/0', table: 300, nextHops: [{ device: 'eth1' }] },
        { destination: '0.0.0.0/0', type: 'unreachable', nextHops: [{ device: 'lo' }] },
        { destination: '::/0', source: '2001:db8::/64', nextHops: [{ device: 'eth2' }] },
        { destination: '0.0.0.0/0', typeOfService: '0x08', nextHops: [{ device: 'eth3' }] },
      ],
      { 4: [], 6: [] },
    ],
  };
  for (const [what, [routes, devices]] of Object.entries(cases)) {
    it(what, () => {
      expect(ways(routes)).to.deep.equal(devices);
    });
  }

  it('are further ones of both families, each once', () => {
    const routes = [{ destination: '0.0.0.0/0', nextHops: [{ device: 'eth0' }] }];
    expect(ways(routes, ['eth1', 'eth0'])).to.deep.equal({ 4: ['eth0', 'eth1'], 6: ['eth0', 'eth1'] });
  });
});

const blue: FilteredNetwork = {
  devices: ['ovn-k8s-mp1', 'blue'],
  networkAddresses: [
    { family: 4, address: '169.254.0.12' },
    { family: 6, address: 'fd69::c' },
  ],
};

const red: FilteredNetwork = {
  devices: ['ovn-k8s-mp2', 'red'],
  networkAddresses: [{ family: 4, address: '169.254.0.14' }],
};

const surroundings: FilterSurroundings = { ways: { 4: ['eth1', 'eth0'], 6: ['eth0'] }, denied: [], allowed: [] };

const setsFor = (networks: readonly FilteredNetwork[], more: Partial<FilterSurroundings> = {}) =>
  filterFor(networks, { ...surroundings, ...more }).sets;

describe('the elements of the filter', () => {
  it('are the devices and addresses of the networks, and the devices they leave by, in order', () => {
    expect(filterFor([red, blue], surroundings)).to.deep.equal({
      name: 'ovn-uplinks-egress',
      sets: {
        ports: ['blue', 'ovn-k8s-mp1', 'ovn-k8s-mp2', 'red'],
        sources4: ['169.254.0.12', '169.254.0.14'],
        owners4: [
          'blue . 169.254.0.12',
          'ovn-k8s-mp1 . 169.254.0.12',
          'ovn-k8s-mp2 . 169.254.0.14',
          'red . 169.254.0.14',
        ],
        ways4: ['eth0', 'eth1'],
        denied4: [],
        allowed4: [],
        sources6: ['fd69::c'],
        owners6: ['blue . fd69::c', 'ovn-k8s-mp1 . fd69::c'],
        ways6: ['eth0'],
        denied6: [],
        allowed6: [],
      },
      isIntact: true,
    });
  });

  it('are the same whatever the order of the networks', () => {
    expect(setsFor([red, blue])).to.deep.equal(setsFor([blue, red]));
  });

  it('are denied subnets by family, without those that others contain, and addresses without a length', () => {
    const denied = ['10.244.1.0/24', '10.244.0.0/16', '192.0.2.11/32', '192.0.2.11/32', 'fd00::/32', '2001:db8::/128'];
    const { denied4, denied6 } = setsFor([], { denied });
    expect([denied4, denied6]).to.deep.equal([
      ['10.244.0.0/16', '192.0.2.11'],
      ['2001:db8::', 'fd00::/32'],
    ]);
  });

  it('are denied addresses that are in no denied subnet, and IPv6 subnets of length 32', () => {
    const { denied4, denied6 } = setsFor([], { denied: ['10.244.3.4/32', '10.244.0.0/16', 'fd00:1::/32'] });
    expect([denied4, denied6]).to.deep.equal([['10.244.0.0/16'], ['fd00:1::/32']]);
  });

  it('are allowed subnets, likewise, although they are denied', () => {
    const allowed = ['10.96.0.10/32', '10.96.0.0/24', 'fd00::10/128'];
    const sets = setsFor([], { denied: ['10.96.0.0/16'], allowed });
    expect([sets['denied4'], sets['allowed4'], sets['allowed6']]).to.deep.equal([
      ['10.96.0.0/16'],
      ['10.96.0.0/24'],
      ['fd00::10'],
    ]);
  });
});
