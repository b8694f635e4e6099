import { expect } from 'chai';
import fc from 'fast-check';
import {
  canonicalAddress,
  compareAddresses,
  familyOf,
  isCidr,
  isLinkLocal,
  prefixLengthOf,
  subnetContains,
} from '../../../src/domain/ip-address.ts';

const bits = (address: bigint, width: number, prefixLength: number) => address >> BigInt(width - prefixLength);

const v4Text = (address: bigint) => [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join('.');
const v6Text = (address: bigint) =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((address >> shift) & 0xffffn).toString(16)).join(':');

/** Addresses as numbers, near each other often enough to be in one subnet. */
const numbers = (width: 32 | 128) =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n }),
    fc.bigInt({ min: 0n, max: 255n }).map((low) => ((1n << BigInt(width)) - 256n) | low),
    fc.constantFrom(0n, 1n, 255n, 256n),
  );

const texts = fc.oneof(
  numbers(32).map(v4Text),
  numbers(128).map(v6Text),
  fc.constantFrom('', 'none', '1.2.3', '::g', '192.0.2.1/24', '300.0.0.1'),
);

const isAddress = (text: string) => !text.includes('/') && familyOf(text) !== undefined;

describe('the family of an address or subnet', () => {
  const families: readonly (readonly [text: string, family: 4 | 6 | undefined])[] = [
    ['192.0.2.1', 4],
    ['192.0.2.0/24', 4],
    ['2001:db8::1', 6],
    ['2001:db8::/64', 6],
    ['::ffff:192.0.2.1', 6],
    ['', undefined],
    ['/24', undefined],
    ['none', undefined],
    ['300.0.0.1', undefined],
  ];
  for (const [text, family] of families) {
    it(`${JSON.stringify(text)} is ${family ?? 'none'}`, () => {
      expect(familyOf(text)).to.equal(family);
    });
  }
});

describe('the order of addresses', () => {
  it('is numeric, IPv4 before IPv6, and what is no address last', () => {
    const sorted = ['9.0.0.0', '10.0.0.0', '10.0.1.0', '255.0.0.0', '::', '::9', '::10', 'ff::', 'none'];
    expect([...sorted].reverse().sort(compareAddresses)).to.deep.equal(sorted);
  });

  it('takes two spellings of one address for one', () => {
    expect(compareAddresses('2001:DB8:0::1', '2001:db8::1')).to.equal(0);
  });

  it('is total: antisymmetric, transitive, and equal only for the same address', () => {
    fc.assert(
      fc.property(texts, texts, texts, (a, b, c) => {
        expect(Math.sign(compareAddresses(a, b))).to.equal(0 - Math.sign(compareAddresses(b, a)));
        if (compareAddresses(a, b) <= 0 && compareAddresses(b, c) <= 0) expect(compareAddresses(a, c)).to.be.at.most(0);
        if (compareAddresses(a, b) === 0 && isAddress(a)) expect(canonicalAddress(b)).to.equal(canonicalAddress(a));
      }),
      { numRuns: 500 },
    );
  });

  for (const [width, text] of [
    [32, v4Text],
    [128, v6Text],
  ] as const) {
    it(`is that of the numbers which addresses of ${width} bits are`, () => {
      fc.assert(
        fc.property(numbers(width), numbers(width), (left, right) => {
          expect(Math.sign(compareAddresses(text(left), text(right)))).to.equal(
            left < right ? -1 : Number(left > right),
          );
        }),
      );
    });
  }
});

describe('a subnet', () => {
  const answers: readonly (readonly [cidr: string, address: string, contains: boolean])[] = [
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.7/24', '192.0.2.1', true],
    ['192.0.2.1/32', '192.0.2.1', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['2001:db8::/64', '2001:db8::ffff', true],
    ['2001:db8::/64', '2001:db8:0:1::', false],
    ['::/0', '2001:db8::1', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '192.0.2.1', false],
    ['192.0.2.0', '192.0.2.0', false],
    ['192.0.2.0/33', '192.0.2.0', false],
    ['none', '192.0.2.0', false],
    ['192.0.2.0/24', 'none', false],
    ['192.0.2.0/24', '', false],
  ];
  for (const [cidr, address, contains] of answers) {
    it(`${cidr} ${contains ? 'contains' : 'does not contain'} ${JSON.stringify(address)}`, () => {
      expect(subnetContains(cidr, address)).to.equal(contains);
    });
  }

  for (const [width, text] of [
    [32, v4Text],
    [128, v6Text],
  ] as const) {
    it(`of ${width} bits contains what has its first bits`, () => {
      fc.assert(
        fc.property(numbers(width), numbers(width), fc.integer({ min: 0, max: width }), (base, address, length) => {
          const expected = bits(base, width, length) === bits(address, width, length);
          expect(subnetContains(`${text(base)}/${length}`, text(address))).to.equal(expected);
        }),
      );
    });
  }
});

describe('the prefix length of a subnet', () => {
  const lengths: readonly (readonly [text: string, length: number])[] = [
    ['192.0.2.0/24', 24],
    ['2001:db8::/64', 64],
    ['::/0', 0],
    ['192.0.2.0', 0],
    ['192.0.2.0/33', 0],
    ['none/24', 0],
  ];
  for (const [text, length] of lengths) {
    it(`${text} is ${length}`, () => {
      expect(prefixLengthOf(text)).to.equal(length);
      expect(isCidr(text)).to.equal(length > 0 || text === '::/0');
    });
  }
});

describe('a link-local address', () => {
  const addresses: readonly (readonly [address: string, linkLocal: boolean])[] = [
    ['169.254.0.0', true],
    ['169.254.255.255', true],
    ['169.253.255.255', false],
    ['169.255.0.0', false],
    ['fe80::1', true],
    ['febf::1', true],
    ['fec0::1', false],
    ['fe7f::1', false],
    ['192.0.2.1', false],
    ['none', false],
  ];
  for (const [address, linkLocal] of addresses) {
    it(`${linkLocal ? 'may be' : 'is not'} ${address}`, () => {
      expect(isLinkLocal(address)).to.equal(linkLocal);
    });
  }
});

describe('the spelling of an address', () => {
  const spellings: readonly (readonly [given: string, canonical: string])[] = [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::0001', '2001:db8::1'],
    ['::', '::'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['none', 'none'],
    ['', ''],
  ];
  for (const [given, canonical] of spellings) {
    it(`${JSON.stringify(given)} is ${JSON.stringify(canonical)}`, () => {
      expect(canonicalAddress(given)).to.equal(canonical);
    });
  }

  it('is the same for one address, and stays', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const canonical = canonicalAddress(text);
        expect(canonicalAddress(canonical)).to.equal(canonical);
        expect(compareAddresses(canonical, text)).to.equal(0);
      }),
    );
  });
});

describe('text that only half looks like an address or subnet', () => {
  for (const text of ['10.1', '1', '010.0.0.1', '0x7f.1']) {
    it(`${text} is none: Kubernetes does not read it as one`, () => {
      expect(familyOf(text)).to.be.undefined;
      expect(isCidr(`${text}/8`)).to.be.false;
    });
  }

  it('192.0.2.0/33 has no family', () => {
    expect(familyOf('192.0.2.0/33')).to.be.undefined;
  });
});
