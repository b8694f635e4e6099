import { expect } from 'chai';
import { emptyLedger, type LedgerEntry } from '../../../../src/domain/index.ts';
import { entryOf, isOurs, type Thing, thingsInSnapshot } from '../../../../src/domain/ownership/is-ours.ts';
import { address, membership, nodeWith, route } from './things.ts';

const ledger = (...entries: readonly LedgerEntry[]) => ({ ...emptyLedger, entries });

const vrf = (brief: object = {}): Thing => {
  const [link] = nodeWith({ links: [{ name: 'blue', kind: 'vrf', vrfTable: 1012, ...brief }] }).links;
  return { kind: 'link', link: link! };
};
const unsigned: LedgerEntry = { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' };
const ownAddress: LedgerEntry = { kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 };
const addressOn = (device: string, text: string): Thing => ({ kind: 'address', device, address: address(text) });
const rule = (protocol: string): Thing => ({
  kind: 'rule',
  rule: { family: 4, priority: 1999, mark: 0x1007, table: 1012, protocol, others: {} },
});
const neighbour = (protocol?: string): Thing => ({
  kind: 'neighbour',
  neighbour: {
    device: 'br-blue',
    address: '169.254.0.4',
    macAddress: '0a:58:a9:fe:00:04',
    states: ['permanent'],
    ...(protocol !== undefined && { protocol }),
  },
});
const object = (protocol: string): Thing => ({ kind: 'next-hop-object', object: { id: 5, protocol } });
const sysctl: LedgerEntry = { kind: 'sysctl', device: 'br-blue', name: 'x.br-blue', before: '0', value: '1' };

/** For each kind of thing: what is ours, what is not, and what nearly is. */
const things: readonly (readonly [what: string, thing: Thing, entries: readonly LedgerEntry[], ours: boolean])[] = [
  ['a VRF that we signed', vrf({ alias: 'ovn-uplinks:cluster_udn_blue' }), [], true],
  ['a VRF that we signed for a network that is gone', vrf({ alias: 'ovn-uplinks:' }), [], true],
  ['a VRF that we made and have not signed yet', vrf(), [unsigned], true],
  ['a VRF that we made, whose alias somebody emptied', vrf({ alias: '' }), [unsigned], true],
  ['a VRF without an alias', vrf(), [], false],
  ['a VRF that we made with its table', vrf(), [{ ...unsigned, table: 1012 }], true],
  ['a VRF with another table than we made it with', vrf(), [{ ...unsigned, table: 78 }], false],
  ['a VRF beside one that we have not signed yet', vrf({ name: 'red' }), [unsigned], false],
  ['a VRF that somebody else signed before we could', vrf({ alias: 'theirs' }), [unsigned], false],
  ['a VRF whose alias only mentions us', vrf({ alias: 'not ovn-uplinks:cluster_udn_blue' }), [], false],
  ['a VRF whose alias is nearly ours', vrf({ alias: 'ovn-uplinks' }), [], false],
  ['another device with our signature', vrf({ kind: 'dummy', alias: 'ovn-uplinks:cluster_udn_blue' }), [], false],
  ['another device of the name of a VRF that we make', vrf({ kind: 'dummy' }), [unsigned], false],

  ['a membership that we wrote down', { kind: 'membership', device: 'br-blue', master: 'blue' }, [membership()], true],
  ['a membership', { kind: 'membership', device: 'br-blue', master: 'blue' }, [], false],
  ['a membership in another VRF', { kind: 'membership', device: 'br-blue', master: 'corp' }, [membership()], false],
  ['a membership of another device', { kind: 'membership', device: 'eth9', master: 'blue' }, [membership()], false],

  ['an address that we wrote down', addressOn('blue', '169.254.0.2/32'), [ownAddress], true],
  ['an address', addressOn('blue', '169.254.0.2/32'), [], false],
  ['the address on another device', addressOn('br-ex', '169.254.0.2/32'), [ownAddress], false],
  ['the address in another subnet', addressOn('blue', '169.254.0.2/17'), [ownAddress], false],
  ['another address on the device', addressOn('blue', '169.254.0.3/32'), [ownAddress], false],

  ['a route of protocol 94', { kind: 'route', route: route('0.0.0.0/0', { protocol: '94' }) }, [], true],
  ['a route of ours in the main table', { kind: 'route', route: route('10.0.0.0/8', { protocol: '94' }) }, [], true],
  ['a static route in our table', { kind: 'route', route: route('0.0.0.0/0', { table: 1012 }) }, [], false],
  ['a route of protocol 194', { kind: 'route', route: route('0.0.0.0/0', { protocol: '194' }) }, [], false],
  ['a route of protocol 0x94', { kind: 'route', route: route('0.0.0.0/0', { protocol: '0x94' }) }, [], false],

  ['a rule of protocol 94', rule('94'), [], true],
  ['a rule that is the same but for its protocol', rule('boot'), [], false],
  ['a neighbour of protocol 94', neighbour('94'), [], true],
  ['a neighbour that is the same but for its protocol', neighbour('static'), [], false],
  ['a neighbour without a protocol', neighbour(), [], false],
  ['a proxy entry', { kind: 'neighbour-proxy', proxy: { device: 'br-blue', address: '192.0.2.9' } }, [], false],
  ['a next hop object of protocol 94', object('94'), [], true],
  ['a next hop object', object('static'), [], false],

  ['a setting that we wrote down', { kind: 'sysctl', name: 'x.br-blue' }, [sysctl], true],
  ['a setting', { kind: 'sysctl', name: 'x.br-blue' }, [], false],
  ['another setting of the device', { kind: 'sysctl', name: 'y.br-blue' }, [sysctl], false],

  ['a mapping under our key too', { kind: 'bridge-mapping', network: 'n', bridge: 'b', signed: true }, [], true],
  ['a mapping under the shared key', { kind: 'bridge-mapping', network: 'n', bridge: 'b', signed: false }, [], false],
  ['a bridge', { kind: 'bridge', bridge: { name: 'br-blue', externalIds: {}, ports: [] } }, [membership()], false],
  ['a devlink port', { kind: 'devlink-port', port: { device: 'pf0', flavour: 'pcipf' } }, [], false],
];

describe('ownership', () => {
  for (const [what, thing, entries, ours] of things) {
    it(`${what} is ${ours ? 'ours' : "somebody else's"}`, () => {
      expect(isOurs(thing, ledger(...entries))).to.equal(ours);
    });
  }

  it('has an answer for every kind of thing in a snapshot', () => {
    const asked = new Set(things.map(([, { kind }]) => kind));
    expect([...asked]).to.have.members(Object.values(thingsInSnapshot).flat());
  });

  it('has a word for every part of a snapshot', () => {
    const { bootId = '', uptimeSeconds = 0, ...parts } = nodeWith({ bootId: 'b', uptimeSeconds: 1 });
    expect(Object.keys(thingsInSnapshot)).to.have.members(Object.keys({ ...parts, bootId, uptimeSeconds }));
  });
});

describe("the ledger's entry of a kind", () => {
  it('is the one of a device, or of a setting, for which something holds', () => {
    const other = membership({ device: 'br-red', vrf: 'red' });
    expect(entryOf(ledger(membership(), other), 'membership', 'br-red')).to.equal(other);
    expect(entryOf(ledger(membership(), other), 'membership', 'br-red', ({ vrf: name }) => name === 'red')).to.equal(
      other,
    );
    expect(entryOf(ledger(other), 'membership', 'br-red', ({ vrf: name }) => name === 'blue')).to.be.undefined;
    expect(entryOf(ledger(other), 'membership', 'br-blue')).to.be.undefined;
    expect(entryOf(ledger(other), 'sysctl', 'br-red')).to.be.undefined;
    const setting = {
      kind: 'sysctl',
      device: 'br-red',
      name: 'net.ipv4.conf.br-red.rp_filter',
      before: '1',
      value: '2',
    } as const;
    expect(entryOf(ledger(other, setting), 'sysctl', setting.name)).to.equal(setting);
  });
});
