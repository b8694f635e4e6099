import { expect } from 'chai';
import type { NetworkEntry } from '../../../../src/domain/index.ts';
import { AffectedNodes } from '../../../../src/domain/status/affected-nodes.ts';
import type { UplinkReport } from '../../../../src/domain/status/degraded.ts';
import { uplinkReport } from '../../../../src/domain/status/degraded.ts';
import {
  type ReferencedUplink,
  reasonByUplinks,
  reasonOnNode,
  type UplinksReadyInput,
  uplinksReadyCondition,
} from '../../../../src/domain/status/uplinks-ready.ts';
import { nodeConfig, notReady, uplinkState } from '../brief-objects.ts';

const ready: NetworkEntry = { name: 'blue', ready: 'True', reason: 'Ready' };
const failed = (reason: string): NetworkEntry => ({ name: 'blue', ready: 'False', reason });
const selection = { kind: 'selected', config: nodeConfig('br-blue') } as const;

/** The report of a node whose state has the given networks. */
function report(
  networks: readonly NetworkEntry[] | undefined,
  status: Parameters<typeof uplinkState>[2] = {},
): UplinkReport {
  return uplinkReport('a', selection, uplinkState('u', 'a', { ...(networks && { networks }), ...status }));
}

describe('a network on an active node', () => {
  it('is ready if the uplink and its own entry are', () => {
    expect(reasonOnNode('blue', report([ready]))).to.be.undefined;
  });

  it('has no uplink there if the Uplink does not select the node', () => {
    expect(reasonOnNode('blue', undefined)).to.equal('UplinkNotFoundForNode');
  });

  it('has several if the Uplink selects several interfaces', () => {
    const overlap = { kind: 'overlap', hostInterfaceNames: ['x', 'y'] } as const;
    expect(reasonOnNode('blue', uplinkReport('a', overlap, uplinkState('u', 'a', { networks: [ready] })))).to.equal(
      'UplinkOverlapOnNode',
    );
  });

  it('waits for the node’s report', () => {
    expect(reasonOnNode('blue', uplinkReport('a', selection, undefined))).to.equal('UplinkNotReadyForNode');
    expect(reasonOnNode('blue', report(undefined))).to.equal('UplinkNotReadyForNode');
    expect(reasonOnNode('blue', report([]))).to.equal('UplinkNotReadyForNode');
  });

  it('has the reason of its entry', () => {
    expect(reasonOnNode('blue', report([failed('GatewayRouterFailed')]))).to.equal('GatewayRouterFailed');
  });

  describe('with an uplink that is not ready', () => {
    const down = notReady('BridgeNotFound');

    const reasons: readonly (readonly [entry: string, reason: string])[] = [
      ['UplinkConfigurationConflict', 'UplinkConfigurationConflict'],
      ['UplinkOverlapOnNode', 'UplinkOverlapOnNode'],
      ['UplinkVRFAttachmentFailed', 'UplinkNotReadyForNode'],
      ['Unheard', 'UplinkNotReadyForNode'],
    ];
    for (const [entry, reason] of reasons) {
      it(`and whose entry is ${entry} has reason ${reason}`, () => {
        expect(reasonOnNode('blue', report([failed(entry)], down))).to.equal(reason);
      });
    }

    it('is not ready, though its entry still is', () => {
      expect(reasonOnNode('blue', report([ready], down))).to.equal('UplinkNotReadyForNode');
    });
  });

  describe('reported by both host and DPU', () => {
    const both = (dpu: NetworkEntry | undefined, host: NetworkEntry | undefined) =>
      reasonOnNode('blue', report(dpu && [dpu], host && { hostNetworks: [host] }));

    it('is ready if neither reports otherwise', () => {
      expect(both(ready, ready)).to.be.undefined;
      expect(both(ready, undefined)).to.be.undefined;
    });

    it('has the reason of the one that reports it as not ready', () => {
      expect(both(ready, failed('UplinkVRFAttachmentFailed'))).to.equal('UplinkVRFAttachmentFailed');
      expect(both(failed('GatewayRouterFailed'), ready)).to.equal('GatewayRouterFailed');
    });

    it('waits for the DPU, unless the host reports a worse reason', () => {
      expect(both(undefined, ready)).to.equal('UplinkNotReadyForNode');
      expect(both(undefined, failed('UplinkVRFAttachmentFailed'))).to.equal('UplinkNotReadyForNode');
      expect(both(undefined, failed('UplinkConfigurationConflict'))).to.equal('UplinkConfigurationConflict');
    });

    it('has the first of two reasons by precedence', () => {
      expect(both(failed('GatewayRouterFailed'), failed('UplinkVRFAttachmentFailed'))).to.equal(
        'UplinkVRFAttachmentFailed',
      );
      expect(both(failed('UplinkVRFAttachmentFailed'), failed('GatewayRouterFailed'))).to.equal(
        'UplinkVRFAttachmentFailed',
      );
    });
  });
});

describe('condition UplinksReady of a network', () => {
  const reports: Readonly<Record<string, UplinkReport>> = {
    a: report([ready]),
    b: report([failed('GatewayRouterFailed')]),
    c: report([failed('UplinkConfigurationConflict')]),
    d: report([ready]),
  };
  const table: ReferencedUplink = { kind: 'table', reportFor: (node) => reports[node] };
  const judge = ({
    uplinks = [table],
    unsupported,
    activeNodes = [],
  }: Partial<Pick<UplinksReadyInput, 'uplinks' | 'unsupported'>> & { readonly activeNodes?: readonly string[] }) => {
    const notReady = new AffectedNodes();
    for (const node of activeNodes) notReady.set(node, reasonByUplinks('blue', uplinks, node));
    return uplinksReadyCondition({ uplinks, unsupported, activeNodes: activeNodes.length, notReady });
  };

  it('is True without uplinks, whatever else applies', () => {
    const unsupported = { reason: 'UplinkUnsupportedGatewayMode' } as const;
    expect(judge({ uplinks: [], unsupported, activeNodes: ['b'] })).to.include({
      status: 'True',
      reason: 'UplinksReady',
    });
  });

  it('is True if every active node is ready, and counts them', () => {
    expect(judge({ activeNodes: ['a', 'd'] })).to.deep.equal({
      type: 'UplinksReady',
      status: 'True',
      reason: 'UplinksReady',
      message: 'ready on 2 of 2 active nodes',
    });
  });

  it('is True if no node is active', () => {
    expect(judge({ activeNodes: [] })).to.deep.equal({
      type: 'UplinksReady',
      status: 'True',
      reason: 'UplinksReady',
      message: 'not active on any node',
    });
  });

  it('is False with the first reason by precedence, and names the nodes by name', () => {
    expect(judge({ activeNodes: ['e', 'b', 'a', 'c'] })).to.deep.equal({
      type: 'UplinksReady',
      status: 'False',
      reason: 'UplinkConfigurationConflict',
      message:
        '3 of 4 active nodes not ready: b (GatewayRouterFailed), c (UplinkConfigurationConflict), e (UplinkNotFoundForNode)',
    });
  });

  it('is False if the network cannot have uplinks, also with no active node', () => {
    const unsupported = { reason: 'UplinkUnsupportedTransport', found: 'EVPN transport' } as const;
    const missing: ReferencedUplink = { kind: 'missing', name: 'gone' };
    expect(judge({ unsupported, uplinks: [missing] })).to.include({
      status: 'False',
      reason: 'UplinkUnsupportedTransport',
    });
    expect(judge({ unsupported }).message).to.include('EVPN transport');
  });

  it('is False if an Uplink does not exist, also with no active node', () => {
    expect(judge({ uplinks: [table, { kind: 'missing', name: 'gone' }] })).to.deep.equal({
      type: 'UplinksReady',
      status: 'False',
      reason: 'UplinkNotFound',
      message: 'Uplink gone does not exist',
    });
  });

  describe('if a selector of the Uplink is not understood', () => {
    const problem = { hostInterfaceName: 'br-x', kind: 'operator-unknown', key: 'rack', detail: 'Near' } as const;
    const unclear: ReferencedUplink = { kind: 'unclear', problem };

    it('is False on every active node, with the problem', () => {
      const condition = judge({ uplinks: [unclear], activeNodes: ['a', 'b'] });
      expect(condition).to.include({ status: 'False', reason: 'UplinkNotReadyForNode' });
      expect(condition.message).to.match(/^2 of 2 active nodes not ready: a .*, b .*: .*"Near"/);
    });

    it('is True with no active node', () => {
      expect(judge({ uplinks: [unclear] })).to.include({ status: 'True' });
    });
  });

  describe('with several uplinks', () => {
    const other: ReferencedUplink = {
      kind: 'table',
      reportFor: (node) =>
        node === 'a' ? report([failed('AddressFamilyMissing')]) : reports[node === 'b' ? 'c' : 'a'],
    };

    it('counts each node once, with its first reason', () => {
      for (const uplinks of [
        [table, other],
        [other, table],
      ]) {
        expect(judge({ uplinks, activeNodes: ['a', 'b', 'd'] })).to.deep.include({
          reason: 'UplinkConfigurationConflict',
          message: '2 of 3 active nodes not ready: a (AddressFamilyMissing), b (UplinkConfigurationConflict)',
        });
      }
    });
  });
});
