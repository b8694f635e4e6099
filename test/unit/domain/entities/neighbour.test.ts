import { expect } from 'chai';
import { displacedText } from '../../../../src/domain/entities/displaceable.ts';
import { isOurs } from '../../../../src/domain/entities/entity-kinds.ts';
import {
  neighbour as neighbourKind,
  type NeighbourEntity,
  neighbourEntity,
} from '../../../../src/domain/entities/kernel/neighbour.ts';
import { emptyLedger, semanticsOf, type Neighbour } from '../../../../src/domain/index.ts';
import type { SingleOperation } from '../../../../src/domain/entities/operations/operation.ts';
import { hostNeighbour, nodeWith } from './host-entities.ts';
import { ipWords, putBackWords } from './ip-words.ts';

describe('a neighbour in the syntax of ip', () => {
  const neighbour = { device: 'br-blue', address: 'fe80::1', macAddress: '02:00:00:00:00:99', states: ['permanent'] };

  it('is permanent, with all of its attributes', () => {
    const said = 'fe80::1 lladdr 02:00:00:00:00:99 dev br-blue nud permanent';
    expect(ipWords('add', neighbourEntity(neighbour), 'neighbour', 'replace')).to.equal(said);
    expect(
      ipWords('add', neighbourEntity({ ...neighbour, router: true, protocol: '94' }), 'neighbour', 'replace'),
    ).to.equal(`${said} router protocol 94`);
  });

  it('is noarp if it was', () => {
    expect(putBackWords(neighbourEntity({ ...neighbour, states: ['noarp'] }), 'neighbour', 'replace')).to.equal(
      'fe80::1 lladdr 02:00:00:00:00:99 dev br-blue nud noarp',
    );
  });

  const lladdr = 'neighbour replace fe80::1 lladdr 02:00:00:00:00:99 dev br-blue';
  const managed: readonly (readonly [what: string, states: readonly string[], first: string | undefined])[] = [
    ['once it has its MAC address', ['reachable', 'managed'], `${lladdr} nud stale router protocol static`],
    [
      'once it has it and is not resolved, if it was not',
      ['noarp', 'managed'],
      `${lladdr} nud noarp router protocol static`,
    ],
    ['without one if it had none', ['failed', 'managed'], undefined],
  ];
  for (const [what, states, first] of managed) {
    it(`is managed ${what}: the kernel takes no MAC address for one that is`, () => {
      const entity = neighbourEntity({ ...neighbour, states, router: true, protocol: 'static' });
      const operation: SingleOperation = { verb: 'put-back', networks: [], device: 'br-blue', entity };
      expect(semanticsOf(operation).command(operation, nodeWith()).first?.join(' ')).to.equal(first);
      const words = 'fe80::1 dev br-blue managed router protocol static';
      expect(putBackWords(entity, 'neighbour', 'replace')).to.equal(words);
    });
  }

  it('is deleted by address and device', () => {
    expect(ipWords('remove', neighbourEntity(neighbour), 'neighbour', 'delete')).to.equal('fe80::1 dev br-blue');
    expect(displacedText(neighbourEntity(neighbour))).to.equal('neighbour fe80::1 at 02:00:00:00:00:99 on br-blue');
  });
});

describe('an existing neighbour', () => {
  const wanted: Neighbour = {
    device: 'br-blue',
    address: 'fe80::858:a9ff:fefe:4',
    macAddress: '0a:58:a9:fe:00:04',
    states: ['permanent'],
    protocol: '94',
  };
  const others: readonly (readonly [what: string, neighbour: Partial<Neighbour>, same: boolean, isServed: boolean])[] =
    [
      ['of the same content', {}, true, true],
      ['of another protocol', { protocol: 'static' }, true, true],
      ['with another MAC address', { macAddress: '02:00:00:00:00:01' }, true, false],
      ['without resolution', { states: ['noarp'] }, true, true],
      ['that the kernel learned', { states: ['reachable'] }, true, false],
      ['on another device', { device: 'br-red' }, false, false],
      ['of another address', { address: 'fe80::1' }, false, false],
    ];
  for (const [what, other, same, isServed] of others) {
    it(`${what} is ${same ? 'the same one' : 'another one'}${isServed ? ' and serves' : ''}`, () => {
      const [found, desired] = [{ ...wanted, ...other }, wanted].map(neighbourEntity) as [
        NeighbourEntity,
        NeighbourEntity,
      ];
      expect(neighbourKind.identity(found) === neighbourKind.identity(desired)).to.equal(same);
      if (same) expect(neighbourKind.satisfies(found, desired, emptyLedger)).to.equal(isServed);
    });
  }
});

describe('a managed neighbour', () => {
  it('is recognised by its protocol', () => {
    const { neighbour } = hostNeighbour('192.0.2.9');
    const isOwn = (each: Neighbour) => isOurs(neighbourEntity(each), { ledger: emptyLedger });
    expect(isOwn({ ...neighbour, protocol: '94' })).to.be.true;
    expect(isOwn({ ...neighbour, protocol: 'static' })).to.be.false;
    expect(isOwn(neighbour)).to.be.false;
  });
});
