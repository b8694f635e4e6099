import { expect } from 'chai';
import { emptyLedger, semanticsOf, type NodeSnapshot, type Operation } from '../../../../../src/domain/index.ts';
import { refused } from '../../../../../src/domain/node-model/change.ts';
import { applyOperation } from '../../../../../src/domain/entities/operations/operation-semantics.ts';
import { displaceableKinds } from '../../../../../src/domain/entities/displaceable.ts';
import { vrfSignature } from '../../../../../src/domain/network/names/vrf-signature.ts';
import { normalForm } from '../../../../../src/testing/normal-form.ts';
import {
  hostAddress,
  displaced,
  membership,
  hostNeighbour,
  hostNextHopObject,
  hostProxy,
  route,
  hostRoute,
} from '../host-entities.ts';
import { allSamples, nodeBefore, putBackSample, samples } from './samples.ts';
import type { SingleOperation } from '../../../../../src/domain/entities/operations/operation.ts';

function applied(operation: Operation, node: NodeSnapshot): NodeSnapshot {
  const change = applyOperation(operation, node);
  if (!change.done) throw new Error(change.refusal);
  return change.node;
}

/** A managed VRF that is down or not signed is not a state to go back to. */
const isWithoutInverse = ({ verb, entity }: SingleOperation) => verb === 'replace' && entity.kind === 'vrf';

for (const [what, { operation, node }] of allSamples) {
  describe(`operation: ${what}`, () => {
    const semantics = semanticsOf(operation);
    const inverse = semantics.inverse(operation, node);

    it('is not refused on its node', () => {
      expect(semantics.refusal(operation, node)).to.be.undefined;
    });

    it(isWithoutInverse(operation) ? 'has no inverse' : 'is undone by its inverse, ledger included', () => {
      const back = inverse.reduce((after, step) => applied(step, after), applied(operation, node));
      if (isWithoutInverse(operation)) expect(inverse).to.deep.equal([]);
      else expect(normalForm(back)).to.deep.equal(normalForm(node));
    });

    it('is for the same networks as its inverse', () => {
      for (const step of inverse) expect(step.networks).to.equal(operation.networks);
    });
  });
}

describe('the refusal of an operation', () => {
  const unmanaged = nodeBefore(undefined, { routes: [route('0.0.0.0/0', { table: 1012 })] });
  const routeRefusal =
    'route default via 192.0.2.1 dev br-blue table 1012 of protocol static is not managed by ovn-uplinks';
  const [rule, neighbour] = [samples.rule.remove.operation, samples.neighbour.remove.operation];
  const rows: readonly (readonly [what: string, operation: Operation, node: NodeSnapshot, refusal: string])[] = [
    ['an unmanaged route of the same key', samples.route.add.operation, unmanaged, routeRefusal],
    ['an unmanaged route of the same key', samples.route.replace.operation, unmanaged, routeRefusal],
    ['an unmanaged route of the same key', samples.route.remove.operation, unmanaged, routeRefusal],
    [
      'that the rule is not managed',
      { ...rule, entity: { ...rule.entity, rule: { ...rule.entity.rule, protocol: 'boot' } } },
      nodeBefore(),
      'IPv4 rule 1999: mark 0x1007 looks up table 1012 is not managed by ovn-uplinks',
    ],
    [
      'that the neighbour is not managed',
      {
        ...neighbour,
        entity: { ...neighbour.entity, neighbour: { ...neighbour.entity.neighbour, protocol: 'static' } },
      },
      nodeBefore(),
      'neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue is not managed by ovn-uplinks',
    ],
    [
      'that the VRF is not there',
      samples.vrf.remove.operation,
      { ...nodeBefore(), links: [] },
      'there is no device blue',
    ],
    [
      'that the VRF is not managed',
      samples.vrf.remove.operation,
      { ...nodeBefore(), links: nodeBefore().links.map(({ alias: _alias, ...link }) => link) },
      'VRF blue is not managed by ovn-uplinks',
    ],
    ['that something is in the VRF', samples.vrf.remove.operation, nodeBefore('blue'), 'br-blue is still in VRF blue'],
    [
      'that the interface is in another VRF',
      samples.membership.add.operation,
      nodeBefore('corp'),
      'br-blue is already enslaved to corp',
    ],
    [
      'that the interface is in the VRF already: that was another program, and it stays its own',
      samples.membership.add.operation,
      nodeBefore('blue'),
      'br-blue is already enslaved to blue',
    ],
    [
      'that the interface is in no VRF',
      samples.membership.remove.operation,
      nodeBefore(),
      'br-blue is not in VRF blue',
    ],
    [
      'that the interface is in another VRF',
      samples.membership.remove.operation,
      nodeBefore('corp', { ledger: [membership()] }),
      'br-blue is not in VRF blue',
    ],
    [
      'that another program enslaved the interface',
      samples.membership.remove.operation,
      nodeBefore('blue'),
      'br-blue in VRF blue is not managed by ovn-uplinks',
    ],
    [
      'that the address is not in the ledger',
      samples.address.remove.operation,
      { ...samples.address.remove.node, ledger: emptyLedger },
      'address 169.254.0.2/32 on blue is not managed by ovn-uplinks',
    ],
  ];
  for (const [what, operation, node, refusal] of rows) {
    it(`is, for ${semanticsOf(operation).name}, ${what}`, () => {
      expect(semanticsOf(operation).refusal(operation, node)).to.equal(refusal);
      expect(applyOperation(operation, node)).to.deep.equal(refused(refusal));
    });
  }

  const entries: readonly (readonly [networkName: string, bridge: string])[] = [
    ['cluster_udn_blue', 'br,x'],
    ['cluster_udn_blue', 'br,x:y'],
    ['cluster_udn_blue', 'br:x'],
    ['cluster_udn_blue', ','],
    ['cluster_udn_blue', ''],
    ['cluster_udn:blue', 'br-blue'],
    ['cluster_udn,blue', 'br-blue'],
    ['', 'br-blue'],
  ];
  for (const [networkName, bridge] of entries) {
    it(`is, for add-bridge-mapping, that ${networkName}:${bridge} would be read as another entry`, () => {
      const operation: Operation = {
        verb: 'add',
        networks: [],
        entity: { kind: 'bridge-mapping', networkName, bridge },
      };
      expect(applyOperation(operation, nodeBefore())).to.deep.equal(
        refused(
          `${networkName}:${bridge} is read as something else in bridge mappings, and would break those of others`,
        ),
      );
    });
  }

  it('is that of the kernel', () => {
    const { operation, node } = samples.vrf.add;
    const twice = applyOperation(operation, applied(operation, node));
    expect(twice).to.deep.include({ done: false, exists: true });
  });
});

describe('the inverse of an operation', () => {
  const inverse = (operation: Operation, node: NodeSnapshot) => semanticsOf(operation).inverse(operation, node);

  it('of a replacement is a deletion if nothing was replaced', () => {
    const { operation } = samples.route.replace;
    expect(inverse(operation, nodeBefore())).to.deep.equal([{ ...operation, verb: 'remove' }]);
  });

  it('of restoring is nothing if the entity existed', () => {
    const { operation, node } = putBackSample;
    const there = { ...node, routes: [...node.routes, route('10.0.0.0/8', { table: 1012 })] };
    expect(inverse(operation, there)).to.deep.equal([]);
    expect(applied(operation, there).routes, 'which is as good').to.have.length(there.routes.length);
  });

  it('of a deletion is nothing if nothing existed', () => {
    expect(inverse(samples.vrf.remove.operation, { ...nodeBefore(), links: [] })).to.deep.equal([]);
  });

  it('of enslaving restores what was outside, and of releasing what was inside', () => {
    const { operation: entering, node: outside } = samples.membership.add;
    expect(inverse(entering, outside).map((step) => semanticsOf(step).name)).to.deep.equal(['release', 'put-back']);
    const { operation: leaving, node: inside } = samples.membership.remove;
    expect(inverse(leaving, inside)).to.deep.equal([
      entering,
      {
        verb: 'put-back',
        networks: leaving.networks,
        device: 'br-blue',
        entity: hostRoute('10.0.0.0/8', { table: 1012 }),
      },
    ]);
  });

  it('of deleting a VRF adds one with the same table and signature', () => {
    expect(inverse(samples.vrf.remove.operation, nodeBefore())).to.deep.equal([
      samples.vrf.add.operation,
      samples.vrf.replace.operation,
    ]);
  });

  it("of deleting a VRF signs it again with the former alias, also if the network's name is too long for it", () => {
    const alias = vrfSignature(`cluster_udn_${'a'.repeat(240)}`);
    const node = { ...nodeBefore(), links: nodeBefore().links.map((link) => ({ ...link, alias })) };
    const { operation } = samples.vrf.remove;
    expect(inverse(operation, node)[1]).to.deep.equal({
      ...operation,
      verb: 'replace',
      entity: { ...operation.entity, alias },
    });
  });
});

describe('restoring an entity and taking it back', () => {
  const entities = [
    hostAddress('2001:db8:b::6/64'),
    hostNeighbour('192.0.2.9'),
    hostProxy('192.0.2.9'),
    hostNextHopObject(5),
    hostRoute('10.0.0.0/8', { table: 77 }),
  ];

  it('is tested for every kind of displaced entity', () => {
    expect(entities.map(({ kind }) => kind)).to.have.members(displaceableKinds.map(({ kind }) => kind));
  });

  for (const entity of entities) {
    it(`works for a ${entity.kind}`, () => {
      const put: Operation = { verb: 'put-back', networks: [], device: 'br-blue', entity };
      const node = nodeBefore(undefined, { ledger: [displaced(entity)] });
      const there = applied(put, node);
      const [take, ...rest] = semanticsOf(put).inverse(put, node);
      expect(rest).to.deep.equal([]);
      const { ledger: _ledger, ...gone } = normalForm(applied(take!, there));
      expect(normalForm(node)).to.deep.include(gone);
      expect(semanticsOf(take!).summary(take!)).to.equal(semanticsOf(put).summary(put).replace(', restored', ''));
      const taken = semanticsOf(take!).command(take!, there)?.arguments;
      expect(taken).to.include('delete');
    });
  }
});
