import { expect } from 'chai';
import fc from 'fast-check';
import { isLabelValue } from '../../../../src/domain/selection/label-selector.ts';
import { labelValue } from '../../../../src/domain/basics/names/label-value.ts';
import { belongsTo, identityOf, uplinkStateName } from '../../../../src/domain/status/state-identity.ts';
import { uplinkState } from '../brief-objects.ts';

/** A name of an object (Kubernetes, DNS-1123 subdomain). */
const objectName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const hashed = /^(.+)-([0-9a-f]{16})$/;
const long = (length: number, text = 'x') => text.repeat(length).slice(0, length);

/** Names of objects of every length, with dots and dashes where they hurt most. */
const names = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/),
      fc.integer({ min: 100, max: 253 }).map((length) => long(length)),
      fc.integer({ min: 50, max: 120 }).map((length) => `a${long(length, '-')}b`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((labels) => labels.join('.'))
  .filter((name) => name.length <= 253);

describe('the name of a state', () => {
  it('is UPLINK.NODE', () => {
    expect(uplinkStateName('blue', 'worker-a')).to.equal('blue.worker-a');
  });

  it('is UPLINK.NODE if the node has dots', () => {
    expect(uplinkStateName('blue', 'worker.example.org')).to.equal('blue.worker.example.org');
  });

  it('has a hash if the uplink has a dot, so that the two halves are unambiguous', () => {
    const name = uplinkStateName('blue.worker', 'a');
    expect(name).to.match(/^blue\.worker\.a-[0-9a-f]{16}$/);
    expect(name).not.to.equal(uplinkStateName('blue', 'worker.a'));
  });

  it('is plain up to 253 characters, and has a hash beyond', () => {
    expect(uplinkStateName(long(100), long(152))).to.equal(`${long(100)}.${long(152)}`);
    const name = uplinkStateName(long(100), long(153));
    expect(name).to.have.length(253);
    expect(name).to.match(hashed);
  });

  it('gives unused room of a short name to the other', () => {
    const room = 253 - 16 - 2;
    const [, ofNode] = hashed.exec(uplinkStateName('blue', long(253, 'n'))) ?? [];
    expect(ofNode).to.equal(`blue.${long(room - 4, 'n')}`);
    const [, ofUplink] = hashed.exec(uplinkStateName(long(253, 'u'), 'worker')) ?? [];
    expect(ofUplink).to.equal(`${long(room - 6, 'u')}.worker`);
    const [, ofBoth] = hashed.exec(uplinkStateName(long(253, 'u'), long(253, 'n'))) ?? [];
    expect(ofBoth).to.equal(`${long(117, 'u')}.${long(118, 'n')}`);
  });

  it('ends no prefix in a dot or a dash', () => {
    const name = uplinkStateName(`${long(100)}${long(16, '.x')}${long(20, '-')}y.${long(100)}`, long(253, 'n'));
    expect(name).to.match(objectName);
    expect(uplinkStateName('a.b', `n${long(240, '-')}n`)).to.match(/^a\.b\.n-[0-9a-f]{16}$/);
  });

  it('never changes: states of older versions are found again', () => {
    expect(uplinkStateName('blue.dotted', 'worker-a')).to.equal('blue.dotted.worker-a-4edc11481e69e052');
  });

  it('is always a valid name', () => {
    fc.assert(
      fc.property(names, names, (uplink, node) => {
        const name = uplinkStateName(uplink, node);
        expect(name).to.match(objectName);
        expect(name.length).to.be.at.most(253);
      }),
      { numRuns: 1000 },
    );
  });

  it('differs for another uplink or node', () => {
    const pairs = fc.sample(fc.tuple(names, names), { numRuns: 3000, seed: 7 });
    const words = ['a', 'a.b', 'a.b.c', 'b', 'b.c', 'c', 'a-b', long(253), `${long(251)}.x`, `${long(251)}.y`];
    const all = [...pairs, ...words.flatMap((uplink) => words.map((node) => [uplink, node] as const))];
    const distinctPairs = new Set(all.map(([uplink, node]) => `${uplink}/${node}`));
    expect(new Set(all.map(([uplink, node]) => uplinkStateName(uplink, node))).size).to.equal(distinctPairs.size);
  });
});

describe('a label with a name', () => {
  it('is the name up to 63 characters, and a hash beyond', () => {
    expect(labelValue('blue.dotted')).to.equal('blue.dotted');
    expect(labelValue(long(63))).to.equal(long(63));
    expect(labelValue(long(64))).to.match(/^[0-9a-f]{16}$/);
    expect(labelValue(long(64))).not.to.equal(labelValue(long(65)));
  });

  it('is always a valid value', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(isLabelValue(labelValue(name))).to.be.true;
      }),
    );
  });
});

describe('the identity of a state', () => {
  const annotations = { 'k8s.ovn.org/uplink': 'red', 'k8s.ovn.org/node': 'b' };
  const state = uplinkState('blue', 'a');
  const { status: _none, ...unwritten } = state;
  const annotated = { ...unwritten, metadata: { ...state.metadata, annotations } };

  it('is that of its status', () => {
    expect(identityOf(state)).to.deep.equal({ uplink: 'blue', node: 'a' });
  });

  it('is that of its status, also if its annotations differ', () => {
    expect(identityOf({ ...annotated, status: state.status! })).to.deep.equal({ uplink: 'blue', node: 'a' });
  });

  it('is that of its annotations before its first status', () => {
    expect(identityOf(annotated)).to.deep.equal({ uplink: 'red', node: 'b' });
    expect(identityOf({ ...annotated, status: {} })).to.deep.equal({ uplink: 'red', node: 'b' });
  });

  it('is never determined by its name', () => {
    expect(identityOf(unwritten)).to.be.undefined;
  });

  it('is unknown if half of it is missing', () => {
    expect(identityOf({ ...unwritten, status: { uplinkName: 'blue' } })).to.be.undefined;
    expect(identityOf({ ...unwritten, status: { nodeName: 'a' } })).to.be.undefined;
  });

  it('is compared with an uplink and a node; a state without one matches any', () => {
    expect(belongsTo(state, { uplink: 'blue', node: 'a' })).to.be.true;
    expect(belongsTo(state, { uplink: 'red', node: 'a' })).to.be.false;
    expect(belongsTo(state, { uplink: 'blue', node: 'b' })).to.be.false;
    expect(belongsTo(unwritten, { uplink: 'red', node: 'b' })).to.be.true;
  });

  it('is not foreign if only half of the identity is given and differs', () => {
    const half = { ...uplinkState('blue', 'a'), metadata: { name: 'blue.a' }, status: { uplinkName: 'red' } };
    expect(belongsTo(half, { uplink: 'blue', node: 'a' })).to.be.false;
    expect(belongsTo(half, { uplink: 'red', node: 'b' })).to.be.true;
    expect(identityOf(half)).to.be.undefined;
  });
});
