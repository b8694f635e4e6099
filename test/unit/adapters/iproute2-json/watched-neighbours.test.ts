import { expect } from 'chai';
import type { Neighbour } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { WatchedNeighbours } from '../../../../src/adapters/iproute2-json/watched-neighbours.ts';

const gateway = { device: 'br-blue', address: '192.0.2.1' };
const [former, present] = ['02:00:00:00:00:01', '02:00:00:00:00:02'];

const managed = (macAddress?: string): Neighbour => ({
  ...gateway,
  states: [macAddress === undefined ? 'incomplete' : 'reachable', 'managed'],
  ...(macAddress !== undefined && { macAddress }),
});

/** Neighbours that were read once. */
function watching(...neighbours: readonly Neighbour[]): WatchedNeighbours {
  const watched = new WatchedNeighbours();
  watched.beginRead();
  watched.endRead(neighbours);
  return watched;
}

describe('a neighbour that the kernel keeps resolved', () => {
  it('matters once it has another MAC address than it was read with', () => {
    const watched = watching(managed(former));
    expect(watched.matters({ ...gateway, macAddress: former })).to.equal(false);
    expect(watched.matters({ ...gateway })).to.equal(false);
    expect(watched.matters({ ...gateway, macAddress: present })).to.equal(true);
  });

  const during: readonly (readonly [what: string, before: readonly Neighbour[], read: Neighbour, changed: boolean])[] =
    [
      ['it is read for the first time, unresolved', [], managed(), true],
      ['it is read with the one that it had before', [managed(present)], managed(former), true],
      ['it is read with that', [managed(former)], managed(present), false],
      ['it is kept by nobody then', [managed(former)], { ...gateway, states: ['stale'], macAddress: former }, false],
    ];
  for (const [what, before, read, changed] of during)
    it(`has ${changed ? '' : 'not '}changed since a read if it gets a MAC address meanwhile and ${what}`, () => {
      const watched = watching(...before);
      watched.beginRead();
      watched.matters({ ...gateway, macAddress: present });
      expect(watched.endRead([read])).to.equal(changed);
    });

  it('has not changed during a read because of what was reported before it', () => {
    const watched = watching(managed(former));
    watched.matters({ ...gateway, macAddress: present });
    watched.beginRead();
    expect(watched.endRead([managed(former)])).to.equal(false);
  });
});
