import { expect } from 'chai';
import { differences, type SwitchTrace } from '../../../../../src/domain/explanation/trace/switch-trace.ts';

const expected: SwitchTrace = {
  decisions: [{ table: 0, priority: 50 }, { table: 1, priority: 100 }, { table: 11 }],
  outputs: [{ port: 'patch', frame: 'VLAN 100' }],
};

describe('a trace of a running switch, compared with the switch model', () => {
  it('is equal, whatever it omits of patch ports', () => {
    expect(differences(expected, expected)).to.deep.equal([]);
    expect(differences(expected, { ...expected, outputs: [{ port: 'patch' }] })).to.deep.equal([]);
  });

  it('differs from the first flow with another decision on', () => {
    const [first] = expected.decisions;
    const others: SwitchTrace = { ...expected, decisions: [first!, { table: 1, priority: 10 }] };
    expect(differences(expected, others)).to.deep.equal(['expected connections 100, the switch has connections 10']);
    expect(differences(expected, { ...expected, decisions: [first!] })).to.deep.equal([
      'expected connections 100, the switch has nothing more',
    ]);
    expect(differences({ ...expected, decisions: [first!] }, expected)).to.deep.equal([
      'expected nothing more, the switch has connections 100',
    ]);
  });

  it('differs in what leaves', () => {
    expect(differences(expected, { ...expected, outputs: [] })).to.deep.equal([
      'expected to leave by patch as VLAN 100, the switch has no port',
    ]);
    expect(differences(expected, { ...expected, outputs: [{ port: 'patch', frame: 'VLAN none' }] })).to.deep.equal([
      'expected to leave by patch as VLAN 100, the switch has patch as VLAN none',
    ]);
  });

  it('is compared until the frame leaves the bridge', () => {
    const [first] = expected.decisions;
    const continuesElsewhere = { decisions: [first!], outputs: [{ port: 'patch' }], continuesElsewhere: true } as const;
    expect(differences(expected, continuesElsewhere)).to.deep.equal([]);
    expect(differences(expected, { ...continuesElsewhere, outputs: [{ port: 'eth1' }] })).to.have.length(1);
  });
});
