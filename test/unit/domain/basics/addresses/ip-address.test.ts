import { expect } from 'chai';
import fc from 'fast-check';
import { Coverage } from '../../../../coverage.ts';
import {
  addressAt,
  canonicalAddress,
  compareAddresses,
  familyOf,
  isCidr,
  isLinkLocal,
  linkLocalAddressOf,
  macAddressOf,
  networkOf,
  subnetMeantBy,
  partsOf,
  prefixLengthOf,
  subnetAt,
  subnetsOverlap,
  subnetContains,
} from '../../../../../src/domain/basics/addresses/ip-address.ts';

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
  it('is numeric, IPv4 before IPv6, and invalid ones last', () => {
    const sorted = ['9.0.0.0', '10.0.0.0', '10.0.1.0', '255.0.0.0', '::', '::9', '::10', 'ff::', 'none'];
    expect([...sorted].reverse().sort(compareAddresses)).to.deep.equal(sorted);
  });

  it('has two spellings of one address as equal', () => {
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
    it(`is that of the numbers of ${width} bits`, () => {
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
    it(`of ${width} bits contains addresses with its prefix`, () => {
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

  it('is the same for one address, and idempotent', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const canonical = canonicalAddress(text);
        expect(canonicalAddress(canonical)).to.equal(canonical);
        expect(compareAddresses(canonical, text)).to.equal(0);
      }),
    );
  });
});

describe('text similar to an address or subnet', () => {
  for (const text of ['10.1', '1', '010.0.0.1', '0x7f.1']) {
    it(`${text} is invalid, as in Kubernetes`, () => {
      expect(familyOf(text)).to.be.undefined;
      expect(isCidr(`${text}/8`)).to.be.false;
    });
  }

  it('192.0.2.0/33 has no family', () => {
    expect(familyOf('192.0.2.0/33')).to.be.undefined;
  });
});

describe('the address at an offset in a subnet', () => {
  const offsets: readonly (readonly [cidr: string, offset: number, address: string | undefined])[] = [
    ['169.254.0.0/17', 0, '169.254.0.0'],
    ['169.254.0.0/17', 2, '169.254.0.2'],
    ['169.254.0.7/17', 2, '169.254.0.2'],
    ['10.0.0.0/8', 255, '10.0.0.255'],
    ['10.0.0.0/8', 256, '10.0.1.0'],
    ['10.0.255.250/8', 65_536 + 3, '10.1.0.3'],
    ['fd69::/112', 4, 'fd69::4'],
    ['fd69::9/112', 65_535, 'fd69::ffff'],
    ['FD69:0::/64', 65_536, 'fd69::1:0'],
    ['10.0.0.0/24', 255, '10.0.0.255'],
    ['10.0.0.0/24', 256, undefined],
    ['fd69::/112', 65_536, undefined],
    ['none', 2, undefined],
    ['169.254.0.0', 2, undefined],
    ['169.254.0.0/33', 2, undefined],
    ['', 2, undefined],
  ];
  for (const [cidr, offset, address] of offsets) {
    it(`${offset} of ${JSON.stringify(cidr)} is ${address ?? 'none'}`, () => {
      expect(addressAt(cidr, offset)).to.equal(address);
    });
  }

  for (const [width, text] of [
    [32, v4Text],
    [128, v6Text],
  ] as const) {
    it(`of ${width} bits is the number plus the offset, as far as the subnet reaches`, () => {
      fc.assert(
        fc.property(
          numbers(width),
          fc.integer({ min: 0, max: width }),
          fc.nat({ max: 1000 }),
          (base, length, offset) => {
            const first = bits(base, width, length) << BigInt(width - length);
            const size = 1n << BigInt(width - length);
            expect(addressAt(`${text(base)}/${length}`, offset)).to.equal(
              offset < size ? canonicalAddress(text(first + BigInt(offset))) : undefined,
            );
          },
        ),
      );
    });
  }
});

describe('a part of a subnet', () => {
  const parts: readonly (readonly [cidr: string, length: number, index: number, part: string | undefined])[] = [
    ['10.20.0.0/16', 24, 0, '10.20.0.0/24'],
    ['10.20.0.0/16', 24, 255, '10.20.255.0/24'],
    ['10.20.0.0/16', 24, 256, undefined],
    ['10.20.0.0/16', 20, 15, '10.20.240.0/20'],
    ['10.20.0.0/16', 20, 16, undefined],
    ['10.20.3.4/16', 23, 1, '10.20.2.0/23'],
    ['10.0.0.0/8', 29, 300, '10.0.9.96/29'],
    ['10.20.0.0/16', 16, 0, '10.20.0.0/16'],
    ['10.20.0.0/16', 15, 0, undefined],
    ['10.20.0.0/16', 33, 0, undefined],
    ['0.0.0.0/0', 0, 0, '0.0.0.0/0'],
    ['fd20::/48', 64, 4998, 'fd20:0:0:1386::/64'],
    ['fd20::/60', 64, 16, undefined],
    ['none', 24, 0, undefined],
  ];
  for (const [cidr, length, index, part] of parts) {
    it(`number ${index} with prefix length ${length} of ${cidr} is ${part ?? 'none'}`, () => {
      expect(subnetAt(cidr, length, index)).to.equal(part);
    });
  }

  for (const [width, text] of [
    [32, v4Text],
    [128, v6Text],
  ] as const) {
    it(`of ${width} bits is the number of the subnet plus that many parts`, () => {
      const coverage = new Coverage();
      fc.assert(
        fc.property(
          numbers(width),
          fc.integer({ min: 0, max: width }),
          fc.integer({ min: 0, max: width }),
          fc.nat({ max: 5000 }),
          (base, length, partLength, index) => {
            const first = bits(base, width, length) << BigInt(width - length);
            const isPart = partLength >= length && BigInt(index) < 1n << BigInt(partLength - length);
            coverage.count({ part: isPart, further: isPart && index > 255 });
            const part = first + (BigInt(index) << BigInt(width - partLength));
            expect(subnetAt(`${text(base)}/${length}`, partLength, index)).to.equal(
              isPart ? `${canonicalAddress(text(part))}/${partLength}` : undefined,
            );
          },
        ),
        { numRuns: 400 },
      );
      coverage.expect({ part: 0.2, further: 0.1 });
    });
  }

  const counts: readonly (readonly [cidr: string, length: number, count: number])[] = [
    ['10.20.0.0/16', 24, 256],
    ['10.20.0.0/16', 16, 1],
    ['10.20.0.0/16', 15, 0],
    ['10.20.0.0/16', 33, 0],
    ['fd20::/48', 64, 65_536],
    ['none', 24, 0],
  ];
  for (const [cidr, length, count] of counts) {
    it(`${cidr} has ${count} with prefix length ${length}`, () => {
      expect(partsOf(cidr, length)).to.equal(count);
    });
  }
});

describe('two subnets', () => {
  const pairs: readonly (readonly [left: string, right: string, overlap: boolean])[] = [
    ['10.0.0.0/8', '10.1.2.0/24', true],
    ['10.1.2.0/24', '10.0.0.0/8', true],
    ['10.1.2.0/24', '10.1.2.0/24', true],
    ['10.1.2.7/24', '10.1.2.9/32', true],
    ['10.1.2.0/24', '10.1.3.0/24', false],
    ['fd00::/8', 'fd20::1/128', true],
    ['0.0.0.0/0', '::/0', false],
    ['10.0.0.0/8', '10.0.0.0/33', false],
    ['none', 'none', false],
  ];
  for (const [left, right, overlap] of pairs) {
    it(`${left} and ${right} ${overlap ? 'overlap' : 'do not overlap'}`, () => {
      expect(subnetsOverlap(left, right)).to.equal(overlap);
    });
  }
});

describe('a subnet in the spelling of routes', () => {
  const spellings: readonly (readonly [given: string, network: string | undefined])[] = [
    ['10.96.0.0/16', '10.96.0.0/16'],
    ['10.96.3.4/16', '10.96.0.0/16'],
    ['10.111.3.4/12', '10.96.0.0/12'],
    ['10.96.3.4/32', '10.96.3.4/32'],
    ['203.0.113.9/0', '0.0.0.0/0'],
    ['FD00:10:96:0::7/112', 'fd00:10:96::/112'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['2001:db8::1/0', '::/0'],
    ['10.96.0.0', undefined],
    ['10.96.0.0/33', undefined],
    ['none/8', undefined],
  ];
  for (const [given, network] of spellings) {
    it(`${given} is ${network ?? 'none'}`, () => {
      expect(networkOf(given)).to.equal(network);
    });
  }

  it('contains what the subnet contains, and is idempotent', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(texts, texts, fc.integer({ min: 0, max: 128 }), (base, address, length) => {
        const network = networkOf(`${base}/${length}`);
        expect(network === undefined).to.equal(!isCidr(`${base}/${length}`));
        coverage.count({ 'a subnet': network !== undefined });
        if (network === undefined) return;
        expect(networkOf(network)).to.equal(network);
        expect(subnetContains(network, address)).to.equal(subnetContains(`${base}/${length}`, address));
      }),
    );
    coverage.expect({ 'a subnet': 0.05 });
  });
});

describe('the subnet that is meant by another one', () => {
  const meant: readonly (readonly [given: string, network: string | undefined])[] = [
    ['10.1.2.3/16', '10.1.0.0/16'],
    ['10.1.0.0/16', undefined],
    ['10.1.2.3/32', undefined],
    ['10.1.2.3/0', '0.0.0.0/0'],
    ['fd20::7/48', 'fd20::/48'],
    ['FD20:0::/48', undefined],
    ['fd20::7/128', undefined],
    ['10.1.2.3', undefined],
    ['none/8', undefined],
  ];
  for (const [given, network] of meant) {
    it(`is ${network ?? 'none'} for ${given}`, () => {
      expect(subnetMeantBy(given)).to.equal(network);
    });
  }
});

describe('the MAC address that OVN-Kubernetes derives from an address', () => {
  it('is two constant bytes and the four of the address', () => {
    expect(macAddressOf('169.254.0.4')).to.equal('0a:58:a9:fe:00:04');
    expect(macAddressOf('100.64.128.4')).to.equal('0a:58:64:40:80:04');
    expect(macAddressOf('255.255.255.255')).to.equal('0a:58:ff:ff:ff:ff');
  });
});

describe('the link-local address of a MAC address', () => {
  const addresses: readonly (readonly [macAddress: string, address: string | undefined])[] = [
    ['0a:58:a9:fe:00:04', 'fe80::858:a9ff:fefe:4'],
    ['02:42:c0:00:02:06', 'fe80::42:c0ff:fe00:206'],
    ['00:00:00:00:00:00', 'fe80::200:ff:fe00:0'],
    ['FF:ff:ff:ff:ff:ff', 'fe80::fdff:ffff:feff:ffff'],
    ['0a:58:a9:fe:00', undefined],
    ['0a:58:a9:fe:00:04:05', undefined],
    ['0a:58:a9:fe:00:zz', undefined],
    ['', undefined],
  ];
  for (const [macAddress, address] of addresses) {
    it(`of ${JSON.stringify(macAddress)} is ${address ?? 'none'}`, () => {
      expect(linkLocalAddressOf(macAddress)).to.equal(address);
    });
  }
});
