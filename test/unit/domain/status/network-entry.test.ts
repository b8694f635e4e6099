import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import type { NetworkEntry } from '../../../../src/domain/index.ts';
import {
  boundedEntries,
  entryFor,
  networkSentence,
  OVERFLOW_ENTRY,
} from '../../../../src/domain/status/network-entry.ts';

const ready = (name: string): NetworkEntry => ({ name, ready: 'True', reason: 'Ready', message: '' });
const failed = (name: string, reason: string): NetworkEntry => ({ name, ready: 'False', reason, message: 'why' });
const numbered = (index: number) => `net-${String(index).padStart(4, '0')}`;
const many = (count: number) => Array.from({ length: count }, (_, index) => ready(numbered(index)));

describe('the list of networks in a state', () => {
  it('is in the order of names', () => {
    expect(boundedEntries([ready('b'), ready('a')])).to.deep.equal([ready('a'), ready('b')]);
  });

  it('holds 256 networks', () => {
    const entries = many(256);
    expect(boundedEntries([...entries].reverse())).to.deep.equal(entries);
  });

  it('has 255 of 257 networks and one entry for the rest', () => {
    const entries = many(257);
    expect(boundedEntries([...entries].reverse())).to.deep.equal([
      ...entries.slice(0, 255),
      { name: OVERFLOW_ENTRY, ready: 'True', reason: 'Ready', message: 'and 2 more networks, all ready' },
    ]);
  });

  describe('with too many networks', () => {
    const last = (...rest: readonly NetworkEntry[]) => boundedEntries([...many(255), ...rest]).at(-1);

    it('is not ready for the rest if one of them is not', () => {
      expect(last(ready('x'), failed('y', 'GatewayRouterFailed'))).to.deep.equal({
        name: OVERFLOW_ENTRY,
        ready: 'False',
        reason: 'GatewayRouterFailed',
        message: 'and 2 more networks, 1 not ready: y',
      });
    });

    it('reports the first reason by precedence, and three names', () => {
      const reasons = ['GatewayRouterFailed', 'UplinkVRFAttachmentFailed', 'Unheard', 'AddressFamilyMissing'];
      const rest = reasons.map((reason, index) => failed(`y-${index}`, reason));
      expect(last(...rest, ready('z'))).to.deep.equal({
        name: OVERFLOW_ENTRY,
        ready: 'False',
        reason: 'UplinkVRFAttachmentFailed',
        message: 'and 5 more networks, 4 not ready: y-0, y-1, y-2, …',
      });
    });

    it('has nothing of listed ones in the entry for the rest', () => {
      const listed = [failed('aaa', 'GatewayRouterFailed'), ...many(254)];
      expect(boundedEntries([...listed, ready('x'), ready('y')]).at(-1)).to.include({ ready: 'True' });
    });
  });

  it('has at most 256 entries, and covers every network', () => {
    fc.assert(
      fc.property(fc.integer({ min: 250, max: 270 }), fc.nat({ max: 269 }), (count, broken) => {
        const entries = many(count).map((entry, index) => (index === broken ? failed(entry.name, 'X') : entry));
        const bounded = boundedEntries(entries);
        expect(bounded.length).to.be.at.most(256);
        for (const { name, ready: state } of entries) {
          const said = entryFor(bounded, name);
          if (said?.name === name || state === 'False') expect(said?.ready).to.equal(state);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('the entry of a network in a list', () => {
  const overflow = failed(OVERFLOW_ENTRY, 'GatewayRouterFailed');
  const entries = [ready('b'), ready('d'), overflow];

  it('is its own', () => {
    expect(entryFor(entries, 'd')).to.equal(entries[1]);
  });

  it('is that of the rest, for names after all listed ones', () => {
    expect(entryFor(entries, 'e')).to.equal(overflow);
    expect(entryFor([overflow], 'a')).to.equal(overflow);
  });

  it('is none for a name that would be listed: it was not reported yet', () => {
    expect(entryFor(entries, 'c')).to.be.undefined;
    expect(entryFor(entries, 'a')).to.be.undefined;
  });

  it('is none without an entry for the rest, or without a list', () => {
    expect(entryFor([ready('b')], 'c')).to.be.undefined;
    expect(entryFor([], 'c')).to.be.undefined;
    expect(entryFor(undefined, 'c')).to.be.undefined;
  });
});

describe('the sentence on a conflict', () => {
  it('names the others and not the network itself, and reports each conflict', () => {
    const networks = ['blue', 'green', 'red'].map(clusterNetworkKey);
    const sentence = networkSentence(
      {
        reason: 'UplinkConfigurationConflict',
        conflicts: [
          { over: 'bridge', bridge: 'br-x', networks },
          { over: 'vrf', vrf: 'corp', networks: ['blue', 'red'].map(clusterNetworkKey) },
          { over: 'ovn-names', prefix: 'cluster_udn_b.l_', networks: ['blue', 'b-l'].map(clusterNetworkKey) },
          { over: 'targets', vrfs: ['auto', 'corp'] },
        ],
      },
      'blue',
      'br-x',
    );
    const [bridge, vrf, names, targets, ...others] = sentence.split('; ');
    expect(others).to.deep.equal([]);
    expect(bridge).to.include('bridge br-x').and.include('green, red').and.not.include('blue');
    expect(vrf).to.include('VRF corp').and.include('with red').and.not.include('blue');
    expect(names).to.include('b-l').and.include('cluster_udn_b.l_').and.not.include('blue');
    expect(targets).to.include('auto, corp');
  });
});
