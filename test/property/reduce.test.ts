import { expect } from 'chai';
import { emptyCluster } from '../../src/domain/index.ts';
import type { BriefLedgerEntry, BriefNode } from '../../src/testing/brief-node.ts';
import { reduced } from './reduce.ts';

describe('a counterexample is reduced', () => {
  const steps = [{ cluster: emptyCluster }];
  const route = { destination: '198.51.100.0/24', nextHops: [{ device: 'eth1' }], table: 7 };
  const displaced: BriefLedgerEntry = {
    kind: 'displaced',
    device: 'eth1',
    entity: { kind: 'route', route },
    state: 'awaiting',
  };
  const node: BriefNode = { nodeName: 'a', links: [{ name: 'eth1' }, { name: 'eth2' }], ledger: [displaced] };

  it('to a possible node, with complete ledger entries', () => {
    const isBroken = ({ nodes }: { readonly nodes: readonly BriefNode[] }) =>
      nodes.some(({ ledger = [] }) => Array.isArray(ledger) && ledger.length > 0);
    const { nodes } = reduced({ steps, nodes: [node], settings: {} }, isBroken, 10_000);
    const { table: _main, ...usual } = route;
    const complete = { ...displaced, entity: { kind: 'route', route: usual } };
    expect(nodes).to.deep.equal([{ nodeName: 'a', ledger: [complete] }]);
  });
});
