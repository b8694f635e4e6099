import { expect } from 'chai';
import { capturedSituation } from '../../../cmd/captured-situation.ts';
import type { SwitchPort } from '../../../../../src/domain/snapshot/node-snapshot.ts';
import type { Situation } from '../../../cmd/run-in-process.ts';
import { onNode, traced } from './traced.ts';

/** With another port of a bridge in place of one. */
const withPort = (replaced: string, port: (found: SwitchPort) => SwitchPort) =>
  onNode((node) => ({
    ...node,
    bridges: node.bridges.map((bridge) => ({
      ...bridge,
      ports: bridge.ports.map((found) => (found.name === replaced ? port(found) : found)),
    })),
  }));

/** On a SmartNIC the bridge has a representor of red0 in place of red0 itself. */
const withRepresentor = (situation: Situation) =>
  onNode((node) => ({
    ...node,
    devlinkPorts: [{ device: 'red0_r', flavour: 'pcivf', functionMacAddress: '02:42:c0:00:03:06' }],
  }))(
    withPort('red0', (found) => ({
      ...found,
      name: 'red0_r',
      interfaces: found.interfaces.map((each) => ({ ...each, name: 'red0_r', type: '' })),
    }))(situation),
  );

describe('a packet of the host on a SmartNIC', () => {
  let situation: Situation;
  before(async () => {
    situation = await capturedSituation();
  });

  it('enters the bridge by the representor', () => {
    const outcome = traced(situation, 'red', 'tcp 203.0.113.6:40000 > 172.20.0.9:443', {
      mark: 0x1002,
      but: withRepresentor,
    });
    if (!outcome.traced) throw new Error(outcome.problem);
    const found = outcome.trace.hops.map(({ where, change }) => `${where}: ${change}`);
    expect(found).to.include('br-red, classify 100: tagged with VLAN 100, connection marked 2, to eth2');
    expect(outcome.trace.verdict).to.deep.equal({ kind: 'leaves', by: 'eth2' });
  });

  it('has its reply come back by the representor', () => {
    const outcome = traced(situation, 'red', 'tcp 172.20.0.9:443 > 203.0.113.6:40000', {
      mark: 0x1002,
      isReply: true,
      but: withRepresentor,
    });
    if (!outcome.traced) throw new Error(outcome.problem);
    const found = outcome.trace.hops.map(({ where, change }) => `${where}: ${change}`);
    expect(found).to.include('br-red, connections 10: tag removed, to red0_r');
    expect(outcome.trace.verdict).to.deep.equal({ kind: 'arrives', at: 'the host' });
  });
});

describe('a packet of a network', () => {
  it('leaves by the interface of a physical port that has another name', async () => {
    const outcome = traced(await capturedSituation(), 'red', 'tcp 10.30.1.5:40000 > 172.20.0.9:443', {
      but: withPort('eth2', (found) => ({ ...found, name: 'out' })),
    });
    if (!outcome.traced) throw new Error(outcome.problem);
    expect(outcome.trace.verdict).to.deep.equal({ kind: 'leaves', by: 'eth2' });
  });
});
