import { expect } from 'chai';
import fc from 'fast-check';
import { inOrder, Predecessors } from '../../../../src/domain/diff/order-operations.ts';
import { diffNode, meaningOf, type Operation, planNode } from '../../../../src/domain/index.ts';
import type { Dependencies } from '../../../../src/domain/operations/operation.ts';
import { cases } from '../../../../src/testing/index.ts';
import { hostAddress, hostNextHopObject, hostRoute } from '../entities/host-entities.ts';
import { samples } from '../operations/samples.ts';
import { linesOf } from './plans.ts';
import { caseCount } from '../../../case-count.ts';

const of = <Kind extends Operation['kind']>(kind: Kind) => samples[kind].operation;
const vrf = (kind: 'add-vrf' | 'delete-vrf') => of(kind);
const kindsInOrder = (...operations: readonly Operation[]) => inOrder(operations).map(({ kind }) => kind);
const putBack = (thing: ReturnType<typeof hostRoute>): Operation => ({
  verb: 'put-back',
  networks: ['blue'],
  device: 'br-blue',
  entity: thing,
});

describe('the order of operations', () => {
  it('has whoever makes a thing before whoever needs it', () => {
    expect(kindsInOrder(of('enslave'), of('add-vrf'))).to.deep.equal(['add-vrf', 'enslave']);
    expect(kindsInOrder(of('add-rule'), of('add-route'), of('put-back'), of('enslave'))).to.deep.equal([
      'enslave',
      'put-back',
      'add-route',
      'add-rule',
    ]);
  });

  it('has whoever uses a thing before whoever ends it', () => {
    expect(kindsInOrder(vrf('delete-vrf'), of('release'), of('delete-address'))).to.deep.equal([
      'release',
      'delete-address',
      'delete-vrf',
    ]);
    expect(kindsInOrder(of('delete-route'), of('delete-rule'))).to.deep.equal(['delete-rule', 'delete-route']);
    expect(kindsInOrder(of('delete-vrf'), of('delete-rule'), of('remove-bridge-mapping'))).to.deep.equal([
      'remove-bridge-mapping',
      'delete-vrf',
      'delete-rule',
    ]);
  });

  it('has whoever ends a thing before whoever makes it anew', () => {
    expect(kindsInOrder(of('add-vrf'), of('delete-vrf'))).to.deep.equal(['delete-vrf', 'add-vrf']);
    expect(kindsInOrder(of('add-route'), of('delete-route'))).to.deep.equal(['delete-route', 'add-route']);
    expect(kindsInOrder(of('add-bridge-mapping'), of('remove-bridge-mapping'))).to.deep.equal([
      'remove-bridge-mapping',
      'add-bridge-mapping',
    ]);
  });

  it('is otherwise as it was given', () => {
    const independent = [of('add-rule'), of('set-sysctl'), of('add-neighbour'), of('sign-vrf')];
    expect(inOrder(independent)).to.deep.equal(independent);
    expect(inOrder(independent.toReversed())).to.deep.equal(independent.toReversed());
    expect(inOrder([])).to.deep.equal([]);
  });

  it('has what comes before an operation as it was given, however it comes before', () => {
    const remote = putBack(hostRoute('10.0.0.0/8', { preferredSource: '192.0.2.7' }));
    const direct = ['10.1.0.0/16', '10.2.0.0/16'].map((destination) =>
      putBack(hostRoute(destination, { nextHops: [{ device: 'br-blue' }] })),
    );
    const [source, other] = ['192.0.2.7/24', '192.0.2.6/24'].map((text) => putBack(hostAddress(text)));
    const given = [direct[0]!, source!, of('enslave'), direct[1]!, other!];
    const others = given.filter(({ kind }) => kind !== 'enslave');
    expect(inOrder([remote, ...given])).to.deep.equal([of('enslave'), ...others, remote]);
  });

  it('has each operation once', () => {
    const all = Object.values(samples).map(({ operation }) => operation);
    expect(inOrder(all)).to.have.members(all).and.have.length(all.length);
  });

  it('has routes without a gateway and addresses before what may need them to be reachable', () => {
    const direct = hostRoute('192.0.2.0/24', { nextHops: [{ device: 'br-blue' }] });
    const remote = hostRoute('10.0.0.0/8');
    const byObject = hostRoute('10.1.0.0/16', { nextHopObject: 9 });
    const group = hostNextHopObject(9, { group: [{ id: 5, weight: 1 }] });
    const fromAddress = hostRoute('10.2.0.0/16', { preferredSource: '192.0.2.6', nextHops: [{ device: 'br-blue' }] });
    const given = [byObject, remote, fromAddress, group, hostNextHopObject(5), direct, hostAddress('192.0.2.6/24')];
    expect(
      linesOf(inOrder(given.map(putBack))).map((line) => line.replace(/^.*put-back: (.*), put back$/, '$1')),
    ).to.deep.equal([
      'address 192.0.2.6/24 on br-blue',
      'route 10.2.0.0/16 dev br-blue src 192.0.2.6',
      'route 192.0.2.0/24 dev br-blue',
      'next hop object 5 via 192.0.2.1 dev br-blue',
      'next hop object 9 group 5',
      'route 10.1.0.0/16 nhid 9',
      'route 10.0.0.0/8 via 192.0.2.1 dev br-blue',
    ]);
  });

  it('has the mapping last and, where it goes, first: packets flow in between', () => {
    const coming: readonly Operation['kind'][] = [
      'add-bridge-mapping',
      'add-vrf',
      'sign-vrf',
      'bring-up-vrf',
      'enslave',
      'put-back',
      'add-address',
      'add-route',
      'replace-route',
      'add-rule',
      'set-sysctl',
      'add-neighbour',
    ];
    expect(kindsInOrder(...coming.map(of)).at(-1)).to.equal('add-bridge-mapping');
    const going: readonly Operation['kind'][] = [
      'delete-vrf',
      'release',
      'delete-address',
      'delete-route',
      'delete-rule',
      'delete-neighbour',
      'remove-bridge-mapping',
    ];
    expect(kindsInOrder(...going.map(of))[0]).to.equal('remove-bridge-mapping');
  });

  it('has addresses told to stay before the interface moves, and as before only once it has moved for good', () => {
    const restoring: Operation = { ...of('set-sysctl'), restores: true };
    expect(kindsInOrder(of('enslave'), of('set-sysctl'))).to.deep.equal(['set-sysctl', 'enslave']);
    expect(kindsInOrder(restoring, of('release'))).to.deep.equal(['release', 'set-sysctl']);
  });

  it('has our routes, neighbours and what was put back gone before the interface moves', () => {
    for (const kind of ['delete-route', 'delete-neighbour', 'take-back'] as const) {
      expect(kindsInOrder(of('enslave'), of(kind)), kind).to.deep.equal([kind, 'enslave']);
      expect(kindsInOrder(of('release'), of(kind)), kind).to.deep.equal([kind, 'release']);
    }
  });

  it('lets networks that share nothing go their own ways', () => {
    const red: Operation = {
      ...of('add-rule'),
      networks: ['red'],
      rule: { ...of('add-rule').rule, table: 77, mark: 9 },
    };
    expect(inOrder([of('add-bridge-mapping'), red])).to.deep.equal([of('add-bridge-mapping'), red]);
  });
});

describe('operations that others may have to come after', () => {
  const comeBefore = (operation: Operation, ...earlier: readonly Operation[]) => {
    const predecessors = new Predecessors();
    for (const each of earlier) predecessors.add(each);
    return predecessors.comeBefore(operation);
  };

  it('come before whoever needs what one of them makes', () => {
    expect(comeBefore(of('enslave'), of('set-sysctl'), of('add-vrf'))).to.equal(true);
    expect(comeBefore(of('add-vrf'), of('enslave'))).to.equal(false);
  });

  it('come before whoever ends what one of them uses', () => {
    expect(comeBefore(of('delete-vrf'), of('release'))).to.equal(true);
    expect(comeBefore(of('release'), of('delete-vrf'))).to.equal(false);
  });

  it('come before whoever makes anew what one of them ends', () => {
    expect(comeBefore(of('add-vrf'), of('delete-vrf'))).to.equal(true);
    expect(comeBefore(of('delete-vrf'), of('add-vrf'))).to.equal(false);
  });

  it('come before nobody while there are none, nor before those who make or need the same as they do', () => {
    expect(comeBefore(of('enslave'))).to.equal(false);
    expect(comeBefore(of('add-vrf'), of('add-vrf'))).to.equal(false);
    expect(comeBefore(of('enslave'), of('enslave'))).to.equal(false);
  });
});

describe('the order of generated plans', () => {
  const meet = (some: readonly string[] = [], others: readonly string[] = []) =>
    some.some((thing) => others.includes(thing));
  const isBefore = (left: Dependencies, right: Dependencies) =>
    meet(left.makes, right.needs) || meet(left.uses, right.ends) || meet(left.ends, right.makes);
  /** Positions of operations that come before something that they depend on. */
  const misplaced = (operations: readonly Operation[]) => {
    const dependencies = operations.map((operation) => meaningOf(operation).dependencies(operation));
    return dependencies.flatMap((own, position) =>
      dependencies.slice(position + 1).some((other) => isBefore(other, own)) ? [position] : [],
    );
  };

  it('has everything after what it depends on, from whatever order it is made: there is no circle', () => {
    fc.assert(
      fc.property(cases, fc.nat(), ({ cluster, nodes, settings }, seed) => {
        for (const node of nodes) {
          const operations = diffNode(planNode(cluster, node, settings), node);
          expect(misplaced(operations), 'as planned').to.deep.equal([]);
          const turn = operations.length === 0 ? 0 : seed % operations.length;
          for (const given of [operations.toReversed(), [...operations.slice(turn), ...operations.slice(0, turn)]]) {
            const others = inOrder(given);
            expect(misplaced(others), 'from another order').to.deep.equal([]);
            expect(others).to.have.members(operations);
          }
        }
      }),
      { numRuns: caseCount(100) },
    );
  });
});
