import { expect } from 'chai';
import {
  allowedServicesOf,
  allowedServicesText,
  dnsAddressesOf,
  dnsAddressesText,
  serviceNameOf,
  serviceNameText,
} from '../../../src/cmd/input/service-options.ts';
import { settingsOf } from '../../../src/cmd/input/settings-files.ts';

/** The faults of a file with an option. */
function inFile(option: string, value: string) {
  const reading = settingsOf([{ name: 'a.yaml', text: JSON.stringify({ [option]: value }) }]);
  return reading.read ? [] : reading.problems;
}

const long = 'a'.repeat(63);

describe('Services that pods reach by the default network', () => {
  for (const [text, services] of [
    ['shop/registry', [{ namespace: 'shop', name: 'registry' }]],
    [
      'shop/registry:5000,monitoring/prometheus',
      [
        { namespace: 'shop', name: 'registry', port: 5000 },
        { namespace: 'monitoring', name: 'prometheus' },
      ],
    ],
    [
      'a/b:65535, a/b:1',
      [
        { namespace: 'a', name: 'b', port: 65_535 },
        { namespace: 'a', name: 'b', port: 1 },
      ],
    ],
    [`${long}/${long}`, [{ namespace: long, name: long }]],
  ] as const) {
    it(`are named as ${text}, on the command line and in files`, () => {
      expect(allowedServicesOf(allowedServicesText(text))).to.deep.equal(services);
      expect(inFile('default-services', text)).to.deep.equal([]);
    });
  }

  it('are none where the option is not given', () => {
    expect(allowedServicesOf(undefined)).to.deep.equal([]);
  });

  for (const text of [
    ...['', 'registry', 'shop/', '/registry', 'shop/registry/x', 'Shop/registry', 'shop/-registry', 'shop/registry-'],
    ...['shop/registry:0', 'shop/registry:65536', 'shop/registry:http', 'shop/registry:', 'shop/registry:080'],
    ...['shop/registry,', ',shop/registry', 'shop/registry shop/b', `${long}a/b`, 'shop/registry\n'],
  ]) {
    it(`are not ${JSON.stringify(text)}`, () => {
      const expected = 'namespaces and names of Services, each with a port or without';
      expect(() => allowedServicesText(text)).to.throw(`Expected ${expected}`);
      expect(inFile('default-services', text).join()).to.match(
        new RegExp(`^a.yaml: default-services: expected ${expected}`),
      );
    });
  }
});

describe('the Service of DNS', () => {
  it('is named by namespace and name', () => {
    expect(serviceNameOf(serviceNameText('dns/coredns'))).to.deep.equal({ namespace: 'dns', name: 'coredns' });
    expect(inFile('dns-service', 'dns/coredns')).to.deep.equal([]);
    for (const text of ['coredns', 'dns/coredns:53', 'a/b/c', '']) {
      expect(() => serviceNameText(text)).to.throw('Expected a namespace and a name, such as kube-system/kube-dns.');
      expect(inFile('dns-service', text)).to.have.length(1);
    }
  });
});

describe('addresses of DNS', () => {
  it('are of both families, each once', () => {
    const text = '169.254.20.10, FD00::000A,fd00::a,169.254.20.10';
    expect(dnsAddressesOf(dnsAddressesText(text))).to.deep.equal(['169.254.20.10', 'fd00::a']);
    expect(inFile('dns-addresses', text)).to.deep.equal([]);
    expect(dnsAddressesOf(undefined)).to.deep.equal([]);
  });

  for (const wrong of [
    ...['', 'dns.example', '169.254.20.010', '10.0.0.0/8', '0.0.0.0', '127.0.0.53', '::1', '::', '224.0.0.251'],
    ...['255.255.255.255', 'fe80::1', 'fe80::1%eth0', '::ffff:10.0.0.1', 'ff02::fb'],
  ]) {
    it(`are not ${JSON.stringify(wrong)}, to which no route of a pod leads`, () => {
      const expected = `xpected IP addresses, such as 169.254.20.10,fd00::a, found ${JSON.stringify(wrong)}`;
      expect(() => dnsAddressesText(`10.0.0.1,${wrong}`)).to.throw(`E${expected}.`);
      expect(inFile('dns-addresses', `10.0.0.1,${wrong}`)).to.deep.equal([`a.yaml: dns-addresses: e${expected}`]);
    });
  }
});
