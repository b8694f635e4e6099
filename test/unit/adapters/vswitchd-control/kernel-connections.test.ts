import { expect } from 'chai';
import { KernelConnections } from '../../../../src/adapters/vswitchd-control/kernel-connections.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { type CommandAnswer, startVswitchd } from './fake-vswitchd.ts';

const gone: CommandAnswer = { error: 'ovs-vswitchd: failed to flush conntrack (No such file or directory)\n' };

const [first, second] = ['ct_nw_src=169.254.0.12', 'ct_ipv6_src=fd69::c'].map(
  (tuple) => `dpctl/flush-conntrack ${tuple}`,
);
const done = { done: true };

describe('the connections that leave networks by the node', () => {
  const temporaryFolder = temporaryFolders();

  /** Ends the connections of two networks, with an ovs-vswitchd that answers so. @returns the result, and the commands behind the first */
  async function end(
    datapaths: string,
    ...answers: readonly CommandAnswer[]
  ): Promise<{ readonly result: ApplyResult; readonly sent: readonly string[] }> {
    const folder = temporaryFolder();
    const sent: string[] = [];
    const control = await startVswitchd(folder, ({ method, params }) => {
      if (method === 'dpctl/dump-dps') return { result: datapaths };
      sent.push([method, ...params].join(' '));
      return answers[sent.length - 1];
    });
    const result = await new KernelConnections(folder).end(['169.254.0.12', 'fd69::c']);
    control.close();
    return { result, sent };
  }

  const kernel = 'system@ovs-system\n';

  it('are ended by their sources, in every zone', async () => {
    expect(await end(kernel)).to.deep.equal({ result: done, sent: [first, second] });
  });

  it('are ended by another command where one of them has ended by itself during the first', async () => {
    expect(await end(kernel, gone, gone)).to.deep.equal({ result: done, sent: [first, first, first, second] });
  });

  it('are said to go on after five', async () => {
    const { result, sent } = await end(kernel, ...Array<CommandAnswer>(5).fill(gone));
    expect(result).to.deep.equal({
      done: false,
      error: 'connections from 169.254.0.12 go on: ovs-vswitchd: failed to flush conntrack (No such file or directory)',
    });
    expect(sent).to.have.length(5);
  });

  it('are ended by protocols where one of them cannot be deleted, as those of SCTP cannot by Open vSwitch 3.1, and this one is left alone', async () => {
    const unsupported = { error: 'ovs-vswitchd: failed to flush conntrack (Operation not supported)\n' };
    const { result, sent } = await end(kernel, unsupported, ...[{}, gone, {}, {}], unsupported);
    expect(result).to.deep.equal(done);
    const ofProtocol = (number: number) => `${first},ct_nw_proto=${number}`;
    expect(sent).to.deep.equal([first, ...[6, 17, 17, 1, 132].map(ofProtocol), second]);
  });

  it('are left alone without the datapath of the kernel, beside another one, or without Open vSwitch', async () => {
    for (const datapaths of ['', 'netdev@ovs-netdev\n', `netdev@ovs-netdev\n${kernel}`])
      expect(await end(datapaths)).to.deep.equal({ result: done, sent: [] });
    expect(await new KernelConnections('/nowhere').end(['169.254.0.12'])).to.deep.equal(done);
  });
});
