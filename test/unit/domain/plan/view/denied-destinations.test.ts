import { expect } from 'chai';
import { deniedDestinations, deniedKind } from '../../../../../src/domain/plan/view/denied-destinations.ts';
import { defaultSettings } from '../../../../../src/domain/snapshot/settings.ts';

describe('destinations that networks do not reach by their nodes', () => {
  for (const address of [
    ...['fd00:ec2::254', 'fd00:ec2::23', '168.63.129.16', '100.100.100.200', 'fd00:100::100:200', 'fd20:ce::254'],
    ...['192.0.0.192', 'fd00:c1::a9fe:a9fe', 'fd00:42::42', 'fd00:a9fe:a9fe::1'],
  ]) {
    it(`are those by which clouds tell a node its identity, such as ${address}`, () => {
      expect(deniedKind(address, [], defaultSettings)).to.equal('metadata of clouds');
      const length = address.includes(':') ? 128 : 32;
      expect(deniedDestinations([], defaultSettings).subnets).to.include(`${address}/${length}`);
    });
  }

  it('are link-local ones', () => {
    for (const address of ['169.254.169.254', 'fe80::a9fe:a9fe'])
      expect(deniedKind(address, [], defaultSettings)).to.equal('link-local addresses');
  });

  it('are no others', () => {
    for (const address of ['168.63.129.17', '100.100.100.201', '203.0.113.1', 'fd00:ec2::255', '2001:db8::1'])
      expect(deniedKind(address, [], defaultSettings)).to.equal(undefined);
  });
});
