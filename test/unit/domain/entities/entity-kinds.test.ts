import { expect } from 'chai';
import {
  BRIDGE,
  BRIDGE_FILES,
  NODE_FILES,
  NORTHBOUND_FILE,
  SOUTHBOUND_FILE,
} from '../../../../src/adapters/capture/layout.ts';
import { allKinds, type Entity, entityKey, kindOf } from '../../../../src/domain/entities/entity-kinds.ts';
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { applyOperation } from '../../../../src/domain/entities/operations/operation-semantics.ts';
import { normalForm } from '../../../../src/testing/normal-form.ts';
import { allSamples, samplesOf } from './operations/samples.ts';
import { nodeWith } from './host-entities.ts';

/** Parts of a snapshot that hold no entities: nothing of them is ever changed by an operation, or they say whose entities are. */
const partsWithoutEntities: readonly (keyof NodeSnapshot)[] = [
  'nodeName',
  'devlinkPorts',
  'ledger',
  'forwardDrops',
  'bootId',
  'uptimeSeconds',
  'kernelRelease',
  'openVSwitchVersion',
];

const files = [...Object.values(NODE_FILES), NORTHBOUND_FILE, SOUTHBOUND_FILE, ...Object.values(BRIDGE_FILES)].map(
  ({ file }) => file,
);

describe('the table of kinds of entity', () => {
  it('has each kind under its own name, once', () => {
    for (const { operation } of allSamples.values()) {
      expect(kindOf<Entity>(operation.entity).kind).to.equal(operation.entity.kind);
    }
    expect(new Set(allKinds.map(({ kind }) => kind)).size).to.equal(allKinds.length);
  });

  it('has an answer for every part of a snapshot', () => {
    const optional = { bootId: 'b', uptimeSeconds: 1, kernelRelease: '6.1.0', openVSwitchVersion: '3.1.0' };
    const ofKinds = new Set(allKinds.map(({ parts: [part] }) => part));
    expect([...ofKinds, ...partsWithoutEntities]).to.have.members(Object.keys(nodeWith(optional)));
  });
});

for (const kind of allKinds) {
  const [added] = samplesOf(kind.kind);
  const { entity } = added!.operation as { readonly entity: Entity };
  const node = kind.take(added!.node, [entity]);
  const keysIn = (on: NodeSnapshot) => kind.all(on).map(entityKey);

  describe(`entities of kind ${kind.kind}`, () => {
    it('are in a file of a captured node', () => {
      const [file = '', ...others] = kind.capturedIn(entity);
      expect(files).to.include(file.replace(/(?<=\/)[^/]+(?=\.txt$)/, BRIDGE));
      expect(others).to.deep.equal([]);
    });

    it('are found once they are added to a node, and no others are', () => {
      const put = kind.put(node, [entity]);
      expect(keysIn(node)).not.to.include(entityKey(entity));
      expect(keysIn(put)).to.have.members([...keysIn(node), entityKey(entity)]);
      const [found] = kind.all(put).filter((each) => kind.identity(each) === kind.identity(entity));
      expect(kind.satisfies(found!, entity, put.ledger)).to.be.true;
    });

    it('are gone once they are removed, and the node is as before', () => {
      const put = kind.put(node, [entity]);
      const [found] = kind.all(put).filter((each) => kind.identity(each) === kind.identity(entity));
      expect(kind.take(put, [found!])).to.deep.equal(node);
    });

    it('leave a node unchanged if there are none of them', () => {
      expect(kind.put(node, [])).to.deep.equal(node);
      expect(kind.take(node, [])).to.deep.equal(node);
    });

    it(`are in part ${kind.parts[0]} of a snapshot`, () => {
      const put = kind.put(node, [entity]);
      expect(put[kind.parts[0]]).not.to.deep.equal(node[kind.parts[0]]);
    });

    it(`are read from ${kind.parts.join(', ')} and the ledger only, as caches require`, () => {
      const known: ReadonlySet<unknown> = new Set([...kind.parts, 'ledger']);
      const limited = new Proxy(kind.put(node, [entity]), {
        get: (snapshot, part, receiver): unknown => {
          if (!known.has(part)) throw new Error(`reads ${String(part)}`);
          return Reflect.get(snapshot, part, receiver);
        },
      });
      expect(kind.all(limited).map(kind.identity)).to.include(kind.identity(entity));
      expect(() => kind.own?.(limited)).not.to.throw();
    });

    it('are what their operations add and remove, with or without an effect of their own', () => {
      const change = applyOperation(added!.operation, added!.node);
      if (!change.done) throw new Error(change.refusal);
      expect(keysIn(change.node)).to.include(entityKey(entity));
      const [removal] = samplesOf(kind.kind).slice(-1);
      expect(keysIn(removal!.node)).to.include(entityKey(removal!.operation.entity));
    });

    it('are found when two nodes are compared', () => {
      const put = kind.put(node, [entity]);
      expect(normalForm(put)).not.to.deep.equal(normalForm(node));
    });
  });
}
