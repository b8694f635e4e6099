import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import { inOrder, Predecessors } from '../../../../src/domain/diff/order-operations.ts';
import { diffNode, semanticsOf, type Operation, planNode } from '../../../../src/domain/index.ts';
import type { DisplacedEntity } from '../../../../src/domain/snapshot/ledger.ts';
import { cases } from '../../../../src/testing/index.ts';
import { hostAddress, hostNextHopObject, hostRoute } from '../entities/host-entities.ts';
import { allSamples, putBackSample, type Sample, samples, takeBackSample } from '../entities/operations/samples.ts';
import { linesOf } from './plans.ts';
import { violatedPrecedences } from './precedences.ts';
import { caseCount } from '../../../case-count.ts';
import { Coverage } from '../../../coverage.ts';

const { vrf, membership, address, route, rule, neighbour, sysctl } = samples;
const mapping = samples['bridge-mapping'];
const nameOf = (operation: Operation) => semanticsOf(operation).name;
const namesInOrder = (...given: readonly Sample[]) => inOrder(given.map(({ operation }) => operation)).map(nameOf);
const putBack = (entity: DisplacedEntity): Operation => ({
  verb: 'put-back',
  networks: [clusterNetworkKey('blue')],
  device: 'br-blue',
  entity,
});

describe('the order of operations', () => {
  it('has makers before those that need them', () => {
    expect(namesInOrder(membership.add, vrf.add)).to.deep.equal(['add-vrf', 'enslave']);
    expect(namesInOrder(rule.add, route.add, putBackSample, membership.add)).to.deep.equal([
      'enslave',
      'put-back',
      'add-route',
      'add-rule',
    ]);
  });

  it('has users before those that end what they use', () => {
    expect(namesInOrder(vrf.remove, membership.remove, address.remove)).to.deep.equal([
      'release',
      'delete-address',
      'delete-vrf',
    ]);
    expect(namesInOrder(route.remove, rule.remove)).to.deep.equal(['delete-rule', 'delete-route']);
    expect(namesInOrder(vrf.remove, rule.remove, mapping.remove)).to.deep.equal([
      'remove-bridge-mapping',
      'delete-vrf',
      'delete-rule',
    ]);
  });

  it('has removals before additions of the same key', () => {
    expect(namesInOrder(vrf.add, vrf.remove)).to.deep.equal(['delete-vrf', 'add-vrf']);
    expect(namesInOrder(route.add, route.remove)).to.deep.equal(['delete-route', 'add-route']);
    expect(namesInOrder(mapping.add, mapping.remove)).to.deep.equal(['remove-bridge-mapping', 'add-bridge-mapping']);
  });

  it('is otherwise the given one', () => {
    const independent = [rule.add, sysctl.add, neighbour.add, vrf.replace].map(({ operation }) => operation);
    expect(inOrder(independent)).to.deep.equal(independent);
    expect(inOrder(independent.toReversed())).to.deep.equal(independent.toReversed());
    expect(inOrder([])).to.deep.equal([]);
  });

  it('keeps the given order of the prerequisites of an operation', () => {
    const remote = putBack(hostRoute('10.0.0.0/8', { preferredSource: '192.0.2.7' }));
    const direct = ['10.1.0.0/16', '10.2.0.0/16'].map((destination) =>
      putBack(hostRoute(destination, { nextHops: [{ device: 'br-blue' }] })),
    );
    const [source, other] = ['192.0.2.7/24', '192.0.2.6/24'].map((text) => putBack(hostAddress(text)));
    const { operation: enslave } = membership.add;
    const given = [direct[0]!, source!, enslave, direct[1]!, other!];
    const others = given.filter((operation) => operation !== enslave);
    expect(inOrder([remote, ...given])).to.deep.equal([enslave, ...others, remote]);
  });

  it('contains each operation once', () => {
    const all = [...allSamples.values()].map(({ operation }) => operation);
    expect(inOrder(all)).to.have.members(all).and.have.length(all.length);
  });

  it('has on-link routes and addresses before routes that may need them to be reachable', () => {
    const direct = hostRoute('192.0.2.0/24', { nextHops: [{ device: 'br-blue' }] });
    const remote = hostRoute('10.0.0.0/8');
    const byObject = hostRoute('10.1.0.0/16', { nextHopObject: 9 });
    const group = hostNextHopObject(9, { group: [{ id: 5, weight: 1 }] });
    const fromAddress = hostRoute('10.2.0.0/16', { preferredSource: '192.0.2.6', nextHops: [{ device: 'br-blue' }] });
    const given = [byObject, remote, fromAddress, group, hostNextHopObject(5), direct, hostAddress('192.0.2.6/24')];
    expect(
      linesOf(inOrder(given.map(putBack))).map((line) => line.replace(/^.*put-back: (.*), restored$/, '$1')),
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

  it('adds the mapping last and removes it first: packets flow in between', () => {
    const coming = [
      mapping.add,
      vrf.add,
      vrf.replace,
      membership.add,
      putBackSample,
      address.add,
      route.add,
      route.replace,
      rule.add,
      sysctl.add,
      neighbour.add,
    ];
    expect(namesInOrder(...coming).at(-1)).to.equal('add-bridge-mapping');
    const going = [
      vrf.remove,
      membership.remove,
      address.remove,
      route.remove,
      rule.remove,
      sysctl.remove,
      neighbour.remove,
      mapping.remove,
    ];
    expect(namesInOrder(...going)[0]).to.equal('remove-bridge-mapping');
  });

  it('sets the kernel to keep addresses before the interface moves, and resets that after the last move', () => {
    expect(namesInOrder(membership.add, sysctl.add)).to.deep.equal(['set-sysctl', 'enslave']);
    expect(namesInOrder(sysctl.remove, membership.remove)).to.deep.equal(['release', 'set-sysctl']);
  });

  it('removes managed routes, neighbours and restored entities before the interface moves', () => {
    for (const removal of [route.remove, neighbour.remove, takeBackSample]) {
      const name = nameOf(removal.operation);
      expect(namesInOrder(membership.add, removal)).to.deep.equal([name, 'enslave']);
      expect(namesInOrder(membership.remove, removal)).to.deep.equal([name, 'release']);
    }
  });

  it('keeps networks without shared entities independent', () => {
    const red: Operation = {
      verb: 'add',
      networks: [clusterNetworkKey('red')],
      entity: { kind: 'rule', rule: { ...rule.add.operation.entity.rule, table: 77, mark: 9 } },
    };
    expect(inOrder([mapping.add.operation, red])).to.deep.equal([mapping.add.operation, red]);
  });
});

describe('prerequisites of other operations', () => {
  const comeBefore = ({ operation }: Sample, ...earlier: readonly Sample[]) => {
    const predecessors = new Predecessors();
    for (const each of earlier) predecessors.add(each.operation);
    return predecessors.comeBefore(operation);
  };

  it('are operations that make what another needs', () => {
    expect(comeBefore(membership.add, sysctl.add, vrf.add)).to.equal(true);
    expect(comeBefore(vrf.add, membership.add)).to.equal(false);
  });

  it('are operations that use what another ends', () => {
    expect(comeBefore(vrf.remove, membership.remove)).to.equal(true);
    expect(comeBefore(membership.remove, vrf.remove)).to.equal(false);
  });

  it('are operations that end what another makes', () => {
    expect(comeBefore(vrf.add, vrf.remove)).to.equal(true);
    expect(comeBefore(vrf.remove, vrf.add)).to.equal(false);
  });

  it('are not operations that only make or need the same', () => {
    expect(comeBefore(membership.add)).to.equal(false);
    expect(comeBefore(vrf.add, vrf.add)).to.equal(false);
    expect(comeBefore(membership.add, membership.add)).to.equal(false);
  });
});

describe('precedences among operations', () => {
  const operations = (verbs: readonly Operation['verb'][]) =>
    [...allSamples.values()].map(({ operation }) => operation).filter(({ verb }) => verbs.includes(verb));
  /** Operations that a plan has together: what comes, or what goes. */
  const together = {
    'what comes': operations(['add', 'replace', 'put-back']),
    'what goes': operations(['remove', 'put-back']),
  } as const;

  for (const [what, all] of Object.entries(together)) {
    it(`are kept by the order of ${what}, from any order, without a cycle`, () => {
      const turned = all.map((_each, turn) => [...all.slice(turn), ...all.slice(0, turn)]);
      for (const given of [...turned, ...turned.map((each) => each.toReversed())]) {
        expect(violatedPrecedences(inOrder(given))).to.deep.equal([]);
      }
    });
  }

  it('are reported if violated, with the shared keys', () => {
    expect(violatedPrecedences([membership.add.operation, vrf.add.operation])).to.deep.equal([
      '+ blue add-vrf: VRF blue with table 1012 comes after + blue enslave: br-blue into VRF blue: link blue',
    ]);
    expect(violatedPrecedences([vrf.add.operation, vrf.remove.operation])).to.deep.equal([
      '- blue delete-vrf: VRF blue comes after + blue add-vrf: VRF blue with table 1012: link blue',
    ]);
    expect(violatedPrecedences([vrf.remove.operation, membership.remove.operation])).to.deep.equal([
      '- blue release: br-blue out of VRF blue comes after - blue delete-vrf: VRF blue: link blue',
    ]);
  });

  it('are reported for a cycle, in any order', () => {
    const group = (id: number, member: number) =>
      putBack(hostNextHopObject(id, { group: [{ id: member, weight: 1 }] }));
    const cycle = [group(1, 2), group(2, 1)];
    for (const given of [cycle, cycle.toReversed()]) {
      expect(violatedPrecedences(inOrder(given))).to.have.length(1);
    }
  });
});

describe('the order of generated plans', () => {
  it('has prerequisites first, from any given order, without a cycle', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, fc.nat(), ({ cluster, nodes, settings }, seed) => {
        for (const node of nodes) {
          const operations = diffNode(planNode(cluster, node, settings), node);
          expect(violatedPrecedences(operations), 'as planned').to.deep.equal([]);
          coverage.count({ 'several operations': operations.length > 5 });
          const turn = operations.length === 0 ? 0 : seed % operations.length;
          for (const given of [operations.toReversed(), [...operations.slice(turn), ...operations.slice(0, turn)]]) {
            const others = inOrder(given);
            expect(violatedPrecedences(others), 'from another order').to.deep.equal([]);
            expect(others).to.have.members(operations);
          }
        }
      }),
      { numRuns: caseCount(100) },
    );
    coverage.expect({ 'several operations': 0.1 });
  });
});
