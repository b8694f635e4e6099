import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { KernelConnections } from '../../../../src/adapters/ovs-ofctl-wrapper/kernel-connections.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import { temporaryFolders } from '../temporary-folders.ts';

interface Answer {
  readonly result: string | null;
  readonly error: string | null;
}

const gone: Answer = { result: null, error: 'ovs-vswitchd: failed to flush conntrack (No such file or directory)\n' };

const [first, second] = ['ct_nw_src=169.254.0.12', 'ct_ipv6_src=fd69::c'].map(
  (tuple) => `dpctl/flush-conntrack ${tuple}`,
);
const done = { done: true };

describe('the connections that leave networks by the node', () => {
  const temporaryFolder = temporaryFolders();

  /** Ends the connections of two networks, with an ovs-vswitchd that answers so. @returns the result, and the commands behind the first */
  async function end(
    datapaths: string,
    ...answers: readonly Answer[]
  ): Promise<{ readonly result: ApplyResult; readonly sent: readonly string[] }> {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'ovs-vswitchd.pid'), '1\n');
    const sent: string[] = [];
    const control = createServer((socket) =>
      socket.on('data', (bytes) => {
        const { id, method, params } = JSON.parse(bytes.toString()) as {
          readonly id: number;
          readonly method: string;
          readonly params: readonly string[];
        };
        if (method !== 'dpctl/dump-dps') sent.push([method, ...params].join(' '));
        const answer = method === 'dpctl/dump-dps' ? { result: datapaths, error: null } : answers[sent.length - 1];
        socket.write(JSON.stringify({ id, ...(answer ?? { result: '', error: null }) }));
      }),
    ).listen(join(folder, 'ovs-vswitchd.1.ctl'));
    await once(control, 'listening');
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
    const { result, sent } = await end(kernel, ...Array<Answer>(5).fill(gone));
    expect(result).to.deep.equal({
      done: false,
      error: 'connections from 169.254.0.12 go on: ovs-vswitchd: failed to flush conntrack (No such file or directory)',
    });
    expect(sent).to.have.length(5);
  });

  it('are left alone without the datapath of the kernel, beside another one, or without Open vSwitch', async () => {
    for (const datapaths of ['', 'netdev@ovs-netdev\n', `netdev@ovs-netdev\n${kernel}`])
      expect(await end(datapaths)).to.deep.equal({ result: done, sent: [] });
    expect(await new KernelConnections('/nowhere').end(['169.254.0.12'])).to.deep.equal(done);
  });
});
