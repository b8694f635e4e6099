import { expect } from 'chai';
import { onWire } from '../domain/explanation/trace/wire-situation.ts';
import { runInProcess } from './run-in-process.ts';

describe('trace from the wire to a Service, the command', () => {
  const run = (packet: string, ...words: readonly string[]) =>
    runInProcess(onWire, [
      ...['trace', 'blue', 'a', packet, '--networks', 'all', '--external-ips', '198.51.100.128/25'],
      ...words,
    ]);

  it('shows the way to the endpoint, and that of its reply', async () => {
    const { out, err, exitCode } = await run('tcp 198.51.100.10:40000 > service/far:80');
    expect({ err, exitCode }).to.deep.equal({ err: [], exitCode: 0 });
    expect(out.filter((line) => !line.startsWith(' '))).to.deep.equal([
      'blue on a, as planned: tcp 198.51.100.10:40000 > 192.0.2.6:30081 from the wire',
      'arrives at the pod with 10.20.1.6 on b',
      'its reply: tcp 10.20.1.6:8080 > 100.65.0.2:40000',
      'leaves by eth1',
    ]);
    expect(out.at(-2)).to.match(/^ {2}eth1 +leaves with VLAN 100 as tcp 192\.0\.2\.6:30081 > 198\.51\.100\.10:40000/);
  });

  it('says why it goes to no Service, and exits with 3 if it is dropped', async () => {
    const { out, exitCode } = await run('tcp 198.51.100.10:40000 > 203.0.113.5:81');
    expect(out.slice(-2).map((line) => line.slice(0, 60))).to.deep.equal([
      'note: Service/demo/shop has 203.0.113.5 by 80/TCP alone',
      'dropped at br-blue, connections 55: Service/demo/shop: nothi',
    ]);
    expect(exitCode).to.equal(3);
  });

  it('exits with 3 if its reply is dropped', async () => {
    const [a, b] = onWire.nodes;
    const moved = { ...a!, switchExternalIds: { ...a!.switchExternalIds, 'ovn-encap-ip': '172.30.0.99' } };
    const words = ['trace', 'blue', 'a', 'tcp 198.51.100.10:40000 > 192.0.2.6:30081', '--networks', 'all'];
    const { exitCode, out } = await runInProcess({ ...onWire, nodes: [moved, b!] }, words);
    expect({ exitCode, last: out.at(-1) }).to.deep.equal({
      exitCode: 3,
      last: 'dropped at Geneve tunnel: it leads to 172.30.0.2, and tunnels of a end at 172.30.0.99',
    });
    expect(out).to.include('arrives at the pod with 10.20.1.6 on b');
  });

  it('shows as JSON both ways with the names of hops', async () => {
    const { out } = await run('tcp 198.51.100.10:40000 > 192.0.2.6:30081', '--output', 'json');
    const document = JSON.parse(out.join('\n')) as Record<'hops' | 'reply', unknown> & {
      readonly hops: readonly Record<string, string>[];
      readonly reply: { readonly hops: readonly Record<string, string>[]; readonly verdict: object };
    };
    expect(Object.keys(document)).to.deep.equal([
      ...['network', 'node', 'planned', 'packet', 'from', 'hops', 'verdict', 'reply', 'assumptions'],
    ]);
    expect(document.hops[3]).to.have.all.keys('where', 'change', 'why', 'decidedBy');
    expect(document.reply.hops[0]).to.include({ node: 'b', where: 'br-int' });
    expect(document.reply.verdict).to.deep.equal({ kind: 'leaves', by: 'eth1' });
    const { out: noted } = await run('tcp 198.51.100.10:40000 > 192.0.2.6:30097', '--output', 'json');
    expect(JSON.parse(noted.join('\n'))).to.deep.include({ remarks: ['no Service has node port 30097/TCP'] });
  });

  it('exits with 1 for a Service that is not reached from the wire', async () => {
    const { err, exitCode } = await run('tcp 198.51.100.10:40000 > service/far:81');
    expect(err[0]).to.match(/^error: packet: Service demo\/far is not reached from the wire on a by port 81\/TCP/);
    expect(exitCode).to.equal(1);
  });
});
