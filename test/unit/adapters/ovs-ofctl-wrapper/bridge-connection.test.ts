import { join } from 'node:path';
import { expect } from 'chai';
import { BridgeConnection } from '../../../../src/adapters/ovs-ofctl-wrapper/bridge-connection.ts';
import { messageTypes } from '../../../../src/adapters/ovs-ofctl-wrapper/openflow-messages.ts';
import { eventually } from '../processes.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { FakeSwitch } from './fake-switch.ts';

describe('a connection to a bridge', () => {
  const newFolder = temporaryFolders();
  let fake: FakeSwitch;
  let path = '';
  let events: string[] = [];
  beforeEach(async () => {
    path = join(newFolder(), 'br.mgmt');
    fake = await FakeSwitch.start(path);
    events = [];
  });
  afterEach(async () => {
    await fake.stop();
  });

  function connect(): BridgeConnection {
    const user = {
      flowsChanged: () => events.push('flows'),
      floodingChanged: () => events.push('flooding'),
      stateChanged: () => events.push('state'),
    };
    return new BridgeConnection(path, user, 10_000);
  }

  it('is lost to the switch when it is closed', async () => {
    const connection = connect();
    expect(await connection.state()).to.have.property('kind', 'connected');
    connection.close();
    await eventually('the switch has no connection', () => fake.connections === 0);
    expect(await connection.state()).to.have.property('kind', 'unknown');
  });

  for (const [when, awaited] of [
    ['the greeting', messageTypes.hello],
    ['the monitor of flows', messageTypes.statsRequest],
  ] as const) {
    it(`is lost to the switch also if it is closed before the answer to ${when}`, async () => {
      fake.replies = ({ type }) => (type === awaited ? [] : undefined);
      const connection = connect();
      const state = connection.state();
      await eventually('the switch is asked', () => fake.received.some(({ type }) => type === awaited));
      connection.close();
      const reason = 'is not used any more: the agent is shutting down';
      expect(await state).to.deep.equal({ kind: 'unknown', reason });
      await eventually('the switch has no connection', () => fake.connections === 0);
      expect(await connection.state()).to.deep.equal({ kind: 'unknown', reason });
      expect(events).to.deep.equal([]);
    });
  }
});
