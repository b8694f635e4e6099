import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { ManagementConnection } from '../../../../src/adapters/ovs-ofctl-wrapper/management-connection.ts';
import { messageTypes } from '../../../../src/adapters/ovs-ofctl-wrapper/openflow-messages.ts';
import { eventually } from '../processes.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { FakeSwitch, portBytes, statsReply } from './fake-switch.ts';

describe('a connection to a management socket', () => {
  const newFolder = temporaryFolders();
  let fake: FakeSwitch;
  let path = '';
  let events: string[] = [];
  let connections: ManagementConnection[] = [];
  beforeEach(async () => {
    path = join(newFolder(), 'br.mgmt');
    fake = await FakeSwitch.start(path);
    events = [];
    connections = [];
  });
  afterEach(async () => {
    for (const connection of connections) connection.close('ends');
    await fake.stop();
  });

  async function connect(deadline = 10_000): Promise<ManagementConnection> {
    const socket = createConnection(path);
    await once(socket, 'connect');
    const connection = new ManagementConnection(
      socket,
      {
        flowsChanged: (changes) => events.push(`flows ${JSON.stringify(changes)}`),
        floodingChanged: () => events.push('flooding'),
        closed: (reason) => events.push(`closed: ${reason}`),
      },
      deadline,
    );
    connections.push(connection);
    return connection;
  }

  async function started(): Promise<ManagementConnection> {
    const connection = await connect();
    expect(await connection.start()).to.have.property('outcome', 'answered');
    return connection;
  }

  /** The bytes that are sent for a change of a flow with a cookie and a timeout (nicira-ext.h, struct nx_flow_update_full). */
  function flowUpdate(event: number, cookie: bigint, table: number, hardTimeout: number): Buffer {
    const bytes = Buffer.alloc(24);
    bytes.writeUInt16BE(24, 0);
    bytes.writeUInt16BE(event, 2);
    bytes.writeUInt16BE(100, 6);
    bytes.writeUInt16BE(hardTimeout, 10);
    bytes.writeUInt8(table, 14);
    bytes.writeBigUInt64BE(cookie, 16);
    return bytes;
  }

  /** The message that is sent for a port whose settings have changed (openflow-1.0.h, struct ofp_port_status). */
  function modified(number: number, config: number) {
    const body = Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]), portBytes(number, config)]);
    return { type: messageTypes.portStatus, transaction: 0, body };
  }

  it('reads the ports, however their descriptions are divided', async () => {
    const connection = await started();
    expect(connection.noFloodPorts).to.deep.equal([2]);
  });

  it('reports changes of flows and ports, however the bytes are divided', async () => {
    const connection = await started();
    const updates = Buffer.concat([Buffer.alloc(12), flowUpdate(0, 0x75706c6bn, 22, 0), flowUpdate(1, 0n, 1, 5)]);
    const abbreviated = Buffer.from([0, 8, 0, 3, 0, 0, 0, 1]);
    for (const chunk of [1, 5, 1000]) {
      events = [];
      await fake.send(statsReply(0, false, Buffer.concat([updates, abbreviated])), chunk);
      await eventually('the change is reported', () => events.length === 1);
      expect(events).to.deep.equal([
        'flows [{"table":22,"priority":100,"cookie":"0x75706c6b","isDeletion":false},{"table":1,"priority":100,"cookie":"0x0","isDeletion":true,"lifetime":5}]',
      ]);
    }
    events = [];
    // Another setting, and none that matters.
    await fake.send(modified(1, 0x11));
    await fake.send(modified(1, 0x10));
    await fake.send(modified(2, 0x10));
    await eventually('the change is reported', () => events.length > 0);
    await connection.barrier();
    expect([events, connection.noFloodPorts]).to.deep.equal([['flooding'], [1, 2]]);
    await fake.send({ type: messageTypes.vendor, transaction: 0, body: Buffer.alloc(8) });
    await eventually('unknown changes are reported', () => events.length > 1);
    expect(events[1]).to.equal('flows "unknown"');
  });

  /** A message of the flow monitor (nicira-ext.h, nxt_subtype). */
  const monitorMessage = (subtype: number) => {
    return { type: messageTypes.vendor, transaction: 0, body: Buffer.from([0, 0, 0x23, 0x20, 0, 0, 0, subtype]) };
  };
  const [PAUSED, RESUMED] = [22, 23];

  it('waits for the rest of the changes while the switch reports none, as there were too many at once', async () => {
    const connection = await started();
    await fake.send(monitorMessage(PAUSED));
    await connection.barrier();
    const waited = connection.reportsResumed().then(() => events.push('resumed'));
    await fake.send(statsReply(0, false, Buffer.concat([Buffer.alloc(12), flowUpdate(0, 1n, 22, 0)])));
    await fake.send(monitorMessage(RESUMED));
    await waited;
    await connection.reportsResumed();
    expect(events).to.deep.equal(['flows [{"table":22,"priority":100,"cookie":"0x1","isDeletion":false}]', 'resumed']);
  });

  it('does not know changes if the switch does not report the rest in time, and waits no longer once it is closed', async () => {
    const connection = await connect(100);
    await connection.start();
    await fake.send(monitorMessage(PAUSED));
    await eventually('changes are unknown', () => events.length > 0);
    await connection.reportsResumed();
    expect(events).to.deep.equal(['flows "unknown"']);
    const other = await started();
    await fake.send(monitorMessage(PAUSED));
    await other.barrier();
    const waited = other.reportsResumed();
    other.close('ends');
    await waited;
    expect(events.at(-1)).to.equal('closed: ends');
  });

  it('keeps a change of a port that is received together with the descriptions before it', async () => {
    fake.replies = ({ type, transaction, body }) =>
      type === messageTypes.statsRequest && body.readUInt16BE(0) === 13
        ? [statsReply(transaction, false, portBytes(2, 0x10)), modified(2, 0)]
        : undefined;
    const connection = await started();
    expect([events, connection.noFloodPorts]).to.deep.equal([['flooding'], []]);
  });

  it('sets flooding, and reports what was refused', async () => {
    const connection = await started();
    fake.replies = ({ type, transaction, body }) =>
      type === messageTypes.portMod && body.readUInt16BE(0) === 2
        ? [{ type: messageTypes.error, transaction, body: Buffer.from([0, 4, 0, 1]) }]
        : undefined;
    const answers = await connection.setNoFlood([1, 2, 3].map((number) => ({ number, isNoFlood: true })));
    expect(answers.map((answer) => ('error' in answer ? answer.error : answer.outcome))).to.deep.equal([
      'answered',
      'OFPPMFC_BAD_HW_ADDR',
      'the bridge has no port 3',
    ]);
    const [request] = fake.received.filter(({ type }) => type === messageTypes.portMod);
    // Port, MAC address, settings, which of them are changed, and what is advertised (openflow-1.0.h, struct ofp10_port_mod).
    expect(request?.body.toString('hex')).to.equal('000100000000000100000010000000100000000000000000');
  });

  it('replies to echo requests of the switch', async () => {
    await started();
    await fake.send({ type: messageTypes.echoRequest, transaction: 99, body: Buffer.from('x') });
    await eventually('it answers', () => fake.received.some(({ type }) => type === messageTypes.echoReply));
    const reply = fake.received.find(({ type }) => type === messageTypes.echoReply);
    expect([reply?.transaction, reply?.body.toString()]).to.deep.equal([99, 'x']);
  });

  it('reports that a switch does not answer, and ignores late messages', async () => {
    const connection = await started();
    fake.replies = () => [];
    const hurried = await connect(50);
    expect(await hurried.start()).to.deep.equal({ outcome: 'none', reason: 'did not answer within 0.05 s' });
    fake.replies = () => undefined;
    await fake.send(statsReply(2, false, Buffer.alloc(24)));
    await connection.barrier();
    expect(events).to.deep.equal([]);
  });

  it('reports a switch that refuses to report changes', async () => {
    fake.replies = ({ type, transaction, body }) =>
      type === messageTypes.statsRequest && body.readUInt16BE(0) === 0xffff
        ? [{ type: messageTypes.error, transaction, body: Buffer.from([0, 1, 0, 4]) }]
        : undefined;
    expect(await (await connect()).start()).to.deep.equal({ outcome: 'refused', error: 'OFPBRC_BAD_SUBTYPE' });
  });

  it('is closed once, with the first reason, and fails pending requests', async () => {
    const connection = await started();
    fake.replies = () => [];
    const answers = connection.setNoFlood([{ number: 1, isNoFlood: true }]);
    await fake.stop();
    const [answer] = await answers;
    expect(answer?.outcome === 'none' && answer.reason).to.match(/^closed the connection/);
    connection.close('again');
    expect(events).to.have.length(1);
    expect(events[0]).to.match(/^closed: closed the connection/);
    fake = await FakeSwitch.start(path);
    const other = await started();
    expect(fake.connections).to.equal(1);
    other.close('is not used any more');
    await eventually('the switch has no connection', () => fake.connections === 0);
  });

  it('is closed if the peer does not speak OpenFlow', async () => {
    await started();
    fake.sendBytes(Buffer.from('HTTP/1.1\0\0\0'));
    await eventually('it is closed', () => events.length > 0);
    expect(events).to.deep.equal(['closed: sent something that is not OpenFlow']);
  });
});
