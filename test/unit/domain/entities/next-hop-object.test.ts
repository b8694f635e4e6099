import { expect } from 'chai';
import { displacedText } from '../../../../src/domain/entities/displaceable.ts';
import { isOurs, ownOf } from '../../../../src/domain/entities/entity-kinds.ts';
import {
  nextHopObject as nextHopObjectKind,
  type NextHopObjectEntity,
  nextHopObjectEntity,
} from '../../../../src/domain/entities/kernel/next-hop-object.ts';
import { emptyLedger, type NextHopObject } from '../../../../src/domain/index.ts';
import { nodeWith } from './host-entities.ts';
import { ipWords, putBackWords } from './ip-words.ts';

describe('a nexthop object in the syntax of ip', () => {
  const objects: readonly (readonly [what: string, object: NextHopObject, expected: string])[] = [
    [
      'a gateway',
      { id: 5, family: 4, device: 'br-blue', gateway: '192.0.2.1', protocol: 'static' },
      'via 192.0.2.1 dev br-blue',
    ],
    ['a device', { id: 5, family: 6, device: 'br-blue', protocol: 'static' }, 'dev br-blue'],
    [
      'a gateway outside of every subnet',
      { id: 5, family: 4, device: 'br-blue', gateway: '198.51.100.1', onlink: true, protocol: 'static' },
      'via 198.51.100.1 dev br-blue onlink',
    ],
    ['a blackhole', { id: 5, family: 4, blackhole: true, protocol: 'static' }, 'blackhole'],
    [
      'a group',
      {
        id: 5,
        protocol: 'static',
        group: [
          { id: 1, weight: 1 },
          { id: 2, weight: 5 },
        ],
      },
      'group 1/2,5',
    ],
  ];
  for (const [what, object, expected] of objects) {
    it(`is, of ${what}, "${expected}"`, () => {
      const family = object.family === undefined ? [] : [`-${object.family}`];
      const entity = nextHopObjectEntity(object);
      for (const words of [putBackWords(entity, ...family), ipWords('add', entity, ...family)]) {
        expect(words).to.equal(`nexthop replace id 5 ${expected} proto static`);
      }
      expect(ipWords('remove', entity, 'nexthop', 'delete', 'id')).to.equal('5');
      expect(displacedText(entity)).to.equal(`next hop object 5 ${expected}`);
    });
  }

  it('serves as another one exactly if it has the same next hops', () => {
    const [first, ...others] = objects.map(([, object]) => nextHopObjectEntity(object));
    const serves = (found: NextHopObjectEntity) => nextHopObjectKind.satisfies(found, first!, emptyLedger);
    expect(serves(nextHopObjectEntity({ ...first!.object, protocol: 'boot' }))).to.be.true;
    expect(others.map(serves)).to.deep.equal(others.map(() => false));
  });
});

describe('a managed nexthop object', () => {
  it('is recognised by its protocol, and never removed: no version has added one', () => {
    const nextHopObjects = ['94', 'static'].map((protocol, id) => ({ id, protocol }));
    const node = nodeWith({ nextHopObjects });
    expect(nextHopObjectKind.all(node).map((entity) => isOurs(entity, node))).to.deep.equal([true, false]);
    expect(ownOf(nextHopObjectKind, node)).to.deep.equal([]);
  });
});
