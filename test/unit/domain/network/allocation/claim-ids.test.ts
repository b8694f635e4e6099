import { expect } from 'chai';
import {
  type Claiming,
  claimIds,
  type IdDecision,
  type IdHolder,
} from '../../../../../src/domain/network/allocation/claim-ids.ts';
import type { IdClaim } from '../../../../../src/domain/network/allocation/id-claim.ts';

/** Networks by their names; the first is the oldest. */
const holders = (...names: readonly (string | IdHolder)[]): readonly IdHolder[] =>
  names.map((each, index) =>
    typeof each === 'string' ? { name: each, uid: each, createdAt: `2026-01-0${index + 1}T00:00:00Z` } : each,
  );

const given = (name: string, id: number, day = 1): IdHolder => ({
  name,
  uid: name,
  createdAt: `2026-01-0${day}T00:00:00Z`,
  given: id,
});

const claim = (id: number, name: string): IdClaim => ({ id, name, uid: name });

const released = (id: number, name: string): IdClaim => ({ ...claim(id, name), released: true });

const nothing = () => false;

const everything = () => true;

interface Example {
  readonly stored: readonly IdClaim[];
  readonly holders: readonly IdHolder[];
  readonly isInUse?: (id: number) => boolean;
  readonly claims: readonly IdClaim[];
  readonly decisions: Readonly<Record<string, IdDecision>>;
}

const examples: Readonly<Record<string, Example>> = {
  'a network gets the lowest free id, the oldest first': {
    stored: [],
    holders: holders('red', 'blue').toReversed(),
    claims: [claim(1, 'red'), claim(2, 'blue')],
    decisions: { red: { kind: 'unclaimed', id: 1 }, blue: { kind: 'unclaimed', id: 2 } },
  },
  'an id serves once its claim is stored': {
    stored: [claim(1, 'blue')],
    holders: holders('blue'),
    claims: [claim(1, 'blue')],
    decisions: { blue: { kind: 'claimed', id: 1, sharedWith: [] } },
  },
  'a gap is filled': {
    stored: [claim(2, 'blue')],
    holders: holders('blue', 'red'),
    claims: [claim(1, 'red'), claim(2, 'blue')],
    decisions: { blue: { kind: 'claimed', id: 2, sharedWith: [] }, red: { kind: 'unclaimed', id: 1 } },
  },
  'an id that another program gave is claimed as it is': {
    stored: [],
    holders: [given('blue', 17), ...holders('red')],
    claims: [claim(1, 'red'), claim(17, 'blue')],
    decisions: { blue: { kind: 'unclaimed', id: 17 }, red: { kind: 'unclaimed', id: 1 } },
  },
  'the claim counts, not the id that somebody has written to the object since': {
    stored: [claim(1, 'blue')],
    holders: [given('blue', 2)],
    claims: [claim(1, 'blue')],
    decisions: { blue: { kind: 'claimed', id: 1, sharedWith: [] } },
  },
  'of two that were given one id, the older one gets it': {
    stored: [],
    holders: [given('blue', 5, 2), given('red', 5, 1)],
    claims: [claim(5, 'red')],
    decisions: { red: { kind: 'unclaimed', id: 5 }, blue: { kind: 'clash', id: 5, holder: 'red' } },
  },
  'of two of one age, the first by name gets it': {
    stored: [],
    holders: [given('red', 5), given('blue', 5)],
    claims: [claim(5, 'blue')],
    decisions: { blue: { kind: 'unclaimed', id: 5 }, red: { kind: 'clash', id: 5, holder: 'blue' } },
  },
  'a clash is reported on both': {
    stored: [claim(5, 'red')],
    holders: [given('blue', 5, 1), given('red', 5, 2)],
    claims: [claim(5, 'red')],
    decisions: {
      red: { kind: 'claimed', id: 5, sharedWith: ['blue'] },
      blue: { kind: 'clash', id: 5, holder: 'red' },
    },
  },
  'the claim of a network that exists no more is released first': {
    stored: [claim(1, 'blue')],
    holders: holders('red'),
    claims: [released(1, 'blue'), claim(2, 'red')],
    decisions: { red: { kind: 'unclaimed', id: 2 } },
  },
  'an id is not free as long as anything uses it': {
    stored: [released(1, 'blue')],
    holders: [],
    isInUse: everything,
    claims: [released(1, 'blue')],
    decisions: {},
  },
  'an id is free once nothing uses it': {
    stored: [released(1, 'blue')],
    holders: holders('red'),
    claims: [claim(1, 'red')],
    decisions: { red: { kind: 'unclaimed', id: 1 } },
  },
  'a network that was wrongly taken for deleted gets its id back': {
    stored: [released(1, 'blue')],
    holders: holders('blue'),
    isInUse: everything,
    claims: [claim(1, 'blue')],
    decisions: { blue: { kind: 'unclaimed', id: 1 } },
  },
  'a network that was deleted and created again gets another id, as nodes may have the former one': {
    stored: [claim(1, 'blue')],
    holders: [{ name: 'blue', uid: 'another', createdAt: '2026-01-02T00:00:00Z' }],
    claims: [released(1, 'blue'), { id: 2, name: 'blue', uid: 'another' }],
    decisions: { blue: { kind: 'unclaimed', id: 2 } },
  },
  'an id in use is not taken by a network that was given it': {
    stored: [released(1, 'blue')],
    holders: [given('red', 1)],
    isInUse: everything,
    claims: [released(1, 'blue')],
    decisions: { red: { kind: 'clash', id: 1, holder: 'blue' } },
  },
  'an id out of range is reported': {
    stored: [],
    holders: [given('blue', 4096), given('red', 2560), given('green', 0)],
    claims: [],
    decisions: {
      blue: { kind: 'invalid', id: 4096 },
      green: { kind: 'invalid', id: 0 },
      red: { kind: 'invalid', id: 2560 },
    },
  },
  'an id that is not allocated any more is kept': {
    stored: [claim(3200, 'blue')],
    holders: [...holders('blue'), given('red', 3200)],
    claims: [claim(3200, 'blue')],
    decisions: {
      blue: { kind: 'claimed', id: 3200, sharedWith: ['red'] },
      red: { kind: 'clash', id: 3200, holder: 'blue' },
    },
  },
  'an id that is not allocated any more is claimed as another program gave it': {
    stored: [],
    holders: [given('blue', 3200)],
    claims: [claim(3200, 'blue')],
    decisions: { blue: { kind: 'unclaimed', id: 3200 } },
  },
  'a claim of an id out of range is withdrawn': {
    stored: [claim(5000, 'blue')],
    holders: holders('blue'),
    claims: [claim(1, 'blue')],
    decisions: { blue: { kind: 'unclaimed', id: 1 } },
  },
  'a second claim of one network is released': {
    stored: [claim(1, 'blue'), claim(2, 'blue')],
    holders: holders('blue'),
    claims: [claim(1, 'blue'), released(2, 'blue')],
    decisions: { blue: { kind: 'claimed', id: 1, sharedWith: [] } },
  },
};

/** A result in a form that can be compared. */
const plain = ({ claims, decisions }: Claiming) => ({ claims, decisions: Object.fromEntries(decisions) });

describe('ids of networks', () => {
  for (const [name, { stored, holders: all, isInUse = nothing, claims, decisions }] of Object.entries(examples)) {
    it(name, () => {
      expect(plain(claimIds('network', stored, all, isInUse))).to.deep.equal({ claims, decisions });
    });
  }

  it('end at 4,095, and leave out 2,560 and 3,200', () => {
    const all = Array.from({ length: 4095 }, (_, index) => ({
      name: `n${index}`,
      uid: '',
      createdAt: String(10_000 + index),
    }));
    const { claims, decisions } = claimIds('network', [], all, nothing);
    expect(claims.map(({ id }) => id)).to.have.members(
      Array.from({ length: 4095 }, (_, index) => index + 1).filter((id) => id !== 2560 && id !== 3200),
    );
    expect(decisions.get('n4094')).to.deep.equal({ kind: 'exhausted' });
  });
});

describe('unwanted ids', () => {
  it('are claimed after all others', () => {
    const unwanted = new Set([1, 2, ...Array.from({ length: 4092 }, (_, index) => index + 4)]);
    const { decisions } = claimIds('network', [], holders('a', 'b', 'c'), nothing, new Set([2]), unwanted);
    expect([...decisions.values()].map((decision) => 'id' in decision && decision.id)).to.deep.equal([3, 1, 4]);
  });

  it('are kept where they are', () => {
    const stored = [claim(1, 'blue')];
    const { claims } = claimIds('network', stored, holders('blue', 'red'), nothing, new Set(), new Set([1, 2]));
    expect(claims).to.deep.equal([claim(1, 'blue'), claim(3, 'red')]);
  });
});

describe('ids that nodes report', () => {
  it('are given to no other network, where their claims are lost', () => {
    const { claims } = claimIds('network', [], holders('blue', 'red'), nothing, new Set([1, 3]));
    expect(claims).to.deep.equal([claim(2, 'blue'), claim(4, 'red')]);
  });

  it('are claimed again for the networks that have them', () => {
    const { claims } = claimIds('network', [], [given('blue', 1), ...holders('red')], nothing, new Set([1]));
    expect(claims).to.deep.equal([claim(1, 'blue'), claim(2, 'red')]);
  });
});

describe('ids of nodes', () => {
  it('begin with 2', () => {
    const { claims } = claimIds('node', [], holders('worker-a', 'worker-b'), nothing);
    expect(claims).to.deep.equal([claim(2, 'worker-a'), claim(3, 'worker-b')]);
  });
});
