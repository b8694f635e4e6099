import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { completeNode } from '../../../../src/testing/index.ts';
import { semanticsOf, type NodeSnapshot, type Operation } from '../../../../src/domain/index.ts';
import { discrepancyOf, discrepancyText } from '../../../../src/domain/status/discrepancy.ts';

const node: NodeSnapshot = {
  ...completeNode({
    nodeName: 'worker-a',
    links: [
      { name: 'blue', kind: 'vrf', vrfTable: 1007, alias: 'mine' },
      { name: 'down', kind: 'vrf', vrfTable: 1008, alias: 'ours', up: false },
      { name: 'br-blue', master: 'other' },
    ],
    routes: [{ table: 1007, destination: '10.96.0.0/16', protocol: '94', nextHops: [{ device: 'br-blue' }] }],
  }),
  switchExternalIds: { 'ovn-bridge-mappings': 'physnet:br-ex' },
  sysctls: { 'net.ipv4.conf.br-blue.rp_filter': '1' },
};

const networks = [clusterNetworkKey('blue')];
const mapping = { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' } as const;
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
    'master of br-blue is other, expected blue',
  ],
  [
    {
      verb: 'remove',
      networks,
      entity: { kind: 'membership', device: 'br-blue', vrf: 'other', table: 1012, network: 'cluster_udn_blue' },
    },
    'master of br-blue is other, expected none',
  ],
  [
    { verb: 'replace', networks, entity: { kind: 'vrf', name: 'blue', alias: 'ours', table: 1007, up: true } },
    'VRF blue is up, signed as mine, expected up, signed as ours',
  ],
  [
    { verb: 'replace', networks, entity: { kind: 'vrf', name: 'down', alias: 'ours', table: 1008, up: true } },
    'VRF down is down, signed as ours, expected up, signed as ours',
  ],
  [
    { verb: 'replace', networks, entity: { kind: 'vrf', name: 'gone', alias: 'ours', table: 1009, up: true } },
    'VRF gone is down, signed as none, expected up, signed as ours',
  ],
  [
    {
      verb: 'add',
      networks,
      entity: { kind: 'sysctl', device: 'br-blue', name: 'net.ipv4.conf.br-blue.rp_filter', value: '2' },
    },
    'net.ipv4.conf.br-blue.rp_filter is 1, expected 2',
  ],
  [
    { verb: 'replace', networks, entity: { kind: 'route', route } },
    'route 10.96.0.0/16 of table 1007 is route 10.96.0.0/16 dev br-blue table 1007, expected route 10.96.0.0/16 via 192.0.2.1 dev br-blue table 1007',
  ],
  [
    { verb: 'add', networks, entity: mapping },
    'Open_vSwitch external_ids:ovn-bridge-mappings is physnet:br-ex, expected an entry cluster_udn_blue:br-blue',
  ],
  [
    { verb: 'remove', networks, entity: mapping },
    'Open_vSwitch external_ids:ovn-bridge-mappings is physnet:br-ex, expected no entry cluster_udn_blue:br-blue',
  ],
  [
    { verb: 'add', networks, entity: { kind: 'rule', rule } },
    'IPv4 rule 1999: mark 0x1001 looks up table 1007 is absent, expected present',
  ],
  [
    { verb: 'remove', networks, entity: { kind: 'rule', rule } },
    'IPv4 rule 1999: mark 0x1001 looks up table 1007 is present, expected absent',
  ],
];

describe('a discrepancy', () => {
  for (const [operation, text] of cases) {
    it(`is reported for ${semanticsOf(operation).name}: ${text}`, () => {
      expect(discrepancyText(discrepancyOf(operation, node))).to.equal(text);
    });
  }
});
