import { expect } from 'chai';
import { ownVrfTable, wantedVrf } from '../../../../src/domain/dataplane/vrf.ts';
import { corporateVrf, dataplaneInput, domains, hostInterface, managementPort } from './dataplane-input.ts';

describe("the table of a network's own VRF", () => {
  for (const [index, table] of [
    [1, 1001],
    [12, 1012],
    [4_000, 5_000],
  ] as const) {
    it(`is ${table} where its management port is device ${index}`, () => {
      const node = { links: [hostInterface, { name: 'ovn-k8s-mp7', index }] };
      expect(ownVrfTable(dataplaneInput({ node }))).to.equal(table);
    });
  }

  it('is that of its own management port and of no other', () => {
    const node = { links: [{ name: 'ovn-k8s-mp77', index: 3 }] };
    expect(ownVrfTable(dataplaneInput({ node }))).to.be.undefined;
  });

  it('is not that of a VRF that bears the name of its management port', () => {
    const node = { links: [{ name: 'ovn-k8s-mp7', kind: 'vrf', vrfTable: 5 }] };
    expect(ownVrfTable(dataplaneInput({ node }))).to.be.undefined;
  });
});

describe('the VRF of a network', () => {
  it('is its own in the default domain too, for its services', () => {
    expect(wantedVrf(dataplaneInput())).to.deep.equal({ name: 'blue', table: 1012, own: true });
  });

  it('has the name that was decided, whatever device bears it', () => {
    const input = dataplaneInput({ ownVrf: 'mp7-udn-vrf', domain: { kind: 'own-vrf', vrf: 'mp7-udn-vrf' } });
    expect(wantedVrf(input)).to.deep.equal({ name: 'mp7-udn-vrf', table: 1012, own: true });
  });

  it('is that of somebody else with the table that it has', () => {
    const input = dataplaneInput({ domain: domains['another existing VRF'] });
    expect(wantedVrf(input)).to.deep.equal({ name: 'corp', table: 500, own: false });
  });

  it('cannot be told where the VRF of somebody else is not there, or is none', () => {
    for (const links of [[managementPort], [managementPort, { name: 'corp', kind: 'dummy' }]]) {
      const input = dataplaneInput({ domain: domains['another existing VRF'], node: { links } });
      expect(wantedVrf(input)).to.be.undefined;
    }
  });

  it('cannot be told where several are asked for', () => {
    const input = dataplaneInput({ domain: { kind: 'contradiction', vrfs: ['blue', 'corp'] } });
    expect(wantedVrf(input)).to.be.undefined;
  });

  it('is its own table, whatever table a VRF of its name has now', () => {
    const links = [managementPort, corporateVrf, { name: 'blue', kind: 'vrf', vrfTable: 1005 }];
    expect(wantedVrf(dataplaneInput({ node: { links } }))).to.include({ table: 1012 });
  });
});
