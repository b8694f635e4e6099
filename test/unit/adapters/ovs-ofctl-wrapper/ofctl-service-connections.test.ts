import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { OfctlServiceConnections } from '../../../../src/adapters/ovs-ofctl-wrapper/ofctl-service-connections.ts';
import type { EndedConnections } from '../../../../src/domain/services/ended-connections.ts';
import type { ProgramResult } from '../../../../src/ports/node/programs.ts';
import { temporaryFolders } from '../temporary-folders.ts';

const finished: ProgramResult = { outcome: 'finished', stdout: new Uint8Array() };

const failed = (stderr: string): ProgramResult => ({
  outcome: 'failed',
  exitCode: 1,
  stdout: new Uint8Array(),
  stderr,
});

/** The connections to an endpoint by all ports. */
const to = (endpoint: string): EndedConnections => ({
  protocol: 'udp',
  service: { address: '10.96.0.10' },
  endpoint: { address: endpoint },
});

const tens = Array.from({ length: 10 }, (_, index) => `10.20.0.${String(index)}`);

describe('the connections to Services', () => {
  const temporaryFolder = temporaryFolders();
  let folder: string;
  /** An ovs-vswitchd whose datapath has the flows. */
  let control: Server;
  /** The arguments of each program behind the bridge. */
  let ran: string[];
  let [running, most] = [0, 0];
  let resultFor: (words: string) => ProgramResult;
  beforeEach(async () => {
    folder = temporaryFolder();
    [ran, running, most, resultFor] = [[], 0, 0, () => finished];
    writeFileSync(join(folder, 'ovs-vswitchd.pid'), '1\n');
    control = createServer((socket) =>
      socket.on('data', (bytes) => {
        const { id } = JSON.parse(bytes.toString()) as { readonly id: number };
        socket.write(JSON.stringify({ id, result: '', error: null }));
      }),
    ).listen(join(folder, 'ovs-vswitchd.1.ctl'));
    await once(control, 'listening');
  });
  afterEach(() => control.close());

  const end = (connections: readonly EndedConnections[]) =>
    new OfctlServiceConnections(
      {
        run: async (program, words) => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          const text = words.slice(words.indexOf('--') + 2).join(' > ');
          ran.push(text);
          return program === 'ovs-ofctl' ? resultFor(text) : failed(program);
        },
      },
      folder,
      { read: () => Promise.resolve({ read: true, value: { switchExternalIds: {} } as never }) },
    ).end(connections);

  it('are matched by addresses and protocol, and by ports where they are named', async () => {
    const withPorts: EndedConnections = {
      protocol: 'sctp',
      service: { address: 'fd96::a', port: 80 },
      endpoint: { address: 'fd20::3', port: 8080 },
    };
    expect(await end([to('10.20.1.3'), withPorts])).to.deep.equal({ done: true });
    expect(ran).to.deep.equal([
      'ct_nw_dst=10.96.0.10,ct_nw_proto=17 > ct_nw_src=10.20.1.3,ct_nw_proto=17',
      'ct_ipv6_dst=fd96::a,ct_nw_proto=132,ct_tp_dst=80 > ct_ipv6_src=fd20::3,ct_nw_proto=132,ct_tp_src=8080',
    ]);
  });

  it('are ended by four programs at a time', async () => {
    await end(tens.map(to));
    expect([ran.length, most]).to.deep.equal([10, 4]);
  });

  it('are all ended but those that cannot be, of which each error is named once', async () => {
    resultFor = (words) =>
      words.includes('10.20.0.2,') || words.includes('10.20.0.4,') ? failed('ovs-ofctl: no such tuple\n') : finished;
    expect(await end(tens.map(to))).to.deep.equal({ done: false, error: 'ovs-ofctl: no such tuple' });
    expect(ran).to.have.length(10);
  });

  it('are not tried further where the switch does not answer: each would take until its deadline', async () => {
    resultFor = () => ({ outcome: 'deadline-passed', deadline: 10_000 });
    const error = 'ovs-ofctl did not finish within 10 s and was killed';
    expect(await end(tens.map(to))).to.deep.equal({ done: false, error });
    expect(ran).to.have.length(4);
  });
});
