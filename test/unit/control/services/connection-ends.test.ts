import { expect } from 'chai';
import { ConnectionEnds } from '../../../../src/control/services/connection-ends.ts';
import type { FoundLoadBalancer } from '../../../../src/domain/services/load-balancer-changes.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import { loadBalancer } from '../../../contract/load-balancers.ts';
import { FakeLoadBalancers } from '../../../fakes/load-balancers.ts';

const nodeSwitch = { name: 'cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue' };

/** A stored load balancer of UDP, with endpoints to which connections have to end. */
const ending = (uuid: string, ...endpoints: readonly string[]): FoundLoadBalancer => ({
  ...loadBalancer(uuid),
  protocol: 'udp',
  uuid,
  parents: [{ place: 'switch', name: nodeSwitch.name }],
  ended: endpoints.map((endpoint) => `10.96.0.53:53>${endpoint}:5353`),
});

describe('connections to endpoints that go while others are being ended', () => {
  let database: FakeLoadBalancers;
  /** The endpoints of each set of connections that was ended, and what ends it. */
  let sets: { readonly endpoints: readonly string[]; readonly finish: (result: ApplyResult) => void }[];
  let ends: ConnectionEnds;
  beforeEach(() => {
    [database, sets] = [new FakeLoadBalancers([nodeSwitch]), []];
    ends = new ConnectionEnds({
      loadBalancers: database,
      connections: {
        end: (connections) =>
          new Promise((resolve) => {
            sets.push({ endpoints: connections.map(({ endpoint }) => endpoint?.address ?? ''), finish: resolve });
          }),
      },
      warn: () => undefined,
    });
  });

  /** Waits until a number of sets has begun to be ended. */
  async function begun(count: number): Promise<void> {
    for (let turns = 0; sets.length < count && turns < 100; turns += 1) await Promise.resolve();
    expect(sets).to.have.length(count);
  }

  const endpoints = () => sets.map((each) => each.endpoints);

  for (const { what, meanwhile, expected } of [
    {
      what: 'of the same load balancer',
      meanwhile: [ending('1', '10.20.1.3', '10.20.1.4')],
      expected: [['10.20.1.3'], ['10.20.1.3', '10.20.1.4']],
    },
    {
      what: 'of another one',
      meanwhile: [ending('1', '10.20.1.3'), ending('2', '10.20.1.9')],
      expected: [['10.20.1.3'], ['10.20.1.9']],
    },
  ])
    it(`end after these: ${what}`, async () => {
      ends.end([ending('1', '10.20.1.3')]);
      await begun(1);
      ends.end(meanwhile);
      sets[0]!.finish({ done: true });
      await begun(2);
      sets[1]!.finish({ done: true });
      await ends.settled();
      expect(endpoints()).to.deep.equal(expected);
    });

  it('do not end a second time where nothing new has to end', async () => {
    ends.end([ending('1', '10.20.1.3')]);
    await begun(1);
    ends.end([ending('1', '10.20.1.3')]);
    sets[0]!.finish({ done: true });
    await ends.settled();
    expect(endpoints()).to.deep.equal([['10.20.1.3']]);
  });

  it('wait for the next look at everything where these do not end', async () => {
    ends.end([ending('1', '10.20.1.3')]);
    await begun(1);
    ends.end([ending('2', '10.20.1.9')]);
    sets[0]!.finish({ done: false, error: 'ovs-vswitchd is not running' });
    await ends.settled();
    expect(endpoints()).to.deep.equal([['10.20.1.3']]);
    ends.end([ending('1', '10.20.1.3'), ending('2', '10.20.1.9')]);
    await begun(2);
    expect(endpoints()[1]).to.deep.equal(['10.20.1.3', '10.20.1.9']);
  });
});
