import { expect } from 'chai';
import { isKnownType, isTrusted } from '../../../../src/domain/selection/trusted-state.ts';
import { nodeConfig, uplinkState } from '../brief-objects.ts';

describe('a state is trusted', () => {
  const config = nodeConfig('br-blue');
  const state = uplinkState('blue', 'a');

  it('if it is about the selected type and interface', () => {
    expect(isTrusted(state, config)).to.be.true;
  });

  it('not if it is about another interface', () => {
    expect(isTrusted(uplinkState('blue', 'a', { hostInterfaceName: 'br-old' }), config)).to.be.false;
  });

  it('not if it is about another type', () => {
    expect(isTrusted(state, { ...config, type: 'SRIOV' as 'OVSBridge' })).to.be.false;
  });

  it('not before its first status', () => {
    const { apiVersion, kind, metadata } = state;
    expect(isTrusted({ apiVersion, kind, metadata }, config)).to.be.false;
    expect(isTrusted({ apiVersion, kind, metadata, status: {} }, config)).to.be.false;
  });
});

describe('the type of an uplink', () => {
  it('is known only if it is OVSBridge', () => {
    expect(isKnownType('OVSBridge')).to.be.true;
    expect(isKnownType('ovsbridge')).to.be.false;
    expect(isKnownType('')).to.be.false;
  });
});
