import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readFilters, readForwardDrops } from '../../../../src/adapters/nftables/read-filters.ts';
import { problemLines, valueOf } from '../readings.ts';
import { smallFilter } from './small-filter.ts';

const COMMAND = 'nft --json list ruleset inet';

type Item = Readonly<Record<string, unknown>>;

const versions = ['1.0.6', '1.1.3'];

/** The listing of a version of nft. */
function listingOf(version: string): string {
  return readFileSync(join(import.meta.dirname, 'fixtures', `nft-${version}-ruleset.txt`), 'utf8');
}

/** The listing of nft 1.0.6, with changed items. @param change undefined where an item is not there */
function listing(change: (item: Item) => object | readonly object[] | undefined = (item) => item): string {
  const { nftables } = JSON.parse(listingOf('1.0.6')) as { readonly nftables: readonly Item[] };
  return JSON.stringify({ nftables: nftables.flatMap((item) => change(item) ?? []) });
}

/** An item with other properties where it is one of a kind and name; undefined for these without it. */
function changed(item: Item, kind: string, name: string, properties: object | undefined): object | undefined {
  const found = item[kind] as Item | undefined;
  const { name: foundName = found?.['comment'], table } = found ?? {};
  if (foundName !== name || table !== 'small') return item;
  return properties && { [kind]: { ...found, ...properties } };
}

const read = (text: string) => valueOf(readFilters([smallFilter], text, COMMAND));

const elements = {
  ports: ['blue', 'ovn-k8s-mp1'],
  owners4: ['ovn-k8s-mp1 . 169.254.0.12'],
  denied4: ['10.0.0.0/9', '10.128.0.0/9', '192.0.2.11', '224.0.0.0/3'],
  denied6: ['2001:db8::11', '::/127', '::ffff:a00:0/104', 'fe80::/10'],
};

describe('a filter that nft lists', () => {
  for (const version of versions) {
    it(`is read with its elements, in order and in our spelling, from nft ${version}`, () => {
      expect(read(listingOf(version))).to.deep.equal([{ name: 'small', sets: elements, isIntact: true }]);
    });
  }

  it('is none where there is no such table of its family', () => {
    expect(read('{"nftables":[]}')).to.deep.equal([]);
    const ofAnother = listing((item) => ({
      ...item,
      ...('table' in item && { table: { family: 'ip', name: 'small' } }),
    }));
    expect(read(ofAnother)).to.deep.equal([]);
  });

  it('is each of several', () => {
    const other = { ...smallFilter, table: { family: 'inet', name: 'other' } } as const;
    const found = valueOf(readFilters([other, smallFilter], listing(), COMMAND));
    expect(found.map(({ name, sets, isIntact }) => [name, sets['ports'], isIntact])).to.deep.equal([
      ['other', ['eth9'], false],
      ['small', elements.ports, true],
    ]);
  });

  it('has no elements in a set that is empty', () => {
    const [table] = read(listing((item) => changed(item, 'set', 'ports', { elem: undefined })));
    expect(table).to.deep.equal({ name: 'small', sets: { ...elements, ports: [] }, isIntact: true });
  });

  it('is intact whether one flag of a set is printed in a list or alone', () => {
    const [table] = read(listing((item) => changed(item, 'set', 'denied4', { flags: 'interval' })));
    expect(table).to.include({ isIntact: true });
  });

  it('is not intact, and without that set, where a set has an element of a form that is not ours', () => {
    for (const element of [
      { range: ['192.0.2.1', '192.0.2.9'] },
      { elem: { val: '192.0.2.1', comment: 'of another program' } },
      7,
    ]) {
      const [table] = read(listing((item) => changed(item, 'set', 'denied4', { elem: ['192.0.2.11', element] })));
      const { denied4: _, ...others } = elements;
      expect(table).to.deep.equal({ name: 'small', sets: others, isIntact: false });
    }
  });

  const foreign: Readonly<Record<string, (item: Item) => object | readonly object[] | undefined>> = {
    'a set is missing': (item) => changed(item, 'set', 'ports', undefined),
    'a set is of another type': (item) => changed(item, 'set', 'denied4', { type: 'ipv6_addr' }),
    'a set is of several types in another order': (item) =>
      changed(item, 'set', 'owners4', { type: ['ipv4_addr', 'ifname'] }),
    'a set has no subnets': (item) => changed(item, 'set', 'denied4', { flags: undefined }),
    'a set has subnets that should have none': (item) => changed(item, 'set', 'ports', { flags: ['interval'] }),
    'a set has another name': (item) => changed(item, 'set', 'ports', { name: 'doors' }),
    'a set is there besides': (item) =>
      'metainfo' in item ? [item, { set: { family: 'inet', table: 'small', name: 'more', type: 'mark' } }] : item,
    'a chain is missing': (item) => changed(item, 'chain', 'last', undefined),
    'a chain is there besides': (item) =>
      'metainfo' in item ? [item, { chain: { family: 'inet', table: 'small', name: 'more' } }] : item,
    'a chain has another policy': (item) => changed(item, 'chain', 'forward', { policy: 'drop' }),
    'a chain has another priority': (item) => changed(item, 'chain', 'last', { prio: 299 }),
    'a chain is at another hook': (item) => changed(item, 'chain', 'last', { hook: 'output' }),
    'a rule is missing': (item) => changed(item, 'rule', 'second (2)', undefined),
    'a rule is one of another version': (item) => changed(item, 'rule', 'second (2)', { comment: 'second (3)' }),
    'a rule has no comment': (item) => changed(item, 'rule', 'third (3)', { comment: undefined }),
    'a rule is there besides': (item) => {
      const { comment } = (item['rule'] ?? {}) as Item;
      return comment === 'third (3)' ? [item, { rule: { family: 'inet', table: 'small', chain: 'last' } }] : item;
    },
  };
  for (const [what, change] of Object.entries(foreign)) {
    it(`is not intact where ${what}`, () => {
      const [table] = read(listing(change));
      expect(table).to.include({ name: 'small', isIntact: false });
    });
  }

  it('is intact whatever a table of its name has in another family', () => {
    const ofAnother = { family: 'ip', table: 'small', name: 'ports' };
    const text = listing((item) => ('metainfo' in item ? [item, { set: { ...ofAnother, type: 'mark' } }] : item));
    expect(read(text)).to.deep.equal([{ name: 'small', sets: elements, isIntact: true }]);
  });

  it('cannot be read from output that ends early, or is of another form', () => {
    const whole = listing();
    for (const [text, problem] of [
      [whole.slice(0, whole.length / 2), 'it is truncated or half-written'],
      ['', 'it is truncated or half-written'],
      ['{"nftables":7}', 'nftables'],
      ['{"nftables":[{"set":{"family":"inet","table":"small","name":7,"type":"ifname"}}]}', 'name'],
    ] as const) {
      const lines = problemLines(readFilters([smallFilter], text, COMMAND));
      expect(lines, text).to.have.length(1);
      expect(lines[0])
        .to.match(/^nft --json list ruleset inet: /)
        .and.to.include(problem);
    }
  });
});

describe('chains of other programs that drop what passes the node', () => {
  const chain = (family: string, table: string, name: string, base: object = {}) => ({
    chain: { family, table, name, handle: 1, ...base },
  });
  const drops = { type: 'filter', hook: 'forward', prio: 0, policy: 'drop' };
  const found = (...chains: readonly object[]) =>
    valueOf(
      readForwardDrops(JSON.stringify({ nftables: [{ metainfo: {} }, ...chains] }), COMMAND, [smallFilter.table]),
    );

  it('are those at hook forward with policy drop, of iptables-nft and others, in each family that is routed', () => {
    expect(
      found(
        chain('ip', 'filter', 'FORWARD', drops),
        chain('ip6', 'filter', 'FORWARD', drops),
        chain('inet', 'firewalld', 'filter_FORWARD', { ...drops, prio: 10 }),
      ),
    ).to.deep.equal([
      { family: 'ip', table: 'filter', chain: 'FORWARD' },
      { family: 'ip6', table: 'filter', chain: 'FORWARD' },
      { family: 'inet', table: 'firewalld', chain: 'filter_FORWARD' },
    ]);
  });

  it('are none that accept, are elsewhere, are called by others, or see frames', () => {
    expect(
      found(
        chain('ip', 'filter', 'FORWARD', { ...drops, policy: 'accept' }),
        chain('ip', 'filter', 'INPUT', { ...drops, hook: 'input' }),
        chain('ip', 'filter', 'DOCKER'),
        chain('bridge', 'filter', 'FORWARD', drops),
      ),
    ).to.deep.equal([]);
  });

  it('are none of the tables of ovn-uplinks, but of those of the same name in another family', () => {
    expect(found(chain('inet', 'small', 'forward', drops), chain('ip', 'small', 'forward', drops))).to.deep.equal([
      { family: 'ip', table: 'small', chain: 'forward' },
    ]);
  });

  it('cannot be read from output that ends early', () => {
    expect(problemLines(readForwardDrops('{"nftables":[{"chain":', COMMAND, [])).join()).to.include(COMMAND);
  });
});
