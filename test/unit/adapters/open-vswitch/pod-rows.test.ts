import { expect } from 'chai';
import { areOfPods } from '../../../../src/adapters/open-vswitch/pod-rows.ts';
import { Replica } from '../../../../src/adapters/ovsdb/replica.ts';
import { map, set, uuid } from '../ovsdb/dumps.ts';

const POD = 'ovu1ab5f01d496b';

const [inserted, deleted] = [(columns: object) => ({ new: columns }), { old: {} }];

const bridge = (ports: readonly string[], others: object = {}) =>
  inserted({ name: 'br-int', ports: set(...ports.map(uuid)), ...others });

/** Whether updates of a bridge with port `other`, and with port `pod` of a pod, are about ports of pods alone. */
function isOfPods(...updates: readonly object[]): boolean {
  const replica = new Replica('db.sock');
  replica.apply({
    Bridge: { b: bridge(['other', 'pod']) },
    Port: { other: inserted({ name: 'patch' }), pod: inserted({ name: POD }) },
    Interface: { pod: inserted({ name: POD }) },
  });
  const applied = updates.map((update) => replica.apply(update)).at(-1);
  return applied?.applied === true && areOfPods(applied.changed);
}

describe('a change of Open vSwitch’s database', () => {
  const ofPods: Readonly<Record<string, object>> = {
    'the port of a pod is added': {
      Bridge: { b: bridge(['other', 'pod', 'new']) },
      Port: { new: inserted({ name: 'ovue52814a6a5fd' }) },
      Interface: { new: inserted({ name: 'ovue52814a6a5fd' }) },
    },
    'the port of a pod is removed': {
      Bridge: { b: bridge(['other']) },
      Port: { pod: deleted },
      Interface: { pod: deleted },
    },
    'the interface of a pod gets its number': { Interface: { pod: inserted({ name: POD, ofport: 7 }) } },
  };
  for (const [what, update] of Object.entries(ofPods)) {
    it(`is about pods alone where ${what}`, () => {
      expect(isOfPods(update)).to.equal(true);
    });
  }

  const ofOthers: Readonly<Record<string, object>> = {
    'another port is added': {
      Bridge: { b: bridge(['other', 'pod', 'new']) },
      Port: { new: inserted({ name: 'eth1' }) },
    },
    'another port is removed with that of a pod': {
      Bridge: { b: bridge([]) },
      Port: { pod: deleted, other: deleted },
    },
    'another port leaves the bridge as that of a pod comes': {
      Bridge: { b: bridge(['pod', 'new']) },
      Port: { new: inserted({ name: 'ovue52814a6a5fd' }) },
    },
    'something else of the bridge changes as well': {
      Bridge: { b: bridge(['other'], { external_ids: map({ a: '1' }) }) },
      Port: { pod: deleted },
    },
    'a bridge is added': { Bridge: { c: inserted({ name: 'br-blue', ports: set() }) } },
    'a bridge is removed': { Bridge: { b: deleted } },
    'an interface gets the name of another device': { Interface: { pod: inserted({ name: 'eth1' }) } },
    'a setting of the switch changes': { Open_vSwitch: { o: inserted({ external_ids: map({ a: '1' }) }) } },
  };
  for (const [what, update] of Object.entries(ofOthers)) {
    it(`is not about pods alone where ${what}`, () => {
      expect(isOfPods(update)).to.equal(false);
    });
  }
});
