import { expect } from 'chai';
import { foreignEntities } from '../../../../src/domain/network-readiness/foreign-entities.ts';
import { uplinkReason } from '../../../../src/domain/plan/parts/parts.ts';
import { checkInput } from './check-input.ts';

const check = foreignEntities('UplinkBridgeMappingFailed', uplinkReason);

/** The answer where both keys have these texts. */
function judge(mappings: string, own?: string) {
  const switchExternalIds = {
    'ovn-bridge-mappings': mappings,
    ...(own !== undefined && { 'ovn-uplinks-bridge-mappings': own }),
  };
  return check(checkInput({ node: { switchExternalIds } }));
}

const failure = (found: string) => ({
  reason: 'UplinkBridgeMappingFailed',
  cause: 'in-the-way',
  wanted: { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' },
  found: { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: found },
});

describe('the bridge mapping of a network', () => {
  it('can be added if there is none, whatever other entries exist', () => {
    expect(check(checkInput())).to.be.undefined;
    expect(judge('physnet:br-ex,cluster_udn_red:br-red')).to.be.undefined;
    expect(judge('cluster_udn_blue-2:br-ex,not_cluster_udn_blue:br-ex')).to.be.undefined;
  });

  it('serves if another program added it', () => {
    expect(judge('physnet:br-ex,cluster_udn_blue:br-blue')).to.be.undefined;
  });

  it('is a conflict if another program has mapped the network to another bridge', () => {
    expect(judge('physnet:br-ex,cluster_udn_blue:br-other')).to.deep.equal(failure('br-other'));
  });

  it('is a conflict also beside the right entry: which of two applies is undefined', () => {
    expect(judge('cluster_udn_blue:br-other,cluster_udn_blue:br-blue')).to.deep.equal(failure('br-other'));
    expect(judge('cluster_udn_blue:br-blue,cluster_udn_blue:br-other', 'cluster_udn_blue:br-blue')).to.deep.equal(
      failure('br-other'),
    );
  });

  it('is replaced if it is managed and maps to another bridge', () => {
    expect(judge('physnet:br-ex,cluster_udn_blue:br-old', 'cluster_udn_blue:br-old')).to.be.undefined;
  });

  it('is a conflict if another program has changed a managed one', () => {
    expect(judge('cluster_udn_blue:br-other', 'cluster_udn_blue:br-blue')).to.deep.equal(failure('br-other'));
  });

  it('is no conflict behind the text that ovn-controller reads', () => {
    expect(judge('physnet:br-ex,,cluster_udn_blue:br-other')).to.be.undefined;
    expect(judge('physnet,cluster_udn_blue:br-other')).to.be.undefined;
  });

  it('is ignored while no mapping is desired', () => {
    const switchExternalIds = { 'ovn-bridge-mappings': 'cluster_udn_blue:br-other' };
    expect(check(checkInput({ node: { switchExternalIds } }, { dataplane: undefined }))).to.be.undefined;
  });
});
