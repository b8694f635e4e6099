import { expect } from 'chai';
import { wantedAddresses } from '../../../../src/domain/dataplane/addresses.ts';
import { dataplaneInput, domains, type InputBrief } from './dataplane-input.ts';

const own = domains['its own VRF'];

const textsOf = (brief: InputBrief) =>
  wantedAddresses(dataplaneInput(brief)).map(
    ({ device, address: { address, prefixLength } }) => `${address}/${prefixLength} on ${device}`,
  );

describe("the host's masquerade addresses on a VRF device", () => {
  it('are left to OVN-Kubernetes on the default bridge in the default domain', () => {
    expect(textsOf({ domain: { kind: 'default' } })).to.deep.equal([]);
  });

  it('are .2 and .3 for each family of the network', () => {
    expect(textsOf({ domain: own })).to.deep.equal([
      '169.254.0.2/32 on blue',
      '169.254.0.3/32 on blue',
      'fd69::2/128 on blue',
      'fd69::3/128 on blue',
    ]);
    expect(textsOf({ domain: own, families: [4] })).to.deep.equal(['169.254.0.2/32 on blue', '169.254.0.3/32 on blue']);
    expect(textsOf({ domain: own, families: [6] })).to.deep.equal(['fd69::2/128 on blue', 'fd69::3/128 on blue']);
  });

  it('are in the configured subnets', () => {
    const masqueradeSubnets = ['fd77::/112', '100.64.128.0/17'];
    expect(textsOf({ domain: own, masqueradeSubnets })).to.deep.equal([
      '100.64.128.2/32 on blue',
      '100.64.128.3/32 on blue',
      'fd77::2/128 on blue',
      'fd77::3/128 on blue',
    ]);
  });

  it('are none for a family without a masquerade subnet', () => {
    expect(textsOf({ domain: own, masqueradeSubnets: ['fd77::/112'] })).to.deep.equal([
      'fd77::2/128 on blue',
      'fd77::3/128 on blue',
    ]);
  });

  it('are added without duplicate address detection: no other host has them', () => {
    const flags = wantedAddresses(dataplaneInput({ domain: own })).map(({ address }) => address.flags);
    expect(flags).to.deep.equal([[], [], ['nodad'], ['nodad']]);
  });
});
