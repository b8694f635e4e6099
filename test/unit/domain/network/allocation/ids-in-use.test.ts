import { expect } from 'chai';
import {
  claimKey,
  idsInUse,
  reportedNetworkIds,
  type ReportingNode,
} from '../../../../../src/domain/network/allocation/claim-ids.ts';
import { type IdClaim, noClaims } from '../../../../../src/domain/network/allocation/id-claim.ts';

const gone: IdClaim = { id: 7, name: 'worker-g', uid: 'g', released: true };

const node = (name: string, networks: readonly number[], removed: readonly IdClaim[] = []): ReportingNode => ({
  name,
  uid: name,
  report: { networks: new Set(networks), removedNodes: new Set(removed.map(claimKey)) },
});

const silent = (name: string): ReportingNode => ({ name, uid: name });

describe('what may still use the id of a network', () => {
  it('is a node that may have something of it', () => {
    const { network } = idsInUse(noClaims, [node('worker-a', [1]), node('worker-b', []), silent('worker-c')]);
    expect(network(1)).to.equal(true);
    expect(network(2)).to.equal(false);
  });

  it('is a node that was deleted, until all others have removed it', () => {
    const claims = { ...noClaims, node: [gone] };
    expect(idsInUse(claims, [node('worker-a', [], [gone]), node('worker-b', [])]).network(2)).to.equal(true);
    expect(idsInUse(claims, [node('worker-a', [], [gone]), node('worker-b', [], [gone])]).network(2)).to.equal(false);
  });

  it('is a node that was deleted and whose claim is not released yet: others may still add it', () => {
    const claims = { ...noClaims, node: [{ id: 7, name: 'worker-g', uid: 'g' }] };
    expect(idsInUse(claims, [node('worker-a', [], [gone])]).network(2)).to.equal(true);
    expect(idsInUse(claims, []).network(2)).to.equal(true);
  });

  it('is not a node that has reported nothing', () => {
    const claims = { ...noClaims, node: [{ id: 7, name: 'worker-g', uid: 'worker-g' }] };
    expect(idsInUse(claims, [node('worker-a', []), silent('worker-g')]).network(2)).to.equal(false);
  });
});

describe('what may still use the id of a node', () => {
  const claims = { ...noClaims, node: [gone] };

  it('is every node that has not confirmed that it has removed it', () => {
    expect(idsInUse(claims, [node('worker-a', [], [gone]), node('worker-b', [])]).node(7)).to.equal(true);
    const other: IdClaim = { ...gone, id: 6 };
    expect(idsInUse(claims, [node('worker-a', [], [gone]), node('worker-b', [], [other, gone])]).node(7)).to.equal(
      false,
    );
  });

  it('is a node that has removed a former holder of it only', () => {
    const former: IdClaim = { ...gone, uid: 'former' };
    expect(idsInUse(claims, [node('worker-a', [], [former])]).node(7)).to.equal(true);
  });

  it('is nothing where no node has reported', () => {
    expect(idsInUse(claims, [silent('worker-a')]).node(7)).to.equal(false);
  });
});

describe('the ids of networks that nodes report', () => {
  it('are those of all nodes, without those of which it is not known what they use', () => {
    const unknown = { networks: new Set([1, 2, 3, 4]), removedNodes: new Set<string>(), isUnknown: true } as const;
    const nodes = [node('worker-a', [1]), node('worker-b', [1, 3]), silent('worker-c')];
    expect([...reportedNetworkIds([...nodes, { name: 'worker-d', uid: 'd', report: unknown }])]).to.have.members([
      1, 3,
    ]);
  });
});
