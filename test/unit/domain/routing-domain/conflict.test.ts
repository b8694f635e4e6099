import { clusterNetworkKey, nameOfNetwork, namespacedNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Conflict, type Contender, conflictsAmong } from '../../../../src/domain/routing-domain/conflict.ts';
import type { RoutingDomain } from '../../../../src/domain/routing-domain/routing-domain.ts';
import { Coverage } from '../../../coverage.ts';

const base: RoutingDomain = { kind: 'default' };
const own = (vrf: string): RoutingDomain => ({ kind: 'own-vrf', vrf });
const other = (vrf: string): RoutingDomain => ({ kind: 'other-vrf', vrf });
const contradiction: RoutingDomain = { kind: 'contradiction', vrfs: ['auto', 'corp'] };

const on = (network: string, bridge: string | undefined, domain: RoutingDomain): Contender => ({
  network: clusterNetworkKey(network),
  domain,
  ...(bridge !== undefined && { bridge }),
  ...('vrf' in domain && { vrf: domain.vrf }),
});

const conflicts = (...contenders: readonly Contender[]): Readonly<Record<string, readonly Conflict[]>> =>
  Object.fromEntries([...conflictsAmong(contenders)].map(([network, all]) => [nameOfNetwork(network), all]));

const overBridge = (bridge: string, ...networks: readonly string[]): Conflict => ({
  over: 'bridge',
  bridge,
  networks: networks.map(clusterNetworkKey),
});
const overVrf = (vrf: string, ...networks: readonly string[]): Conflict => ({
  over: 'vrf',
  vrf,
  networks: networks.map(clusterNetworkKey),
});

describe('networks are in conflict', () => {
  it('if they share a bridge and one is outside the default routing domain: all of them', () => {
    const set = overBridge('br-x', 'blue', 'green', 'red');
    expect(
      conflicts(on('red', 'br-x', base), on('blue', 'br-x', own('blue')), on('green', 'br-x', base)),
    ).to.deep.equal({
      red: [set],
      blue: [set],
      green: [set],
    });
  });

  it('if a tenant’s own one is on the bridge of a VRF: it alone, and others as they are without it', () => {
    const tenant = { ...on('own', 'br-x', base), network: namespacedNetworkKey('team/own') };
    const inVrf = on('blue', 'br-x', own('blue'));
    const keys = ['ClusterUserDefinedNetwork/blue', 'UserDefinedNetwork/team/own'] as const;
    expect(conflicts(tenant, inVrf)).to.deep.equal({ 'team/own': [{ ...overBridge('br-x'), networks: keys }] });
    const both = overBridge('br-x', 'blue', 'red');
    expect(conflicts(tenant, inVrf, on('red', 'br-x', base))).to.deep.include({ blue: [both], red: [both] });
    expect(conflicts(tenant, on('red', 'br-x', base))).to.deep.equal({});
  });

  const outside: readonly (readonly [what: string, domain: RoutingDomain])[] = [
    ['its own VRF', own('blue')],
    ['its own VRF that has no name yet', { kind: 'own-vrf' }],
    ["somebody else's VRF", other('corp')],
  ];
  for (const [what, domain] of outside) {
    it(`if one on the bridge is in ${what}`, () => {
      expect(conflicts(on('blue', 'br-x', domain), on('red', 'br-x', base))).to.have.keys('blue', 'red');
    });
  }

  it('if their explicit VRFs are equal, on any bridges', () => {
    const set = overVrf('corp', 'blue', 'red');
    expect(conflicts(on('blue', 'br-x', other('corp')), on('red', 'br-y', other('corp')))).to.deep.equal({
      blue: [set],
      red: [set],
    });
    expect(conflicts(on('blue', undefined, other('red')), on('red', undefined, own('red')))).to.have.keys(
      'blue',
      'red',
    );
  });

  it('if OVN uses the same names for both, on any bridges', () => {
    const named = (network: string, bridge: string) => ({
      ...on(network, bridge, base),
      ovnPrefix: `cluster_udn_${network.replace('-', '.')}_`,
    });
    const set = { over: 'ovn-names', prefix: 'cluster_udn_a.b_', networks: ['a-b', 'a.b'].map(clusterNetworkKey) };
    expect(conflicts(named('a-b', 'br-x'), named('a.b', 'br-y'), named('red', 'br-x'))).to.deep.equal({
      'a-b': [set],
      'a.b': [set],
    });
  });

  it('alone, if RouteAdvertisements name several VRFs', () => {
    expect(conflicts(on('blue', 'br-x', contradiction), on('red', 'br-y', base))).to.deep.equal({
      blue: [{ over: 'targets', vrfs: ['auto', 'corp'] }],
    });
  });

  it('about bridges, then VRFs, each in the order of names, then targets', () => {
    const found = conflicts(
      on('blue', 'br-z', own('v')),
      on('blue', 'br-x', contradiction),
      on('red', 'br-z', own('v')),
      on('red', 'br-x', own('a')),
      on('blue', undefined, own('a')),
    );
    expect(found['blue']).to.deep.equal([
      overBridge('br-x', 'blue', 'red'),
      overBridge('br-z', 'blue', 'red'),
      overVrf('a', 'blue', 'red'),
      overVrf('v', 'blue', 'red'),
      { over: 'targets', vrfs: ['auto', 'corp'] },
    ]);
  });

  it('about its targets once, though it is on several uplinks', () => {
    expect(conflicts(on('blue', 'br-x', contradiction), on('blue', 'br-y', contradiction))).to.deep.equal({
      blue: [{ over: 'targets', vrfs: ['auto', 'corp'] }],
    });
  });
});

describe('networks are in no conflict', () => {
  const peaceful: readonly (readonly [what: string, contenders: readonly Contender[]])[] = [
    ['where there are none', []],
    ['where all on a bridge are in the default routing domain', [on('blue', 'br-x', base), on('red', 'br-x', base)]],
    ['where each has a bridge of its own', [on('blue', 'br-x', own('blue')), on('red', 'br-y', own('red'))]],
    ['where their bridges are not known', [on('blue', undefined, own('blue')), on('red', undefined, base)]],
    ['where one is on a bridge twice', [on('blue', 'br-x', own('blue')), on('blue', 'br-x', own('blue'))]],
    [
      'where their own VRFs have no names yet',
      [on('blue', 'br-x', { kind: 'own-vrf' }), on('red', 'br-y', { kind: 'own-vrf' })],
    ],
  ];
  for (const [what, contenders] of peaceful) {
    it(what, () => {
      expect(conflicts(...contenders)).to.deep.equal({});
    });
  }
});

describe('a conflict', () => {
  const contenders = fc.array(
    fc.record({
      network: fc.constantFrom('blue', 'red', 'green').map(clusterNetworkKey),
      bridge: fc.constantFrom('br-x', 'br-y'),
      domain: fc.constantFrom(base, own('blue'), other('corp'), { kind: 'own-vrf' } as const),
    }),
    { maxLength: 5 },
  );

  it('is the same in any order of the networks', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(contenders, (given) => {
        coverage.count({ conflict: Object.keys(conflicts(...given)).length > 0 });
        expect(conflicts(...[...given].reverse())).to.deep.equal(conflicts(...given));
      }),
    );
    coverage.expect({ conflict: 0.2 });
  });

  it('is reported for every network that it names, in the same words', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(contenders, (given) => {
        const found = conflicts(...given);
        coverage.count({ several: Object.values(found).some((list) => list.some(({ over }) => over !== 'targets')) });
        for (const [network, list] of Object.entries(found)) {
          for (const conflict of list) {
            if (conflict.over === 'targets') continue;
            const names = conflict.networks.map(nameOfNetwork);
            expect(names).to.include(network);
            for (const partner of names) expect(found[partner]).to.deep.include(conflict);
          }
        }
      }),
    );
    coverage.expect({ several: 0.2 });
  });

  it('exists if one names the VRF that another has for its services in the default domain', () => {
    const blue: Contender = { network: clusterNetworkKey('blue'), domain: { kind: 'default' }, vrf: 'blue' };
    const red: Contender = {
      network: clusterNetworkKey('red'),
      domain: { kind: 'other-vrf', vrf: 'blue' },
      vrf: 'blue',
    };
    const conflict = overVrf('blue', 'blue', 'red');
    expect(conflicts(blue, red)).to.deep.equal({ blue: [conflict], red: [conflict] });
  });
});
