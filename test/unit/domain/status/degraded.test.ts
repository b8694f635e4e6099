import { expect } from 'chai';
import type { NodeSelection } from '../../../../src/domain/selection/node-config.ts';
import { AffectedNodes } from '../../../../src/domain/status/affected-nodes.ts';
import { degradedCondition, type SelectedNodes, uplinkReport } from '../../../../src/domain/status/degraded.ts';
import { nodeConfig, notReady, uplinkState } from '../brief-objects.ts';

const selected: NodeSelection = { kind: 'selected', config: nodeConfig('br-blue') };

describe('a selected node', () => {
  it('is ready if its state is', () => {
    const state = uplinkState('blue', 'a');
    expect(uplinkReport('a', selected, state)).to.deep.equal({ node: 'a', selection: selected, state });
  });

  it('is not ready if its state is not, with the reason of the state', () => {
    const state = uplinkState('blue', 'a', notReady('BridgeNotFound'));
    expect(uplinkReport('a', selected, state)).to.deep.equal({
      node: 'a',
      selection: selected,
      state,
      reason: 'BridgeNotFound',
    });
  });

  it('is not ready if condition Ready is Unknown', () => {
    const state = uplinkState('blue', 'a', { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'Later' }] });
    expect(uplinkReport('a', selected, state).reason).to.equal('Later');
  });

  it('is judged by condition Ready only', () => {
    const conditions = [
      { type: 'HostReady', status: 'False' as const, reason: 'X' },
      { type: 'Ready', status: 'True' as const, reason: 'Ready' },
    ];
    expect(uplinkReport('a', selected, uplinkState('blue', 'a', { conditions })).reason).to.be.undefined;
  });

  const { conditions: _conditions, ...without } = uplinkState('blue', 'a').status!;
  const missing: readonly (readonly [what: string, state: ReturnType<typeof uplinkState> | undefined])[] = [
    ['has no state', undefined],
    ['has a state that speaks of another interface', uplinkState('blue', 'a', { hostInterfaceName: 'br-old' })],
    ['has a state without condition Ready', uplinkState('blue', 'a', { conditions: [] })],
    ['has a state without conditions', { ...uplinkState('blue', 'a'), status: without }],
  ];
  for (const [what, state] of missing) {
    it(`has not reported where it ${what}`, () => {
      expect(uplinkReport('a', selected, state)).to.deep.equal({
        node: 'a',
        selection: selected,
        reason: 'UplinkStateMissing',
      });
    });
  }

  it('is an overlap if several interfaces are selected, whatever its state is', () => {
    const overlap: NodeSelection = { kind: 'overlap', hostInterfaceNames: ['br-blue', 'br-x'] };
    expect(uplinkReport('a', overlap, uplinkState('blue', 'a'))).to.deep.equal({
      node: 'a',
      selection: overlap,
      reason: 'NodeSelectorOverlap',
    });
  });
});

describe('condition Degraded of an Uplink', () => {
  /** Nodes with the reason why each is not ready. */
  const nodes = (...all: readonly (readonly [node: string, reason?: string])[]): SelectedNodes => {
    const notReady = new AffectedNodes();
    for (const [node, reason] of all) notReady.set(node, reason);
    return { total: all.length, notReady };
  };

  it('is False if it selects no node', () => {
    expect(degradedCondition(nodes(), undefined)).to.include({ status: 'False', reason: 'NoNodesSelected' });
  });

  it('is False if every selected node is ready', () => {
    expect(degradedCondition(nodes(['a'], ['b']), undefined)).to.deep.equal({
      type: 'Degraded',
      status: 'False',
      reason: 'AllNodesReady',
      message: '2 of 2 selected nodes ready',
    });
  });

  it('is True if one is not, and counts all selected ones', () => {
    expect(degradedCondition(nodes(['a'], ['b', 'MTUInvalid'], ['c']), undefined)).to.deep.equal({
      type: 'Degraded',
      status: 'True',
      reason: 'MTUInvalid',
      message: '1 of 3 selected nodes not ready: b (MTUInvalid)',
    });
  });

  it('has the first reason by precedence, in any order of the nodes', () => {
    const reasons = [
      'Unheard',
      'WaitingForDPUHost',
      'WaitingForDPU',
      'GatewayInfoUnavailable',
      'MTUInvalid',
      'BridgeInvalid',
      'BridgeNotFound',
      'HostInterfaceNotFound',
      'UplinkStateMissing',
      'NodeSelectorOverlap',
    ];
    for (const [count, reason] of reasons.entries()) {
      const affected = reasons.slice(0, count + 1).map((each) => [`n-${each}`, each] as const);
      expect(degradedCondition(nodes(...affected), undefined).reason).to.equal(reason);
      expect(degradedCondition(nodes(...affected.toReversed()), undefined).reason).to.equal(reason);
    }
  });

  it('is True if a selector is not understood, and names its interface', () => {
    const unclear = { hostInterfaceName: 'br-x', kind: 'operator-unknown', key: 'rack', detail: 'Near' } as const;
    const condition = degradedCondition(nodes(), unclear);
    expect(condition).to.include({ type: 'Degraded', status: 'True', reason: 'NodeSelectorInvalid' });
    expect(condition.message).to.include('br-x').and.include('"Near"').and.include('"rack"');
  });
});
