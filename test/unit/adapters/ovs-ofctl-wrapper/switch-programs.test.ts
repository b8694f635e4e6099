import { expect } from 'chai';
import { SwitchPrograms } from '../../../../src/adapters/ovs-ofctl-wrapper/switch-programs.ts';
import type { Programs } from '../../../../src/ports/node/programs.ts';

describe('ovs-ofctl', () => {
  it('has more time for more changes of flows: a switch may be busy with those of ovn-controller', async () => {
    const deadlines: (number | undefined)[] = [];
    const programs: Programs = {
      run: (_program, _words, { deadline }) => {
        deadlines.push(deadline);
        return Promise.resolve({ outcome: 'finished', stdout: new Uint8Array(), stderr: '' });
      },
    };
    const wrapper = new SwitchPrograms(programs, '/run/openvswitch', 1000);
    await wrapper.dumpFlows('br-blue');
    for (const count of [1, 6000])
      await wrapper.changeFlows('br-blue', Array<string>(count).fill('add actions=drop\n'));
    expect(deadlines).to.deep.equal([1000, 1010, 61_000]);
  });
});
