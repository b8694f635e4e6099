import { expect } from 'chai';
import { macAddress } from '../../../../src/domain/discovery/mac-address.ts';
import { completeLink, discoveryInput } from './discovery-input.ts';

const judge = (type: string, address: string | undefined) => {
  const { macAddress: _made, ...link } = completeLink({ type });
  return macAddress.run(discoveryInput({}), { link: address === undefined ? link : { ...link, macAddress: address } });
};

describe('the MAC address of the host interface', () => {
  const usable: readonly (readonly [address: string, found: string])[] = [
    ['02:42:c0:00:02:06', '02:42:c0:00:02:06'],
    ['02:42:C0:00:02:06', '02:42:c0:00:02:06'],
    ['00:00:00:00:00:01', '00:00:00:00:00:01'],
    ['fe:ff:ff:ff:ff:ff', 'fe:ff:ff:ff:ff:ff'],
  ];
  for (const [address, found] of usable) {
    it(`may be ${address}, and is reported in lower case`, () => {
      expect(judge('ether', address)).to.deep.equal({ ok: true, found: { macAddress: found } });
    });
  }

  const unusable: readonly (readonly [address: string, why: string])[] = [
    ['00:00:00:00:00:00', 'all zeros'],
    ['01:00:5e:00:00:01', 'a group'],
    ['ff:ff:ff:ff:ff:ff', 'everybody'],
    ['02:42:c0:00:02', 'five bytes'],
    ['02:42:c0:00:02:06:07', 'seven bytes'],
    ['02-42-c0-00-02-06', 'another spelling'],
    ['0g:42:c0:00:02:06', 'no hexadecimal digits'],
    ['', 'nothing'],
  ];
  for (const [address, why] of unusable) {
    it(`cannot be ${JSON.stringify(address)}: ${why}`, () => {
      expect(judge('ether', address)).to.deep.equal({
        ok: false,
        failure: { reason: 'GatewayInfoUnavailable', cause: 'no-mac-address', macAddress: address },
      });
    });
  }

  it('is missing on a device that has none, and on one that is not Ethernet', () => {
    const failure = { reason: 'GatewayInfoUnavailable', cause: 'no-mac-address' };
    expect(judge('ether', undefined)).to.deep.equal({ ok: false, failure });
    expect(judge('none', undefined)).to.deep.equal({ ok: false, failure });
    expect(judge('infiniband', '02:42:c0:00:02:06')).to.deep.equal({ ok: false, failure });
  });
});
