import { expect } from 'chai';
import { FLOW_COOKIE } from '../../../../src/domain/basics/conventions.ts';
import { nextHopFlow } from '../../../../src/domain/dataplane/pipeline/next-hop.ts';
import type { NeighbourEntity } from '../../../../src/domain/entities/kernel/neighbour.ts';
import { wantedManagedNeighbours, wantedNeighbours } from '../../../../src/domain/dataplane/neighbours.ts';
import { packetMark } from '../../../../src/domain/network/names/numbers.ts';
import { wantedRules } from '../../../../src/domain/dataplane/rules.ts';
import { dataplaneInput } from './dataplane-input.ts';

describe('the packet mark of a network', () => {
  it('is its id above 0x1000', () => {
    expect([1, 7, 250].map(packetMark)).to.deep.equal([0x1001, 0x1007, 0x10fa]);
  });
});

describe('the rules of a network', () => {
  it('look up its table for marked packets, one for each family', () => {
    const rule = { priority: 1999, table: 1012, protocol: '94', mark: 0x1007, others: {} };
    expect(wantedRules(dataplaneInput())).to.deep.equal([
      { family: 4, ...rule },
      { family: 6, ...rule },
    ]);
    expect(wantedRules(dataplaneInput({ families: [6] }))).to.deep.equal([{ family: 6, ...rule }]);
  });
});

describe('the neighbours of a network', () => {
  it('have the MAC address of the dummy next hop, for each family', () => {
    const common = { device: 'br-blue', macAddress: '0a:58:a9:fe:00:04', states: ['permanent'], protocol: '94' };
    expect(wantedNeighbours(dataplaneInput())).to.deep.equal([
      { address: '169.254.0.4', ...common },
      { address: 'fe80::858:a9ff:fefe:4', ...common },
    ]);
    expect(wantedNeighbours(dataplaneInput({ families: [4] }))).to.deep.equal([{ address: '169.254.0.4', ...common }]);
  });

  it('are on the interface, whatever its name', () => {
    const on = (device: string) => wantedNeighbours(dataplaneInput({ device })).map((neighbour) => neighbour.device);
    expect(on('a#b')).to.deep.equal(['a#b', 'a#b']);
    expect(on('-force')).to.deep.equal(['-force', '-force']);
  });

  it('are none without an IPv4 masquerade subnet', () => {
    expect(wantedNeighbours(dataplaneInput({ masqueradeSubnets: ['fd69::/112'] }))).to.deep.equal([]);
  });
});

describe('the managed neighbours of a network', () => {
  const defaultGateways = ['192.0.2.1', '2001:db8:b::1'];
  const uplink = { macAddress: '02:00:00:00:00:06', vlan: 10 };
  const addressesOf = (neighbours: readonly NeighbourEntity[]) => neighbours.map(({ neighbour }) => neighbour.address);

  it('are the gateways of its uplink, of its families', () => {
    const managed = (families: readonly (4 | 6)[]) =>
      wantedManagedNeighbours(dataplaneInput({ defaultGateways, families }), uplink);
    expect(managed([4, 6])).to.deep.equal(
      defaultGateways.map((address) => ({
        kind: 'neighbour',
        neighbour: { address, device: 'br-blue', states: ['managed'], protocol: '94' },
      })),
    );
    expect(addressesOf(managed([6]))).to.deep.equal(['2001:db8:b::1']);
  });

  it('are not those that the administrator has added', () => {
    const addressesWith = (states: readonly string[], protocol?: string) => {
      const entry = { address: '192.0.2.1', device: 'br-blue', macAddress: '02:00:00:00:00:01', states };
      const neighbours = [{ ...entry, ...(protocol !== undefined && { protocol }) }];
      return addressesOf(wantedManagedNeighbours(dataplaneInput({ defaultGateways, node: { neighbours } }), uplink));
    };
    expect(addressesWith(['permanent'])).to.deep.equal(['2001:db8:b::1']);
    expect(addressesWith(['stale', 'managed'])).to.deep.equal(['2001:db8:b::1']);
    expect(addressesWith(['stale', 'managed'], '94')).to.deep.equal(defaultGateways);
    expect(addressesWith(['reachable'])).to.deep.equal(defaultGateways);
  });

  describe('are outdated', () => {
    /** Whether the IPv4 gateway is, where flows of ours have it in VLANs of the bridge. */
    const isOutdated = (
      vlans: readonly (number | undefined)[],
      { macAddress = uplink.macAddress, cookie = FLOW_COOKIE } = {},
    ) => {
      const flows = vlans.map((vlan) => ({
        bridge: 'br-blue',
        cookie,
        actions: '',
        ...nextHopFlow({ macAddress, ...(vlan !== undefined && { vlan }) }, '192.0.2.1', true).flow,
      }));
      const input = dataplaneInput({ defaultGateways: ['192.0.2.1'], node: { flows } });
      return wantedManagedNeighbours(input, uplink).map((neighbour) => neighbour.isOutdated === true);
    };

    it('if flows have them in another VLAN than the present one of the uplink', () => {
      expect([isOutdated([20]), isOutdated([undefined])]).to.deep.equal([[true], [true]]);
    });
    it('not if they have them in this one too, or not at all', () => {
      expect([isOutdated([20, 10]), isOutdated([10]), isOutdated([])]).to.deep.equal([[false], [false], [false]]);
    });
    it('not if the flows are of another uplink, or not managed', () => {
      const others = [isOutdated([20], { macAddress: '02:00:00:00:00:07' }), isOutdated([20], { cookie: '0xa' })];
      expect(others).to.deep.equal([[false], [false]]);
    });
  });
});
