import { expect } from 'chai';
import { knownAddresses } from '../../../../src/domain/pods/address-records.ts';
import { readReleased, releasedText } from '../../../../src/domain/pods/released-text.ts';
import { type AddressInput, podAddresses } from '../../../../src/domain/pods/pod-addresses.ts';

const pod = (name: string, uid = `uid of ${name}`) => ({ namespace: 'demo', name, uid });

const subnets = ['10.20.1.0/24', 'fd20:0:0:1::/64'];

const choose = (input: Partial<AddressInput> = {}) =>
  podAddresses({ pod: pod('web'), subnets, records: [], released: [], now: 1000, ...input });

const addressesOf = (input: Partial<AddressInput> = {}) => {
  const chosen = choose(input);
  return chosen.kind === 'given' ? chosen.addresses : chosen;
};

const record = (name: string, ...addresses: readonly string[]) => ({ pod: pod(name), addresses });

describe('the addresses of a pod', () => {
  it('come after those of the router and the management port, in each family', () => {
    expect(choose()).to.deep.equal({
      kind: 'given',
      addresses: ['10.20.1.3', 'fd20:0:0:1::3'],
      mac: '0a:58:0a:14:01:03',
      isKnown: false,
    });
  });

  it('are the lowest that no pod has, in each family by itself', () => {
    const records = [record('a', '10.20.1.3', 'fd20:0:0:1::4'), record('b', '10.20.1.5', 'fd20:0:0:1::3')];
    expect(addressesOf({ records })).to.deep.equal(['10.20.1.4', 'fd20:0:0:1::5']);
  });

  it('stay those that the pod has', () => {
    const records = [record('web', '10.20.1.77', 'fd20:0:0:1::5')];
    expect(choose({ records })).to.deep.include({ addresses: ['10.20.1.77', 'fd20:0:0:1::5'], isKnown: true });
  });

  it('are others for a pod of the same name that was created again', () => {
    const records = [{ pod: pod('web', 'before'), addresses: ['10.20.1.3', 'fd20:0:0:1::3'] }];
    expect(addressesOf({ records })).to.deep.equal(['10.20.1.4', 'fd20:0:0:1::4']);
  });

  it('are others once the node has another subnet', () => {
    const records = [record('web', '10.20.9.3', 'fd20:0:0:1::3')];
    expect(addressesOf({ records })).to.deep.equal(['10.20.1.3', 'fd20:0:0:1::3']);
  });

  it('are not given again for 60 s', () => {
    const released = [{ address: '10.20.1.3', releasedAt: 1000 }];
    const at = (now: number) => addressesOf({ released, now, subnets: ['10.20.1.0/24'] });
    expect([at(1000), at(1059), at(1060)]).to.deep.equal([['10.20.1.4'], ['10.20.1.4'], ['10.20.1.3']]);
  });

  it('do not rest for ever after the clock was set back', () => {
    expect(addressesOf({ released: [{ address: '10.20.1.3', releasedAt: 9000 }] })).to.include('10.20.1.3');
  });

  it('end before the broadcast address', () => {
    const small = ['10.20.1.0/29'];
    const records = ['10.20.1.3', '10.20.1.4', '10.20.1.5'].map((address) => record(address, address));
    expect(addressesOf({ subnets: small, records })).to.deep.equal(['10.20.1.6']);
    const all = [...records, record('last', '10.20.1.6')];
    const released = [{ address: '10.20.1.6', releasedAt: 990 }];
    expect(choose({ subnets: small, records: all })).to.deep.equal({ kind: 'exhausted', subnets: small, resting: 0 });
    expect(choose({ subnets: small, records, released })).to.deep.include({ kind: 'exhausted', resting: 1 });
  });

  it('include the last one in IPv6', () => {
    const records = ['3', '4', '5', '6'].map((end) => record(end, `fd20::${end}`));
    expect(addressesOf({ subnets: ['fd20::/125'], records })).to.deep.equal(['fd20::7']);
  });

  it('come from the next subnet of the family once one is full', () => {
    const two = ['10.20.1.0/29', '10.20.9.0/24', 'fd20::/64'];
    const records = ['3', '4', '5', '6'].map((end) => record(end, `10.20.1.${end}`, `fd20::${end}`));
    expect(addressesOf({ subnets: two, records })).to.deep.equal(['10.20.9.3', 'fd20::7']);
  });

  it('do not exist in subnets without room', () => {
    for (const subnet of ['10.20.1.0/30', '10.20.1.0/31', '10.20.1.0/32', 'fd20::/127', 'fd20::/128']) {
      expect(choose({ subnets: [subnet] }), subnet).to.deep.equal({ kind: 'exhausted', subnets: [subnet], resting: 0 });
    }
  });
});

describe('released addresses as text', () => {
  it('are read back, without those that have rested', () => {
    const text = releasedText([{ address: '10.20.1.3', releasedAt: 1 }], ['10.20.1.4', 'fd20::4'], 100);
    expect(text).to.equal('10.20.1.4@100 fd20::4@100');
    expect(readReleased(text)).to.deep.equal([
      { address: '10.20.1.4', releasedAt: 100 },
      { address: 'fd20::4', releasedAt: 100 },
    ]);
  });

  it('are ignored where they are malformed', () => {
    expect(readReleased('10.20.1.300@1 web@2 10.20.1.3 10.20.1.3@x @ fd20::3@3')).to.deep.equal([
      { address: 'fd20::3', releasedAt: 3 },
    ]);
    expect(readReleased(undefined)).to.deep.equal([]);
  });
});

const annotated = (name: string, createdAt: string, ...addresses: readonly string[]) => ({
  ...record(name, ...addresses),
  createdAt,
});

describe('known addresses', () => {
  const subnet = ['10.20.1.0/24'];

  it('are those of ports and of annotations', () => {
    const { records, ignored } = knownAddresses(
      subnet,
      [record('a', '10.20.1.3')],
      [annotated('a', '1', '10.20.1.3'), annotated('b', '2', '10.20.1.4')],
    );
    expect(records).to.deep.equal([record('a', '10.20.1.3'), record('b', '10.20.1.4')]);
    expect(ignored).to.deep.equal([]);
  });

  it('are those of the port where the annotation says otherwise', () => {
    const { records } = knownAddresses(subnet, [record('a', '10.20.1.3')], [annotated('a', '1', '10.20.1.9')]);
    expect(records).to.deep.equal([record('a', '10.20.1.3')]);
  });

  it('ignore an annotation with the address of another port, of the older pod, of the router, or of elsewhere', () => {
    const forged = [
      annotated('b', '2', '10.20.1.3'),
      annotated('d', '4', '10.20.1.5'),
      annotated('e', '5', '10.20.1.1'),
      annotated('f', '6', '10.20.1.2'),
      annotated('g', '7', '10.20.1.255'),
      annotated('h', '8', '10.20.2.3'),
      annotated('i', '9', 'nonsense'),
      annotated('j', '9', '10.20.1.20', '10.20.1.21'),
    ];
    const { records, ignored } = knownAddresses(
      subnet,
      [record('a', '10.20.1.3')],
      [...forged, annotated('c', '3', '10.20.1.5')],
    );
    expect(records).to.deep.equal([record('a', '10.20.1.3'), record('c', '10.20.1.5')]);
    expect(ignored.map((each) => each.pod.name)).to.deep.equal(['b', 'd', 'e', 'f', 'g', 'h', 'i', 'j']);
  });
});
