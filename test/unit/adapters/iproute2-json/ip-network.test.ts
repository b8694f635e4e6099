import { expect } from 'chai';
import { IpNetwork } from '../../../../src/adapters/iproute2-json/ip-network.ts';
import type { HostOperation } from '../../../../src/ports/node/host-network.ts';
import { FakeIp, refuse } from './fake-ip.ts';

const neighbour = { device: 'br-blue', address: '192.0.2.1', macAddress: '02:00:00:00:00:99' };

/** It is put in state stale, and managed then. */
const restored: HostOperation = {
  verb: 'put-back',
  networks: [],
  device: 'br-blue',
  entity: { kind: 'neighbour', neighbour: { ...neighbour, states: ['stale', 'managed'] } },
};

describe('an operation of two commands', () => {
  let ip: FakeIp;
  let network: IpNetwork;
  beforeEach(() => {
    ip = new FakeIp();
    const run = () => Promise.reject(new Error('only batches are expected'));
    network = new IpNetwork({ start: ip.start.bind(ip), run });
  });
  afterEach(() => network.close());

  const applied = () => ip.commands.filter((command) => command.startsWith('neighbour'));
  const refuseAt = (place: number) => {
    ip.answer = (_, line, listener) => {
      if (applied().length === place) refuse(listener, line, 'RTNETLINK answers: No buffer space available');
    };
  };
  const error = 'RTNETLINK answers: No buffer space available';

  it('is done once both are', async () => {
    expect(await network.apply(restored)).to.deep.equal({ done: true });
    expect(applied()).to.have.length(2);
  });

  it('has changed nothing if the first one is refused', async () => {
    refuseAt(1);
    expect(await network.apply(restored)).to.deep.equal({ done: false, error, isRefused: true });
    expect(applied()).to.have.length(1);
  });

  it('may have changed something if the second one is refused', async () => {
    refuseAt(2);
    expect(await network.apply(restored)).to.deep.equal({ done: false, error });
  });
});
