import { expect } from 'chai';
import fc from 'fast-check';
import {
  nameOfPort,
  portNumbers,
  withNames,
  withNumbers,
} from '../../../../src/adapters/ovs-ofctl-wrapper/port-numbers.ts';
import { bridgeWith } from './bridges.ts';

const ports = portNumbers(bridgeWith({ eth1: 1, blue0: 2, later: undefined }));

describe('ports in flows', () => {
  // As Open vSwitch 3.1 and 3.5 print them.
  const texts: readonly (readonly [numbers: string, names: string])[] = [
    ['ip,in_port=1,nw_src=192.0.2.1', 'ip,in_port=eth1,nw_src=192.0.2.1'],
    ['in_port=LOCAL', 'in_port=LOCAL'],
    ['in_port=3', 'in_port=3'],
    ['in_port=12', 'in_port=12'],
    ['output:2', 'output:blue0'],
    ['output:1,output:2,LOCAL,IN_PORT,NORMAL', 'output:eth1,output:blue0,LOCAL,IN_PORT,NORMAL'],
    ['output(port=2,max_len=100)', 'output(port=blue0,max_len=100)'],
    ['resubmit(1,2),resubmit(,2),resubmit:2', 'resubmit(eth1,2),resubmit(,2),resubmit:blue0'],
    ['resubmit(LOCAL,1)', 'resubmit(LOCAL,1)'],
    [
      'clone(output:1,set_field:1->in_port),write_actions(output:2)',
      'clone(output:eth1,set_field:1->in_port),write_actions(output:blue0)',
    ],
    [
      'learn(table=1,in_port=1,load:0x1->NXM_NX_REG1[],output:NXM_OF_IN_PORT[])',
      'learn(table=1,in_port=eth1,load:0x1->NXM_NX_REG1[],output:NXM_OF_IN_PORT[])',
    ],
    ['output:NXM_NX_REG0[0..15]', 'output:NXM_NX_REG0[0..15]'],
    ['ct(commit,table=1,zone=2,nat(src=192.0.2.1))', 'ct(commit,table=1,zone=2,nat(src=192.0.2.1))'],
    [
      'bundle(eth_src,50,active_backup,ofport,members:1,2)',
      'bundle(eth_src,50,active_backup,ofport,members:eth1,blue0)',
    ],
    [
      'sample(probability=1,obs_point_id=1,sampling_port=2)',
      'sample(probability=1,obs_point_id=1,sampling_port=blue0)',
    ],
    ['CONTROLLER:1,set_queue:1,group:1,note:01.02', 'CONTROLLER:1,set_queue:1,group:1,note:01.02'],
  ];
  for (const [numbers, names] of texts) {
    it(`${numbers} names ${names}`, () => {
      expect(withNames(numbers, ports)).to.equal(names);
      expect(withNumbers(names, ports)).to.deep.equal({ text: numbers });
    });
  }

  it('have no number if the port has none', () => {
    expect(withNumbers('output:eth1,output:later,output:absent', ports)).to.deep.equal({ missing: 'later' });
    expect(withNumbers('learn(in_port=absent)', ports)).to.deep.equal({ missing: 'absent' });
  });

  it('are replaced and restored with any names', () => {
    const names = fc.uniqueArray(
      fc.string({ unit: 'binary', minLength: 1 }).filter((name) => name !== 'br-blue'),
      { minLength: 3, maxLength: 3 },
    );
    fc.assert(
      fc.property(names, (each) => {
        const numbered = portNumbers(bridgeWith(Object.fromEntries(each.map((name, index) => [name, index + 1]))));
        const text =
          'in_port=1,output:2,resubmit(3,4),learn(in_port=1,output:NXM_OF_IN_PORT[]),output(port=2,max_len=3),bundle(members:3,1)';
        const named = withNames(text, numbered);
        expect(named).to.not.match(/in_port=[123]\b/);
        expect(withNumbers(named, numbered)).to.deep.equal({ text });
      }),
    );
  });

  it('are names in lists', () => {
    const bridge = bridgeWith({ eth1: 1 });
    expect(['LOCAL', '65534', '1', '7'].map((port) => nameOfPort(port, bridge))).to.deep.equal([
      'br-blue',
      'br-blue',
      'eth1',
      '7',
    ]);
  });
});
