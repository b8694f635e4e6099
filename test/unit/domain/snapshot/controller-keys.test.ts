import { expect } from 'chai';
import { keyInForce, keysOfOtherChassis, valueInForce } from '../../../../src/domain/snapshot/controller-keys.ts';
import { foreignMappings, mappingsInForce, ownMappings } from '../../../../src/domain/snapshot/bridge-mappings.ts';
import { integrationBridge } from '../../../../src/domain/snapshot/integration-bridge.ts';
import { tunnelAddressesOf } from '../../../../src/domain/snapshot/tunnel-addresses.ts';

const common = {
  'system-id': 'a',
  'ovn-encap-ip': '192.0.2.1',
  'ovn-bridge': 'br-int',
  'ovn-bridge-mappings': 'x:br-x',
};

describe('the setting of ovn-controller that counts', () => {
  it('is the one for all chassis, unless the one of the node has its own', () => {
    expect(keyInForce('ovn-encap-ip', common)).to.equal('ovn-encap-ip');
    expect(valueInForce('ovn-encap-ip', { ...common, 'ovn-encap-ip-b': '192.0.2.2' })).to.equal('192.0.2.1');
    expect(keyInForce('ovn-encap-ip', { ...common, 'ovn-encap-ip-a': '192.0.2.2' })).to.equal('ovn-encap-ip-a');
    expect(valueInForce('ovn-encap-ip', { ...common, 'ovn-encap-ip-a': '192.0.2.2' })).to.equal('192.0.2.2');
  });

  it('may be the empty one of the chassis', () => {
    expect(valueInForce('ovn-bridge-mappings', { ...common, 'ovn-bridge-mappings-a': '' })).to.equal('');
  });

  it('is the one for all while the node has no chassis', () => {
    const ids = { 'ovn-encap-ip': '192.0.2.1', 'ovn-encap-ip-': '192.0.2.2' };
    expect(valueInForce('ovn-encap-ip', ids)).to.equal('192.0.2.1');
    expect(valueInForce('ovn-encap-ip', { ...ids, 'system-id': '' })).to.equal('192.0.2.1');
    expect(valueInForce('ovn-encap-ip', {})).to.be.undefined;
  });

  it('is used for tunnels, the integration bridge and mappings', () => {
    const ids = {
      ...common,
      'ovn-encap-ip-a': '192.0.2.2',
      'ovn-bridge-a': 'br-own',
      'ovn-bridge-mappings-a': 'y:br-y',
    };
    expect(tunnelAddressesOf({ switchExternalIds: ids })).to.deep.equal(['192.0.2.2']);
    expect(integrationBridge({ switchExternalIds: ids })).to.equal('br-own');
    expect(mappingsInForce(ids)).to.deep.equal([['y', 'br-y']]);
    expect(foreignMappings({ ...ids, 'ovn-uplinks-bridge-mappings-a': 'y:br-y' })).to.deep.equal([]);
  });
});

describe('the managed mappings', () => {
  it('are those of both lists; that in force counts', () => {
    const ids = {
      ...common,
      'ovn-bridge-mappings-a': 'blue:br-new',
      'ovn-uplinks-bridge-mappings': 'blue:br-old,red:br-red',
      'ovn-uplinks-bridge-mappings-a': 'blue:br-new',
    };
    expect([...ownMappings(ids)]).to.deep.equal([
      ['blue', 'br-new'],
      ['red', 'br-red'],
    ]);
    expect([...ownMappings({ ...ids, 'ovn-bridge-mappings-a': undefined })]).to.deep.include(['blue', 'br-old']);
  });
});

describe('settings of other chassis', () => {
  it('are those with another name than system-id', () => {
    const ids = { ...common, 'ovn-encap-ip-b': 'x', 'ovn-bridge-mappings-a': 'x', 'ovn-is-interconn-c': 'true' };
    expect(keysOfOtherChassis(ids)).to.deep.equal(['ovn-encap-ip-b', 'ovn-is-interconn-c']);
    expect(keysOfOtherChassis({ 'ovn-encap-ip-b': 'x' })).to.deep.equal(['ovn-encap-ip-b']);
  });

  it('are not settings whose names only begin alike', () => {
    expect(
      keysOfOtherChassis({ ...common, 'ovn-encap-ip-default': 'x', 'ovn-remote-probe-interval': '0' }),
    ).to.deep.equal([]);
  });
});
