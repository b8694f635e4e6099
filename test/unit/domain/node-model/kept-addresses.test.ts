import { expect } from 'chai';
import { enslave } from '../../../../src/domain/node-model/membership.ts';
import type { NodeSnapshot } from '../../../../src/domain/snapshot/node-snapshot.ts';
import type { BriefNode } from '../../../../src/testing/brief-node.ts';
import { address, addressTexts, after, blue, device, kernelRoutes, nodeOf } from './words.ts';

const eth0 = device('eth0', ['192.0.2.6/24', '2001:db8::6/64']);

/** The node after eth0 entered the VRF blue. */
function enslaved(brief: Partial<BriefNode>): NodeSnapshot {
  return after(enslave(nodeOf(brief), 'eth0', 'blue'));
}

const keep = { 'net.ipv6.conf.eth0.keep_addr_on_down': '1' };

describe('the IPv6 addresses of a device that enters a VRF', () => {
  const links = [
    {
      name: 'eth0',
      addresses: [
        { address: '2001:db8::6', prefixLength: 64 },
        { address: '2001:db8::7', prefixLength: 64, flags: ['nodad'] },
        { address: '2001:db8::8', prefixLength: 64, flags: ['dynamic'], validSeconds: 900 },
        { address: 'fe80::6', prefixLength: 64, scope: 'link' },
      ],
    },
    blue,
  ];
  const kernels = 'fe80::ff:fe00:1/64';

  for (const [ofAll, ofDevice, kept] of [
    ['0', '0', false],
    ['0', '1', true],
    ['0', '-1', false],
    ['1', '0', true],
    ['1', '-1', true],
    ['-1', '1', false],
  ] as const) {
    it(`${kept ? 'stay' : 'are removed'} with keep_addr_on_down ${ofDevice} of the device and ${ofAll} of all`, () => {
      const sysctls = {
        'net.ipv6.conf.all.keep_addr_on_down': ofAll,
        'net.ipv6.conf.eth0.keep_addr_on_down': ofDevice,
      };
      expect(addressTexts(enslaved({ links, sysctls }), 'eth0')).to.deep.equal(
        kept ? ['2001:db8::6/64', '2001:db8::7/64 nodad', kernels] : [kernels],
      );
    });
  }

  it('are removed if the settings are unknown', () => {
    expect(addressTexts(enslaved({ links }), 'eth0')).to.deep.equal([kernels]);
  });

  it('are lost when they have a lifetime or are link-local', () => {
    expect(addressTexts(enslaved({ links, sysctls: keep }), 'eth0')).not.to.include('fe80::6/64');
  });

  it('are no longer tentative: duplicate address detection is over', () => {
    const tentative = [
      { name: 'eth0', addresses: [{ address: '2001:db8::6', prefixLength: 64, flags: ['tentative'] }] },
      blue,
    ];
    const node = enslaved({ links: tentative, sysctls: keep });
    expect(addressTexts(node, 'eth0')).to.deep.equal(['2001:db8::6/64', kernels]);
    expect(kernelRoutes(node, 6, 'eth0')).to.include('1001 local 2001:db8::6/128 dev eth0');
  });

  it('stay tentative without a carrier, and only their subnet has a route', () => {
    const carrierless = [{ ...eth0, operationalState: 'lowerlayerdown' }, blue];
    const node = enslaved({ links: carrierless, sysctls: keep });
    expect(addressTexts(node, 'eth0')).to.deep.equal(['192.0.2.6/24', '2001:db8::6/64 tentative']);
    expect(kernelRoutes(node, 6, 'eth0')).to.deep.equal(['1001 2001:db8::/64 dev eth0 metric 256']);
  });
});

describe('the link-local addresses of a device that enters a VRF', () => {
  const ofMacAddress = 'fe80::ff:fe00:1/64';
  const ofSecret = 'fe80::77/64 stable-privacy';
  const cases: readonly (readonly [mode: string | undefined, had: readonly string[], has: readonly string[]])[] = [
    ['none', [ofMacAddress], []],
    ['none', [ofSecret], []],
    ['eui64', [ofMacAddress], [ofMacAddress]],
    ['eui64', [ofSecret], [ofMacAddress]],
    ['eui64', [], [ofMacAddress]],
    ['random', [ofSecret], [ofSecret]],
    ['random', [ofMacAddress], []],
    ['stable_secret', [ofMacAddress, ofSecret], [ofSecret]],
    [undefined, [ofMacAddress], [ofMacAddress]],
    [undefined, [ofSecret], [ofSecret]],
  ];
  for (const [mode, had, has] of cases) {
    it(`are [${has.join(', ')}] after [${had.join(', ')}] if addr_gen_mode is ${mode ?? 'unknown'}`, () => {
      const addresses = had.map((text) => {
        const [plain = '', ...flags] = text.split(' ');
        return address(plain, { scope: 'link', flags });
      });
      const link = { name: 'eth0', addresses, ...(mode !== undefined && { addressGeneration: mode }) };
      expect(addressTexts(enslaved({ links: [link, blue] }), 'eth0')).to.deep.equal(has);
    });
  }

  it('are made of a secret without a MAC address, whatever the setting', () => {
    const tunnel = { name: 'eth0', type: 'none', macAddress: null, addressGeneration: 'eui64' };
    const before = { ...tunnel, addresses: [address('fe80::78/64', { scope: 'link' })] };
    expect(addressTexts(enslaved({ links: [before, blue] }), 'eth0')).to.deep.equal(['fe80::78/64']);
  });
});

describe('a device that is down', () => {
  const down = device('eth0', ['192.0.2.6/24', '2001:db8::6/64'], { up: false });

  it('is not set up by a VRF, but loses even the route of its local address', () => {
    const before = nodeOf({ links: [down, blue] });
    expect(kernelRoutes(before, 4, 'eth0')).to.deep.equal(['local local 192.0.2.6/32 dev eth0 src 192.0.2.6']);
    const node = after(enslave(before, 'eth0', 'blue'));
    expect(node.links[0]).to.include({ up: false, master: 'blue' });
    expect(kernelRoutes(node, 4, 'eth0')).to.be.empty;
  });

  it('loses its IPv6 addresses as one that is up', () => {
    expect(addressTexts(enslaved({ links: [down, blue] }), 'eth0')).to.deep.equal(['192.0.2.6/24']);
  });

  it('loses its neighbours', () => {
    const neighbours = [{ device: 'eth0', address: '192.0.2.9' }];
    expect(enslaved({ links: [down, blue], neighbours }).neighbours).to.be.empty;
  });
});
