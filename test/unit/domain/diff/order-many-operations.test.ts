import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { inOrder } from '../../../../src/domain/diff/order-operations.ts';
import { type Operation, recover, type Route } from '../../../../src/domain/index.ts';
import type { DisplacedEntity } from '../../../../src/domain/snapshot/ledger.ts';
import { hostRoute } from '../entities/host-entities.ts';
import { nodeOf } from './plans.ts';

const putBack = (entity: DisplacedEntity): Operation => ({
  verb: 'put-back',
  networks: [clusterNetworkKey('blue')],
  device: 'br-blue',
  entity,
});

/** Operations for one network that make a thing and need one each: a chain as long as is liked, by VLAN upon VLAN of next hop groups. */
function chain(length: number): readonly Operation[] {
  return Array.from({ length }, (_item, index) =>
    putBack({
      kind: 'next-hop-object',
      object: { id: index + 1, protocol: 'static', ...(index > 0 && { group: [{ id: index, weight: 1 }] }) },
    }),
  );
}

describe('a chain of 10,000 operations', () => {
  const length = 10_000;

  for (const [how, given] of [
    ['forwards', chain(length)],
    ['backwards', chain(length).toReversed()],
  ] as const) {
    it(`is ordered if it is given ${how}`, () => {
      expect(inOrder(given)).to.deep.equal(chain(length));
    });
  }
});

describe('20,000 routes, half of which need what each of the other half makes', () => {
  const routes = (nextHops: Route['nextHops']) =>
    Array.from({ length: 10_000 }, (_item, index) =>
      putBack(hostRoute(`10.${index >> 8}.${index & 255}.0/24`, { nextHops })),
    );
  const remote = routes([{ device: 'br-blue', gateway: '192.0.2.1' }]);
  const direct = routes([{ device: 'br-blue' }]);

  it('are ordered, though these are 100,000,000 pairs', () => {
    expect(inOrder([...remote, ...direct])).to.deep.equal([...direct, ...remote]);
  });

  it('wait for one of them that fails in as little time', () => {
    const { proceed, waiting } = recover(
      { ...direct[0]!, networks: [clusterNetworkKey('red')] },
      [...direct, ...remote],
      nodeOf(),
    );
    expect(proceed).to.deep.equal(direct);
    expect(waiting).to.deep.equal(remote);
  });
});
