import { expect } from 'chai';
import { completeNode } from '../../../../src/testing/index.ts';
import type { NodeSnapshot, Operation } from '../../../../src/domain/index.ts';
import { discrepancyOf, discrepancyText } from '../../../../src/domain/status/discrepancy.ts';

const node: NodeSnapshot = {
  ...completeNode({
    nodeName: 'worker-a',
    links: [
      { name: 'blue', kind: 'vrf', vrfTable: 1007, alias: 'mine' },
      { name: 'br-blue', master: 'other' },
    ],
    routes: [{ table: 1007, destination: '10.96.0.0/16', protocol: '94', nextHops: [{ device: 'br-blue' }] }],
  }),
  switchExternalIds: { 'ovn-bridge-mappings': 'physnet:br-ex' },
  sysctls: { 'net.ipv4.conf.br-blue.rp_filter': '1' },
};

const networks = ['blue'];
const mapping = { networks, networkName: 'cluster_udn_blue', bridge: 'br-blue' };
const route = {
  family: 4,
  table: 1007,
  destination: '10.96.0.0/16',
  metric: 0,
  type: 'unicast',
  protocol: '94',
  nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }],
} as const;
const rule = { family: 4, priority: 1999, table: 1007, protocol: '94', mark: 0x1001, others: {} } as const;

const cases: readonly (readonly [Operation, string])[] = [
  [
    {
      verb: 'add',
      networks,
      entity: { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1007, network: 'cluster_udn_blue' },
    },
    'master of br-blue is other, and should be blue',
  ],
  [
    {
      verb: 'remove',
      networks,
      entity: { kind: 'membership', device: 'br-blue', vrf: 'other', table: 1012, network: 'cluster_udn_blue' },
    },
    'master of br-blue is other, and should be nothing',
  ],
  [
    { verb: 'replace', networks, entity: { kind: 'vrf', name: 'blue', alias: 'ours', table: 1012, up: true } },
    'alias of blue is mine, and should be ours',
  ],
  [
    { verb: 'replace', networks, entity: { kind: 'vrf', name: 'gone', alias: 'ours', table: 1012, up: true } },
    'alias of gone is nothing, and should be ours',
  ],
  [
    {
      verb: 'replace',
      networks,
      entity: { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
    },
    'blue is down, and should be up',
  ],
  [
    {
      verb: 'add',
      networks,
      entity: { kind: 'sysctl', device: 'br-blue', name: 'net.ipv4.conf.br-blue.rp_filter', value: '2' },
    },
    'net.ipv4.conf.br-blue.rp_filter is 1, and should be 2',
  ],
  [
    { verb: 'replace', networks, entity: { kind: 'route', route } },
    'route 10.96.0.0/16 of table 1007 is route 10.96.0.0/16 dev br-blue table 1007, and should be route 10.96.0.0/16 via 192.0.2.1 dev br-blue table 1007',
  ],
  [
    { verb: 'add', entity: { kind: 'bridge-mapping', ...mapping } },
    'Open_vSwitch external_ids:ovn-bridge-mappings is physnet:br-ex, and should be with cluster_udn_blue:br-blue',
  ],
  [
    { verb: 'remove', entity: { kind: 'bridge-mapping', ...mapping } },
    'Open_vSwitch external_ids:ovn-bridge-mappings is physnet:br-ex, and should be without cluster_udn_blue:br-blue',
  ],
  [
    { verb: 'add', networks, entity: { kind: 'rule', rule } },
    'IPv4 rule 1999: mark 0x1001 looks up table 1007 is missing, and should be there',
  ],
  [
    { verb: 'remove', networks, entity: { kind: 'rule', rule } },
    'IPv4 rule 1999: mark 0x1001 looks up table 1007 is there, and should be gone',
  ],
];

describe('what is not as it should be', () => {
  for (const [operation, text] of cases) {
    it(`is told for ${operation.kind}: ${text}`, () => {
      expect(discrepancyText(discrepancyOf(operation, node))).to.equal(text);
    });
  }
});
