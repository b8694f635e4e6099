import { expect } from 'chai';
import { type LedgerEntry, meaningOf, type NodeSnapshot, type Operation } from '../../../../src/domain/index.ts';
import { announced, applyOperation, confirmed } from '../../../../src/domain/operations/operation-meaning.ts';
import { displaced, membership, hostRoute } from '../entities/host-entities.ts';
import { nodeBefore, type Sample, samples } from './samples.ts';

type Kind = Operation['kind'];

const kinds = Object.keys(samples) as Kind[];
const sample = (kind: Kind): Sample => samples[kind];

function applied(operation: Operation, node: NodeSnapshot): NodeSnapshot {
  const change = applyOperation(operation, node);
  if (!change.done) throw new Error(change.refusal);
  return change.node;
}

describe('the ledger', () => {
  const setting = 'net.ipv4.conf.br-blue.rp_filter';
  const entriesOf = (kind: Kind) => {
    const { operation, node } = sample(kind);
    return {
      before: announced(operation, node).entries,
      after: applied(operation, node).ledger.entries,
    };
  };
  const sysctl = (before: string, value: string): LedgerEntry => ({
    kind: 'sysctl',
    device: 'br-blue',
    name: setting,
    before,
    value,
  });
  const awaiting = displaced(hostRoute('10.0.0.0/8'));

  const rows: {
    readonly [K in Kind]?: { readonly before: readonly LedgerEntry[]; readonly after: readonly LedgerEntry[] };
  } = {
    'add-vrf': {
      before: [{ kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' }],
      after: [{ kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' }],
    },
    'sign-vrf': {
      before: [{ kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' }],
      after: [],
    },
    enslave: { before: [awaiting, membership()], after: [awaiting, membership()] },
    release: { before: [awaiting, membership()], after: [awaiting] },
    'put-back': { before: [awaiting, membership()], after: [{ ...awaiting, state: 'placed' }, membership()] },
    'take-back': { before: [{ ...awaiting, state: 'placed' }, membership()], after: [awaiting, membership()] },
    'add-address': {
      before: [{ kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 }],
      after: [{ kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 }],
    },
    'delete-address': {
      before: [{ kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 }],
      after: [],
    },
    'set-sysctl': { before: [sysctl('1', '2')], after: [sysctl('1', '2')] },
  };
  for (const kind of kinds) {
    const expected = rows[kind];
    it(expected ? `says before and after ${kind} what was and is done` : `has nothing to say of ${kind}`, () => {
      const { ledger } = sample(kind).node;
      expect(entriesOf(kind)).to.deep.equal(expected ?? { before: ledger.entries, after: ledger.entries });
    });
  }

  it('forgets with a VRF all that was said of it, and nothing else', () => {
    const others: readonly LedgerEntry[] = [
      { kind: 'address', device: 'red', address: '169.254.0.2', prefixLength: 32 },
      { kind: 'unsigned-vrf', name: 'red', table: 1012, network: 'cluster_udn_red' },
    ];
    const own: readonly LedgerEntry[] = [
      { kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 },
      { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' },
    ];
    const node = nodeBefore(undefined, { ledger: [...own, ...others] });
    expect(confirmed(samples['delete-vrf'].operation, node).entries).to.deep.equal(others);
    expect(confirmed(samples['sign-vrf'].operation, node).entries).to.deep.equal([own[0], ...others]);
  });

  it('forgets with an address nothing but that one', () => {
    const others: readonly LedgerEntry[] = [
      { kind: 'address', device: 'blue', address: '169.254.0.3', prefixLength: 32 },
      { kind: 'address', device: 'corp', address: '169.254.0.2', prefixLength: 32 },
      membership({ device: 'blue' }),
    ];
    const node = nodeBefore(undefined, { ledger: others });
    expect(confirmed(samples['delete-address'].operation, node).entries).to.deep.equal(others);
  });

  it('forgets the membership of the one device that was released', () => {
    const node = nodeBefore(undefined, { ledger: [membership(), membership({ device: 'br-red' })] });
    expect(confirmed(samples.release.operation, node).entries).to.deep.equal([membership({ device: 'br-red' })]);
  });

  describe('of a setting', () => {
    const { operation } = samples['set-sysctl'];
    const restoring: Operation = { ...operation, value: '1', restores: true };
    const others: readonly LedgerEntry[] = [
      { ...sysctl('0', '1'), name: 'net.ipv4.conf.br-red.rp_filter' } as LedgerEntry,
    ];

    it('keeps the value from before our first change through all later ones', () => {
      const node = nodeBefore(undefined, { sysctls: { [setting]: '2' }, ledger: [sysctl('1', '2')] });
      expect(announced({ ...operation, value: '0' }, node).entries).to.deep.equal([sysctl('1', '0')]);
    });

    it('takes a value that was not read for 0', () => {
      expect(announced(operation, nodeBefore()).entries).to.deep.equal([sysctl('0', '2')]);
    });

    it('is forgotten once the value is as it was, and only then', () => {
      const node = nodeBefore(undefined, { sysctls: { [setting]: '2' }, ledger: [sysctl('1', '2'), ...others] });
      expect(announced(restoring, node)).to.equal(node.ledger);
      expect(applied(restoring, node).ledger.entries).to.deep.equal(others);
      expect(applied(restoring, node).sysctls).to.deep.equal({ [setting]: '1' });
    });

    it('is restored by the inverse of our first change, and changed again by the inverse of that', () => {
      const node = nodeBefore(undefined, { sysctls: { [setting]: '1' } });
      expect(meaningOf(operation).inverse(operation, node)).to.deep.equal([restoring]);
      const changed = nodeBefore(undefined, { sysctls: { [setting]: '2' }, ledger: [sysctl('1', '2')] });
      expect(meaningOf(restoring).inverse(restoring, changed)).to.deep.equal([{ ...operation, restores: false }]);
    });

    it('says of a value from before our first change that it is as it was', () => {
      expect(meaningOf(restoring).summary(restoring)).to.equal('net.ipv4.conf.br-blue.rp_filter = 1, as it was');
    });
  });
});
