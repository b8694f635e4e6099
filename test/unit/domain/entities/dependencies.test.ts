import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { dependencyKinds, type DependencyKey } from '../../../../src/domain/entities/dependencies.ts';
import { northboundRowEntity } from '../../../../src/domain/entities/ovn/northbound-row.ts';
import { semanticsOf } from '../../../../src/domain/index.ts';
import { transitSwitch } from './operations/sample-parts.ts';
import { allSamples } from './operations/samples.ts';
import { hostAddress, hostNextHopObject, hostRoute } from './host-entities.ts';

const ipv6 = { kind: 'sysctl', device: 'blue', name: 'net.ipv6.conf.blue.disable_ipv6', value: '0' } as const;
const leaving = {
  kind: 'rule',
  rule: { family: 4, priority: 998, table: 254, protocol: '94', others: { src: '"169.254.0.12"' } },
} as const;
const others = [ipv6, leaving, northboundRowEntity(transitSwitch)].flatMap((entity) =>
  (['add', 'remove'] as const).map((verb) => ({ verb, networks: [clusterNetworkKey('blue')], entity })),
);
/** The dependencies of the samples, these operations and put-backs. */
const putBacks = [
  hostAddress('192.0.2.6/24'),
  hostNextHopObject(5),
  hostRoute('192.0.2.0/24', { nextHops: [{ device: 'br-blue' }] }),
  hostRoute('10.0.0.0/8', { nextHopObject: 5, preferredSource: '192.0.2.6' }),
].map((entity) => ({ verb: 'put-back', networks: [clusterNetworkKey('blue')], device: 'br-blue', entity }) as const);
const all = [...[...allSamples.values()].map(({ operation }) => operation), ...others, ...putBacks].map((operation) =>
  semanticsOf(operation).dependencies(operation),
);
const kindsOf = (keys: readonly DependencyKey[]) => new Set(keys.map((key) => key.slice(0, key.indexOf(' '))));
const made = kindsOf(all.flatMap(({ makes = [] }) => makes));
const needed = kindsOf(all.flatMap(({ needs = [] }) => needs));
const used = kindsOf(all.flatMap(({ uses = [] }) => uses));
const ended = kindsOf(all.flatMap(({ ends = [] }) => ends));

describe('dependencies of operations', () => {
  it('have known kinds of key', () => {
    expect(Object.keys(dependencyKinds)).to.include.members([...made, ...needed, ...used, ...ended]);
  });

  it('are made by an operation if another needs them, and ended by one if another uses them', () => {
    expect([...made]).to.include.members([...needed]);
    expect([...ended]).to.include.members([...used]);
  });

  for (const kind of Object.keys(dependencyKinds)) {
    it(`of kind ${kind} order some operations`, () => {
      const orders = [
        made.has(kind) && needed.has(kind),
        used.has(kind) && ended.has(kind),
        ended.has(kind) && made.has(kind),
      ];
      expect(orders).to.include(true);
    });
  }
});
