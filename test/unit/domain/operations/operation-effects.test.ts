import { expect } from 'chai';
import { emptyLedger, meaningOf, type NodeSnapshot, type Operation } from '../../../../src/domain/index.ts';
import { refused } from '../../../../src/domain/node-model/change.ts';
import { applyOperation } from '../../../../src/domain/operations/operation-meaning.ts';
import { vrfSignature } from '../../../../src/domain/ownership/vrf-signature.ts';
import { normalForm } from '../../../../src/testing/normal-form.ts';
import {
  addressThing,
  displaced,
  membership,
  neighbourThing,
  objectThing,
  proxyThing,
  route,
  routeThing,
} from '../ownership/things.ts';
import { nodeBefore, type Sample, samples } from './samples.ts';

type Kind = Operation['kind'];

const kinds = Object.keys(samples) as Kind[];
const sample = (kind: Kind): Sample => samples[kind];

function applied(operation: Operation, node: NodeSnapshot): NodeSnapshot {
  const change = applyOperation(operation, node);
  if (!change.done) throw new Error(change.refusal);
  return change.node;
}

for (const kind of kinds) {
  describe(`operation ${kind}`, () => {
    const { operation, node } = sample(kind);
    const meaning = meaningOf(operation);
    const inverse = meaning.inverse(operation, node);

    it('does something', () => {
      expect(normalForm(applied(operation, node))).not.to.deep.equal(normalForm(node));
    });

    it('is taken back by its inverse, ledger included', () => {
      const back = inverse.reduce((after, step) => applied(step, after), applied(operation, node));
      // There is no way back to a VRF of ours that is down or not signed.
      if (kind === 'bring-up-vrf' || kind === 'sign-vrf') expect(inverse).to.deep.equal([]);
      else expect(normalForm(back)).to.deep.equal(normalForm(node));
    });

    it('is for the same networks as its inverse', () => {
      for (const step of inverse) expect(step.networks).to.equal(operation.networks);
    });
  });
}

describe('what stands against an operation', () => {
  const foreign = route('0.0.0.0/0', { table: 1012 });
  const rows: readonly (readonly [what: string, kind: Kind, node: NodeSnapshot, obstacle: string])[] = [
    [
      "somebody else's route of the same key",
      'add-route',
      nodeBefore(undefined, { routes: [foreign] }),
      'route default via 192.0.2.1 dev br-blue table 1012 of protocol static is not ours',
    ],
    [
      "somebody else's route of the same key",
      'replace-route',
      nodeBefore(undefined, { routes: [foreign] }),
      'route default via 192.0.2.1 dev br-blue table 1012 of protocol static is not ours',
    ],
    [
      "somebody else's route of the same key",
      'delete-route',
      nodeBefore(undefined, { routes: [foreign] }),
      'route default via 192.0.2.1 dev br-blue table 1012 of protocol static is not ours',
    ],
    ['that the VRF is not there', 'delete-vrf', { ...nodeBefore(), links: [] }, 'there is no device blue'],
    [
      "that the VRF is somebody else's",
      'delete-vrf',
      { ...nodeBefore(), links: nodeBefore().links.map(({ alias: _alias, ...link }) => link) },
      'VRF blue is not ours',
    ],
    ['that something is in the VRF', 'delete-vrf', nodeBefore('blue'), 'br-blue is still in VRF blue'],
    ['that the interface is in another VRF', 'enslave', nodeBefore('corp'), 'br-blue is a slave of corp'],
    ['that the interface is in no VRF', 'release', nodeBefore(), 'br-blue is not in VRF blue'],
    [
      'that the interface is in another VRF',
      'release',
      nodeBefore('corp', { ledger: [membership()] }),
      'br-blue is not in VRF blue',
    ],
    [
      "that somebody else's hand put the interface there",
      'release',
      nodeBefore('blue'),
      'br-blue was not put into VRF blue by us',
    ],
    [
      'that the address is not in the ledger',
      'delete-address',
      { ...samples['delete-address'].node, ledger: emptyLedger },
      'address 169.254.0.2/32 on blue is not ours',
    ],
  ];
  for (const [what, kind, node, obstacle] of rows) {
    it(`is, for ${kind}, ${what}`, () => {
      const { operation } = sample(kind);
      expect(meaningOf(operation).obstacle?.(operation, node)).to.equal(obstacle);
      expect(applyOperation(operation, node)).to.deep.equal(refused(obstacle));
    });
  }

  it("is that the rule or neighbour is somebody else's", () => {
    const { rule } = samples['delete-rule'].operation;
    const otherRule: Operation = {
      verb: 'remove',
      networks: [],
      entity: { kind: 'rule', rule: { ...rule, protocol: 'boot' } },
    };
    expect(meaningOf(otherRule).obstacle?.(otherRule, nodeBefore())).to.equal(
      'IPv4 rule 1999: mark 0x1007 looks up table 1012 is not ours',
    );
    const { neighbour } = samples['delete-neighbour'].operation;
    const otherNeighbour: Operation = {
      verb: 'remove',
      networks: [],
      entity: { kind: 'neighbour', neighbour: { ...neighbour, protocol: 'static' } },
    };
    expect(meaningOf(otherNeighbour).obstacle?.(otherNeighbour, nodeBefore())).to.equal(
      'neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue is not ours',
    );
  });

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
    it(`is, for add-bridge-mapping, that ${networkName}:${bridge} would not be read as itself`, () => {
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

  it('is nothing on the node that the operation is for', () => {
    for (const kind of kinds) {
      const { operation, node } = sample(kind);
      expect(meaningOf(operation).obstacle?.(operation, node), kind).to.be.undefined;
    }
  });

  it('is that the interface is in the VRF already: that was somebody else, and it stays his', () => {
    const { operation } = samples.enslave;
    expect(meaningOf(operation).obstacle?.(operation, nodeBefore('blue'))).to.equal('br-blue is a slave of blue');
  });

  it('is what the kernel says where it refuses', () => {
    const { operation, node } = samples['add-vrf'];
    const twice = applyOperation(operation, applied(operation, node));
    expect(twice).to.deep.include({ done: false, exists: true });
  });
});

describe('the inverse of an operation', () => {
  const inverse = (operation: Operation, node: NodeSnapshot) => meaningOf(operation).inverse(operation, node);

  it('of a replacement is a deletion where nothing was replaced', () => {
    const { operation } = samples['replace-route'];
    expect(inverse(operation, nodeBefore())).to.deep.equal([
      { verb: 'remove', networks: operation.networks, entity: { kind: 'route', route: operation.route } },
    ]);
  });

  it('of putting back is nothing where the thing was there already', () => {
    const { operation, node } = samples['put-back'];
    const there = { ...node, routes: [...node.routes, route('10.0.0.0/8', { table: 1012 })] };
    expect(inverse(operation, there)).to.deep.equal([]);
    expect(applied(operation, there).routes, 'which is as good').to.have.length(there.routes.length);
  });

  it('of a deletion is nothing where there was nothing', () => {
    expect(inverse(samples['delete-vrf'].operation, { ...nodeBefore(), links: [] })).to.deep.equal([]);
    expect(inverse(samples.release.operation, nodeBefore('blue'))).to.deep.equal([]);
  });

  it('of entering a VRF puts back what is outside, and of leaving what is inside', () => {
    const { operation: entering, node: outside } = samples.enslave;
    expect(inverse(entering, outside).map(({ kind }) => kind)).to.deep.equal(['release', 'put-back']);
    const { operation: leaving, node: inside } = samples.release;
    expect(inverse(leaving, inside)).to.deep.equal([
      entering,
      {
        verb: 'put-back',
        networks: leaving.networks,
        device: 'br-blue',
        entity: routeThing('10.0.0.0/8', { table: 1012 }),
      },
    ]);
  });

  it('of deleting a VRF makes one with the same table and signature', () => {
    expect(inverse(samples['delete-vrf'].operation, nodeBefore())).to.deep.equal([
      samples['add-vrf'].operation,
      samples['sign-vrf'].operation,
    ]);
  });

  it('of deleting a VRF signs it again as it was, also where the alias has no room for the network’s name', () => {
    const alias = vrfSignature(`cluster_udn_${'a'.repeat(240)}`);
    const node = { ...nodeBefore(), links: nodeBefore().links.map((link) => ({ ...link, alias })) };
    const { networks, vrf } = samples['delete-vrf'].operation;
    expect(inverse(samples['delete-vrf'].operation, node)[1]).to.deep.equal({
      verb: 'replace',
      networks,
      entity: { kind: 'vrf', name: vrf, alias, table: 1012, up: true },
    });
  });
});

describe('putting a thing back and taking it away again', () => {
  const things = [
    addressThing('2001:db8:b::6/64'),
    neighbourThing('192.0.2.9'),
    proxyThing('192.0.2.9'),
    objectThing(5),
    routeThing('10.0.0.0/8', { table: 77 }),
  ];
  for (const thing of things) {
    it(`works for each kind of thing, as for one of type ${thing.type}`, () => {
      const put: Operation = { verb: 'put-back', networks: [], device: 'br-blue', entity: thing };
      const node = nodeBefore(undefined, { ledger: [displaced(thing)] });
      const there = applied(put, node);
      const [take, ...rest] = meaningOf(put).inverse(put, node);
      expect(rest).to.deep.equal([]);
      const { ledger: _ledger, ...gone } = normalForm(applied(take!, there));
      expect(normalForm(node)).to.deep.include(gone);
      expect(meaningOf(take!).summary(take!)).to.equal(meaningOf(put).summary(put).replace(', put back', ''));
      const taken = meaningOf(take!).command(take!, there).arguments;
      expect(taken).to.include('delete');
    });
  }
});
