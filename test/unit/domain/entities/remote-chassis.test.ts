import { expect } from 'chai';
import { type RemoteChassisEntity, remoteChassis } from '../../../../src/domain/entities/ovn/remote-chassis.ts';

const change = (node: string) => ({
  verb: 'add' as const,
  entity: { chassis: { name: `chassis-${node}`, addresses: [], node } } as unknown as RemoteChassisEntity,
});

describe('changes of chassis of other nodes', () => {
  it('are counted, and chassis is its own plural', () => {
    const summaryOf = (...nodes: readonly string[]) => remoteChassis.set.summary(nodes.map(change), '');
    expect(summaryOf('b')).to.equal('1 chassis of another node');
    expect(summaryOf('b', 'c')).to.equal('2 chassis of other nodes');
  });
});
