import { expect } from 'chai';
import type { Route } from '../../../../src/domain/index.ts';
import { nextHopsKey, routeKey } from '../../../../src/domain/snapshot/route-key.ts';
import { route } from '../entities/host-entities.ts';

describe('two routes have one key in the kernel', () => {
  const one = route('10.0.0.0/8', { table: 7, metric: 5, source: '10.1.0.0/16', typeOfService: '0x10' });

  for (const other of [
    { protocol: 'boot' },
    { type: 'unreachable' },
    { nextHops: [] },
    { preferredSource: '192.0.2.6' },
  ] as readonly Partial<Route>[]) {
    it(`if only ${Object.keys(other).join()} differs`, () => {
      expect(routeKey({ ...one, ...other })).to.equal(routeKey(one));
    });
  }

  for (const other of [
    { family: 6 },
    { table: 8 },
    { destination: '10.0.0.0/9' },
    { metric: 6 },
    { source: '10.1.0.0/17' },
    { typeOfService: '0x08' },
  ] as readonly Partial<Route>[]) {
    it(`but not if ${Object.keys(other).join()} differs`, () => {
      expect(routeKey({ ...one, ...other })).not.to.equal(routeKey(one));
    });
  }
});

describe('two lists of next hops are equal', () => {
  const first = { device: 'br-blue', gateway: '192.0.2.1' };
  const second = { device: 'br-blue', gateway: '192.0.2.2', weight: 5, onlink: true as const };

  it('in whatever order', () => {
    expect(nextHopsKey({ nextHops: [second, first] })).to.equal(nextHopsKey({ nextHops: [first, second] }));
  });

  it('with the default weight given or not', () => {
    expect(nextHopsKey({ nextHops: [{ ...first, weight: 1 }] })).to.equal(nextHopsKey({ nextHops: [first] }));
  });

  it('by the same object, whatever its next hops are', () => {
    expect(nextHopsKey({ nextHops: [first], nextHopObject: 5 })).to.equal(
      nextHopsKey({ nextHops: [second], nextHopObject: 5 }),
    );
  });

  const others = [
    [second],
    [{ ...first, device: 'eth9' }],
    [{ ...first, gateway: '192.0.2.9' }],
    [{ ...first, weight: 2 }],
    [{ ...first, onlink: true as const }],
    [first, first],
    [],
  ];
  for (const nextHops of others) {
    it(`but not ${JSON.stringify(nextHops)} and ${JSON.stringify([first])}`, () => {
      expect(nextHopsKey({ nextHops })).not.to.equal(nextHopsKey({ nextHops: [first] }));
    });
  }

  it('but not by another object', () => {
    expect(nextHopsKey({ nextHops: [first], nextHopObject: 5 })).not.to.equal(
      nextHopsKey({ nextHops: [first], nextHopObject: 6 }),
    );
  });
});
