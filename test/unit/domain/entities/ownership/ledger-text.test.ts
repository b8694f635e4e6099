import { expect } from 'chai';
import fc from 'fast-check';
import { emptyLedger, type Ledger, type LedgerEntry } from '../../../../../src/domain/snapshot/ledger.ts';
import { readLedger, writeLedger } from '../../../../../src/domain/entities/ownership/ledger-text.ts';
import { withEntries } from '../../../../../src/domain/entities/ownership/write-ledger.ts';

const boot = '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e';

const membership = {
  kind: 'membership',
  device: 'br-blue',
  vrf: 'blue',
  table: 1007,
  network: 'cluster_udn_blue',
} as const;

/** One of each kind, and of each kind of displaced entity, with nothing left out. */
const entries: readonly LedgerEntry[] = [
  { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' },
  membership,
  { kind: 'sysctl', device: 'br-blue', name: 'net.ipv4.conf.br-blue.rp_filter', before: '1', value: '2' },
  { kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 },
  {
    kind: 'displaced',
    device: 'br-blue',
    state: 'awaiting',
    takenAt: 61.5,
    entity: {
      kind: 'address',
      device: 'br-blue.7',
      address: {
        address: '2001:db8::6',
        prefixLength: 64,
        scope: 'global',
        label: 'l',
        flags: ['dynamic'],
        peer: '2001:db8::7',
        broadcast: '192.0.2.255',
        metric: 7,
        protocol: '0x12',
        validSeconds: 3600,
        preferredSeconds: 1800,
      },
    },
  },
  {
    kind: 'displaced',
    device: 'br-blue',
    state: 'placed',
    entity: {
      kind: 'next-hop-object',
      object: {
        id: 7,
        family: 6,
        device: 'br-blue',
        gateway: 'fe80::1',
        onlink: true,
        blackhole: true,
        protocol: 'static',
        group: [{ id: 3, weight: 2 }],
        unknownAttributes: ['encap'],
      },
    },
  },
  {
    kind: 'displaced',
    device: 'br-blue',
    state: 'awaiting',
    entity: {
      kind: 'route',
      route: {
        family: 4,
        table: 'corp',
        destination: '0.0.0.0/0',
        metric: 0,
        source: '10.0.0.0/8',
        typeOfService: '0x10',
        type: 'unicast',
        protocol: 'static',
        nextHops: [{ device: 'br-blue', gateway: '192.0.2.1', weight: 3, onlink: true }, {}],
        nextHopObject: 7,
        scope: 'link',
        preferredSource: '192.0.2.6',
        preference: 'high',
        metrics: { mtu: 1400, rtt: '12ms' },
        expiresSeconds: 300,
        unknownAttributes: ['flow'],
      },
    },
  },
  {
    kind: 'displaced',
    device: 'br-blue',
    state: 'awaiting',
    entity: {
      kind: 'neighbour',
      neighbour: {
        device: 'br-blue',
        address: '192.0.2.9',
        macAddress: '02:00:00:00:00:09',
        states: ['permanent'],
        protocol: 'static',
        router: true,
      },
    },
  },
  {
    kind: 'displaced',
    device: 'br-blue',
    state: 'awaiting',
    entity: {
      kind: 'neighbour-proxy',
      proxy: { device: 'br-blue', address: '192.0.2.9', protocol: 'static', router: true },
    },
  },
];

/** Entries that a newer program, or a hand that slipped, may have written. */
const strangers: readonly (readonly [what: string, entry: unknown])[] = [
  ['of a kind to come', { kind: 'warp', factor: 9 }],
  ['of no kind', { device: 'br-blue' }],
  ['that is no object', 'membership'],
  ['that is nothing', null],
  ['without a field', { ...membership, vrf: undefined }],
  ['with a field of another type', { ...membership, table: 'blue' }],
  [
    'with a setting that is none of ours',
    { kind: 'sysctl', device: 'br-blue', name: 'kernel.core_pattern', before: '|x', value: 'core' },
  ],
  [
    'with a setting of another device',
    { kind: 'sysctl', device: 'br-blue', name: 'net.ipv4.conf.all.rp_filter', before: '1', value: '2' },
  ],
  ['with a state to come', { ...entries[4], state: 'lost' }],
  ['with an entity to come', { ...entries[4], entity: { kind: 'rule', rule: {} } }],
  ['with an entity of another shape', { ...entries[4], entity: { kind: 'route', route: { destination: '::/0' } } }],
  [
    'with a family to come',
    { ...entries[5], entity: { kind: 'next-hop-object', object: { id: 1, family: 8, protocol: '' } } },
  ],
];

function textOf(document: object): string {
  return JSON.stringify(document);
}

/** Every place in a value: the names and positions that lead there. */
function placesIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => [
    [name],
    ...placesIn(inner).map((place) => [name, ...place]),
  ]);
}

/** The value with nothing but null at a place. */
function spoilt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return null;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = spoilt(copy[name], rest);
  return copy;
}

describe('the text of the ledger', () => {
  for (const entry of entries) {
    const what = entry.kind === 'displaced' ? `displaced ${entry.entity.kind}` : entry.kind;
    it(`contains all fields of an entry of kind ${what}`, () => {
      const ledger: Ledger = { ...emptyLedger, entries: [entry] };
      expect(readLedger(writeLedger(ledger, boot), boot)).to.deep.equal(ledger);
    });
  }

  it('has no field in an entry that accepts any value', () => {
    const broken = entries.flatMap((entry) => placesIn(entry).map((place) => spoilt(entry, place)));
    const ledger = readLedger(textOf({ version: 2, entries: broken }), boot);
    expect(ledger.entries).to.deep.equal([]);
    expect(ledger.unknown).to.deep.equal(broken);
  });

  it('is a document with three keys, readable by people', () => {
    expect(writeLedger({ ...emptyLedger, entries: [membership] }, boot)).to.equal(
      [
        '{',
        '  "version": 2,',
        `  "bootId": "${boot}",`,
        '  "entries": [',
        '    {',
        '      "kind": "membership",',
        '      "device": "br-blue",',
        '      "vrf": "blue",',
        '      "table": 1007,',
        '      "network": "cluster_udn_blue"',
        '    }',
        '  ]',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('has no boot id if it is unknown', () => {
    expect(JSON.parse(writeLedger(emptyLedger, undefined))).to.deep.equal({ version: 2, entries: [] });
  });

  for (const [what, entry] of strangers) {
    it(`keeps an entry ${what} as it is, beside known ones`, () => {
      const text = textOf({ version: 2, bootId: boot, entries: [entry, membership] });
      const ledger = readLedger(text, boot);
      expect(ledger.entries).to.deep.equal([membership]);
      expect(ledger.problem).to.equal(undefined);
      const written = JSON.parse(writeLedger(ledger, boot)) as { readonly entries: readonly unknown[] };
      expect(written.entries).to.deep.equal([membership, JSON.parse(JSON.stringify(entry))]);
    });
  }

  it('keeps unknown fields', () => {
    const entry = { ...membership, since: 'yesterday' };
    const ledger = readLedger(textOf({ version: 2, entries: [entry] }), boot);
    expect(ledger).to.deep.equal({ version: 2, entries: [entry], unknown: [] });
  });

  it('has entries in order, and of two with the same key the last', () => {
    const sysctl = entries[2];
    const text = textOf({ version: 2, entries: [sysctl, { ...membership, table: 7 }, membership] });
    expect(readLedger(text, boot).entries).to.deep.equal([membership, sysctl]);
  });

  it('may be of a newer version, whose number is kept', () => {
    const stranger = { kind: 'warp' };
    const ledger = readLedger(textOf({ version: 7, bootId: boot, entries: [stranger, membership] }), boot);
    expect(ledger).to.deep.equal({ version: 7, entries: [membership], unknown: [stranger] });
    expect(JSON.parse(writeLedger(ledger, boot))).to.include({ version: 7 });
  });

  const whole = writeLedger({ ...emptyLedger, entries: [membership] }, boot);
  const noJson = 'is not valid JSON: it is truncated or was edited by hand';
  const shape = 'does not match the schema of a ledger: ';
  const problems: readonly (readonly [what: string, text: string, problem: string])[] = [
    ['empty', '', noJson],
    ['cut off', whole.slice(0, 100), noJson],
    ['full of zeros, as after a crash', '\0'.repeat(64), noJson],
    ['no object', '[]', `${shape}expected an object, found a list of 0 items`],
    ['nothing', 'null', `${shape}expected an object, found null`],
    ['without a version', '{"entries":[]}', `${shape}version: expected a value, found nothing`],
    [
      'without a version that is a number',
      '{"version":"1","entries":[]}',
      `${shape}version: expected a whole number, found string "1"`,
    ],
    ['without entries', '{"version":1}', `${shape}entries: expected a value, found nothing`],
    [
      'without a list of entries, nor a boot that is text',
      '{"version":1,"bootId":7,"entries":{}}',
      `${shape}bootId: expected a string, found number 7; entries: expected a list, found an object`,
    ],
    ['of version 0', '{"version":0,"entries":[]}', 'is of version 0, which does not exist'],
    ['of version -1', '{"version":-1,"entries":[]}', 'is of version -1, which does not exist'],
    [
      'of another boot',
      writeLedger({ ...emptyLedger, entries: [membership], unknown: [{ kind: 'warp' }] }, 'yesterday'),
      `is of boot yesterday, and this is boot ${boot}: what it describes is gone`,
    ],
  ];
  for (const [what, text, problem] of problems) {
    it(`is an empty ledger with the problem if it is ${what}`, () => {
      expect(readLedger(text, boot)).to.deep.equal({ ...emptyLedger, problem });
    });
  }

  for (const [what, of, now] of [
    ['neither boot is known', undefined, undefined],
    ["the ledger's boot is not known", undefined, boot],
    ["the node's boot is not known", boot, undefined],
    ['both are the same', boot, boot],
  ] as const) {
    it(`is of this boot if ${what}`, () => {
      const ledger: Ledger = { ...emptyLedger, entries: [membership] };
      expect(readLedger(writeLedger(ledger, of), now)).to.deep.equal(ledger);
    });
  }

  const anyEntry = fc.constantFrom(...entries).chain((entry) => {
    const texts = fc.string({ unit: 'binary' });
    return texts.map(
      (text) =>
        JSON.parse(JSON.stringify(entry).replaceAll('br-blue', JSON.stringify(text).slice(1, -1))) as LedgerEntry,
    );
  });
  const anyLedger: fc.Arbitrary<Ledger> = fc.record({
    version: fc.integer({ min: 2, max: 9 }),
    entries: fc.array(anyEntry).map((list) => withEntries(emptyLedger, list).entries),
    unknown: fc.array(
      fc.oneof(
        fc.jsonValue({ noUnicodeString: false }),
        fc.constantFrom(...strangers.map(([, entry]) => JSON.parse(JSON.stringify(entry)) as unknown)),
      ),
    ),
  });

  it('reads back as the ledger that was written, whatever it contains', () => {
    fc.assert(
      fc.property(anyLedger, fc.option(fc.uuid(), { nil: undefined }), (ledger, bootId) => {
        const read = readLedger(writeLedger(ledger, bootId), bootId);
        expect(read).to.deep.equal(JSON.parse(JSON.stringify(ledger)));
      }),
    );
  });

  it('reads without a problem only if it is complete', () => {
    fc.assert(
      fc.property(anyLedger, fc.nat(), (ledger, cut) => {
        const text = writeLedger(ledger, boot).trimEnd();
        expect(readLedger(text.slice(0, cut % text.length), boot)).to.deep.equal({ ...emptyLedger, problem: noJson });
      }),
    );
  });

  it('can be read, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(readLedger(text, boot).entries).to.deep.equal([]);
      }),
    );
  });
});
