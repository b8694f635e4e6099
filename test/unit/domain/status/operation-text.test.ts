import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import type { EntityOperation, Operation } from '../../../../src/domain/index.ts';
import {
  disruptionSummary,
  disruptionText,
  failureSentence,
  operationText,
} from '../../../../src/domain/status/operation-text.ts';

const networks = [clusterNetworkKey('blue')];
const enslave: EntityOperation<'membership'> = {
  verb: 'add',
  networks,
  entity: { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1007, network: 'cluster_udn_blue' },
};
const release: Operation = {
  verb: 'remove',
  networks,
  entity: { kind: 'membership', device: 'br-blue', vrf: 'red', table: 1012, network: 'cluster_udn_blue' },
};
const vrf: Operation = {
  verb: 'add',
  networks,
  entity: { kind: 'vrf', name: 'blue', table: 1007, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
};
const setting: Operation = {
  verb: 'add',
  networks,
  entity: { kind: 'sysctl', device: 'br-blue', name: 'net.ipv4.conf.br-blue.rp_filter', value: '2' },
};
const putBack = (address: string, flags: readonly string[] = []): Operation => ({
  verb: 'put-back',
  networks,
  device: 'br-blue',
  entity: { kind: 'address', device: 'br-blue', address: { address, prefixLength: 64, scope: 'global', flags } },
});
const unmapped = (...names: readonly string[]): Operation => ({
  verb: 'remove',
  networks: names.map(clusterNetworkKey),
  entity: { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' },
});

describe('an operation as one line', () => {
  const lines: readonly (readonly [operation: Operation, line: string])[] = [
    [vrf, '+ VRF blue with table 1007'],
    [setting, '~ net.ipv4.conf.br-blue.rp_filter = 2'],
    [release, '- br-blue out of VRF red'],
  ];
  for (const [operation, line] of lines) {
    it(`is "${line}"`, () => {
      expect(operationText(operation)).to.equal(line);
    });
  }
});

describe('the disruption of an operation', () => {
  const texts: readonly (readonly [operation: Operation, text: string | undefined])[] = [
    [vrf, undefined],
    [enslave, 'br-blue goes down and up: its connections pause'],
    [release, 'br-blue goes down and up: its connections pause'],
    [putBack('2001:db8::1'), 'the address cannot be used for about 2 s'],
    [putBack('2001:db8::1', ['nodad']), undefined],
    [unmapped('blue'), 'the network’s connections are reset'],
  ];
  for (const [operation, text] of texts) {
    it(`is reported for "${operationText(operation)}": ${text ?? 'nothing'}`, () => {
      expect(disruptionText(operation)).to.equal(text);
    });
  }
});

describe('the disruption of several operations', () => {
  const summaries: readonly (readonly [what: string, operations: readonly Operation[], summary: readonly string[]])[] =
    [
      ['is nothing where none of them does', [vrf, setting], []],
      ['counts an interface once', [release, enslave], ['1 interface goes down and up']],
      [
        'counts interfaces, addresses and networks',
        [
          enslave,
          { ...enslave, entity: { ...enslave.entity, device: 'br-red' } },
          putBack('2001:db8::1'),
          unmapped('blue'),
          unmapped('blue', 'red'),
          putBack('2001:db8::2'),
        ],
        [
          '2 interfaces go down and up',
          '2 addresses cannot be used for about 2 s',
          '2 networks’ connections are reset',
        ],
      ],
      [
        'counts one of each',
        [putBack('2001:db8::1'), unmapped('blue')],
        ['1 address cannot be used for about 2 s', '1 network’s connections are reset'],
      ],
      ['counts a network that nobody knows', [unmapped()], ['1 network’s connections are reset']],
    ];
  for (const [what, operations, summary] of summaries) {
    it(what, () => {
      expect(disruptionSummary(operations)).to.deep.equal(summary);
    });
  }
});

describe('the sentence on a failed operation', () => {
  it('has the operation, the error, and how many others failed', () => {
    expect(failureSentence(enslave, 'Device or resource busy', 0)).to.equal(
      'failed: + br-blue into VRF blue: Device or resource busy',
    );
    expect(failureSentence(enslave, 'no', 2)).to.equal('failed: + br-blue into VRF blue: no; and 2 more failed');
  });

  it('stays short whatever the error is', () => {
    expect(failureSentence(enslave, 'x'.repeat(1000), 0)).to.match(/x{1000}$/);
    expect(failureSentence(enslave, 'x'.repeat(50_000), 1)).to.match(/: x{1000}…; and 1 more failed$/);
  });
});
