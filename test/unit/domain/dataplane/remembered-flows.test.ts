import { expect } from 'chai';
import { firstZones, ownActions } from '../../../../src/domain/dataplane/remembered-flows.ts';
import type { BridgeFlow } from '../../../../src/domain/snapshot/datapath.ts';

function flow(bridge: string, actions: string, cookie = '0x75706c6b'): BridgeFlow {
  return { bridge, cookie, table: 0, priority: 50, match: 'ip', actions };
}

const tracking = (zone: number) => `ct(table=1,zone=${String(zone)},nat)`;

describe('the conntrack zones of bridges', () => {
  const zones = (bridges: readonly string[], ...flows: readonly BridgeFlow[]) =>
    Object.fromEntries(firstZones(bridges, flows));

  it('are blocks of four from 64100 on, in the order of the names', () => {
    expect(zones(['br-red', 'br-blue', 'br-green'])).to.deep.equal({
      'br-blue': 64100,
      'br-green': 64104,
      'br-red': 64108,
    });
  });

  it('stay while the bridge has flows of ours, whichever zone of the block they name', () => {
    expect(zones(['br-blue', 'br-red'], flow('br-red', tracking(64103)))).to.deep.equal({
      'br-blue': 64104,
      'br-red': 64100,
    });
  });

  it('are not those of flows that stay on a bridge without networks', () => {
    expect(zones(['br-blue'], flow('br-held', tracking(64100)))['br-blue']).to.equal(64104);
  });

  it('do not follow from flows of others', () => {
    expect(zones(['br-blue'], flow('br-blue', tracking(64110), '0x0'))['br-blue']).to.equal(64100);
  });

  it('are not given twice where two bridges have the same', () => {
    expect(zones(['br-a', 'br-b'], flow('br-a', tracking(64100)), flow('br-b', tracking(64100)))).to.deep.equal({
      'br-a': 64100,
      'br-b': 64104,
    });
  });

  it('are missing where none is left', () => {
    const bridges = Array.from({ length: 400 }, (_, index) => `br${String(index)}`);
    const given = firstZones(bridges, []);
    expect(given.size).to.equal(358);
    expect(Math.max(...given.values())).to.be.below(65_533);
  });
});

describe('the flow of ours on a bridge', () => {
  it('is found by table, priority and match', () => {
    const flows = [flow('br-blue', 'drop'), flow('br-red', 'NORMAL', '0x0')];
    const key = { table: 0, priority: 50, match: 'ip' };
    expect(ownActions({ bridge: 'br-blue', ...key }, flows)).to.equal('drop');
    expect(ownActions({ bridge: 'br-red', ...key }, flows)).to.equal(undefined);
    expect(ownActions({ bridge: 'br-blue', ...key, priority: 51 }, flows)).to.equal(undefined);
  });
});
