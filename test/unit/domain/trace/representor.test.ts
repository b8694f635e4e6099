import { expect } from 'chai';
import { capturedSituation } from '../../cmd/captured-situation.ts';
import type { Situation } from '../../cmd/run-in-process.ts';
import { onNode, traced } from './traced.ts';

/** On a SmartNIC the bridge has a representor of red0 in place of red0 itself. */
const withRepresentor = onNode((node) => ({
  ...node,
  bridges: node.bridges.map((bridge) => ({
    ...bridge,
    ports: bridge.ports.map((port) =>
      port.name === 'red0'
        ? {
            ...port,
            name: 'red0_r',
            interfaces: port.interfaces.map((each) => ({ ...each, name: 'red0_r', type: '' })),
          }
        : port,
    ),
  })),
  devlinkPorts: [{ device: 'red0_r', flavour: 'pcivf', functionMacAddress: '02:42:c0:00:03:06' }],
}));

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
