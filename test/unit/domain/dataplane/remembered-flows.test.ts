import { expect } from 'chai';
import { firstZones, ownActions } from '../../../../src/domain/dataplane/remembered-flows.ts';
import type { BridgeFlow } from '../../../../src/domain/snapshot/datapath.ts';

function flow(bridge: string, actions: string, cookie = '0x75706c6b', match = 'ip'): BridgeFlow {
  return { bridge, cookie, table: 0, priority: 50, match, actions };
}

/** A flow for the connections of a host. */
function ofHost(bridge: string, hostPort: string, zone: number): BridgeFlow {
  const actions = `ct(commit,zone=${String(zone)},nat(src=192.0.2.6),exec(set_field:0x2->ct_mark)),output:eth1`;
  return flow(bridge, actions, '0x75706c6b', `ip,in_port=${hostPort},nw_src=192.0.2.6`);
}

describe('the conntrack zones of uplinks', () => {
  /** First zones by bridge and port: an uplink is the bridge's own port, or one beside it, as in `br-blue v10`. */
  const zones = (uplinks: readonly string[], ...flows: readonly BridgeFlow[]) => {
    const ends = uplinks.map((uplink) => {
      const [bridge = '', hostPort = 'LOCAL'] = uplink.split(' ');
      return { bridge, hostPort };
    });
    const zoneOf = firstZones(ends, flows);
    return Object.fromEntries(uplinks.map((uplink, at) => [uplink, zoneOf(ends[at]!)]));
  };

  it('are blocks of four from 64100 on, in the order of the names', () => {
    expect(zones(['br-red', 'br-blue', 'br-green'])).to.deep.equal({
      'br-blue': 64100,
      'br-green': 64104,
      'br-red': 64108,
    });
  });

  it('differ for the uplinks of a bridge, whose addresses may be the same', () => {
    expect(zones(['br-blue v10', 'br-blue v20'])).to.deep.equal({ 'br-blue v10': 64100, 'br-blue v20': 64104 });
  });

  it('stay with the port of the host interface, whichever other uplinks are added and removed', () => {
    const flows = [ofHost('br-blue', 'v10', 64100), ofHost('br-blue', 'v20', 64104)];
    expect(zones(['br-blue v20'], ...flows)).to.deep.equal({ 'br-blue v20': 64104 });
    expect(zones(['br-blue v20', 'br-blue v15'], ...flows)).to.deep.equal({
      'br-blue v20': 64104,
      'br-blue v15': 64108,
    });
  });

  it('stay with a recreated port, whose flows have a number that no port has', () => {
    expect(zones(['br-blue v10', 'br-red'], ofHost('br-blue', '7', 64104))).to.deep.equal({
      'br-blue v10': 64104,
      'br-red': 64100,
    });
  });

  it('stay while the bridge has managed flows, whichever zone of the block these name', () => {
    expect(zones(['br-blue', 'br-red'], ofHost('br-red', 'LOCAL', 64103))).to.deep.equal({
      'br-blue': 64104,
      'br-red': 64100,
    });
  });

  it('are not taken from flows that stay on a bridge without networks', () => {
    expect(zones(['br-blue'], ofHost('br-held', 'LOCAL', 64100))['br-blue']).to.equal(64104);
  });

  it('are not taken from unmanaged flows', () => {
    expect(zones(['br-blue'], { ...ofHost('br-blue', 'LOCAL', 64110), cookie: '0x0' })['br-blue']).to.equal(64100);
  });

  it('are not assigned twice if two uplinks have the same', () => {
    expect(zones(['br-a', 'br-b'], ofHost('br-a', 'LOCAL', 64100), ofHost('br-b', 'LOCAL', 64100))).to.deep.equal({
      'br-a': 64100,
      'br-b': 64104,
    });
  });

  it('are missing if none is left', () => {
    const bridges = Array.from({ length: 400 }, (_, index) => `br${String(index)}`);
    const given = Object.values(zones(bridges)).filter((zone) => zone !== undefined);
    expect(given.length).to.equal(358);
    expect(Math.max(...given)).to.be.below(65_533);
  });
});

describe('the managed flow on a bridge', () => {
  it('is found by table, priority and match', () => {
    const flows = [flow('br-blue', 'drop'), flow('br-red', 'NORMAL', '0x0')];
    const key = { table: 0, priority: 50, match: 'ip' };
    expect(ownActions({ bridge: 'br-blue', ...key }, flows)).to.equal('drop');
    expect(ownActions({ bridge: 'br-red', ...key }, flows)).to.equal(undefined);
    expect(ownActions({ bridge: 'br-blue', ...key, priority: 51 }, flows)).to.equal(undefined);
  });
});
