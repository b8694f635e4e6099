import { expect } from 'chai';
import {
  byPrecedence,
  degradedReasons,
  networkReasons,
  readyReasons,
  uplinksReadyReasons,
} from '../../../../src/domain/status/reasons.ts';

describe('the precedence of reasons', () => {
  const orders: readonly (readonly [condition: string, vocabulary: object, order: readonly string[]])[] = [
    [
      'Ready of an UplinkState',
      readyReasons,
      [
        'Ready',
        'NodeSelectorOverlap',
        'HostInterfaceNotFound',
        'GatewayInfoUnavailable',
        'BridgeNotFound',
        'BridgeInvalid',
        'MTUInvalid',
        'WaitingForDPUHost',
        'WaitingForDPU',
      ],
    ],
    [
      'Degraded of an Uplink',
      degradedReasons,
      [
        'AllNodesReady',
        'NoNodesSelected',
        'NodeSelectorInvalid',
        'NodeSelectorOverlap',
        'UplinkStateMissing',
        'HostInterfaceNotFound',
        'BridgeNotFound',
        'BridgeInvalid',
        'MTUInvalid',
        'GatewayInfoUnavailable',
        'WaitingForDPU',
        'WaitingForDPUHost',
      ],
    ],
    [
      'networks[] of an UplinkState',
      networkReasons,
      [
        'Ready',
        'NetworkNotAllocated',
        'PrerequisiteMissing',
        'UplinkConfigurationConflict',
        'UplinkNotReadyForNode',
        'UplinkVRFAttachmentFailed',
        'AddressFamilyMissing',
        'SubnetsOverlap',
        'UplinkBridgeMappingFailed',
        'GatewayRouterFailed',
      ],
    ],
    [
      'UplinksReady of a network',
      uplinksReadyReasons,
      [
        'UplinksReady',
        'UplinkUnsupportedGatewayMode',
        'UplinkUnsupportedTransport',
        'UplinkNotFound',
        'UplinkConfigurationConflict',
        'UplinkOverlapOnNode',
        'UplinkNotFoundForNode',
        'UplinkNotReadyForNode',
        'UplinkVRFAttachmentFailed',
        'UplinkBridgeMappingFailed',
        'NetworkNotAllocated',
        'PrerequisiteMissing',
        'AddressFamilyMissing',
        'SubnetsOverlap',
        'GatewayRouterFailed',
      ],
    ],
  ];
  for (const [condition, vocabulary, order] of orders) {
    it(`in ${condition} is that of docs/design/api-decisions.md`, () => {
      expect(Object.keys(vocabulary)).to.deep.equal(order);
    });
  }

  const compare = byPrecedence({ Second: readyReasons.Ready, First: readyReasons.Ready });

  it('is that of the list, not alphabetical', () => {
    expect(['First', 'Second', 'First'].sort(compare)).to.deep.equal(['Second', 'First', 'First']);
    expect(compare('First', 'First')).to.equal(0);
  });

  it('puts reasons of a newer version last, by name', () => {
    expect(['Beta', 'First', 'Alpha', 'Second', 'Zeta'].sort(compare)).to.deep.equal([
      'Second',
      'First',
      'Alpha',
      'Beta',
      'Zeta',
    ]);
    expect(compare('Alpha', 'Alpha')).to.equal(0);
    expect(compare('Beta', 'Alpha')).to.be.above(0);
  });
});

describe('every reason', () => {
  for (const [reason, { meaning, see, fix }] of Object.entries({
    ...readyReasons,
    ...degradedReasons,
    ...networkReasons,
    ...uplinksReadyReasons,
  })) {
    it(`${reason} explains what it means, where to look and what to do`, () => {
      for (const text of [meaning, see]) expect(text).to.match(/\S{3,}/);
      expect(fix).to.not.equal('');
    });
  }
});
