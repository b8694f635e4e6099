import { expect } from 'chai';
import { planNode } from '../../../../src/domain/index.ts';
import { readScenario } from '../../../scenarios/scenario-folders.ts';

const networkWithUplink = readScenario('zone/uplink-ready-to-both');

/** The flows by which packets are dropped that are for the port of tunnels, on a node whose tunnels end at some addresses. */
function dropped(encapsulationAddresses: string): readonly string[] {
  const { cluster, nodes, settings } = networkWithUplink;
  const [node] = nodes;
  if (node === undefined) throw new Error('the scenario has no node');
  const switchExternalIds = { ...node.switchExternalIds, 'ovn-encap-ip': encapsulationAddresses };
  const { dataplane } = planNode(cluster, { ...node, switchExternalIds }, settings);
  return dataplane.desired.flatMap(({ entity }) =>
    entity.kind === 'flow' && entity.flow.match.includes('tp_dst=6081') ? [entity.flow.match] : [],
  );
}

describe('packets of networks for the port of tunnels', () => {
  const rows: readonly (readonly [what: string, addresses: string, flows: readonly string[]])[] = [
    ['the address where they end', '192.0.2.6', ['udp,nw_src=192.0.2.6,tp_dst=6081']],
    [
      'each of several, whatever is between them',
      '192.0.2.6, 2001:db8:b::6,198.51.100.10',
      [
        'udp,nw_src=192.0.2.6,tp_dst=6081',
        'udp,nw_src=198.51.100.10,tp_dst=6081',
        'udp6,ipv6_src=2001:db8:b::6,tp_dst=6081',
      ],
    ],
    ['none, on a node without tunnels', '', []],
  ];
  for (const [what, addresses, flows] of rows) {
    it(`do not leave from ${what}`, () => {
      expect(dropped(addresses)).to.deep.equal(flows);
    });
  }
});
