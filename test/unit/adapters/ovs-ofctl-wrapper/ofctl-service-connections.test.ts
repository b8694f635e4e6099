import type { Server } from 'node:net';
import { expect } from 'chai';
import { OfctlServiceConnections } from '../../../../src/adapters/ovs-ofctl-wrapper/ofctl-service-connections.ts';
import type { EndedConnections } from '../../../../src/domain/services/ended-connections.ts';
import type { ProgramResult } from '../../../../src/ports/node/programs.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { type CommandAnswer, startVswitchd } from '../vswitchd-control/fake-vswitchd.ts';

const finished: ProgramResult = { outcome: 'finished', stdout: new Uint8Array() };

/** The connections to an endpoint by all ports. */
const to = (endpoint: string): EndedConnections => ({
  protocol: 'udp',
  service: { address: '10.96.0.10' },
  endpoint: { address: endpoint },
});

const tens = Array.from({ length: 10 }, (_, index) => `10.20.0.${String(index)}`);

const kernel = 'system@ovs-system\n';
const several = `netdev@ovs-netdev\n${kernel}`;

describe('the connections to Services', () => {
  const temporaryFolder = temporaryFolders();
  let folder: string;
  let control: Server;
  let datapaths: string;
  /** Commands that ovs-vswitchd is sent, in order, and those of ovs-ofctl. */
  let sent: string[];
  let answerTo: (words: string) => CommandAnswer | 'ends' | undefined;
  let programResult: ProgramResult;

  beforeEach(async () => {
    folder = temporaryFolder();
    [datapaths, sent, programResult] = [kernel, [], finished];
    answerTo = () => undefined;
    control = await startVswitchd(folder, ({ method, params }) => {
      if (method === 'dpctl/dump-dps') return { result: datapaths };
      const isFlush = method === 'dpctl/flush-conntrack';
      const words = isFlush ? params.join(' > ') : method;
      sent.push(words);
      return isFlush ? answerTo(words) : undefined;
    });
  });
  afterEach(() => control.close());

  const end = (connections: readonly EndedConnections[]) =>
    new OfctlServiceConnections(
      {
        run: (program, words) => {
          sent.push([program, ...words.slice(words.indexOf('--') + 1)].join(' > '));
          return Promise.resolve(programResult);
        },
      },
      folder,
      { read: () => Promise.resolve({ read: true, value: { switchExternalIds: {} } as never }) },
    ).end(connections);

  it('are matched by addresses and protocol, and by ports where they are named, once the datapath uses the flows', async () => {
    const withPorts: EndedConnections = {
      protocol: 'sctp',
      service: { address: 'fd96::a', port: 80 },
      endpoint: { address: 'fd20::3', port: 8080 },
    };
    expect(await end([to('10.20.1.3'), withPorts])).to.deep.equal({ done: true });
    const [first, ...others] = sent;
    expect(first).to.equal('revalidator/wait');
    expect(others).to.have.members([
      'ct_nw_dst=10.96.0.10,ct_nw_proto=17 > ct_nw_src=10.20.1.3,ct_nw_proto=17',
      'ct_ipv6_dst=fd96::a,ct_nw_proto=132,ct_tp_dst=80 > ct_ipv6_src=fd20::3,ct_nw_proto=132,ct_tp_src=8080',
    ]);
  });

  it('are asked for again where one of them has ended by itself meanwhile', async () => {
    answerTo = () => (sent.length > 3 ? undefined : { error: 'failed to flush conntrack\n' });
    expect(await end([to('10.20.1.3')])).to.deep.equal({ done: true });
    expect(sent).to.have.length(4);
  });

  it('go on where Open vSwitch cannot delete them, as 3.1 those of SCTP: nothing is gained by asking again', async () => {
    answerTo = () => ({
      error: 'ct_nw_proto is set multiple timesfailed to flush conntrack (Operation not supported)\n',
    });
    expect(await end([{ ...to('10.20.1.3'), protocol: 'sctp' }])).to.deep.equal({ done: true });
    expect(sent).to.have.length(2);
  });

  it('are all ended but those that cannot be, of which each error is named once', async () => {
    answerTo = (words) => (/\.[24],ct_nw_proto=17$/.test(words) ? { error: 'failed to flush conntrack\n' } : undefined);
    expect(await end(tens.map(to))).to.deep.equal({ done: false, error: 'failed to flush conntrack' });
    expect(new Set(sent)).to.have.length(11);
  });

  it('are asked for once where ovs-vswitchd ends meanwhile', async () => {
    answerTo = () => 'ends';
    expect(await end([to('10.20.1.3')])).to.deep.equal({ done: false, error: 'ovs-vswitchd closed the connection' });
    expect(sent).to.have.length(2);
  });

  it('are ended by ovs-ofctl where bridges have several datapaths', async () => {
    datapaths = several;
    expect(await end([to('10.20.1.3')])).to.deep.equal({ done: true });
    expect(sent.map((words) => words.replace(folder, ''))).to.deep.equal([
      'revalidator/wait',
      'ovs-ofctl > unix:/br-int.mgmt > ct_nw_dst=10.96.0.10,ct_nw_proto=17 > ct_nw_src=10.20.1.3,ct_nw_proto=17',
    ]);
  });

  it('have not ended while there is no datapath, as the kernel keeps those of the former one', async () => {
    datapaths = '';
    expect(await end([to('10.20.1.3')])).to.deep.equal({ done: false, error: 'Open vSwitch has no datapath yet' });
    expect(sent).to.deep.equal(['revalidator/wait']);
  });

  it('are ended four at a time, and no others where the switch does not answer: each would take until its deadline', async () => {
    datapaths = several;
    programResult = { outcome: 'deadline-passed', deadline: 10_000 };
    const error = 'ovs-ofctl did not finish within 10 s and was killed';
    expect(await end(tens.map(to))).to.deep.equal({ done: false, error });
    expect(sent).to.have.length(5);
  });
});
