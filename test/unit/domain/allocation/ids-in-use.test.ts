import { expect } from 'chai';
import { idsInUse, type ReportingNode } from '../../../../src/domain/allocation/claim-ids.ts';
import { noClaims } from '../../../../src/domain/allocation/id-claim.ts';

const node = (name: string, networks: readonly number[], removedNodes: readonly number[] = []): ReportingNode => ({
  name,
  uid: name,
  report: { networks: new Set(networks), removedNodes: new Set(removedNodes) },
});

const silent = (name: string): ReportingNode => ({ name, uid: name });

describe('what may still use the id of a network', () => {
  it('is a node that may have something of it', () => {
    const { network } = idsInUse(noClaims, [node('worker-a', [1]), node('worker-b', []), silent('worker-c')]);
    expect(network(1)).to.equal(true);
    expect(network(2)).to.equal(false);
  });

  it('is a node that was deleted, until all others have removed it', () => {
    const claims = { ...noClaims, node: [{ id: 7, name: 'worker-g', uid: 'g', released: true as const }] };
    expect(idsInUse(claims, [node('worker-a', [], [7]), node('worker-b', [])]).network(2)).to.equal(true);
    expect(idsInUse(claims, [node('worker-a', [], [7]), node('worker-b', [], [7])]).network(2)).to.equal(false);
  });

  it('is a node that was deleted and whose claim is not released yet: others may still add it', () => {
    const claims = { ...noClaims, node: [{ id: 7, name: 'worker-g', uid: 'g' }] };
    expect(idsInUse(claims, [node('worker-a', [], [7])]).network(2)).to.equal(true);
    expect(idsInUse(claims, []).network(2)).to.equal(true);
  });

  it('is not a node that has reported nothing', () => {
    const claims = { ...noClaims, node: [{ id: 7, name: 'worker-g', uid: 'worker-g' }] };
    expect(idsInUse(claims, [node('worker-a', []), silent('worker-g')]).network(2)).to.equal(false);
  });
});

describe('what may still use the id of a node', () => {
  it('is every node that has not confirmed that it has removed it', () => {
    expect(idsInUse(noClaims, [node('worker-a', [], [7]), node('worker-b', [])]).node(7)).to.equal(true);
    expect(idsInUse(noClaims, [node('worker-a', [], [7]), node('worker-b', [], [6, 7])]).node(7)).to.equal(false);
  });

  it('is nothing where no node has reported', () => {
    expect(idsInUse(noClaims, [silent('worker-a')]).node(7)).to.equal(false);
  });
});
